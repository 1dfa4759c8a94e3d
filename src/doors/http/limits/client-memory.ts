// Limits the memory that clients occupy with waiting requests, unfinished messages and responses that they do not read.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * The bytes that all clients together may occupy with unfinished messages and unread responses. Together with the bodies
 * (`BODY_BYTES` in body-memory.ts, 32 MB) and the messages of machines (`MAX_WAITING_BYTES` in src/wire/waiting-bytes.ts, 32 MB)
 * the limits sum up to 128 MB. An idle process with a PostgreSQL server takes 115 MB, so both fit a process of 256 MB.
 */
export const MAX_CLIENT_BYTES = 64 << 20;

/** The memory of the objects and headers of a request and its response. MAX_CLIENT_BYTES has room for 8,192 waiting requests. */
const REQUEST_BYTES = 8192;

/** Counts the memory of each connection. Above the limit, closes the connection that occupies most, until the rest fits. */
export function limitClientMemory(app: FastifyInstance, maxBytes = MAX_CLIENT_BYTES): ClientMemory {
  const held = new ClientMemory(maxBytes);
  // Forgotten when the connection closes, because Node sends no close event for a response that waits behind another response.
  app.server.on('connection', (socket) => socket.once('close', () => held.forget(socket)));
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    held.add(socket, REQUEST_BYTES);
    reply.raw.once('close', () => held.release(socket, REQUEST_BYTES));
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes <= REQUEST_BYTES) return done(null, payload);
    held.add(socket, bytes);
    reply.raw.once('close', () => held.release(socket, bytes));
    done(null, payload);
  });
  return held;
}

export class ClientMemory {
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

  release(socket: Socket, bytes: number): void {
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
