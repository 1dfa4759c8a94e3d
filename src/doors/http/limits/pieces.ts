// Bodies in very small pieces: each piece takes memory and time, so a body that comes in far more pieces than its bytes need is refused.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { hasBody } from './unread';

/** The memory of a piece beside its bytes. */
export const PIECE_BYTES = 256;
/** Any body may have so many pieces, and one more for each PIECE_BYTES. */
const FREE_PIECES = 1024;

const IN_PIECES = Object.assign(new Error('The body comes in too many small pieces: send it in larger ones'), {
  statusCode: 400,
});

const refusals = new WeakMap<IncomingMessage, Error>();

/** Why the body of this request is not read to its end. */
export const refusalOf = (request: IncomingMessage): Error | undefined => refusals.get(request);

/** Ends the reading of a body, now or when it begins. */
export function giveUp(request: IncomingMessage, error: Error): void {
  if (refusals.has(request)) return;
  refusals.set(request, error);
  // There may be no reader, not yet or not any more.
  request.on('error', () => {});
  request.emit('error', error);
}

/**
 * Counts the pieces where Node hands them over. Node takes all chunks of a packet at once, some 10,000, also of a body that nobody
 * reads or that is paused: with 200 connections they would fill a process of 256 MB.
 */
export function boundPieces(app: FastifyInstance): void {
  const count = (request: IncomingMessage) => {
    if (!hasBody(request.headers)) return;
    const { push } = request;
    let bytes = 0;
    let pieces = 0;
    request.push = (piece: Buffer | null) => {
      if (piece === null) return push.call(request, piece);
      bytes += piece.length;
      pieces += 1;
      if (pieces <= FREE_PIECES + bytes / PIECE_BYTES) return push.call(request, piece);
      giveUp(request, IN_PIECES);
      return false;
    };
  };
  app.server.on('request', count).on('checkExpectation', count);
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (refusals.has(raw)) reply.header('connection', 'close');
    done(null, payload);
  });
}
