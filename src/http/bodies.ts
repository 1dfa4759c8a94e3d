// How bodies are read: whatever their type says, or lacks.
import type { FastifyInstance } from 'fastify';

/** The usual type by its name too: Fastify would parse the header of every request anew to come to the other one. */
const TYPES = ['application/json', '*'];

export function readBodies(app: FastifyInstance, read: (bytes: Buffer) => unknown): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, read(bytes as Buffer)));
}
