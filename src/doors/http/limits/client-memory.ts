// What clients make the gateway hold: requests, bytes of messages, and bytes of answers that are not read.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Bytes of all clients together: of messages until they are whole, and of answers that are not read. With those of bodies (`BODY_BYTES`
 * of body-memory.ts, 32 MB) and of machines (`MAX_WAITING_BYTES` of src/wire/waiting-bytes.ts, 32 MB) they are 128 MB. Beside the 115 MB
 * of an idle process with a PostgreSQL server, they fit a process of 256 MB.
 */
export const HELD_BYTES = 64 << 20;

/** The objects of a request and its answer, and the headers. 8,192 requests may wait for their answers, or for clients to read them. */
const REQUEST_BYTES = 8192;
/** A connection on which nothing moves for the time of an answer and this time is closed. */
export const STILL_MS = 60_000;

/** Ends connections while too much is held; first the one that holds most. */
export function boundHeld(app: FastifyInstance, maxBytes = HELD_BYTES): HeldBytes {
  const held = new HeldBytes(maxBytes);
  // Node closes no answer that waits behind another one on a connection that ends.
  app.server.on('connection', (socket) => socket.once('close', () => held.forget(socket)));
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    held.add(socket, REQUEST_BYTES);
    reply.raw.once('close', () => held.taken(socket, REQUEST_BYTES));
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes <= REQUEST_BYTES) return done(null, payload);
    held.add(socket, bytes);
    reply.raw.once('close', () => held.taken(socket, bytes));
    done(null, payload);
  });
  return held;
}

export class HeldBytes {
  private total = 0;
  private readonly connections = new Map<Socket, number>();

  constructor(private readonly maxBytes: number) {}

  add(socket: Socket, bytes: number): void {
    if (socket.destroyed) return;
    this.set(socket, (this.connections.get(socket) ?? 0) + bytes);
    while (this.total > this.maxBytes) {
      const [largest] = [...this.connections].reduce((most, one) => (one[1] > most[1] ? one : most));
      this.forget(largest);
      largest.destroy();
    }
  }

  taken(socket: Socket, bytes: number): void {
    const left = (this.connections.get(socket) ?? 0) - bytes;
    if (left > 0) this.set(socket, left);
    else this.forget(socket);
  }

  forget(socket: Socket): void {
    this.set(socket, 0);
    this.connections.delete(socket);
  }

  private set(socket: Socket, bytes: number): void {
    this.total += bytes - (this.connections.get(socket) ?? 0);
    this.connections.set(socket, bytes);
  }
}
