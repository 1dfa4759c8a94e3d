// The text of an answer, made once for all clients that share it, and the length from which it is compressed.
import type { FormattedExecutionResult } from 'graphql';

/**
 * Longer answers become bytes: Node writes bytes faster than a string (W3: 24 of 410 µs), and clients that share an
 * answer share its conversion (W1) and its compression. Compressing a shorter one gains little, because its head has 300
 * bytes already.
 */
export const COMPRESSED_FROM = 1024;

const texts = new WeakMap<object, string | Buffer>();

/**
 * The text of a result. Requests that share a read are answered with the same data, which is written as JSON once (the
 * floors of W1 and W2 at 16 and 64 connections).
 */
export function answerText({ errors, data, extensions }: FormattedExecutionResult): string | Buffer {
  const shared = data != null && errors === undefined && extensions === undefined ? (data as object) : undefined;
  const earlier = shared && texts.get(shared);
  if (earlier !== undefined) return earlier;
  const text = `${JSON.stringify({ errors, data, extensions })}\n`;
  const sent = text.length >= COMPRESSED_FROM ? Buffer.from(text) : text;
  if (shared) texts.set(shared, sent);
  return sent;
}
