// Reads bodies with any content type or none.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BadInput } from '../../errors';
import { noRoomForBody, Room } from '../../sharing/room';
import { longTurn } from '../../sharing/turns';
import { clientOf, NEEDS_ROOM_FROM, whenOver } from './limits/arrival';
import { READ_BYTES } from './limits/client-memory';

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

/** Reads a large body in its turn, when there is memory for it. @param waitMs the longest wait */
export function largeBodies(bodyLimit: number, waitMs: number) {
  const room = new Room(READ_BYTES);
  const maxValues = Math.floor(bodyLimit / MIN_BYTES_OF_VALUE);
  return async (request: FastifyRequest, bytes: Buffer): Promise<void> => {
    const client = clientOf(request);
    await longTurn(client, waitMs);
    const values = valuesIn(bytes);
    if (values > maxValues) throw new BadInput(`The body has more than ${maxValues} values`);
    const leave = await room.enter(client, bytes.length + values * VALUE_BYTES, waitMs, noRoomForBody);
    whenOver(request, leave);
  };
}

export type WhenLarge = ReturnType<typeof largeBodies>;

export function readBodies(app: FastifyInstance, whenLarge: WhenLarge, read: (bytes: Buffer) => unknown): void {
  if (!app.hasRequestDecorator('bodyBytes')) app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding.toLowerCase() !== 'identity') throw CODED;
    request.bodyBytes = bytes.length;
    if (bytes.length <= NEEDS_ROOM_FROM) done(null, read(bytes));
    else
      whenLarge(request, bytes)
        .then(() => read(bytes))
        .then((body) => done(null, body), done);
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
