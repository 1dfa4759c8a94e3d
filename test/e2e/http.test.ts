// Rare HTTP, HTTP that two programs could read differently, and connections beyond their limits, through a bare socket.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { createApp } from '../../src/app';
import { TIMES } from '../../src/composition/foundation';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { sendRaw, waitForClose } from '../support/raw-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { inTime, is, until } from '../support/waiting';

let gateway: ListeningGateway;
/** With narrow bounds: a process, because a test halts it. */
let narrow: RunningGateway;
const MAX_CONNECTIONS = 9;
let sockets: Socket[] = [];
beforeAll(async () => {
  const env = { SHUTDOWN_TIMEOUT_MS: '1000', MAX_CONNECTIONS: `${MAX_CONNECTIONS}` };
  [gateway, narrow] = await Promise.all([listenInProcess({ SHUTDOWN_TIMEOUT_MS: '4000' }), runGateway(env)]);
});
afterEach(async () => {
  await Promise.all(sockets.map((socket) => waitForClose(socket.destroy())));
  sockets = [];
});
afterAll(() => Promise.all([gateway?.stop(), narrow?.stop('SIGKILL')]));

const HOST = 'Host: 127.0.0.1\r\n';
const CLOSE = 'Connection: close\r\n';
const LIST = `GET /cameras HTTP/1.1\r\n${HOST}\r\n`;
const LAST = `GET /healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
const POST = `POST /cameras HTTP/1.1\r\n${HOST}`;
const CONNECT = `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`;
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
const websocket = (version: number) =>
  `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
const [SHAKE, BAD_SHAKE] = [13, 7].map((version) => `GET /graphql HTTP/1.1\r\n${HOST}${websocket(version)}\r\n`);

const camera = (id: string) => `{"camera_id":"${id}","friendly_name":"y"}`;
const createLengthHeader = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** A body in one chunk. */
const chunked = (body: string, ...trailers: string[]) =>
  [body.length.toString(16), body, '0', ...trailers, '', ''].join('\r\n');
/** The number of headers that Node reads by default. */
const MANY = 'a:b\r\n'.repeat(2100);

const readStatuses = (answer: string) => answer.match(/(?<=HTTP\/1\.1 )\d+/g);
const statuses = async (text: string, at: { url: string } = gateway) => readStatuses(await sendRaw(at, text));

/** A connection of which the client never closes its half. */
async function open({ url }: { url: string }, text = ''): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket.on('error', () => {}));
  await inTime('the connection is open', once(socket, 'connect'));
  socket.write(text);
  return socket;
}

