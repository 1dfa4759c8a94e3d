// Decides how much may wait for a client of a subscription, and ends subscriptions of slow clients and expired credentials.
import type { Writable } from 'node:stream';
import { BadInput, GatewayError, SlowConsumer, Unauthenticated } from '../../../errors';
import { type Caller, TOKEN_EXPIRED } from '../../../farm/graph/caller';
import type { Message, Watcher } from '../../../sharing/broadcast';
import { setTimeout } from '../../../values/timers';
import type { BeginDelivery } from '../../graphql/subscriptions';

/** The maximum number of bytes that may wait for a client. */
export const MAX_BUFFERED = 1 << 20;
/** A client that had no room gets more messages when fewer bytes than this wait. */
const LOW_WATER = 1 << 18;
/** The maximum number of bytes of one message. Such a message fits when LOW_WATER bytes wait. */
const MAX_ANSWER = MAX_BUFFERED - LOW_WATER;
/** A client that has no room must read the waiting bytes within this time. Otherwise its subscription ends. */
const TAKE_MS = 5000;
/** The longest time of a timer in Node. A timer with a longer time would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time between two heartbeats. They keep a connection open through proxies, and reveal clients that have left. */
export const BEAT_MS = 12_000;

/** How a connection sends the messages of one subscription. */
export interface Sink {
  /** Sends the texts of several messages in one chunk. */
  send(texts: string[]): void;
  /** The number of bytes that the protocol adds to each text. */
  readonly overhead: number;
  /** The stream whose buffer has the bytes that the client has not read yet. */
  readonly stream: Writable;
  /** Ends the subscription: with an error because it failed, without one because the gateway stops and the client may reconnect. */
  end(error?: Error): void;
}

/** Counts the open subscriptions of this process, and the messages that they delivered. */
export class OpenSubscriptions {
  count = 0;
  delivered = 0;

  /** Delivers a subscription until the returned function is called, the credentials expire, or the client is too slow. */
  open(beginDelivery: BeginDelivery, sink: Sink, { expiresAt }: Caller): () => void {
    this.count += 1;
    let cursor: string | null = null;
    let ended = false;
    let stop = () => {};
    const end = () => {
      if (ended) return;
      ended = true;
      this.count -= 1;
      clearTimeout(expiry);
      stop();
    };
    const endWith = (error?: Error) => {
      if (ended) return;
      end();
      sink.end(error);
    };
    let expiry: NodeJS.Timeout | undefined;
    const expireAt = (instantMs: number) => {
      const check = () => (Date.now() < instantMs ? expireAt(instantMs) : endWith(new Unauthenticated(TOKEN_EXPIRED)));
      expiry = setTimeout(check, Math.min(instantMs - Date.now(), MAX_TIMER_MS)).unref();
    };
    if (expiresAt !== null) expireAt(expiresAt);
    const watcher: Watcher = {
      deliver: (messages: readonly Message[]) => {
        if (ended) return messages.length;
        const sent: string[] = [];
        let left = MAX_BUFFERED - sink.stream.writableLength;
        let large: Message | undefined;
        for (const message of messages) {
          const size = message.bytes + sink.overhead;
          left -= size;
          if (size > MAX_ANSWER) large = message;
          if (large || left < 0) break;
          sent.push(message.text);
          cursor = message.cursor;
        }
        if (sent.length > 0) sink.send(sent);
        this.delivered += sent.length;
        if (large) endWith(makeTooLargeError(large.bytes));
        return sent.length;
      },
      room: async () => {
        while (!ended && sink.stream.writableLength > LOW_WATER) {
          if (!(await waitUntilRead(sink.stream))) endWith(new SlowConsumer(cursor));
        }
      },
      // Other errors are copied without their class, because clients would see a GraphQLError, and here it is a failure of the
      // gateway, which must be masked.
      end: (error) => endWith(error instanceof GatewayError || error === undefined ? error : new Error(error.message)),
    };
    stop = beginDelivery(watcher);
    return end;
  }
}

const makeTooLargeError = (bytes: number) =>
  new BadInput(
    `The message of one change has ${bytes} bytes; the limit is ${MAX_ANSWER}. Select fewer fields or rows.`,
  );

/** Whether the client read all waiting bytes, or left, within TAKE_MS. */
function waitUntilRead(stream: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (taken: boolean) => {
      clearTimeout(timer);
      stream.off('drain', take).off('close', take);
      resolve(taken);
    };
    const take = () => finish(true);
    const timer = setTimeout(() => finish(false), TAKE_MS).unref();
    stream.on('drain', take).on('close', take);
  });
}
