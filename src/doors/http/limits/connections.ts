// Decides when a connection is closed, and answers on the bare socket what Node cannot pass on as a request.
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createTimeoutSignal, setTimeout } from '../../../values/timers';
import { errorBody } from '../../rest/rest-errors';
import { JSON_TYPE } from '../answers';

/** When the gateway stops, a request that is on its way over a persistent connection has this time to arrive. */
const ON_THE_WAY_MS = 200;
/** When the gateway stops, a client that has just connected has this time to send its request. */
const UNUSED_MS = 500;
/** A client has this time to read the last response and to close its half of the connection. */
export const LINGER_MS = 2000;

/** When the gateway stops, closes each connection after its response, and all remaining connections after `shutdownTimeoutMs`. */
export function closeAtStop(app: FastifyInstance, shutdownTimeoutMs: number): void {
  // The connections are listed here, because Node's list does not include WebSockets.
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
    // Browsers open connections before they need them. Node considers a connection without a request busy, and would wait.
    setTimeout(() => close(({ bytesRead }) => bytesRead === 0), UNUSED_MS).unref();
    setTimeout(() => close(() => true), shutdownTimeoutMs).unref();
    if (open.size === 0) return;
    // A proxy does not repeat a POST that met a closed connection. Node's HTTP server closes persistent connections together with
    // the listener. Closing only the listener keeps them a moment longer, and each closes after its next response.
    NetServer.prototype.close.call(app.server);
    const signal = createTimeoutSignal(Math.min(ON_THE_WAY_MS, shutdownTimeoutMs));
    await once(app.server, 'close', { signal }).catch(() => {});
  });
}

const lastAnswers = new WeakMap<Duplex, ServerResponse>();

/** Runs `work` when all earlier requests of this connection are answered, if the connection is still open then. */
export function runInTurn(socket: Duplex, work: () => void): void {
  const last = lastAnswers.get(socket);
  // If the last request is incomplete, the fault is in its body, and this response takes the place of the request's response.
  if (last === undefined || last.closed || !last.req.complete) return void work();
  // Without a listener, an error of a client that left would end the process.
  socket.on('error', () => socket.destroy());
  last.once('close', () => (socket.writable ? work() : socket.destroy()));
}

const BROKEN_REQUEST_MESSAGES: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};
const BAD_REQUEST = '400 Bad Request';

/** Answers bytes that Node cannot read as a request: the headers are too large, it is not HTTP, or it arrives too slowly. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] = BROKEN_REQUEST_MESSAGES[error.code ?? ''] ?? [BAD_REQUEST, 'The request is not valid HTTP'];
  runInTurn(socket, () => endWith(socket, status, message));
}

/** Answers requests with CONNECT or with an unknown Expect. Node would refuse them without a body. */
export function answerRareRequests(server: Server): void {
  server.on('request', ({ socket }, response) => void lastAnswers.set(socket, response));
  server.on('checkExpectation', ({ socket }, response) => {
    lastAnswers.set(socket, response);
    const body = errorBody('The header Expect may only have the value 100-continue');
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(417, headers).end(body);
  });
  server.on('connect', (_request, socket) =>
    runInTurn(socket, () =>
      endWith(socket, '405 Method Not Allowed', 'CONNECT is not allowed here: the gateway is not a proxy'),
    ),
  );
}

/** Sends the last response of a connection. @param headers further header lines, each with its line break */
function endWith(socket: Duplex, status: string, message: string, headers = ''): void {
  // Without a listener, an error of a client that left would end the process.
  socket.on('error', () => {});
  if (!socket.writable) return void socket.destroy();
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers}Content-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Answers a WebSocket handshake that the library ws refuses. */
export function refuseHandshake({ message }: Error, socket: Duplex): void {
  endWith(socket, BAD_REQUEST, `The WebSocket handshake is invalid: ${message}`, 'Sec-WebSocket-Version: 13\r\n');
}
