// The pages of the running gateway as HTTP sees them: types, policies, caching, and the clients that get the playground.
import { get as httpGet } from 'node:http';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ REST_PRINT_JOB_CASING: 'camel' });
});

afterAll(() => gateway?.stop());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, { headers });
  return { path, status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** As a browser asks for a copy that it has; fetch would add headers that want a new one. */
function revalidated(path: string, etag: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpGet(gateway.url + path, { headers: { 'if-none-match': etag } }, async (response) => {
      resolve({ status: response.statusCode, text: (await response.toArray()).join('') });
    });
    request.on('error', reject);
  });
}

/** Every address that a page or a stylesheet of it names. */
function links(page: string): string[] {
  return [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link as string);
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.each(['/', '/graphql', '/openapi'])('%s is a page whose links lead somewhere, all of them here', async (path) => {
  const page = await get(path, BROWSER);
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe-eval|https?:|\*/);
  const addresses = links(page.text).map((link) => new URL(link, gateway.url + path));
  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) {
    expect(address.origin).toBe(gateway.url);
    const linked = await get(address.pathname, BROWSER);
    expect({ ...linked, text: linked.text.slice(0, 200) }).toMatchObject({ status: 200 });
  }
});

test.each([
  ['/assets/icon.svg', 'image/svg+xml'],
  ['/graphql/assets/client/event-stream.js', 'text/javascript; charset=utf-8'],
  ['/graphql/assets/playground.css', 'text/css; charset=utf-8'],
  ['/graphql/assets/graphiql.js', 'text/javascript; charset=utf-8'],
  ['/openapi/assets/swagger-ui.js', 'text/javascript; charset=utf-8'],
])('%s has its type and is not sent again while it is the same', async (path, type) => {
  const first = await get(path);
  expect({ ...first, text: first.text.length }).toMatchObject({
    status: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' },
  });
  expect(await revalidated(path, first.headers['etag'] ?? '')).toEqual({ status: 304, text: '' });
});

test('the files of the dashboard have names that change with their content, so they are kept', async () => {
  const page = await get('/');
  const files = links(page.text).filter((link) => /\.(js|css)$/.test(link));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    expect(await get(file.slice(1))).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
    });
  }
});

test.each(['/jobs', '/jobs/1', '/camera/a%2Fb', '/camera/?id=..', '/filament', '/start'])(
  '%s is an address of the dashboard',
  async (path) => {
    const page = await get(path);
    expect(page.text).toContain('<div id="root">');
    const files = links(page.text).map((link) => new URL(link, gateway.url + path).pathname);
    expect(files).toEqual(links((await get('/')).text).map((link) => new URL(link, gateway.url).pathname));
  },
);

test.each(['/assets/none.js', '/assets/..%2Findex.html', '/assets/'])('%s is no file', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, headers: { 'content-type': 'application/json' } });
});

test('a client that does not ask for a page gets no playground', async () => {
  const operation = await get('/graphql?query=%7B__typename%7D', {
    ...BROWSER,
    'apollo-require-preflight': 'true',
  });
  expect(operation.text).toBe('{"data":{"__typename":"Query"}}\n');
  expect((await get('/graphql', { accept: 'application/json' })).text).not.toContain('<html');
});

test('/openapi.json describes the casing that is set', async () => {
  const description = await get('/openapi.json');
  expect(description).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(JSON.parse(description.text)).toMatchObject({
    openapi: '3.1.0',
    components: { schemas: { PrintJobPage: { required: ['items', 'totalCount', 'pageNumber', 'pageSize'] } } },
  });
});
