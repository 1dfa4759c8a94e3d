// A WebSocket without credentials cannot make the gateway hold unlimited bytes or work.
import { getIntrospectionQuery } from 'graphql';
import type { WebSocket } from 'ws';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { openSocket } from '../support/graph-socket';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { ask } from '../support/requests';
import { inTime, until } from '../support/waiting';

/** More than the gateway's limit and the buffers of both kernels hold (4 MB to send, 6 MB to receive). */
const MORE_THAN_FITS = 40_000_000;

const KEYS = ['ping', 'pong', 'complete', 'subscribe'].map((name) => generateApiKey(name, 'read'));
const LARGE_MESSAGES = generateApiKey('large', 'read');
let open: ListeningGateway;
let secured: ListeningGateway;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  const env = { API_KEYS: [...KEYS, LARGE_MESSAGES].map(({ entry }) => entry).join(), RATE_LIMIT_PER_MINUTE: '20' };
  [open, secured] = await Promise.all([listenInProcess(), listenInProcess(env)]);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => Promise.all([open?.stop(), secured?.stop()]));

const connected = (gateway: ListeningGateway, headers = {}) => openSocket(gateway, sockets, { headers });

async function initialised(gateway: ListeningGateway, headers = {}) {
  const opened = await connected(gateway, headers);
  opened.send({ type: 'connection_init' });
  await until(
    'the socket is initialised',
    () => opened.came,
    (came) => came.some(({ type }) => type === 'connection_ack'),
  );
  return opened;
}

const findNetSocket = (socket: WebSocket) => (socket as unknown as { _socket: import('node:net').Socket })._socket;

/** Sends without reading until the gateway ends the connection; the socket of a client that does not read shows no close. */
async function floodUntilEnded(socket: WebSocket, sendOne: (n: number) => void): Promise<void> {
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    findNetSocket(socket)
      .once('error', () => resolve())
      .once('close', () => resolve());
  }).then(() => {
    isEnded = true;
  });
  socket.pause();
  for (let n = 0; !isEnded; n += 1) {
    sendOne(n);
    if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (socket.bufferedAmount > MORE_THAN_FITS) break;
  }
  await inTime('the gateway ends the connection', ended);
}

/** 500 frames, each with 125 bytes and the mask 0. */
const PINGS = Buffer.concat(Array(500).fill(Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])));

const subscribe = (query: string, id = '1') => ({ type: 'subscribe', id, payload: { query } });

test.each<[string, (socket: WebSocket) => (n: number) => void]>([
  ['answers', (socket) => (n) => socket.send(JSON.stringify(subscribe(getIntrospectionQuery(), `${n}`)))],
  ['refusals', (socket) => (n) => socket.send(JSON.stringify(subscribe(`{ ${'x'.repeat(200_000)} }`, `${n}`)))],
  ['pongs', (socket) => () => void findNetSocket(socket).write(PINGS)],
])('%s that a client does not read end its socket, and the gateway continues', async (_what, flood) => {
  const { socket } = await initialised(open);
  await floodUntilEnded(socket, flood(socket));
  expect(await ask(open, '/healthz')).toMatchObject({ status: 200 });
});

