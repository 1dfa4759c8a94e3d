// A channel: watchers of the same thing share one follower of the feed, and one message for each event.
import pLimit from 'p-limit';
import { BadInput, DatabaseUnavailable } from '../errors';
import { sleep } from '../values/timers';
import { type Feed, type FeedEvent, type FeedName, type FeedPosition, type FeedRange, isAfter } from './feed';

/** The message of one event. */
export interface Message {
  position: FeedPosition;
  cursor: string;
  text: string;
  /** The size of the text. */
  bytes: number;
}

export interface Watcher {
  /** Takes as many as there is room for, and returns their number. The watcher gets the others again when it has room. */
  deliver(messages: readonly Message[]): number;
  /** Resolves when there is room for one more message. */
  room(): Promise<void>;
  /** The delivery failed where there is an error; else the gateway stops. */
  end(error?: Error): void;
}

/** A part of a feed, and how a message is made from an event of it. */
export interface Content {
  /** For errors. */
  name: string;
  feed: FeedName;
  matches(event: FeedEvent): boolean;
  /** Null where the event cannot be shown any more. After an DatabaseUnavailable it is called again. */
  messageOf(event: FeedEvent): Promise<string | null>;
}

/** Events whose messages are made at once. A message can be as large as any answer. */
export const AT_ONCE = 16;
/** How often a message is tried while the source of the events answers. */
const MAX_TRIES = 3;

const TOO_SLOW = `The answer of one change was not ready in time, at ${MAX_TRIES} tries: select fewer fields or rows`;

/** The longest wait for these messages when the gateway stops. */
const STOP_MS = 1000;

/** Runs executions for subscriptions, of all channels a few at a time, so that requests come between them. */
type Bulkhead = <Result>(execute: () => Promise<Result>) => Promise<Result>;

export class Channel {
  /** The watchers that get each message together, with the positions at which they joined. */
  private readonly joined = new Map<Watcher, FeedPosition>();
  /** The watchers that read by themselves until they are as far as the joined ones. */
  private readonly catchingUp = new Set<Watcher>();
  private begun: Promise<void> | undefined;
  /** The position up to which messages were delivered to the joined watchers. */
  private deliveredUpTo: FeedPosition | undefined;
  private unfollow = () => {};
  /** The newest delivery. */
  private delivery: Promise<void> = Promise.resolve();
  /**
   * Ranges that are being read, and chunks that are being made, for watchers that catch up. After a restart all watchers
   * come with nearly the same position.
   */
  private readonly ranges = new Map<string, Promise<FeedRange>>();
  private readonly chunks = new Map<string, Promise<Message[]>>();
  private readonly oneChunk = pLimit(1);

  constructor(
    private readonly feed: Feed,
    private readonly content: Content,
    private readonly bulkhead: Bulkhead,
    private readonly closed: () => void,
    private readonly report: (error: Error) => void,
  ) {}

  add(watcher: Watcher, after: FeedPosition | null): () => void {
    this.startCatchUp(watcher, after);
    return () => this.remove(watcher);
  }

  async stop(): Promise<void> {
    await Promise.race([this.delivery, sleep(STOP_MS, undefined, { ref: false })]);
    this.endAll();
  }

  private endAll(error?: Error): void {
    if (error) this.report(error);
    for (const watcher of [...this.joined.keys(), ...this.catchingUp]) {
      this.remove(watcher);
      watcher.end(error);
    }
  }

  private remove(watcher: Watcher, error?: Error): void {
    if (!this.joined.delete(watcher) && !this.catchingUp.delete(watcher)) return;
    if (error !== undefined) {
      this.report(error);
      watcher.end(error);
    }
    if (this.isWatched()) return;
    this.unfollow();
    this.closed();
  }

  private isWatched(): boolean {
    return this.joined.size > 0 || this.catchingUp.size > 0;
  }

  private startCatchUp(watcher: Watcher, after: FeedPosition | null): void {
    this.joined.delete(watcher);
    this.catchingUp.add(watcher);
    this.catchUp(watcher, after).catch((error: Error) => this.remove(watcher, error));
  }

  /**
   * Loses and repeats no message: the watcher joins the others in the same tick of the event loop in which it reaches their
   * position.
   */
  private async catchUp(watcher: Watcher, after: FeedPosition | null): Promise<void> {
    let position = after ?? (await this.feed.latest());
    this.begun ??= this.begin();
    await this.begun;
    // A position that a client gave is read from at least once: the feed may not know it.
    for (let isKnown = after === null; this.catchingUp.has(watcher); isKnown = true) {
      const deliveredUpTo = this.deliveredUpTo as FeedPosition;
      if (isKnown && !isAfter(deliveredUpTo, position)) {
        this.catchingUp.delete(watcher);
        this.joined.set(watcher, position);
        return;
      }
      // The database is read faster than a client can take the messages that it missed.
      if (!(await this.hasRoom(watcher))) return;
      const { events, end } = await this.range(position, deliveredUpTo);
      await this.deliverAsTaken(watcher, this.chosen(events));
      position = end;
    }
  }

