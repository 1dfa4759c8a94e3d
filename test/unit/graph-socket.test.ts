// The WebSocket of GraphQL with operations that do not end until the test lets them.
import { once } from 'node:events';
import websocket from '@fastify/websocket';
import fastify from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocket } from 'ws';
import { socketHandler } from '../../src/http/graphql/graph-socket';
import { OpenSubscriptions } from '../../src/http/graphql/open-subscriptions';
import { HeldBytes } from '../../src/http/limits/held';

test('an id that is in use again before its operation is answered closes the socket', async () => {
  const app = fastify();
  let executed = 0;
  const messages = {
    count: async () => {},
    turn: async () => {},
    admit: async () => {},
    execute: () => {
      executed += 1;
      return new Promise<never>(() => {});
    },
  };
  app.register(async (scope) => {
    await scope.register(websocket, { options: { handleProtocols } });
    scope.get('/', { websocket: true }, socketHandler(scope, new OpenSubscriptions(), messages, new HeldBytes(1e6)));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  const subscribe = { type: 'subscribe', id: '1', payload: { query: '{ cameras { totalCount } }' } };
  for (const message of [subscribe, { type: 'complete', id: '1' }, subscribe]) socket.send(JSON.stringify(message));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason), executed]).toEqual([4409, 'Subscriber for 1 already exists', 1]);
  await app.close();
});
