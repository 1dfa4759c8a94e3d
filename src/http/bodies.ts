// Reads bodies with any content type or none.
import type { FastifyInstance } from 'fastify';
import { turns } from '../sharing/turns';

/** A compressed body could become longer than the limit allows. */
const CODED = Object.assign(new Error('The body has a Content-Encoding: send it without, or with identity'), {
  statusCode: 415,
});

/** A larger body has a turn of the event loop for itself. */
const LARGE = 1 << 16;
const turn = turns();

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the body. */
    bodyBytes: number;
  }
}

export function readBodies(app: FastifyInstance, read: (bytes: Buffer) => unknown): void {
  if (!app.hasRequestDecorator('bodyBytes')) app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') throw CODED;
    request.bodyBytes = bytes.length;
    const take = () => read(bytes as Buffer);
    if (bytes.length <= LARGE) done(null, take());
    else
      turn()
        .then(take)
        .then((body) => done(null, body), done);
  });
}
