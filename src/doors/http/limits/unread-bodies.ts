// Bodies that are not read: a request that is answered before its body has arrived ends its connection, and its body stays outside.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { LINGER_MS } from './connections';

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

export const isUnread = ({ complete, headers }: IncomingMessage) =>
  // The requests of `inject` have no such member.
  complete === false && hasBody(headers);

declare module 'fastify' {
  interface FastifyRequest {
    /** The time until the answer was written, in ms, where its connection lingers. Undefined for other requests. */
    msToAnswer: number | undefined;
  }
}

/**
 * Without the close, Node would read the rest of a body that nobody wants, however long: 200 strangers who sent bodies of 1 MB for
 * their 401 kept /healthz waiting for 50 s. This hook comes behind all others that change an answer.
 */
export function closeUnread(app: FastifyInstance): void {
  app.decorateRequest('msToAnswer');
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw, method } = request;
    if (!isUnread(raw)) return done(null, payload);
    // A short body comes in the packet of its head, and is there when this turn of the event loop is over.
    setImmediate(() => {
      if (raw.complete) return done(null, payload);
      reply.header('connection', 'close');
      const isWhole = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > 0;
      // Node holds some hundred bytes for each chunk that has come: 80 MB for 20 connections with chunks of a byte.
      if (!isWhole || method === 'HEAD' || raw.headers['content-length'] === undefined) return done(null, payload);
      request.msToAnswer = reply.elapsedTime;
      reply.header('content-length', Buffer.byteLength(payload));
      done(null, lingering(payload));
    });
  });
}

/**
 * An answer that ends when the client had time to read it. At its end Node closes the connection, which is a reset while the client
 * still sends, and a client may lose an answer at a reset.
 */
function lingering(payload: string | Buffer): Readable {
  const answer = new Readable({ read() {} });
  answer.push(payload);
  const timer = setTimeout(() => answer.push(null), LINGER_MS);
  return answer.once('close', () => clearTimeout(timer));
}

/** Requests whose clients wait for 100 Continue before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Node would ask for the body at once. It is asked for when the request is admitted, and when somebody reads it. */
export function continueLater(app: FastifyInstance, maxBytes: number): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', ({ raw, method, headers }, reply, body, done) => {
    const isRead = method !== 'GET' && method !== 'HEAD' && !(Number(headers['content-length']) > maxBytes);
    if (isRead && waiting.delete(raw)) reply.raw.writeContinue();
    done(null, body);
  });
}