test('the memory of a socket or an event stream is bounded: connection_init, and the ids and requests of operations', async () => {
  const text = 'x'.repeat(60_000);
  const first = await connected(open);
  first.send({ type: 'connection_init', payload: { text } });
  expect(String(await first.closed())).toBe('4400,connection_init may have at most 16384 characters');
  const { send, came, closed } = await initialised(open);
  const query = 'subscription ($after: String) { changes(after: $after) { cursor } }';
  const requests = [{ variables: { after: text } }, { variables: { text } }, { extensions: { text } }, { text }];
  for (const [id, more] of requests.entries()) send({ type: 'subscribe', id: `${id}`, payload: { query, ...more } });
  const answers = () => came.filter(({ type }) => type === 'next');
  await until(
    'each request is answered',
    () => came,
    () => answers().length === requests.length,
  );
  const refusals = answers().map(({ payload }) => payload.errors[0].extensions.code);
  expect(refusals).toEqual(requests.map(() => 'BAD_USER_INPUT'));
  send(subscribe(query, 'x'.repeat(257)));
  expect(String(await closed())).toBe('4400,The id of an operation may have at most 256 characters');
  const pinged = await connected(open);
  pinged.send({ type: 'ping', payload: { text } });
  expect(await until('the ping is answered', () => pinged.came[0])).toEqual({ type: 'pong' });

  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const stream = await fetch(`${open.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, text }) });
  expect(await inTime('the stream ends', stream.text())).toContain('has more than 50000 characters');
});

test('unfinished messages are kept up to 64 MB', async () => {
  const ended: number[] = [];
  // A text of 1,000,000 bytes, of which the last one does not come; the mask is 0.
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]);
  const part = Buffer.concat([head, Buffer.alloc(999_999, ' ')]);
  for (let n = 0; ended.length === 0 && n < 200; n += 1) {
    const { socket, closed } = await initialised(open);
    closed().then(() => ended.push(n));
    await new Promise((written) => findNetSocket(socket).write(part, written));
  }
  // Which one has waited longest depends on when the gateway read them (unit/held).
  expect(ended.length).toBeGreaterThan(0);
  expect(await ask(open, '/healthz')).toMatchObject({ status: 200 });
});

test('a client without credentials may send no more than before connection_init; a caller sends messages of a megabyte', async () => {
  const query = `{ cameras { totalCount } } # ${'x'.repeat(900_000)}`;
  const stranger = await initialised(secured);
  stranger.send(subscribe(query));
  await stranger.closed();
  expect(stranger.came).toEqual([{ type: 'connection_ack' }]);
  const caller = await initialised(secured, { 'x-api-key': LARGE_MESSAGES.key });
  for (const id of ['1', '2', '3']) caller.send(subscribe(query, id));
  caller.send(subscribe('{ cameras { totalCount } }', '4'));
  await until(
    'the four operations are complete',
    () => caller.came,
    (came) => came.filter(({ type }) => type === 'complete').length === 4,
  );
  // In the order in which they were sent.
  expect(caller.came.filter(({ type }) => type === 'next').map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

test('messages and frames of every kind count for the rate limit, also without connection_init or any effect', async () => {
  const exceeded = [1008, expect.stringContaining('More than 20 requests in a minute')];
  const [ping, pong, complete, operation] = KEYS.map(({ key }) => ({ 'x-api-key': key }));
  const floods: [Record<string, string> | undefined, (opened: Awaited<ReturnType<typeof connected>>) => void][] = [
    [ping, ({ socket }) => socket.ping()],
    [pong, ({ socket }) => socket.pong()],
    [complete, ({ send }) => send({ type: 'complete', id: 'x' })],
    [undefined, ({ send }) => send({ type: 'ping' })],
  ];
  for (const [headers, flood] of floods) {
    const opened = await connected(secured, headers);
    for (let n = 0; n < 30; n += 1) flood(opened);
    const [code, reason] = await opened.closed();
    expect([code, String(reason)]).toEqual(exceeded);
  }
  const { send, came } = await initialised(secured, operation);
  const answers = () => came.filter(({ id }) => id !== undefined);
  for (let n = 0; n < 25 && !JSON.stringify(came).includes('TOO_MANY_REQUESTS'); n += 1) {
    send(subscribe('{ cameras { totalCount } }', `${n}`));
    await until(`operation ${n} is answered`, answers, (found) => found.some(({ id }) => id === `${n}`));
  }
  // The connection and its connection_init are requests too.
  const codes = answers().map(({ type, payload }) => (type === 'error' ? payload[0].extensions.code : type));
  expect(codes.filter((code) => code !== 'complete')).toEqual([...Array(18).fill('next'), 'TOO_MANY_REQUESTS']);
});