  /** No message is made before the watcher has room for one. */
  private async deliverAsTaken(watcher: Watcher, events: readonly FeedEvent[]): Promise<void> {
    let size = AT_ONCE;
    for (let waiting = events; waiting.length > 0; ) {
      if (!(await this.hasRoom(watcher))) return;
      const chunk = waiting.slice(0, size);
      const messages = await this.chunk(chunk);
      const taken = watcher.deliver(messages);
      const refused = messages[taken];
      waiting = waiting.slice(refused ? waiting.findIndex(({ cursor }) => cursor === refused.cursor) : chunk.length);
      // Messages that were refused are made again, so fewer large ones are made at once.
      size = refused ? Math.max(taken, 1) : Math.min(2 * size, AT_ONCE);
    }
  }

  /** Waits for room; false when the watcher has left. */
  private async hasRoom(watcher: Watcher): Promise<boolean> {
    await watcher.room();
    return this.catchingUp.has(watcher);
  }

  private range(position: FeedPosition, until: FeedPosition): Promise<FeedRange> {
    return shared(this.ranges, position.join(), () => this.feed.range(position, until));
  }

  private chunk(events: readonly FeedEvent[]): Promise<Message[]> {
    return shared(this.chunks, `${events[0]?.cursor} ${events.at(-1)?.cursor}`, () =>
      this.oneChunk(() => this.messagesOf(events)),
    );
  }

  private async begin(): Promise<void> {
    this.deliveredUpTo = await this.feed.latest();
    if (this.isWatched()) this.unfollow = this.feed.follow();
    this.follow().catch((error: Error) => this.endAll(error));
  }

  private async follow(): Promise<void> {
    while (this.isWatched()) {
      this.delivery = this.deliver(await this.feed.next(this.deliveredUpTo as FeedPosition));
      await this.delivery;
    }
  }

  private async deliver({ events, end }: FeedRange): Promise<void> {
    const chosen = this.chosen(events);
    for (let index = 0; index < chosen.length; index += AT_ONCE) {
      // Each watcher that catches up has its messages made when it has room for them.
      if (this.joined.size === 0) break;
      const chunk = chosen.slice(index, index + AT_ONCE);
      this.deliverToJoined(await this.messagesOf(chunk), chunk.at(-1)?.position as FeedPosition);
    }
    this.deliveredUpTo = end;
  }

  private deliverToJoined(messages: readonly Message[], end: FeedPosition): void {
    const before = this.deliveredUpTo as FeedPosition;
    this.deliveredUpTo = end;
    for (const [watcher, joinedAt] of this.joined) {
      const isAhead = isAfter(joinedAt, before);
      const fresh = isAhead ? messages.filter(({ position }) => isAfter(position, joinedAt)) : messages;
      const taken = watcher.deliver(fresh);
      if (taken === fresh.length || !this.joined.has(watcher)) continue;
      this.startCatchUp(watcher, fresh[taken - 1]?.position ?? (isAhead ? joinedAt : before));
    }
  }

  private chosen(events: readonly FeedEvent[]): FeedEvent[] {
    return events.filter((event) => this.content.matches(event));
  }

  private async messagesOf(events: readonly FeedEvent[]): Promise<Message[]> {
    const messages = await Promise.all(events.map((event) => this.messageOf(event)));
    return messages.filter((message) => message !== null);
  }

  /**
   * While the database is away, waits and tries again. When the database answers and the message still fails with an
   * DatabaseUnavailable, the message takes too long: after MAX_TRIES its subscriptions fail.
   */
  private async messageOf(event: FeedEvent): Promise<Message | null> {
    for (let tries = 1; this.isWatched(); tries += 1) {
      try {
        const text = await this.bulkhead(() => this.content.messageOf(event));
        if (text === null) return null;
        return { position: event.position, cursor: event.cursor, text, bytes: Buffer.byteLength(text) };
      } catch (cause) {
        if (!(cause instanceof DatabaseUnavailable)) throw cause;
        const wasAway = await this.feed.untilSourceAnswers();
        if (wasAway) tries = 0;
        else if (tries >= MAX_TRIES) {
          this.report(new Error(`${this.content.name} was not executed in time for ${event.cursor}`, { cause }));
          throw new BadInput(TOO_SLOW);
        }
      }
    }
    return null;
  }
}

/** The same promise for all that ask before it is settled. */
function shared<Answer>(
  running: Map<string, Promise<Answer>>,
  key: string,
  begin: () => Promise<Answer>,
): Promise<Answer> {
  const answer = running.get(key) ?? begin().finally(() => running.delete(key));
  running.set(key, answer);
  return answer;
}
