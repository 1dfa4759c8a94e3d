// HTTP that is rare, and HTTP that two programs could read differently, through a bare socket.
import { gzipSync } from 'node:zlib';
import { say } from '../support/raw-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway?.stop());

const HOST = 'Host: 127.0.0.1\r\n';
const LAST = 'Connection: close\r\n';
const camera = (id: string) => `{"camera_id":"${id}","friendly_name":"y"}`;
const lines = (...text: string[]) => text.join('\r\n');

/** A POST with a body of this length. */
const post = (path: string, body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${HOST}${LAST}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);

async function idsOf(): Promise<string[]> {
  const cameras = (await (await fetch(`${gateway.url}/cameras`)).json()) as { camera_id: string }[];
  return cameras.map(({ camera_id }) => camera_id);
}

/** A body in one chunk. */
const chunked = (body: string, ...trailers: string[]) =>
  lines(body.length.toString(16), body, '0', ...trailers, '', '');

const BODY = camera('smuggled');
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKS = chunked(BODY);

test('the parts of which the refused requests are made would be done', async () => {
  const head = `POST /cameras HTTP/1.1\r\n${HOST}${LAST}`;
  const body = camera('accepted');
  expect(await say(gateway, `${head}${LENGTH}\r\n${body}`)).toMatch(/^HTTP\/1\.1 201 /);
  expect(await say(gateway, `${head}Transfer-Encoding: chunked\r\n\r\n${chunked(body)}`)).toMatch(/^HTTP\/1\.1 409 /);
});

