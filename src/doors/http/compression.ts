// Compresses responses for clients that accept it. Bytes that several clients share are compressed once.
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CSV_TYPE } from './answers';

/**
 * The length from which responses are compressed, and converted to bytes before they are sent. Node writes bytes faster than a
 * string (W3: 24 of 410 µs), and clients that share a response share its conversion (W1) and its compression. Compressing a
 * shorter response gains little, because the headers alone have 300 bytes.
 */
export const COMPRESSED_FROM = 1024;

/**
 * The codings at their fastest levels, because most responses are read only once. With brotli at quality 1, 1,000 cameras (231 kB)
 * become 41 kB in 1.5 ms; at quality 4 they become 40 kB in 3.4 ms. Compression reveals no secrets by the length (BREACH),
 * because no response has a secret of the gateway next to a text that a client chose.
 */
const CODINGS: Record<string, { whole(bytes: Buffer): Promise<Buffer>; stream(): Transform }> = {
  br: {
    whole: (bytes) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      return promisify(brotliCompress)(bytes, { params });
    },
    stream: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  },
  gzip: {
    whole: (bytes) => promisify(gzip)(bytes, { level: 1 }),
    stream: () => createGzip({ level: 1 }),
  },
};
/** The codings in the gateway's order of preference, which counts if the client has no preference. */
const OFFERED = [...Object.keys(CODINGS), 'identity'];

/**
 * The compressed forms of shared bytes. @fastify/compress would compress the same bytes again for each client, which takes 1.5 ms
 * for each of 64 dashboards that poll 1,000 cameras.
 */
const compressed = new WeakMap<Buffer, Record<string, Promise<Buffer>>>();

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isFile = payload instanceof Readable && reply.getHeader('content-type') === CSV_TYPE;
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    // Other streams, such as event streams, are not compressed.
    if (!isFile && (!isWhole || payload.length < COMPRESSED_FROM)) return done(null, payload);
    addVaryHeader(reply);
    const coding = negotiate(String(request.headers['accept-encoding'] ?? '').toLowerCase(), OFFERED) ?? '';
    const compress = CODINGS[coding];
    if (compress === undefined) return done(null, payload);
    if (isFile) {
      reply.header('content-encoding', coding);
      // A failure of the file, or a client that leaves, ends both streams.
      return done(
        null,
        pipeline(payload, compress.stream(), () => {}),
      );
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : (payload as Buffer);
    const forms = compressed.get(bytes) ?? {};
    compressed.set(bytes, forms);
    forms[coding] ??= compress.whole(bytes);
    forms[coding].then((short) => {
      reply.header('content-encoding', coding);
      done(null, short);
    }, done);
  });
}

/** Tells caches that the response depends on the header accept-encoding. */
export function addVaryHeader(reply: FastifyReply): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'accept-encoding' : `${others}, accept-encoding`);
}
