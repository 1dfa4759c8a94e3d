// Reads bodies with any content type or none.
import type { FastifyInstance } from 'fastify';

/** The usual type has its own entry, because for `*` Fastify parses the header of every request again. */
const TYPES = ['application/json', '*'];

export function readBodies(app: FastifyInstance, read: (bytes: Buffer) => unknown): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, read(bytes as Buffer)));
}
