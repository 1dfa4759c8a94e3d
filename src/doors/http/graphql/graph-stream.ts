// The event stream of /graphql: the distinct connections mode of graphql-sse's protocol.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setInterval, setTimeout } from '../../../values/timers';
import { formatFailure, noteCodes } from '../../graphql/graphql-errors';
import type { BeginDelivery } from '../../graphql/subscriptions';
import { BEAT_MS, MAX_BUFFERED, type OpenSubscriptions } from './open-subscriptions';

/** The time that a client has to take the end of its stream. */
const END_MS = 10_000;

const BEAT = ':\n\n';
const nextEvent = (text: string) => `event: next\ndata: ${text}\n\n`;
const COMPLETE = 'event: complete\ndata:\n\n';

export function sendStream(
  subscriptions: OpenSubscriptions,
  request: FastifyRequest,
  reply: FastifyReply,
  beginDelivery: BeginDelivery,
): void {
  const { raw } = reply.hijack();
  // The client may have left before its subscription began: then no close event follows.
  if (raw.destroyed) return;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Nginx would keep events back.
    'x-accel-buffering': 'no',
  });
  // A client learns that the subscription has begun.
  raw.write(BEAT);
  const beat = setInterval(() => (raw.writableLength > MAX_BUFFERED ? raw.destroy() : raw.write(BEAT)), BEAT_MS);
  const stop = subscriptions.open(
    beginDelivery,
    {
      send: (texts) => void raw.write(texts.map(nextEvent).join('')),
      stream: raw,
      // With the chunk of the body.
      overhead: nextEvent('').length + 10,
      end: (error) => {
        clearInterval(beat);
        const answer = error && formatFailure(error);
        noteCodes(request.observation, answer?.errors);
        raw.end(answer && nextEvent(JSON.stringify(answer)) + COMPLETE);
        setTimeout(() => raw.destroy(), END_MS).unref();
      },
    },
    request.caller,
  );
  raw.on('error', () => {});
  raw.on('close', () => {
    clearInterval(beat);
    stop();
  });
}

/** The answer of an operation that is no subscription, or of a subscription that could not begin. */
export function sendSingleResult(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'text/event-stream; charset=utf-8').send(nextEvent(text.trimEnd()) + COMPLETE);
}
