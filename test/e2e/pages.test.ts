// The pages and long answers of the gateway over HTTP: types, policies, caching, compression, the description of REST.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { ROOT } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';

let gateway: ListeningGateway;
beforeAll(async () => {
  gateway = await listenInProcess({ REST_PRINT_JOB_CASING: 'camel', CORS_ORIGINS: 'https://farm.example' });
});
afterAll(() => gateway?.stop());

interface Answer {
  path: string;
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

/** With the given headers and no others; fetch would add some, and decompress. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url + path, { headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ path, status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() });
    });
    sent.on('error', reject).end();
  });
}

/** Every address that a page or a stylesheet of it names. */
function links(page: string): string[] {
  return [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link]) => link as string);
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const brief = ({ text, bytes, ...answer }: Answer) => ({ ...answer, text: text.slice(0, 200) });

test.each(['/', '/graphql', '/openapi'])(
  '%s is a page whose links all lead to something on this server',
  async (path) => {
    const page = await get(path, BROWSER);
    expect(brief(page)).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe-eval|https?:|\*/);
    const addresses = links(page.text).map((link) => new URL(link, gateway.url + path));
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address.origin).toBe(gateway.url);
      expect(brief(await get(address.pathname, BROWSER))).toMatchObject({ status: 200 });
    }
  },
);

test('a file has its type, and is not sent again while it is unchanged, whatever its encoding was', async () => {
  for (const [path, type] of [
    ['/assets/icon.svg', 'image/svg+xml'],
    ['/graphql/assets/client/event-stream.js', 'text/javascript; charset=utf-8'],
    ['/graphql/assets/playground.css', 'text/css; charset=utf-8'],
  ] as const) {
    const first = await get(path);
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' };
    expect(brief(first)).toMatchObject({ status: 200, headers });
    const etag = String(first.headers.etag);
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': etag });
    expect(brief(again)).toMatchObject({ status: 304, headers: { etag, 'cache-control': 'no-cache' }, text: '' });
    expect((await get(path, { 'if-none-match': 'W/"another"' })).status).toBe(200);
  }
});

test('every address of the dashboard has its files, whose names change with their content, so they can be cached', async () => {
  const resolved = async (path: string) =>
    links((await get(path)).text).map((link) => new URL(link, gateway.url + path).pathname);
  const wanted = await resolved('/');
  const files = wanted.filter((path) => /\.(js|css)$/.test(path));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };
    expect(brief(await get(file))).toMatchObject({ status: 200, headers });
  }
  for (const path of ['/jobs/1', '/camera/a%2Fb', '/camera/?id=..', '/start']) {
    expect(await resolved(path)).toEqual(wanted);
  }
  for (const path of ['/assets/none.js', '/assets/..%2Findex.html', '/assets/']) {
    expect(brief(await get(path))).toMatchObject({ status: 404, headers: { 'content-type': 'application/json' } });
  }
});

test('a client that does not ask for a page gets no playground', async () => {
  const operation = await get('/graphql?query=%7B__typename%7D', { ...BROWSER, 'apollo-require-preflight': 'true' });
  expect(operation.text).toBe('{"data":{"__typename":"Query"}}\n');
  expect((await get('/graphql', { accept: 'application/json' })).text).not.toContain('<html');
});

test('/openapi.json is a valid description of 3.1, one member per line, in the configured casing', async () => {
  const { text } = await get('/openapi.json');
  expect(JSON.parse(text)).toMatchObject({
    openapi: '3.1.0',
    components: { schemas: { PrintJobPage: { required: ['items', 'totalCount', 'pageNumber', 'pageSize'] } } },
  });
  expect(text.split('\n').length).toBeGreaterThan(500);
  const folder = temporaryFolder('openapi');
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  const validator = join(ROOT, 'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js');
  expect(JSON.parse(execFileSync(process.execPath, [validator, file], { encoding: 'utf8' }))).toEqual({ valid: true });
  rmSync(folder, { recursive: true });
});

const LONG = ['/openapi.json', '/metrics', '/graphql/assets/web/graphiql.js', `/${'x'.repeat(2000)}`];
test.each(LONG)('a long answer is compressed as its client prefers, and caches are informed: %s', async (path) => {
  const plain = await get(path);
  // Metrics count the requests for them.
  const stable = (bytes: Buffer) => (path === '/metrics' ? bytes.subarray(0, 100) : bytes).toString();
  for (const [accepted, coding] of [
    ['', undefined],
    ['br;q=0, gzip;q=0.0', undefined],
    ['deflate', undefined],
    ['identity, br;q=0.5', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, GZIP;q=0.8', 'gzip'],
    ['*', 'br'],
  ] as const) {
    const { status, headers, bytes } = await get(path, { 'accept-encoding': accepted });
    expect([accepted, status, headers['content-encoding']]).toEqual([accepted, plain.status, coding]);
    expect(headers.vary?.split(', ')).toContain('accept-encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
    const read = coding === 'br' ? brotliDecompressSync : coding === 'gzip' ? gunzipSync : (same: Buffer) => same;
    expect(stable(read(bytes))).toBe(stable(plain.bytes));
  }
});

test('a small answer is not compressed; a page of a trusted origin may send any header, and caches are informed', async () => {
  const small = await get('/healthz', { 'accept-encoding': 'gzip, br' });
  expect(small.headers).not.toHaveProperty('content-encoding');
  expect(small.headers.vary).not.toContain('accept-encoding');
  const { headers } = await get('/openapi.json', { origin: 'https://farm.example', 'accept-encoding': 'gzip' });
  expect(headers.vary?.toLowerCase()).toBe('origin, accept-encoding');
  const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-client,x-b3' };
  const asked = { method: 'OPTIONS', headers: { origin: 'https://farm.example', ...asking } };
  const preflight = await fetch(`${gateway.url}/api/PrintJobs/`, asked);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-client,x-b3');
});
