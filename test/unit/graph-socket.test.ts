// Tests the WebSocket of GraphQL with operations that do not end until the test lets them.
import { once } from 'node:events';
import websocket from '@fastify/websocket';
import fastify from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createSocketHandler } from '../../src/doors/http/graphql/graph-socket';
import { OpenSubscriptions } from '../../src/doors/http/graphql/open-subscriptions';
import { ClientMemory } from '../../src/doors/http/limits/client-memory';
import { atLeast, has, inTime, is, until } from '../support/waiting';

interface Work {
  turn(): Promise<void>;
  execute(): Promise<never>;
}

/** Opens initialised sockets of a gateway that counts held bytes and does this work. */
async function initialised(work: Partial<Work>, held = new ClientMemory(1e6), count = 1) {
  const app = fastify();
  const waits = () => new Promise<never>(() => {});
  const messages = { count: async () => {}, admit: async () => {}, turn: waits, execute: waits, ...work };
  app.register(async (scope) => {
    await scope.register(websocket, { options: { handleProtocols } });
    scope.get('/', { websocket: true }, createSocketHandler(new OpenSubscriptions(), messages, held));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
    sockets.push(socket);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await inTime('the socket is initialised', once(socket, 'message'));
  }
  return { app, sockets, socket: sockets[0] as WebSocket };
}

const subscribe = (id: string, query = '{ cameras { totalCount } }') =>
  JSON.stringify({ type: 'subscribe', id, payload: { query } });

test('an id that is used again before its operation is answered closes the socket', async () => {
  let executed = 0;
  const { app, socket } = await initialised({
    execute: () => {
      executed += 1;
      return new Promise<never>(() => {});
    },
  });
  for (const message of [subscribe('1'), JSON.stringify({ type: 'complete', id: '1' }), subscribe('1')])
    socket.send(message);
  const [code, reason] = await inTime('the socket is closed', once(socket, 'close'));
  expect([code, String(reason), executed]).toEqual([4409, 'Subscriber for 1 already exists', 1]);
  await app.close();
});

test.each<[string, Partial<Work>, number, number]>([
  ['large ones that wait for their turn', {}, 100_000, 3],
  ['large messages in execution', { turn: async () => {} }, 100_000, 3],
  ['small messages of one socket in execution', {}, 10_000, 1],
])('messages are kept until they are answered: %s', async (_what, work, length, count) => {
  const { app, sockets } = await initialised(work, new ClientMemory(2.5 * length), count);
  const ended = Promise.race(sockets.map((socket) => once(socket, 'close')));
  for (let n = 0; n < 3; n += 1) {
    const socket = sockets[n % count] as WebSocket;
    await new Promise((sent) => socket.send(subscribe(`${n}`, 'x'.repeat(length)), sent));
  }
  const [code] = await inTime('a socket is closed', ended);
  expect(code).toBe(1006);
  for (const socket of sockets) socket.terminate();
  await app.close();
});

test('a socket is not read while one of its messages waits, and reading continues after it', async () => {
  const turns: (() => void)[] = [];
  let executed = 0;
  const { app, socket } = await initialised({
    turn: () => new Promise((resolve) => turns.push(resolve)),
    execute: async () => {
      executed += 1;
      throw new Error('refused');
    },
  });
  const waits = jest.spyOn(WebSocket.prototype, 'pause');
  socket.send(subscribe('1', 'x'.repeat(100_000)));
  await until('the large message is accepted', () => waits.mock.calls.length + executed, atLeast(1));
  const server = waits.mock.contexts[0] as WebSocket;
  socket.send(subscribe('2'));
  await until('the large message waits for its turn', () => turns, has({ length: 1 }));
  expect([server.isPaused, executed]).toEqual([true, 0]);
  turns[0]?.();
  await until('both messages are executed', () => executed, is(2));
  await until('the socket is read again', () => server.isPaused, is(false));
  socket.terminate();
  await app.close();
});
