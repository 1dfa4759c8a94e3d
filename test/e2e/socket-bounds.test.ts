// A WebSocket without credentials can make the gateway hold neither bytes nor work without bound.
import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import type { WebSocket } from 'ws';
import { openSocket } from '../support/graph-socket';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
/** More than the gateway's bound and the buffers of both kernels hold (4 MB to send, 6 MB to receive). */
const MORE_THAN_FITS = 40_000_000;

let open: RunningGateway;
let secured: RunningGateway;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  [open, secured] = await Promise.all([
    runGateway(),
    runGateway({
      API_KEYS: ['r', 'pping', 'ppong'].map((key) => `${key}:read:${hash(key)}`).join(),
      RATE_LIMIT_PER_MINUTE: '20',
    }),
  ]);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => Promise.all([open?.stop(), secured?.stop()]));

const connected = (gateway: RunningGateway, headers = {}) => openSocket(gateway, sockets, { headers });

/** Sends without reading until the gateway ends the connection; the socket of a client that does not read shows no close. */
async function floodUntilEnded(socket: WebSocket, sendOne: (n: number) => void): Promise<void> {
  const net = (socket as unknown as { _socket: import('node:net').Socket })._socket;
  const ended = new Promise<void>((resolve) => net.once('error', () => resolve()).once('close', () => resolve()));
  let isEnded = false;
  ended.then(() => {
    isEnded = true;
  });
  socket.pause();
  for (let n = 0; !isEnded; n += 1) {
    sendOne(n);
    if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (socket.bufferedAmount > MORE_THAN_FITS) break;
  }
  await ended;
}

test('a pong carries no payload', async () => {
  const { send, came } = await connected(secured);
  send({ type: 'ping', payload: { text: 'x'.repeat(60_000) } });
  expect(await until(() => came[0])).toEqual({ type: 'pong' });
});

test('answers that a client does not take end its socket, and the gateway goes on', async () => {
  const { socket, send, came } = await connected(open);
  send({ type: 'connection_init' });
  await until(() => came.some(({ type }) => type === 'connection_ack'));
  const query = getIntrospectionQuery();
  await floodUntilEnded(socket, (n) => send({ type: 'subscribe', id: `${n}`, payload: { query } }));
  expect((await fetch(`${open.url}/healthz`)).status).toBe(200);
});

test.each(['refused operations', 'ping frames'])('%s that are not read end the socket too', async (what) => {
  const { socket, send, came } = await connected(open);
  send({ type: 'connection_init' });
  await until(() => came.some(({ type }) => type === 'connection_ack'));
  const data = Buffer.alloc(125);
  const name = 'x'.repeat(30_000);
  await floodUntilEnded(socket, (n) => {
    if (what === 'ping frames') for (let copies = 0; copies < 500; copies += 1) socket.ping(data);
    else send({ type: 'subscribe', id: `${n}`, payload: { query: `{ ${name} }` } });
  });
  expect((await fetch(`${open.url}/healthz`)).status).toBe(200);
});

test('what a socket would hold is bounded: its connection_init, and the ids and requests of its operations', async () => {
  const text = 'x'.repeat(60_000);
  const first = await connected(open);
  first.send({ type: 'connection_init', payload: { text } });
  expect(String(await first.closed)).toBe('4400,connection_init may have 16384 characters');
  const { send, came, closed } = await connected(open);
  send({ type: 'connection_init' });
  const query = 'subscription ($after: String) { changes(after: $after) { cursor } }';
  const requests = [{ variables: { after: text } }, { variables: { text } }, { extensions: { text } }, { text }];
  for (const [id, more] of requests.entries()) send({ type: 'subscribe', id: `${id}`, payload: { query, ...more } });
  const answers = () => came.filter(({ type }) => type === 'next');
  await until(
    () => answers().length === requests.length,
    () => JSON.stringify(came),
  );
  const refusals = answers().map(({ payload }) => payload.errors[0].extensions.code);
  expect(refusals).toEqual(requests.map(() => 'BAD_USER_INPUT'));
  send({ type: 'subscribe', id: 'x'.repeat(257), payload: { query } });
  expect(String(await closed)).toBe('4400,The id of an operation may have 256 characters');
});

test('an event stream holds a bounded request too', async () => {
  const body = JSON.stringify({ query: 'subscription { changes { cursor } }', text: 'x'.repeat(60_000) });
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const answer = await fetch(`${open.url}/graphql`, { method: 'POST', headers, body });
  expect(await answer.text()).toContain('A subscription may have 50000 characters');
});

test('messages that do not end are held up to 64 MB', async () => {
  const ended: number[] = [];
  // A text of 1,000,000 bytes, of which the last one does not come; the mask is 0.
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0]);
  const part = Buffer.concat([head, Buffer.alloc(999_999, ' ')]);
  for (let n = 0; ended.length === 0 && n < 200; n += 1) {
    const { socket, send, came, closed } = await connected(open);
    send({ type: 'connection_init' });
    await until(() => came.length > 0);
    closed.then(() => ended.push(n));
    const { _socket: net } = socket as unknown as { _socket: import('node:net').Socket };
    await new Promise((written) => net.write(part, written));
  }
  // Which one has waited longest depends on when the gateway read them (unit/held).
  expect([ended.length > 0, (await fetch(`${open.url}/healthz`)).status]).toEqual([true, 200]);
});

test.each(['ping', 'pong'] as const)('%s frames count for the rate limit', async (frame) => {
  const { socket, closed } = await connected(secured, { 'x-api-key': `p${frame}` });
  for (let n = 0; n < 30; n += 1) socket[frame]();
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([1008, expect.stringContaining('More than 20 requests in a minute')]);
});

// The second one has credentials, because the address of the first one is over its limit.
test.each([
  ['pings', { type: 'ping' }, {}],
  ['completions of operations that there are not', { type: 'complete', id: 'x' }, { 'x-api-key': 'r' }],
])('%s count for the rate limit, without connection_init too', async (_what, message, headers) => {
  const { send, closed } = await connected(secured, headers);
  for (let n = 0; n < 30; n += 1) send(message);
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([1008, expect.stringContaining('More than 20 requests in a minute')]);
});
