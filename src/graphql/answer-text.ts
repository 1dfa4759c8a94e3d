// The text of an answer, made once for all clients that share it, and the length from which it is compressed.
import type { FormattedExecutionResult } from 'graphql';

/**
 * Longer answers become bytes where clients share them, so that their conversion (W1) and their compression are done once
 * for all. Compressing a shorter one gains little, because its head has 300 bytes already.
 */
export const LARGE = 1024;

const texts = new WeakMap<object, string | Buffer>();

/**
 * The text of a result. Requests that share a read are answered with the same data, which is written as JSON once (the
 * floors of W1 and W2 at 16 and 64 connections). The first of them gets a string: bytes for every answer of W3 leave the
 * process with 50 MB more (the floor of the memory after the load).
 * @param inBytes for a client that can read compressed bytes
 */
export function textOf({ errors, data, extensions }: FormattedExecutionResult, inBytes: boolean): string | Buffer {
  const shared = data != null && errors === undefined && extensions === undefined ? (data as object) : undefined;
  const known = shared && texts.get(shared);
  if (Buffer.isBuffer(known)) return known;
  const text = known ?? `${JSON.stringify({ errors, data, extensions })}\n`;
  const sent = text.length >= LARGE && (inBytes || known !== undefined) ? Buffer.from(text) : text;
  if (shared) texts.set(shared, sent);
  return sent;
}
