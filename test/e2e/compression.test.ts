// Compression as clients of the running gateway meet it: which answers, which coding, and the headers for caches.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ask } from '../support/asking';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ CORS_ORIGINS: 'https://farm.example' });
  for (let n = 0; n < 20; n += 1)
    await ask(gateway, '/cameras', { camera_id: `cam-${n}`, friendly_name: `Camera ${n}` });
});
afterAll(() => gateway?.stop());

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** With the headers that are given and no others; fetch would add an accept-encoding and decompress. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(gateway.url + path, { method, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, bytes });
    });
    sent.on('error', reject).end(body);
  });
}

const LIST = '{ cameras { nodes { id friendlyName createdAt updatedAt } } }';
const PATHS = [
  '/cameras',
  `/graphql?${new URLSearchParams({ query: LIST })}`,
  '/openapi.json',
  '/metrics',
  '/graphql/assets/web/playground.js',
  '/graphql/assets/graphiql.css',
  '/graphql/assets/graphiql.js',
];
const READERS = { br: brotliDecompressSync, gzip: gunzipSync };

/** Metrics count the requests for them. */
const stable = (path: string, bytes: Buffer) => (path === '/metrics' ? bytes.subarray(0, 100) : bytes).toString();

describe.each(PATHS)('%s', (path) => {
  test.each(['br', 'gzip'] as const)('is sent as %s to a client that accepts it alone', async (coding) => {
    const plain = await send(path);
    const short = await send(path, { 'accept-encoding': coding });
    expect([plain.status, short.status]).toEqual([200, 200]);
    expect(short.headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(short.bytes.length) });
    expect(short.headers['content-type']).toBe(plain.headers['content-type']);
    expect(short.bytes.length).toBeLessThan(plain.bytes.length * 0.7);
    expect(stable(path, READERS[coding](short.bytes))).toBe(stable(path, plain.bytes));
  });

  test('is sent as it is to a client that accepts no coding, and caches are told', async () => {
    for (const accepted of [undefined, '', 'identity', 'br;q=0, gzip;q=0.0', 'deflate', 'identity, br;q=0.5']) {
      const { headers, status } = await send(path, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect({ accepted, status, coding: headers['content-encoding'] }).toEqual({ accepted, status: 200 });
      expect(headers.vary?.split(', ')).toContain('accept-encoding');
    }
  });
});

test.each([...PATHS, '/reports/print-jobs.csv'])('%s has the same headers for HEAD as for GET', async (path) => {
  const accepted = { 'accept-encoding': 'gzip' };
  const [head, get] = [await send(path, accepted, 'HEAD'), await send(path, accepted)];
  expect(head.bytes.length).toBe(0);
  for (const name of ['content-encoding', 'vary', 'content-type', 'etag'] as const) {
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  }
  if (path !== '/metrics') expect(head.headers['content-length']).toBe(get.headers['content-length']);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
])('of the codings %s the gateway sends %s', async (accepted, coding) => {
  expect((await send('/cameras', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(coding);
});

test('what is small has no coding, and no content has none', async () => {
  const accepted = { 'accept-encoding': 'gzip, br' };
  const made = await send('/cameras', accepted, 'POST', '{"camera_id": "small", "friendly_name": "x"}');
  const small = [await send('/healthz', accepted), await send('/cameras/small', accepted), made];
  for (const { headers } of small) {
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers.vary ?? '').not.toContain('accept-encoding');
  }
  expect(made).toMatchObject({ status: 201 });
});

test('a long refusal is compressed like any answer', async () => {
  for (const path of [`/${'x'.repeat(2000)}`, `/cameras/${'%41'.repeat(2000)}`]) {
    const plain = await send(path);
    const short = await send(path, { 'accept-encoding': 'br' });
    expect(short.status).toBe(plain.status);
    expect(brotliDecompressSync(short.bytes).toString()).toBe(plain.bytes.toString());
  }
});

test('a page of another origin is told of both of the headers that the answer depends on', async () => {
  const headers = { origin: 'https://farm.example', 'accept-encoding': 'gzip' };
  expect((await send('/cameras', headers)).headers.vary?.toLowerCase()).toBe('origin, accept-encoding');
});

test('a copy that is still the same is not sent again, whatever its coding was', async () => {
  for (const path of ['/', '/graphql/assets/web/playground.js']) {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) => (await send(path, { 'accept-encoding': coding })).headers.etag),
    );
    expect(new Set(tags).size).toBe(1);
    const again = await send(path, { 'accept-encoding': 'br', 'if-none-match': String(tags[0]) });
    expect(again).toMatchObject({ status: 304, headers: { etag: tags[0], 'cache-control': 'no-cache' } });
    expect(again.headers.vary).toContain('accept-encoding');
    expect(again.headers).not.toHaveProperty('content-encoding');
    expect((await send(path, { 'if-none-match': 'W/"another"' })).status).toBe(200);
  }
});