describe('a request that asks for another protocol is answered as if it did not', () => {
  const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
  const WEB_SOCKET =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const last = `GET /healthz HTTP/1.1\r\n${HOST}${LAST}\r\n`;
  test.each([
    ['h2c', H2C],
    ['a WebSocket where there is none', WEB_SOCKET],
  ])('%s: with its body, and the connection goes on', async (name, headers) => {
    const body = camera(`asks for ${name}`);
    const head = `POST /cameras HTTP/1.1\r\n${HOST}${headers}Content-Length: ${body.length}\r\n\r\n`;
    const answer = await say(gateway, head + body + last);
    expect(answer).toMatch(/^HTTP\/1\.1 201 .*HTTP\/1\.1 200 /s);
    expect(await idsOf()).toContain(`asks for ${name}`);
  });

  test('its length may stand behind 2,100 headers: its body is no second request', async () => {
    const body = camera('behind many');
    const head = `POST /cameras HTTP/1.1\r\n${HOST}${H2C}${'a:b\r\n'.repeat(2100)}Content-Length: ${body.length}\r\n\r\n`;
    const answer = await say(gateway, head + body + last);
    expect(answer).toMatch(/^HTTP\/1\.1 201 .*HTTP\/1\.1 200 /s);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(2);
  });

  test('its body may come later, and in chunks', async () => {
    const body = camera('in pieces');
    const head = `POST /cameras HTTP/1.1\r\n${HOST}${H2C}Transfer-Encoding: chunked\r\n\r\n`;
    expect(await say(gateway, [head, chunked(body) + last])).toMatch(/^HTTP\/1\.1 201 .*HTTP\/1\.1 200 /s);
  });

  test('a connection that is to close is closed behind the answer', async () => {
    const close = H2C.replace('Upgrade, HTTP2', 'close, Upgrade, HTTP2');
    expect(await say(gateway, `GET /healthz HTTP/1.1\r\n${HOST}${close}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a second time it closes the connection, which would hold more memory at each time', async () => {
    const request = `GET /healthz HTTP/1.1\r\n${HOST}${H2C}\r\n`;
    const answer = await say(gateway, request.repeat(20));
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answer.match(/^connection: close\r$/gim)).toHaveLength(1);
  });

  test('a length and chunks are refused as ever', async () => {
    const head = `POST /cameras HTTP/1.1\r\n${HOST}${H2C}`;
    const answer = await say(gateway, `${head}${LENGTH}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(await idsOf()).not.toContain('smuggled');
  });
});

describe('refused, with nothing done and the connection closed', () => {
  const head = `POST /cameras HTTP/1.1\r\n${HOST}`;
  // Node reads 2,000 headers where nothing else is said.
  const many = 'a:b\r\n'.repeat(2100);
  const asking = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  test.each([
    ['two hosts, one behind 2,100 headers', `${head}${many}Host: elsewhere.example\r\n${LENGTH}\r\n${BODY}`],
    ['the same that asks for h2c', `${head}${asking}${many}Host: elsewhere.example\r\n${LENGTH}\r\n${BODY}`],
    ['a length and chunks', `${head}${LENGTH}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`],
    ['chunks and a length', `${head}Transfer-Encoding: chunked\r\n${LENGTH}\r\n${CHUNKS}`],
    ['two lengths', `${head}${LENGTH}Content-Length: 40\r\n\r\n${BODY}`],
    ['one length twice', `${head}${LENGTH}${LENGTH}\r\n${BODY}`],
    ['a list of lengths', `${head}Content-Length: ${BODY.length}, ${BODY.length}\r\n\r\n${BODY}`],
    ['a length with a sign', `${head}Content-Length: +${BODY.length}\r\n\r\n${BODY}`],
    ['chunks twice', `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`],
    ['chunks before another coding', `${head}Transfer-Encoding: chunked, identity\r\n\r\n${CHUNKS}`],
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n${CHUNKS}`],
    [
      'a chunk that ends with a line feed alone',
      `${head}Transfer-Encoding: chunked\r\n\r\n${CHUNKS.replace('\r', '')}`,
    ],
    ['a space before the colon', `${head}Content-Length : ${BODY.length}\r\n\r\n${BODY}`],
    ['a header on two lines', `${head}X-A: b\r\n c\r\n${LENGTH}\r\n${BODY}`],
    ['a line feed alone', `${head}X-A: b\n${LENGTH}\r\n${BODY}`],
    ['line feeds alone', `${head}${LENGTH}\r\n`.replaceAll('\r', '') + BODY],
    ['a carriage return in a header', `${head}X-A: b\rc\r\n${LENGTH}\r\n${BODY}`],
    ['a NUL in a header', `${head}X-A: b\0c\r\n${LENGTH}\r\n${BODY}`],
    ['no host', `POST /cameras HTTP/1.1\r\n${LENGTH}\r\n${BODY}`],
    ['two hosts', `${head}Host: elsewhere.example\r\n${LENGTH}\r\n${BODY}`],
    ['one host twice', `${head}${HOST}${LENGTH}\r\n${BODY}`],
  ])('%s', async (_what, text) => {
    // A second request, which would be answered if the connection went on.
    const answer = await say(gateway, `${text}GET /healthz HTTP/1.1\r\n${HOST}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.match(/^HTTP\//gm)).toHaveLength(1);
    expect(await idsOf()).not.toContain('smuggled');
  });

  const shake = (version: number, key: string) =>
    `GET /graphql HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
  test.each([
    [
      'more than one host',
      `GET /cameras HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`,
      400,
      'The request has more than one Host header',
    ],
    ['no host', 'GET /cameras HTTP/1.1\r\n\r\n', 400, 'The request has no Host header'],
    ...['http://elsewhere.example/cameras', 'HTTPS://x@Elsewhere.example:1?y'].map(
      (url): [string, string, number, string] => [
        `the whole URL ${url}`,
        `GET ${url} HTTP/1.1\r\n${HOST}${LAST}\r\n`,
        403,
        'elsewhere.example in the URL of the request is not a name of this gateway (CORS_ORIGINS)',
      ],
    ),
    ['what is not HTTP', 'junk\r\n\r\n', 400, 'The request is not HTTP that can be read'],
    [
      'another expectation',
      `GET /cameras HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`,
      417,
      'The header Expect may only have the value 100-continue',
    ],
    ['a proxy', `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`, 405, 'CONNECT is not allowed here: this is no proxy'],
    [
      'a WebSocket without a key',
      shake(13, 'x'),
      400,
      'This is no request for a WebSocket: Missing or invalid Sec-WebSocket-Key header',
    ],
    [
      'a WebSocket of another version',
      shake(7, 'dGhlIHNhbXBsZSBub25jZQ=='),
      400,
      'This is no request for a WebSocket: Missing or invalid Sec-WebSocket-Version header',
    ],
  ])('%s, in plain words', async (_what, text, status, error) => {
    const [head = '', body = ''] = (await say(gateway, text)).split('\r\n\r\n');
    expect([/^HTTP\/1\.1 (\d+) /.exec(head)?.[1], body]).toEqual([`${status}`, JSON.stringify({ error })]);
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^connection: close$/im);
  });

  test('junk behind a request, which is answered first', async () => {
    const get = `GET /cameras/no HTTP/1.1\r\n${HOST}\r\n`;
    for (const requests of [get, get + get]) {
      const answer = await say(gateway, `${requests}junk\r\n\r\n`);
      const count = requests.length / get.length;
      expect(answer.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual([...Array(count).fill('404'), '400']);
      expect(answer.endsWith('{"error":"The request is not HTTP that can be read"}')).toBe(true);
    }
  });
});

describe('answered', () => {
  test.each([
    ['an address as proxies write it', 'GET http://127.0.0.1/healthz', 200, '{"status":"ok"}'],
    ['such an address with a query', 'GET http://127.0.0.1/graphql?query={__typename}', 200, '"Query"'],
    ['such an address that is unknown', 'GET http://127.0.0.1/nowhere?x', 404, 'There is nothing at /nowhere'],
    ['such an address with a wrong method', 'DELETE http://127.0.0.1/cameras', 405, 'DELETE is not allowed here'],
    ['OPTIONS of a path', 'OPTIONS /cameras', 405, 'allowed: GET, HEAD, POST'],
    ['OPTIONS of the server', 'OPTIONS *', 404, 'There is nothing at *'],
    ['TRACE', 'TRACE /cameras', 405, 'TRACE is not allowed here'],
  ])('%s', async (_what, start, status, text) => {
    const answer = await say(gateway, `${start} HTTP/1.1\r\n${HOST}${LAST}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(text);
  });

  test('a body in chunks with trailers, which are ignored', async () => {
    const body = chunked(camera('trailers'), 'Host: elsewhere.example');
    const head = `POST /cameras HTTP/1.1\r\n${HOST}${LAST}Transfer-Encoding: chunked\r\nTrailer: Host\r\n\r\n`;
    expect(await say(gateway, head + body)).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('a client that waits before its body: it is told to go on', async () => {
    const answer = await say(gateway, post('/cameras', camera('waited'), 'Expect: 100-continue\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
    expect(await say(gateway, post('/cameras', camera('other'), 'Expect: 200-ok\r\n'))).toMatch(/^HTTP\/1\.1 417 /);
  });

  test('several requests at once, in their order', async () => {
    const get = (start: string, headers = '') => `${start} HTTP/1.1\r\n${HOST}${headers}\r\n`;
    const answer = await say(
      gateway,
      get('GET /cameras/no') + get('HEAD /cameras') + get('GET /nowhere') + get('GET /healthz', LAST),
    );
    expect(answer.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['404', '200', '404', '200']);
    expect(answer).toMatch(/There is no camera no.*There is nothing at \/nowhere.*"ok"/s);
  });
});

test.each([
  '/',
  '/cameras',
  '/cameras/none',
  '/api/printjobs',
  '/api/printjobs/17',
  '/graphql',
  '/graphql?query={__typename}',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/assets/icon.svg',
  '/nowhere',
])('HEAD %s has the status and the headers of GET, and no body', async (path) => {
  const text = await say(gateway, `HEAD ${path} HTTP/1.1\r\n${HOST}${LAST}\r\n`);
  const get = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'identity' } });
  const [head = '', body] = text.split('\r\n\r\n');
  expect(body).toBe('');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${get.status} `));
  for (const name of ['content-type', 'content-length', 'cache-control', 'vary', 'etag']) {
    expect(new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? null).toBe(get.headers.get(name));
  }
});

describe('bodies', () => {
  const query = '{"query":"{__typename}"}';
  const json = 'Content-Type: application/json\r\n';

  test('with a byte order mark are read', async () => {
    expect(await say(gateway, post('/cameras', `\uFEFF${camera('marked')}`))).toMatch(/^HTTP\/1\.1 201 /);
    expect(await idsOf()).toContain('marked');
    expect(await say(gateway, post('/graphql', `\uFEFF${query}`, json))).toContain('{"data":{"__typename":"Query"}}');
  });

  test.each(['gzip', 'deflate', 'br', 'GZIP', 'identity, gzip', 'nonsense'])(
    'with the coding %s are refused with 415, in plain words',
    async (coding) => {
      const headers = `Content-Encoding: ${coding}\r\n${json}`;
      const message = 'The body has a Content-Encoding: send it without, or with identity';
      const rest = await say(gateway, post('/cameras', gzipSync(camera('coded')), headers));
      expect(rest).toMatch(/^HTTP\/1\.1 415 /);
      expect(rest).toContain(JSON.stringify({ error: message }));
      const graph = await say(gateway, post('/graphql', gzipSync(query), headers));
      expect(graph).toMatch(/^HTTP\/1\.1 415 /);
      expect(graph).toContain(JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] }));
    },
  );

  test('with the coding identity are read', async () => {
    const coded = post('/cameras', camera('identity'), 'Content-Encoding: identity\r\n');
    expect(await say(gateway, coded)).toMatch(/^HTTP\/1\.1 201 /);
  });

  test.each([
    ['', 'has no content type'],
    ['text/plain', 'has the content type text/plain'],
    ['application/xml', 'has the content type application/xml'],
    ['application/graphql', 'has the content type application/graphql'],
    ['nonsense', 'has the content type nonsense'],
    ['application/jsonp', 'has the content type application/jsonp'],
  ])('of /graphql with the content type "%s" are refused with 415, in plain words', async (type, problem) => {
    const headers = type === '' ? '' : `Content-Type: ${type}\r\n`;
    for (const more of ['', 'apollo-require-preflight: true\r\n']) {
      const answer = await say(gateway, post('/graphql', query, headers + more));
      expect(answer).toMatch(/^HTTP\/1\.1 415 /);
      expect(answer).toContain(`"message":"The request ${problem}: send application/json"`);
    }
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=UTF-8'])(
    'of /graphql with the content type %s are read',
    async (type) => {
      expect(await say(gateway, post('/graphql', query, `Content-Type: ${type}\r\n`))).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});
