// Bodies that are not read: a request that is answered before its body has arrived ends its connection, and its body stays outside.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { LINGER_MS } from './connections';

/** Connections that wait for their clients to read the last answer. */
const MAX_LINGERING = 256;

export const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

export const isUnread = ({ complete, headers }: IncomingMessage) =>
  // The requests of `inject` have no such member.
  complete === false && hasBody(headers);

/**
 * Node would read the rest of a body that nobody wants, however long: 200 strangers who sent bodies of 1 MB for their 401
 * kept /healthz waiting for 50 s.
 */
export function closeUnread(app: FastifyInstance): void {
  const lingering = new Set<Socket>();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!isUnread(raw)) return done(null, payload);
    // A short body comes in the packet of its head, and is there when this turn of the event loop is over.
    setImmediate(() => {
      if (!raw.complete) reply.header('connection', 'close');
      done(null, payload);
    });
  });
  app.server.on('request', (request, response) => {
    // Before Node's own listener, which would read the rest.
    if (isUnread(request))
      response.prependListener('finish', () => request.complete || hangUp(request.socket, lingering));
  });
}

/**
 * Reads nothing more, and closes when the client had time to read the answer. A close at once would be a reset of the
 * connection, at which a client may lose the answer.
 */
function hangUp(socket: Socket, lingering: Set<Socket>): void {
  if (socket.destroyed) return;
  socket.pause();
  // Node resumes the connection for the rest of the body, and then ends it in its own way.
  socket.resume = () => socket;
  socket.destroySoon = () => {};
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  lingering.add(socket);
  socket.once('close', () => {
    clearTimeout(timer);
    lingering.delete(socket);
  });
  const [longest] = lingering;
  if (lingering.size > MAX_LINGERING) longest?.destroy();
}

/** Requests whose clients wait for 100 Continue before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Node would ask for the body at once. It is asked for when the request is admitted. */
export function continueLater(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

/** Asks a client that waits to send its body. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}
