// Large bodies that arrive: so many bytes of them, in so many pieces, and their room is given back.
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { sendError } from '../../src/doors/http/answers';
import { boundArrival } from '../../src/doors/http/limits/arrival';
import { closeUnread, continueLater } from '../../src/doors/http/limits/unread-bodies';
import { largeBodies, readBodies } from '../../src/doors/http/request-bodies';
import { Caller } from '../../src/farm/graph/caller';
import { until } from '../support/waiting';

const MEGABYTE = 1024 * 1024;
const SOON_MS = 50;
/** A turn may wait for the pause behind the one before. */
const LONG_MS = 60_000;

let app: FastifyInstance;
let port: number;
const clients: Socket[] = [];
/** Bodies that may arrive, their answers, and connections that the server has closed. */
const count = { begun: 0, answered: 0, closed: 0 };

async function listen(prepare: (app: FastifyInstance) => void): Promise<void> {
  app = fastify({ forceCloseConnections: true, bodyLimit: MEGABYTE });
  prepare(app);
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

beforeEach(() =>
  listen((one) => {
    continueLater(one.server);
    closeUnread(one);
    one.decorateRequest('caller');
    one.addHook('onRequest', async (request) => {
      request.caller = new Caller(String(request.headers['x-name'] ?? ''), ['read']);
    });
    one.server.on('connection', (socket) => socket.once('close', () => (count.closed += 1)));
    readBodies(one, largeBodies(MEGABYTE, LONG_MS), (bytes) => bytes);
    boundArrival(one, MEGABYTE, SOON_MS);
    one.addHook('preParsing', async ({ method }, _reply, body) => {
      count.begun += Number(method === 'POST');
      return body;
    });
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
  Object.assign(count, { begun: 0, answered: 0, closed: 0 });
});

/** A client that sends the head of a body and a part of it. @returns what is answered, as it comes */
function post(length: number, { name = '', from = '127.0.0.1', body = '', headers = '' } = {}) {
  const client = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => {});
  clients.push(client);
  const answer = { text: '', isClosed: false, client };
  client.on('data', (data) => (answer.text += data)).on('close', () => (answer.isClosed = true));
  const named = name === '' ? '' : `X-Name: ${name}\r\n`;
  client.write(
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${named}${headers}Content-Length: ${length}\r\n\r\n${body}`,
  );
  return answer;
}

type Told = ReturnType<typeof post>;
const toldOf = ({ text, isClosed }: Told) => ({ text, isClosed });
const says = (told: Told | undefined, words: string) =>
  until(
    `the server says ${words}`,
    () => told && toldOf(told),
    (now) => now?.text.includes(words),
  );
const isContinued = (told: Told) => says(told, 'HTTP/1.1 100 ');
const isClosed = (told: Told | undefined) =>
  until(
    'the server closes the connection',
    () => told && toldOf(told),
    (now) => now?.isClosed,
  );

/** A body that was asked for, so that it counts. */
async function begun(length: number, options = {}) {
  const answer = post(length, { ...options, headers: 'Expect: 100-continue\r\n' });
  await isContinued(answer);
  return answer;
}

test('large bodies have 8 MB; one more is not asked for, and refused when it has waited too long', async () => {
  const large: Awaited<ReturnType<typeof begun>>[] = [];
  for (let n = 0; n < 8; n += 1) large.push(await begun(MEGABYTE, { name: `${n}` }));
  const refused = post(MEGABYTE, { name: 'x', headers: 'Expect: 100-continue\r\n' });
  await isClosed(refused);
  // It was asked for neither before nor after.
  expect(refused.text).toMatch(/^HTTP\/1\.1 429 /);
  await begun(60_000, { name: 'x' });
  large[0]?.client.write(Buffer.alloc(MEGABYTE, ' '));
  await says(large[0], 'done');
  await begun(MEGABYTE, { name: 'x' });
});

/** A client that sends the head of a body of unknown length. */
function chunked(headers = '') {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const told = { text: '', isClosed: false, client };
  client.on('data', (data) => (told.text += data)).on('close', () => (told.isClosed = true));
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`;
  return { told, head, chunk: (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n` };
}

test('a body of unknown length is large when it has become so', async () => {
  for (let n = 0; n < 8; n += 1) await begun(MEGABYTE, { name: `${n}` });
  const sent = (bytes: number) => {
    const { told, head, chunk } = chunked();
    told.client.write(`${head}${chunk(bytes)}0\r\n\r\n`);
    return told;
  };
  const small = sent(1000);
  await says(small, '200 OK');
  const large = sent(200_000);
  await says(large, '429');
});

const IN_PIECES = /400 Bad Request.*\r\nconnection: close\r\n.*The body comes in too many small pieces/is;

test('a body of one-byte chunks is refused, and its connection closed', async () => {
  const { told, head, chunk } = chunked('Expect: 100-continue\r\n');
  told.client.write(head);
  await isContinued(told);
  told.client.write(chunk(1).repeat(5000));
  await isClosed(told);
  expect(told.text).toMatch(IN_PIECES);
});

test.each([1000, 16_384, 65_536])('a body of a megabyte in chunks of %s bytes is read', async (bytes) => {
  const { told, head, chunk } = chunked('Connection: close\r\n');
  told.client.write(`${head}${chunk(bytes).repeat(Math.floor(MEGABYTE / bytes))}0\r\n\r\n`);
  await isClosed(told);
  expect(told.text).toMatch(/^HTTP\/1\.1 200 .*done/is);
});

/** Sends a body behind a request that is not answered, and resets the connection. @param step how far the body gets before */
async function resetBehindAnother(step: 'begun' | 'answered', length: number, { name = '', body = '' }): Promise<void> {
  const { [step]: before, closed } = count;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  const named = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nX-Name: ${name}\r\nContent-Length: ${length}\r\n\r\n`;
  client.write(`GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n${named}${body}`);
  await until(
    `the body is ${step}`,
    () => count,
    (now) => now[step] > before,
  );
  client.resetAndDestroy();
  await until(
    'the connection is closed',
    () => count,
    (now) => now.closed > closed,
  );
}

test('a connection that is reset gives back what its request behind another one took', async () => {
  for (let n = 0; n < 9; n += 1) await resetBehindAnother('begun', MEGABYTE, { name: `${n}` });
  await begun(MEGABYTE, { name: 'x' });
});

test('so it does with the memory of a large body that was read', async () => {
  const body = ','.repeat(200_000);
  for (let n = 0; n < 5; n += 1) await resetBehindAnother('answered', body.length, { name: `${n}`, body });
  const answer = post(body.length, { name: 'x', body });
  await says(answer, 'HTTP/1.1');
  expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
});
