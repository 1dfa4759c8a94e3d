// Callers without credentials, with the default settings: they are refused before their bodies arrive, and other callers are served meanwhile.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { sendRaw, waitForClose } from '../support/raw-socket';
import { ask } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { atLeast, has, until } from '../support/waiting';

const MEGABYTE = 1024 * 1024;
const { key, entry } = generateApiKey('app', 'read+write');
const KEYED = `X-API-Key: ${key}\r\n`;
const CAMERA = '{"camera_id":"cam","friendly_name":"Door"}';
const LONG = `Content-Length: ${MEGABYTE}\r\n`;

let gateway: ListeningGateway;
const sockets: Socket[] = [];
beforeAll(async () => {
  gateway = await listenInProcess({ API_KEYS: entry, REQUEST_TIMEOUT_MS: '4500' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => gateway?.stop());

const head = (line: string, headers: string) => `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const readStatuses = (answer: string) => answer.match(/(?<=HTTP\/1\.1 )\d+/g);

const REFUSED: [what: string, request: string, status: string][] = [
  ['no credentials', head('POST /cameras', LONG), '401'],
  ['wrong ones', head('POST /cameras', `X-API-Key: pfg_x\r\n${LONG}`), '401'],
  ['no credentials for GraphQL', head('POST /graphql', `Content-Type: application/json\r\n${LONG}`), '401'],
  ['a body without end', head('POST /cameras', 'Transfer-Encoding: chunked\r\n'), '401'],
  ['a client that waits with its body', head('POST /cameras', `Expect: 100-continue\r\n${LONG}`), '401'],
  ['another protocol', head('POST /cameras', `Connection: Upgrade\r\nUpgrade: h2c\r\n${LONG}`), '401'],
  ['a WebSocket by POST', head('POST /graphql', `Connection: Upgrade\r\nUpgrade: websocket\r\n${LONG}`), '401'],
  ['an unknown path', head('POST /nothing', LONG), '404'],
  ['a wrong method', head('PUT /healthz', LONG), '405'],
  ['an unknown path for a client that waits', head('POST /nothing', `Expect: 100-continue\r\n${LONG}`), '404'],
  ['a wrong method of a client that waits', head('PUT /healthz', `Expect: 100-continue\r\n${LONG}`), '405'],
  ['an unreadable path', head('POST /%', LONG), '400'],
  ['a probe with a body', head('GET /healthz', LONG), '200'],
  ['a page with a body', head('GET /', LONG), '200'],
  ['a body that is too long', head('POST /cameras', `${KEYED}Content-Length: ${MEGABYTE + 1}\r\n`), '413'],
  [
    'the same body of a client that waits',
    head('POST /cameras', `${KEYED}Expect: 100-continue\r\nContent-Length: 9999999\r\n`),
    '413',
  ],
];

test('a request whose body nobody reads is answered before the body is sent, and the connection ends', async () => {
  // Each connection ends when the client had time to read the answer.
  const answers = await Promise.all(REFUSED.map(([, text]) => sendRaw(gateway, text)));
  for (const [index, [what, , status]] of REFUSED.entries()) {
    expect([what, readStatuses(answers[index] as string)]).toEqual([what, [status]]);
    expect(answers[index]).toMatch(/^connection: close\r$/im);
  }
});

test('a short body that arrives with its head does not end the connection', async () => {
  const refused = `${head('POST /cameras', `Content-Length: ${CAMERA.length}\r\n`)}${CAMERA}`;
  const answer = await sendRaw(gateway, refused + refused + head('GET /healthz', 'Connection: close\r\n'));
  expect(readStatuses(answer)).toEqual(['401', '401', '200']);
});

test('a client that is admitted is asked for the body', async () => {
  const waits = `${KEYED}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${CAMERA.length}\r\n`;
  const answer = await sendRaw(gateway, [head('POST /cameras', waits), CAMERA]);
  expect(readStatuses(answer)).toEqual(['100', '201']);
});

test('a WebSocket may send little before it is admitted', async () => {
  const shake =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n';
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  let answer = '';
  socket.once('data', (data) => (answer = String(data)));
  socket.write(head('GET /graphql', shake));
  await until(
    'the WebSocket is open',
    () => answer,
    (text) => text.startsWith('HTTP/1.1 101 '),
  );
  // A text of a megabyte, of which the first tenth comes; the mask is 0.
  socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]));
  socket.write(Buffer.alloc(100_000, ' '));
  await waitForClose(socket);
});

/**
 * What a stranger sends, forty times over twenty connections, half of which read nothing. A connection may have 1,000 requests:
 * what comes behind them is not read.
 */
const FLOODS: [string, string | Buffer][] = [
  ['bodies of a megabyte', Buffer.concat([Buffer.from(head('POST /cameras', LONG)), Buffer.alloc(MEGABYTE, ' ')])],
  ['chunks of a byte', head('POST /cameras', 'Transfer-Encoding: chunked\r\n') + '1\r\n \r\n'.repeat(50_000)],
  ['pipelined requests', head('GET /cameras', '').repeat(1100)],
  ['questions for the database', head('GET /readyz', '').repeat(1100)],
  ['pages', head('GET /openapi.json', 'Accept-Encoding: gzip\r\n').repeat(1100)],
  ['operations', head('POST /graphql', 'Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}').repeat(1100)],
  ['headers', head('GET /healthz', 'a:b\r\n'.repeat(3000)).repeat(20)],
  ['heads that do not end', `GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(3000)}`],
  ['what is not HTTP', 'junk\r\n'.repeat(10_000)],
];

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const VALUES = ','.repeat(200_000).replaceAll(',', '[],').slice(0, -1);
/** Where callers with a key leave: what they have sent by then. The last bodies are long to read, or wait for their turn. */
const STAGES: [where: string, sent: string][] = [
  ['after the head', head('POST /cameras', KEYED + LONG)],
  ['while they wait with the body', head('POST /cameras', `${KEYED}Expect: 100-continue\r\n${LONG}`)],
  ['after ten bytes', `${head('POST /cameras', KEYED + LONG)}${' '.repeat(10)}`],
  ['before the last byte', head('POST /cameras', KEYED + LONG) + ' '.repeat(MEGABYTE - 1)],
  ['between chunks', `${head('POST /cameras', KEYED + CHUNKED)}10000\r\n${' '.repeat(0x10000)}\r\n`],
  ['in chunks of a byte', head('POST /cameras', KEYED + CHUNKED) + '1\r\n \r\n'.repeat(100_000)],
  [
    'after a body of many values',
    `${head('POST /cameras', `${KEYED}Content-Length: ${VALUES.length + 2}\r\n`)}[${VALUES}]`,
  ],
  [
    'after an operation',
    `${head('POST /graphql', `${KEYED}Content-Type: application/json\r\n${LONG}`)}{"query":"{ cameras { totalCount } }"}`.padEnd(
      MEGABYTE + 200,
    ),
  ],
  [
    'after another request',
    `${head('GET /cameras', KEYED)}${head('POST /cameras', KEYED + LONG)}${' '.repeat(70_000)}`,
  ],
];

describe('a process with a heap of 160 MB', () => {
  let small: RunningGateway;
  beforeAll(async () => {
    small = await runGateway({ API_KEYS: entry, NODE_OPTIONS: '--max-old-space-size=160' });
  });
  // The process has survived all floods.
  afterAll(async () => expect(await small?.stop()).toBe(0));

  test.each(FLOODS)('is neither ended nor blocked by twenty connections with %s', async (_what, text) => {
    let rounds = 20;
    const flood = (reads: boolean) => {
      const socket = connect(Number(new URL(small.url).port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      if (reads) socket.resume();
      else socket.pause();
      socket.write(text);
      socket.once('close', () => {
        rounds -= 1;
        if (rounds >= 0) flood(reads);
      });
    };
    for (let n = 0; n < 20; n += 1) flood(n % 2 === 0);
    for (let n = 0; n < 3; n += 1) {
      expect(await ask(small, '/healthz')).toMatchObject({ status: 200 });
      expect(await ask(small, '/api/printjobs', undefined, 'GET', { 'x-api-key': key })).toMatchObject({ status: 200 });
    }
    rounds = 0;
  });

  test.each(STAGES)('continues when forty callers with a key leave %s', async (_where, text) => {
    const startBody = async () => {
      const socket = connect(Number(new URL(small.url).port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      return socket;
    };
    const begun = await Promise.all(Array.from({ length: 40 }, startBody));
    // The process has read what they sent.
    await ask(small, '/healthz');
    // The last ones first: they would wait where there is room for some.
    for (const [n, socket] of begun.toReversed().entries()) {
      if (n % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
      if (n % 10 === 0) await sleep(5);
    }
    expect(await ask(small, '/healthz')).toMatchObject({ status: 200 });
    const camera = { camera_id: randomUUID(), friendly_name: 'x'.repeat(255), extra: ' '.repeat(100_000) };
    expect(await ask(small, '/cameras', camera, 'POST', { 'x-api-key': key })).toMatchObject({ status: 201 });
  });

  test('serves others while 120 callers with a key send all but the last byte of a megabyte', async () => {
    const text = head('POST /cameras', KEYED + LONG) + ' '.repeat(MEGABYTE - 1);
    let ended = 0;
    for (let n = 0; n < 120; n += 1) {
      const socket = connect(Number(new URL(small.url).port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket
        .resume()
        .once('close', () => (ended += 1))
        .write(text);
    }
    await until('those for whom there is no memory are refused', () => ended, atLeast(40));
    const register = () => {
      const camera = { camera_id: randomUUID(), friendly_name: 'x', extra: ' '.repeat(100_000) };
      return ask(small, '/cameras', camera, 'POST', { 'x-api-key': key });
    };
    // The others have two seconds, and then are too slow.
    await until('another caller is served', register, has({ status: 201 }));
  });
});

test('a body with more values than its memory limit allows is refused; the limit depends on the length of the body', async () => {
  const lists = { extra: Array(150_000).fill([]) };
  const answer = await ask(gateway, '/cameras', lists, 'POST', { 'x-api-key': key });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'The body has more than 209715 values. Split it into several requests' },
  });
});
