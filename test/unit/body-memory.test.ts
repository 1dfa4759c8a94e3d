// The memory of request bodies: its limit, which body is refused, and when its memory is released.
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { sendError } from '../../src/doors/http/answers';
import { BodyMemory } from '../../src/doors/http/limits/body-memory';
import { closeUnread, continueLater } from '../../src/doors/http/limits/unread-bodies';
import { readBodies } from '../../src/doors/http/request-bodies';
import { Caller } from '../../src/farm/graph/caller';
import { atLeast, until } from '../support/waiting';

const MEGABYTE = 1024 * 1024;
/** The limit for all bodies together. */
const BODY_BYTES = 4.25 * MEGABYTE;
/** A turn may wait for the pause after the turn before. */
const LONG_MS = 60_000;

let app: FastifyInstance;
let port: number;
const clients: Socket[] = [];
/** The server ends of their connections. */
const sockets = new Set<Socket>();
/** Answers to bodies, and connections that the server has closed. */
const count = { answered: 0, closed: 0 };

async function listen(prepare: (app: FastifyInstance) => void): Promise<void> {
  app = fastify({ forceCloseConnections: true, bodyLimit: MEGABYTE });
  prepare(app);
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

beforeEach(() =>
  listen((one) => {
    continueLater(one, MEGABYTE);
    closeUnread(one);
    one.decorateRequest('caller');
    one.addHook('onRequest', async (request) => {
      request.caller = new Caller('', ['read']);
    });
    sockets.clear();
    one.server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => (count.closed += 1));
    });
    const memory = new BodyMemory(BODY_BYTES, MEGABYTE);
    memory.mount(one);
    readBodies(one, memory, LONG_MS, (bytes) => bytes);
    one.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    one.post('/', async () => {
      count.answered += 1;
      return 'done';
    });
    one.get('/unanswered', () => new Promise(() => {}));
  }),
);
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await app.close();
  Object.assign(count, { answered: 0, closed: 0 });
});

/** A client that sends the head of a body and a part of it. @returns the answer, as it arrives */
function post(length: number, { body = '' } = {}) {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const answer = { text: '', isClosed: false, client };
  client.on('data', (data) => (answer.text += data)).on('close', () => (answer.isClosed = true));
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return answer;
}

type Told = ReturnType<typeof post>;
const describeTold = ({ text, isClosed }: Told) => ({ text, isClosed });
const waitForAnswer = (answered: Told | undefined, words: string) =>
  until(
    `the server answers ${words}`,
    () => answered && describeTold(answered),
    (now) => now?.text.includes(words),
  );
const isClosed = (answered: Told | undefined) =>
  until(
    'the server closes the connection',
    () => answered && describeTold(answered),
    (now) => now?.isClosed,
  );

/** A client that sends the head of a body of unknown length. */
function chunked() {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const answered = { text: '', isClosed: false, client };
  client.on('data', (data) => (answered.text += data)).on('close', () => (answered.isClosed = true));
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  return { told: answered, head, chunk: (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n` };
}

test('a body of unknown length that becomes too long is refused, and its connection is closed', async () => {
  const { told, head, chunk } = chunked();
  told.client.write(`${head}${chunk(65_536).repeat(17)}`);
  await isClosed(told);
  expect(told.text).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
});

test('a body of one-byte chunks is refused, and its connection is closed', async () => {
  const { told, head, chunk } = chunked();
  told.client.write(head + chunk(1).repeat(5000));
  await isClosed(told);
  expect(told.text).toMatch(/400 Bad Request.*\r\nconnection: close\r\n.*The body arrives in too many small pieces/is);
});

test('one body beyond the memory limit gets 429 immediately; then the slow bodies get 408, and a new one gets their memory', async () => {
  const clock = jest.spyOn(performance, 'now');
  const large = Array.from({ length: 4 }, () => post(MEGABYTE, { body: ' '.repeat(MEGABYTE - 1) }));
  await until(
    'all but their last bytes have arrived',
    () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    atLeast(4 * MEGABYTE),
  );
  const refused = post(MEGABYTE, { body: ' '.repeat(400_000) });
  await waitForAnswer(refused, 'HTTP/1.1 429 ');
  expect(refused.text).toMatch(/retry-after: 1\r\n/i);
  const now = performance.now();
  clock.mockImplementation(() => now + 3000);
  const another = post(MEGABYTE, { body: ' '.repeat(MEGABYTE) });
  await waitForAnswer(another, 'done');
  await waitForAnswer(large[0], 'HTTP/1.1 408 ');
  clock.mockRestore();
});

test.each([1000, 16_384, 65_536])('a body of a megabyte in chunks of %s bytes is read', async (bytes) => {
  const { told, head, chunk } = chunked();
  told.client.write(`${head}${chunk(bytes).repeat(Math.floor(MEGABYTE / bytes))}0\r\n\r\n`);
  await isClosed(told);
  expect(told.text).toMatch(/^HTTP\/1\.1 200 .*done/is);
});

/** Sends a part of a body after an unanswered request, and resets the connection once it has arrived. */
async function resetBehindAnother(body: string): Promise<void> {
  const { closed } = count;
  sockets.clear();
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${MEGABYTE}\r\n\r\n`;
  client.write(`GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n${head}${body}`);
  await until('the body has arrived', () => [...sockets][0]?.bytesRead ?? 0, atLeast(body.length));
  client.resetAndDestroy();
  await until('the connection is closed', () => count.closed, atLeast(closed + 1));
}

test('a connection that is reset releases the memory of its pipelined request', async () => {
  for (let n = 0; n < 9; n += 1) await resetBehindAnother(' '.repeat(MEGABYTE - 1));
  const answer = post(MEGABYTE, { body: ' '.repeat(MEGABYTE) });
  await waitForAnswer(answer, 'HTTP/1.1');
  expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
});

test('it also releases the memory of a long body that was read; while none is free, another body gets 429', async () => {
  const body = ','.repeat(65_000).padStart(70_000);
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const head = `Host: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`;
  client.write(`GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\n${head}${body}`);
  await until('the body is read', () => count.answered, atLeast(1));
  await waitForAnswer(post(body.length, { body }), 'HTTP/1.1 429 ');
  const { closed } = count;
  client.resetAndDestroy();
  await until('the connection is closed', () => count.closed, atLeast(closed + 1));
  await waitForAnswer(post(body.length, { body }), 'HTTP/1.1 200 ');
});
