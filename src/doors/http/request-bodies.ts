// Reads bodies with any content type or none.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BadInput } from '../../errors';
import { longTurn } from '../../sharing/turns';
import type { BodyMemory } from './limits/body-memory';
import { clientOf } from './limits/forwarded';

/** A longer body or message is read in a turn of its own. */
export const LONG_FROM = 1 << 16;

/** A compressed body could become longer than the limit allows. */
const CODED = Object.assign(new Error('The body has a Content-Encoding: send it without, or with identity'), {
  statusCode: 415,
});

/** A value of JSON takes up to so many bytes of memory when it is read. */
const VALUE_BYTES = 60;
/** 1,000 records with every member have 40 bytes for each value, the tables of a plan 6. An empty list takes 3. */
const MIN_BYTES_OF_VALUE = 5;

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the body. */
    bodyBytes: number;
  }
}

/** @param waitMs the longest wait for a turn. @param read a body in memory; a long one has a turn of the event loop for it */
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
    if (coding.toLowerCase() !== 'identity') throw CODED;
    const bytes = await memory.arrived(request, body);
    request.bodyBytes = bytes.length;
    if (bytes.length > LONG_FROM) {
      await longTurn(clientOf(request), waitMs);
      const [values, maxValues] = [valuesIn(bytes), Math.floor(memory.maxLength / MIN_BYTES_OF_VALUE)];
      if (values > maxValues) throw new BadInput(`The body has more than ${maxValues} values`);
      memory.take(request, values * VALUE_BYTES);
    }
    return read(bytes);
  });
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = ['"', '\\', ',', '[', '{'].map((mark) => mark.charCodeAt(0));

/** The number of values in a text of JSON, or a few more: each but the first stands behind one of these marks. */
function valuesIn(bytes: Buffer): number {
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