test('a request that two programs could read differently is refused, unexecuted, and its connection is closed', async () => {
  const body = camera('smuggled');
  const [length, chunks] = [createLengthHeader(body), chunked(body)];
  const requests: Record<string, string> = {
    'two hosts': `${POST}Host: elsewhere.example\r\n${length}\r\n${body}`,
    'no host': `POST /cameras HTTP/1.1\r\n${length}\r\n${body}`,
    'two hosts, one after 2,100 headers': `${POST}${MANY}Host: elsewhere.example\r\n${length}\r\n${body}`,
    'the same request, asking for h2c': `${POST}${H2C}${MANY}Host: elsewhere.example\r\n${length}\r\n${body}`,
    'a length and chunks': `${POST}${length}${CHUNKED}\r\n${chunks}`,
    'the same request asking for h2c, chunks first': `${POST}${H2C}${CHUNKED}${length}\r\n${chunks}`,
    'one length twice': `${POST}${length}${length}\r\n${body}`,
    'a list of lengths': `${POST}Content-Length: ${body.length}, ${body.length}\r\n\r\n${body}`,
    'a length with a sign': `${POST}Content-Length: +${body.length}\r\n\r\n${body}`,
    'chunks twice': `${POST}${CHUNKED}${CHUNKED}\r\n${chunks}`,
    'chunks before another coding': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n${chunks}`,
    'an unknown coding': `${POST}Transfer-Encoding: xchunked\r\n\r\n${chunks}`,
    'a chunk that ends with a line feed alone': `${POST}${CHUNKED}\r\n${chunks.replace('\r', '')}`,
    'a space before the colon': `${POST}Content-Length : ${body.length}\r\n\r\n${body}`,
    'a header on two lines': `${POST}X-A: b\r\n c\r\n${length}\r\n${body}`,
    'a line feed alone': `${POST}X-A: b\n${length}\r\n${body}`,
    'a carriage return in a header': `${POST}X-A: b\rc\r\n${length}\r\n${body}`,
    'a NUL in a header': `${POST}X-A: b\0c\r\n${length}\r\n${body}`,
  };
  for (const [what, text] of Object.entries(requests)) {
    // A second request, which would be answered if the connection continued.
    expect([what, await statuses(text + LIST)]).toEqual([what, ['400']]);
  }
  // Nothing was stored, and the parts of the requests would be.
  expect(await statuses(`${POST}${CLOSE}${CHUNKED}\r\n${chunks}`)).toEqual(['201']);
});

const foreign =
  'elsewhere.example in the URL of the request is not a name of this gateway. Use localhost, or add the origin to CORS_ORIGINS.';
const version = 'The WebSocket handshake is invalid: Missing or invalid Sec-WebSocket-Version header';
const coding = 'The gateway does not accept compressed bodies. Send the body without Content-Encoding.';
test.each([
  [
    'two hosts',
    `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`,
    400,
    'The request has more than one Host header. Send exactly one.',
  ],
  ['another gateway', `GET http://elsewhere.example/ HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 403, foreign],
  ['what is not HTTP', 'junk\r\n\r\n', 400, 'The request is not valid HTTP'],
  ['an expectation', `${POST}Expect: x\r\n\r\n`, 417, 'The header Expect may only have the value 100-continue'],
  ['a proxy', CONNECT, 405, 'CONNECT is not allowed here: the gateway is not a proxy'],
  [
    'TRACE',
    `TRACE /cameras HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    405,
    'TRACE is not allowed here. Allowed: GET, HEAD, POST',
  ],
  ['a WebSocket of another version', `${BAD_SHAKE}`, 400, version],
  ['a coded body', `${POST}${CLOSE}Content-Encoding: identity, gzip\r\nContent-Length: 2\r\n\r\n{}`, 415, coding],
  // Dots are an id, and do not lead to another path.
  ['dots', `GET /cameras/.. HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, 'There is no camera ..'],
])('%s is refused in plain words, and the connection is closed', async (_what, text, status, error) => {
  const [head = '', body] = (await sendRaw(gateway, text)).split('\r\n\r\n');
  expect([readStatuses(head), body]).toEqual([[`${status}`], JSON.stringify({ error })]);
  expect(head).toMatch(/^content-type: application\/json$/im);
  expect(head).toMatch(/^connection: close$/im);
});

test('a request to switch protocols is answered as usual, and the next request of its connection is answered once', async () => {
  const body = camera('asks for h2c');
  const requests: (string | string[])[] = [
    `${POST}${H2C}${MANY}${createLengthHeader(body)}\r\n${body}${LAST}`,
    `${POST}${H2C}${createLengthHeader(body)}\r\n${body}${LAST}`,
    `${POST}${createLengthHeader(body)}${websocket(13)}\r\n${body}${LAST}`,
    [`${POST}${H2C}${CHUNKED}\r\n`, chunked(body) + LAST],
  ];
  const answers = await Promise.all(requests.map((text) => sendRaw(gateway, text)));
  expect(answers.flatMap(readStatuses).sort()).toEqual(['200', '200', '200', '200', '201', '409', '409', '409']);
  // The second time it closes the connection, which would otherwise use more memory each time.
  expect(await statuses(`GET /healthz HTTP/1.1\r\n${HOST}${H2C}\r\n`.repeat(20))).toEqual(['200', '200']);
});

test('accepted are: a client that waits before its body, a byte order mark, trailers, an address as proxies write it', async () => {
  const body = `\uFEFF${camera('waited')}`;
  const waiting = `${POST}${CLOSE}Expect: 100-continue\r\n${createLengthHeader(body)}\r\n${body}`;
  expect(await statuses(waiting)).toEqual(['100', '201']);
  const trailers = chunked(camera('trailers'), 'Host: elsewhere.example');
  expect(await statuses(`${POST}${CLOSE}${CHUNKED}Trailer: Host\r\n\r\n${trailers}`)).toEqual(['201']);
  expect(await statuses(LAST.replace('/healthz', 'http://127.0.0.1/cameras/waited'))).toEqual(['200']);
});

test('HEAD has the status and the headers of GET, and no body', async () => {
  const paths = [
    '/',
    '/cameras',
    '/api/printjobs/17',
    '/graphql?query={__typename}',
    '/reports/print-jobs.csv',
    '/reports/print-job-parts.csv',
    '/reports/filming.csv',
    '/reports/spools.csv',
    '/none',
  ];
  for (const path of paths) {
    const text = await sendRaw(gateway, `HEAD ${path} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    const get = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'identity' } });
    const [head = '', body] = text.split('\r\n\r\n');
    expect([path, readStatuses(head), body]).toEqual([path, [`${get.status}`], '']);
    for (const name of ['content-type', 'content-length', 'cache-control', 'vary', 'etag']) {
      expect(new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? null).toBe(get.headers.get(name));
    }
  }
});

describe('requests of one connection that have no answer yet', () => {
  test.each([
    ['an expectation', `${LIST}${POST}Expect: x\r\nContent-Length: 2\r\n\r\n{}`, ['200', '417']],
    ['CONNECT after two requests', LIST + LIST + CONNECT, ['200', '200', '405']],
    ['a request that asks for h2c', LIST + LIST.replace(HOST, HOST + H2C) + LAST, ['200', '200', '200']],
    ['a WebSocket of another version', LIST + BAD_SHAKE, ['200', '400']],
    ['what is not HTTP', `${LIST}junk\r\n\r\n`, ['200', '400']],
  ])('%s gets its answer in its turn', async (_what, text, inTurn) => {
    expect(await statuses(text)).toEqual(inTurn);
  });

  test('a WebSocket is opened in its turn', async () => {
    const socket = await open(gateway, LIST + SHAKE);
    let answer = '';
    socket.on('data', (data) => (answer += data));
    await until(
      'the list is answered, and the WebSocket after it opened',
      () => answer,
      (text) => readStatuses(text)?.join() === '200,101',
    );
  });

  test('may be many, and are answered in their order', async () => {
    expect(await statuses(LIST.repeat(499) + LAST)).toEqual(Array(500).fill('200'));
  });
});

test('headers that are too large: 431', async () => {
  const large = await sendRaw(gateway, `${POST}x: ${'y'.repeat(16_384)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1\.1 431 .*\{"error":"The headers are too large"\}$/s);
});

describe('with narrow limits', () => {
  test('connections beyond the limit are closed, and existing ones continue', async () => {
    const [first] = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => open(narrow)));
    expect(await sendRaw(narrow, LAST)).toBe('');
    const answer = once(first as Socket, 'data');
    first?.write(LAST);
    expect(readStatuses(String(await inTime('the first client is answered', answer)))).toEqual(['200']);
  });

  /** Texts after which the gateway closes its half of the connection. */
  const refused = ['junk\r\n\r\n', CONNECT, BAD_SHAKE, LIST + CONNECT, LIST + BAD_SHAKE];
  /** The texts after which it also waits for more. */
  const unfinished = ['', 'GET /cam', `${POST}Content-Length: 30\r\n\r\n{`, ...refused];

  test('clients that never close their half of a connection are disconnected', async () => {
    await Promise.all(refused.map((text) => open(narrow, text)));
    const all = () => Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => statuses(LAST, narrow)));
    await until('the maximum of clients is answered', all, (answers) =>
      answers.every((answer) => answer?.join() === '200'),
    );
  });

  test('a thousand clients connect while the process is busy, and none has to try again', async () => {
    process.kill(narrow.pid, 'SIGSTOP');
    try {
      await Promise.all(Array.from({ length: 1000 }, () => open(narrow)));
    } finally {
      process.kill(narrow.pid, 'SIGCONT');
    }
  });

  test('a stop ends all connections', async () => {
    await until('a connection is free', () => statuses(LAST, narrow));
    await Promise.all(unfinished.map((text) => open(narrow, text)));
    expect(await statuses(LAST, narrow)).toEqual(['200']);
    expect(await narrow.stop()).toBe(0);
  });
});

