// Reads bodies with any content type or none.
import type { FastifyInstance } from 'fastify';

/** A compressed body could become longer than the limit allows. */
const CODED = Object.assign(new Error('The body has a Content-Encoding: send it without, or with identity'), {
  statusCode: 415,
});

export function readBodies(app: FastifyInstance, read: (bytes: Buffer) => unknown): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, ({ headers }, bytes, done) => {
    const coding = headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') throw CODED;
    done(null, read(bytes as Buffer));
  });
}
