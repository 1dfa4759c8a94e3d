// A watcher behind a connection: its last cursor, its room, and its end.
import type { Writable } from 'node:stream';
import { BadInput, GatewayError, SlowConsumer, Unauthenticated } from '../../../errors';
import { type Caller, TOKEN_EXPIRED } from '../../../farm/graph/caller';
import type { Message, Watcher } from '../../../sharing/channel';
import { setTimeout } from '../../../values/timers';
import type { BeginDelivery } from '../../graphql/subscriptions';

/** Bytes that wait for a client. */
export const MAX_BUFFERED = 1 << 20;
/** A client that has no room gets more when fewer bytes wait. */
const LOW_WATER = 1 << 18;
/** Bytes of one answer: at LOW_WATER there is room for it. */
const MAX_ANSWER = MAX_BUFFERED - LOW_WATER;
/** A client that has no room takes the waiting bytes within this time, or it is ended. */
const TAKE_MS = 5000;
/** The longest time of a timer; a longer one would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Beats keep a connection open through proxies, and show a client that is gone. */
export const BEAT_MS = 12_000;

/** How a connection sends the answers of one subscription. */
export interface Sink {
  /** Sends texts of answers in one chunk. */
  send(texts: string[]): void;
  /** Bytes that are sent beside each text. */
  readonly overhead: number;
  /** Holds the bytes that the client has not taken yet. */
  readonly stream: Writable;
  /** With an error the subscription failed. Without one the gateway stops, and the client may connect again. */
  end(error?: Error): void;
}

/** The subscriptions of all connections of this process. */
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
        if (large) endWith(tooLarge(large.bytes));
        return sent.length;
      },
      room: async () => {
        while (!ended && sink.stream.writableLength > LOW_WATER) {
          if (!(await isTaken(sink.stream))) endWith(new SlowConsumer(cursor));
        }
      },
      // GraphQL shows its own errors to clients. Here they are failures of the gateway, which are masked.
      end: (error) => endWith(error instanceof GatewayError || error === undefined ? error : new Error(error.message)),
    };
    stop = beginDelivery(watcher);
    return end;
  }
}

const tooLarge = (bytes: number) =>
  new BadInput(`The answer of one change has ${bytes} bytes, and may have ${MAX_ANSWER}: select fewer fields or rows`);

/** Whether the client took all that waits, or went away, in time. */
function isTaken(stream: Writable): Promise<boolean> {
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
