// What clients make the gateway hold: requests of one connection without an answer, and bytes of bodies, of messages and of unread answers.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { HELD_BYTES } from './memory';
import { PIECE_BYTES } from './pieces';
import { hasBody } from './unread';

/**
 * Requests of one connection that are not answered, or whose answers are not read. Node stops reading a connection only
 * behind 64 KiB, which can hold 3,600 requests. Clients that pipeline send 10 or 16 at a time.
 */
const MAX_UNANSWERED = 32;
/** The objects of a request and its answer, and the headers. */
const REQUEST_BYTES = 4096;
/** A connection on which nothing moves for the time of an answer and this time is closed. */
export const STILL_MS = 60_000;

/** Requests of one connection that are worked on at the same time. Further ones wait, and the connection is not read. */
const MAX_AT_ONCE = 4;
/**
 * Headers of a request; browsers and proxies send 40. To read 2,000 takes a millisecond and half a megabyte, and a packet holds
 * eight such requests. One with more is answered, and is the last of its connection.
 */
const MANY_HEADERS = 200;

interface Unanswered {
  count: number;
  /** The requests that wait. */
  waiting: (() => void)[];
}

/** Ends a connection with more requests than the bound, and bounds what one connection can make the gateway do at once. */
export function boundUnanswered({ server }: FastifyInstance): void {
  const connections = new WeakMap<Socket, Unanswered>();
  const listeners = server.listeners('request') as RequestListener[];
  const begin: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.removeAllListeners('request').on('request', (request, response) => {
    const { socket } = request;
    let unanswered = connections.get(socket);
    if (unanswered === undefined) {
      unanswered = { count: 0, waiting: [] };
      connections.set(socket, unanswered);
    }
    unanswered.count += 1;
    const { count, waiting } = unanswered;
    if (count > MAX_UNANSWERED) return endPacket(socket);
    if (request.rawHeaders.length > 2 * MANY_HEADERS) {
      response.setHeader('connection', 'close');
      takeNoMore(socket);
      if (hasBody(request.headers)) restUntilNextRound(socket);
      else socket.pause();
    }
    response.once('close', () => {
      unanswered.count -= 1;
      const next = waiting.shift();
      // Other connections come between.
      if (next) setImmediate(next);
      else if (socket.isPaused() && unanswered.count === 0) socket.resume();
    });
    if (count <= MAX_AT_ONCE) return begin(request, response);
    socket.pause();
    waiting.push(() => begin(request, response));
  });
}

function restUntilNextRound(socket: Socket): void {
  socket.pause();
  setImmediate(() => socket.resume());
}

/** What an HTTP parser of Node is told of a message to stop at it, as at an upgrade. */
const STOP = 2;

/** Takes no further request of a connection. */
function takeNoMore(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming(): number } | null };
  if (parser) parser.onIncoming = () => STOP;
}

/** Ends a connection; without this, Node would read all requests of the same packet, and make an error with a stack of each. */
function endPacket(socket: Socket): void {
  takeNoMore(socket);
  socket.destroy();
}

/** Ends connections while too much is held; first those that have had no answer for longest. */
export function boundHeld(app: FastifyInstance, maxBytes = HELD_BYTES): HeldBytes {
  const held = new HeldBytes(maxBytes);
  // Node closes no answer that waits behind another one on a connection that ends.
  app.server.on('connection', (socket) => socket.once('close', () => held.forget(socket)));
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    const length = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const bytes = length + REQUEST_BYTES;
    held.add(socket, bytes);
    reply.raw.once('close', () => held.taken(socket, bytes));
    done(null, payload);
  });
  app.addHook('preParsing', ({ raw: { socket }, method }, reply, body, done) => {
    // Nobody reads the body of a GET.
    if (method === 'GET' || method === 'HEAD') return done(null, body);
    let bytes = 0;
    body.on('data', ({ length }: Buffer) => {
      bytes += length + PIECE_BYTES;
      held.add(socket, length + PIECE_BYTES);
    });
    reply.raw.once('close', () => held.taken(socket, bytes));
    done(null, body);
  });
  return held;
}

export class HeldBytes {
  private total = 0;
  /** In the order of the last answer that was read. */
  private readonly connections = new Map<Socket, number>();

  constructor(private readonly maxBytes: number) {}

  add(socket: Socket, bytes: number): void {
    if (socket.destroyed) return;
    this.set(socket, (this.connections.get(socket) ?? 0) + bytes);
    for (const oldest of this.connections.keys()) {
      if (this.total <= this.maxBytes) break;
      this.forget(oldest);
      oldest.destroy();
    }
  }

  taken(socket: Socket, bytes: number): void {
    const left = (this.connections.get(socket) ?? 0) - bytes;
    this.forget(socket);
    if (left > 0) this.set(socket, left);
  }

  private set(socket: Socket, bytes: number): void {
    this.total += bytes - (this.connections.get(socket) ?? 0);
    this.connections.set(socket, bytes);
  }

  forget(socket: Socket): void {
    this.total -= this.connections.get(socket) ?? 0;
    this.connections.delete(socket);
  }
}
