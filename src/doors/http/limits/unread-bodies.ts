// Decides what happens to a body that nobody reads: if a request is answered before its body arrived, its connection is closed.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { setTimeout } from '../../../values/timers';
import { LINGER_MS } from './connections';

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

export const isUnread = ({ complete, headers }: IncomingMessage) =>
  // Requests of Fastify's `inject` do not have the member `complete`.
  complete === false && hasBody(headers);

declare module 'fastify' {
  interface FastifyRequest {
    /** The time until the response was written, in ms, if its connection stays open a little longer. Undefined otherwise. */
    msToAnswer: number | undefined;
  }
}

/**
 * Closes the connection of a request whose body is not read. Otherwise Node would read the remaining body, however long it is:
 * 200 clients without credentials that sent bodies of 1 MB and got 401 kept /healthz waiting for 50 s. This hook must come after
 * all other hooks that change a response.
 */
export function closeUnread(app: FastifyInstance): void {
  app.decorateRequest('msToAnswer');
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw, method } = request;
    if (!isUnread(raw)) return done(null, payload);
    // A short body arrives in the same packet as its headers, and is complete after this turn of the event loop.
    setImmediate(() => {
      if (raw.complete) return done(null, payload);
      reply.header('connection', 'close');
      const isWhole = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > 0;
      // A chunked body closes immediately, because Node keeps some hundred bytes for each chunk: 80 MB for 20 connections with
      // chunks of one byte.
      if (!isWhole || method === 'HEAD' || raw.headers['content-length'] === undefined) return done(null, payload);
      request.msToAnswer = reply.elapsedTime;
      reply.header('content-length', Buffer.byteLength(payload));
      done(null, makeLingeringBody(payload));
    });
  });
}

/**
 * Makes a response that ends after the client had time to read it. When it ends, Node closes the connection. If the client is
 * still sending then, the close is a reset, at which a client may lose the response.
 */
function makeLingeringBody(payload: string | Buffer): Readable {
  const answer = new Readable({ read() {} });
  answer.push(payload);
  const timer = setTimeout(() => answer.push(null), LINGER_MS);
  return answer.once('close', () => clearTimeout(timer));
}

/** Requests whose clients wait for 100 Continue before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Sends `100 Continue` only when the request is admitted and its body is read. Node would send it immediately. */
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
