// Sends subscriptions as an event stream, in the distinct connections mode of the protocol of graphql-sse.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setInterval, setTimeout } from '../../../values/timers';
import { formatFailure, noteCodes } from '../../graphql/graphql-errors';
import type { BeginDelivery } from '../../graphql/subscriptions';
import { BEAT_MS, MAX_BUFFERED, type OpenSubscriptions } from './open-subscriptions';

/** The time that a client has to read the end of its stream. */
const END_MS = 10_000;

const BEAT = ':\n\n';
const writeNextEvent = (text: string) => `event: next\ndata: ${text}\n\n`;
const COMPLETE = 'event: complete\ndata:\n\n';

export function sendStream(
  subscriptions: OpenSubscriptions,
  request: FastifyRequest,
  reply: FastifyReply,
  beginDelivery: BeginDelivery,
): void {
  const { raw } = reply.hijack();
  // If the client left before its subscription started, no close event follows.
  if (raw.destroyed) return;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Without this header, nginx would buffer the events.
    'x-accel-buffering': 'no',
  });
  // The first heartbeat shows the client that the subscription has started.
  raw.write(BEAT);
  const beat = setInterval(() => (raw.writableLength > MAX_BUFFERED ? raw.destroy() : raw.write(BEAT)), BEAT_MS);
  const stop = subscriptions.open(
    beginDelivery,
    {
      send: (texts) => void raw.write(texts.map(writeNextEvent).join('')),
      stream: raw,
      // The chunk of the body adds up to 10 bytes.
      overhead: writeNextEvent('').length + 10,
      end: (error) => {
        clearInterval(beat);
        const answer = error && formatFailure(error);
        noteCodes(request.observation, answer?.errors);
        raw.end(answer && writeNextEvent(JSON.stringify(answer)) + COMPLETE);
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

/** Sends the result of a query or a mutation, or of a subscription that could not start. */
export function sendSingleResult(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .send(writeNextEvent(text.trimEnd()) + COMPLETE);
}
