// The connections of the server: refusals on a bare socket, in the order of the requests, and the end of each connection.
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { setTimeout, timeoutSignal } from '../../../values/timers';
import { errorBody } from '../../rest/rest-errors';
import { JSON_TYPE } from '../answers';

/** A request that is on its way to a persistent connection has this time to arrive. */
const ON_THE_WAY_MS = 200;
/** A client that has just connected has this time to send its request. */
const UNUSED_MS = 500;
/** A client has this time to read the last answer and to close its half of the connection. */
export const LINGER_MS = 2000;

/** When the gateway stops, each connection closes behind its answer, and all of them at the end of the time. */
export function closeAtStop(app: FastifyInstance, shutdownTimeoutMs: number): void {
  // Node's own list lacks the WebSockets.
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const close = (isToClose: (socket: Socket) => boolean) => {
    for (const socket of open) if (isToClose(socket)) socket.destroy();
  };
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    // Browsers open connections ahead of requests. Node takes one without a request for busy, and would wait for it.
    setTimeout(() => close(({ bytesRead }) => bytesRead === 0), UNUSED_MS).unref();
    setTimeout(() => close(() => true), shutdownTimeoutMs).unref();
    if (open.size === 0) return;
    // A proxy does not send a POST again that met a closed connection. Node's close of an HTTP server would close the persistent
    // connections with the listener; here they stay a moment longer, and each closes behind its next answer.
    NetServer.prototype.close.call(app.server);
    const signal = timeoutSignal(Math.min(ON_THE_WAY_MS, shutdownTimeoutMs));
    await once(app.server, 'close', { signal }).catch(() => {});
  });
}

const lastAnswers = new WeakMap<Duplex, ServerResponse>();

/** Does `work` when all requests that came before on this connection are answered, and the connection still goes on. */
export function inTurn(socket: Duplex, work: () => void): void {
  const last = lastAnswers.get(socket);
  // A fault in the body of a request is answered in place of the request.
  if (last === undefined || last.closed || !last.req.complete) return void work();
  // Without a listener, a client that is gone would end the process.
  socket.on('error', () => socket.destroy());
  last.once('close', () => (socket.writable ? work() : socket.destroy()));
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};
const BAD_REQUEST = '400 Bad Request';

/** Answers bytes that are no request: headers too large, not HTTP, or too slow to arrive. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ''] ?? [BAD_REQUEST, 'The request is not HTTP that can be read'];
  inTurn(socket, () => endWith(socket, status, message));
}

/** Answers requests that Node would refuse without a body. */
export function answerRareRequests(server: Server): void {
  server.on('request', ({ socket }, response) => void lastAnswers.set(socket, response));
  server.on('checkExpectation', ({ socket }, response) => {
    lastAnswers.set(socket, response);
    const body = errorBody('The header Expect may only have the value 100-continue');
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(417, headers).end(body);
  });
  server.on('connect', (_request, socket) =>
    inTurn(socket, () => endWith(socket, '405 Method Not Allowed', 'CONNECT is not allowed here: this is no proxy')),
  );
}

/** The last answer of a connection. @param headers lines, each with its end */
function endWith(socket: Duplex, status: string, message: string, headers = ''): void {
  // Without a listener, a client that is gone would end the process.
  socket.on('error', () => {});
  if (!socket.writable) return void socket.destroy();
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers}Content-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Answers a request for a WebSocket that ws cannot accept. */
export function refuseHandshake({ message }: Error, socket: Duplex): void {
  endWith(socket, BAD_REQUEST, `This is no request for a WebSocket: ${message}`, 'Sec-WebSocket-Version: 13\r\n');
}
