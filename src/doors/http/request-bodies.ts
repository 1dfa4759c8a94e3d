// Reads request bodies with any content type, and limits how many values a body may have.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BadInput } from '../../errors';
import { takeLongTurn } from '../../sharing/turns';
import type { BodyMemory } from './limits/body-memory';
import { nameClient } from './limits/forwarded';

/** A body or message with more bytes than this waits for a turn of the event loop for itself, so that it delays no others. */
export const LONG_FROM = 1 << 16;

/** Compressed bodies are refused, because they could become longer than the limit allows. */
const COMPRESSED_BODY = Object.assign(
  new Error('The gateway does not accept compressed bodies. Send the body without Content-Encoding.'),
  {
    statusCode: 415,
  },
);

/** The memory of a parsed JSON value, at most. */
const VALUE_BYTES = 60;
/**
 * A body may have one value for each so many bytes of the maximum length. Requests have more: 1,000 status records with every
 * member have 40 bytes for each value, and the tables of a slicer's plan have 6. Only useless bodies have fewer, such as lists of
 * empty lists with 3.
 */
const MIN_BYTES_OF_VALUE = 5;

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the body in bytes; 0 without a body. */
    bodyBytes: number;
  }
}

/**
 * @param waitMs the longest wait of a long body for its turn
 * @param read parses a body that has arrived
 */
export function readBodies(
  app: FastifyInstance,
  memory: BodyMemory,
  waitMs: number,
  read: (bytes: Buffer) => unknown,
): void {
  if (!app.hasRequestDecorator('bodyBytes')) app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, body: IncomingMessage) => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') throw COMPRESSED_BODY;
    const bytes = await memory.receive(request, body);
    request.bodyBytes = bytes.length;
    if (bytes.length > LONG_FROM) {
      await takeLongTurn(nameClient(request), waitMs);
      const [values, maxValues] = [countValues(bytes), Math.floor(memory.maxLength / MIN_BYTES_OF_VALUE)];
      if (values > maxValues)
        throw new BadInput(`The body has more than ${maxValues} values. Split it into several requests`);
      memory.take(request, values * VALUE_BYTES);
    }
    return read(bytes);
  });
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((mark) => mark.charCodeAt(0));

/** Counts the values in a JSON text, or a few more: every value except the first follows a comma or an opening bracket. */
function countValues(bytes: Buffer): number {
  let count = 1;
  let isText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) isText = !isText;
    else if (isText) index += Number(byte === BACKSLASH);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
  }
  return count;
}