test('a request that has not arrived within its time limit: 408', async () => {
  const fresh = await freshDatabase('server');
  // In production the limit is 30 s.
  const app = await createApp({ ...PATIENT, port: 0, database: fresh.target }, 'CLIENTS', { ...TIMES, arrivalMs: 300 });
  const at = { url: await app.listen() };
  const begun = ['', POST, `${POST}Content-Length: 100\r\n\r\n{"camera`, `${POST}${CHUNKED}\r\n5\r\n{"cam\r\n`];
  for (const answer of await Promise.all(begun.map((text) => sendRaw(at, text)))) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\{"error":"The request took too long to arrive"\}$/s);
  }
  await app.close();
  await fresh.drop();
});

// It stops the gateway of the other tests.
test('a stop closes a WebSocket whose handshake arrives during the stop', async () => {
  const body = camera('slow');
  const socket = await open(gateway);
  // The stop takes as long as this request: its last byte comes later.
  const slow = await open(gateway, `${POST}${createLengthHeader(body)}\r\n${body.slice(0, -1)}`);
  expect(await statuses(LAST)).toEqual(['200']);
  const ended = gateway.stop();
  await until('the gateway no longer listens', () => sendRaw(gateway, LAST), is(''));
  const late = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    createConnection: () => socket,
  });
  expect(String(await inTime('the WebSocket is closed', once(late, 'close')))).toBe('1001,The gateway stops');
  slow.write(body.slice(-1));
  expect(readStatuses(String(await inTime('the slow request is answered', once(slow, 'data'))))).toEqual(['201']);
  await inTime('the gateway has stopped', ended);
});
