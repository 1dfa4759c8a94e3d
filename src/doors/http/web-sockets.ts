// Accepts WebSockets for all paths that have them: the handshake, the heartbeat, and the end when the gateway stops.
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { setInterval } from '../../values/timers';
import { BEAT_MS } from './graphql/open-subscriptions';
import { refuseHandshake } from './limits/connections';
import { createUpgradeServer } from './socket-upgrades';

/**
 * Must be called before the routes with a `wsHandler` are added.
 * @param isSocketPath whether a path accepts WebSockets; requests for an upgrade at other paths are answered without the upgrade
 */
export async function acceptWebSockets(
  app: FastifyInstance,
  maxMessageBytes: number,
  isSocketPath: (path: string) => boolean,
): Promise<void> {
  await app.register(websocket, {
    options: {
      server: createUpgradeServer(app.server, isSocketPath),
      maxPayload: maxMessageBytes,
      handleProtocols,
      // Each turn of the event loop reads one frame of a socket, because a packet can have 10,000 empty frames.
      allowSynchronousEvents: false,
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      for (const socket of app.websocketServer.clients) dismiss(socket);
      // A handshake may arrive, or be admitted, while the gateway stops.
      app.websocketServer.on('connection', dismiss);
      done();
    },
  });
  app.websocketServer.on('wsClientError', refuseHandshake);
  beatSockets(app);
}

const dismiss = (socket: WebSocket): void => socket.close(1001, 'The gateway stops');

/** Closes clients that have not answered the last ping, unless their socket is paused and the answer may be unread. */
function beatSockets(app: FastifyInstance): void {
  const alive = new WeakSet<WebSocket>();
  app.websocketServer.on('connection', (socket: WebSocket) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
  });
  const beat = setInterval(() => {
    for (const socket of app.websocketServer.clients) {
      if (alive.delete(socket) || socket.isPaused) socket.ping();
      else socket.terminate();
    }
  }, BEAT_MS).unref();
  app.addHook('onClose', async () => clearInterval(beat));
}
