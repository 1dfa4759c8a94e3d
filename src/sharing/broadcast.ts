// Delivers the events of one subscription to all its watchers, which share one follower of the feed and one message per event.
import pLimit from 'p-limit';
import { BadInput, DatabaseUnavailable } from '../errors';
import { sleep } from '../values/timers';
import { type Feed, type FeedEvent, type FeedName, type FeedPosition, type FeedRange, isAfter } from './feed';

/** What a watcher gets for one event. */
export interface Message {
  position: FeedPosition;
  cursor: string;
  text: string;
  /** The size of the text in bytes of UTF-8. */
  bytes: number;
}

export interface Watcher {
  /**
   * Takes the first messages, as many as there is room for, and returns their number. The broadcast offers the remaining messages
   * again when there is room.
   */
  deliver(messages: readonly Message[]): number;
  /** Resolves when there is room for one more message. */
  room(): Promise<void>;
  /** Ends the delivery: with an error because the delivery failed, without one because the gateway stops. */
  end(error?: Error): void;
}

/** Selects the events of a broadcast from a feed, and makes a message from an event. */
export interface Content {
  /** The name of the operation, for error messages. */
  name: string;
  feed: FeedName;
  matches(event: FeedEvent): boolean;
  /** Makes the message, or null if the event can no longer be shown. Called again after a DatabaseUnavailable. */
  makeMessage(event: FeedEvent): Promise<string | null>;
}

/** How many messages a broadcast makes together. A message can be as large as any response. */
export const MESSAGES_MADE_TOGETHER = 16;
/** How often a broadcast tries to make a message while the source of the events answers. */
const MAX_TRIES = 3;

const TOO_SLOW_MESSAGE = `The gateway tried ${MAX_TRIES} times to read one change, and took too long each time. Select fewer fields or rows.`;

/** How long a stopping gateway waits for the messages that a broadcast is delivering. */
const STOP_MS = 1000;

/** Runs a few executions of all broadcasts at a time, so that requests get their turn between them. */
type Bulkhead = <Result>(execute: () => Promise<Result>) => Promise<Result>;

export class Broadcast {
  /** The watchers that get each message together, with the positions at which they joined. */
  private readonly joinedWatchers = new Map<Watcher, FeedPosition>();
  /** The watchers that read separately until they reach the position of the joined watchers. */
  private readonly catchingUp = new Set<Watcher>();
  private started: Promise<void> | undefined;
  /** The position up to which messages were delivered to the joined watchers. */
  private deliveredUpTo: FeedPosition | undefined;
  private unfollow = () => {};
  /** The newest delivery. */
  private delivery: Promise<void> = Promise.resolve();
  /**
   * The ranges that are being read, and the chunks that are being made, for watchers that catch up. They are shared, because
   * after a restart all watchers return with nearly the same position.
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
    for (const watcher of [...this.joinedWatchers.keys(), ...this.catchingUp]) {
      this.remove(watcher);
      watcher.end(error);
    }
  }

  private remove(watcher: Watcher, error?: Error): void {
    if (!this.joinedWatchers.delete(watcher) && !this.catchingUp.delete(watcher)) return;
    if (error !== undefined) {
      this.report(error);
      watcher.end(error);
    }
    if (this.isWatched()) return;
    this.unfollow();
    this.closed();
  }

  private isWatched(): boolean {
    return this.joinedWatchers.size > 0 || this.catchingUp.size > 0;
  }

  private startCatchUp(watcher: Watcher, after: FeedPosition | null): void {
    this.joinedWatchers.delete(watcher);
    this.catchingUp.add(watcher);
    this.catchUp(watcher, after).catch((error: Error) => this.remove(watcher, error));
  }

  /**
   * Delivers missed messages, then joins the watcher. No message is lost or repeated, because the watcher joins in the same tick
   * of the event loop in which it reaches the position of the joined watchers.
   */
  private async catchUp(watcher: Watcher, after: FeedPosition | null): Promise<void> {
    let position = after ?? (await this.feed.latest());
    this.started ??= this.start();
    await this.started;
    // A position from a client is read from at least once, because it may not exist in this feed.
    for (let isKnown = after === null; this.catchingUp.has(watcher); isKnown = true) {
      const deliveredUpTo = this.deliveredUpTo as FeedPosition;
      if (isKnown && !isAfter(deliveredUpTo, position)) {
        this.catchingUp.delete(watcher);
        this.joinedWatchers.set(watcher, position);
        return;
      }
      // Reading the database is faster than sending, so the next range waits until the client has room for missed messages.
      if (!(await this.hasRoom(watcher))) return;
      const { events, end } = await this.readRange(position, deliveredUpTo);
      await this.deliverWhileRoom(watcher, this.chosen(events));
      position = end;
    }
  }

  /** Makes messages only when the watcher has room for at least one. */
  private async deliverWhileRoom(watcher: Watcher, events: readonly FeedEvent[]): Promise<void> {
    let size = MESSAGES_MADE_TOGETHER;
    for (let waiting = events; waiting.length > 0; ) {
      if (!(await this.hasRoom(watcher))) return;
      const makeChunk = waiting.slice(0, size);
      const messages = await this.chunk(makeChunk);
      const taken = watcher.deliver(messages);
      const refused = messages[taken];
      waiting = waiting.slice(
        refused ? waiting.findIndex(({ cursor }) => cursor === refused.cursor) : makeChunk.length,
      );
      // A message that found no room is made again later, so the next chunk has only as many messages as found room.
      size = refused ? Math.max(taken, 1) : Math.min(2 * size, MESSAGES_MADE_TOGETHER);
    }
  }

  /** Waits for room; returns false if the watcher has left. */
  private async hasRoom(watcher: Watcher): Promise<boolean> {
    await watcher.room();
    return this.catchingUp.has(watcher);
  }

  private readRange(position: FeedPosition, until: FeedPosition): Promise<FeedRange> {
    return shareResult(this.ranges, position.join(), () => this.feed.range(position, until));
  }

  private chunk(events: readonly FeedEvent[]): Promise<Message[]> {
    return shareResult(this.chunks, `${events[0]?.cursor} ${events.at(-1)?.cursor}`, () =>
      this.oneChunk(() => this.makeMessages(events)),
    );
  }

  private async start(): Promise<void> {
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
    const selectMatching = this.chosen(events);
    for (let index = 0; index < selectMatching.length; index += MESSAGES_MADE_TOGETHER) {
      // The messages of watchers that catch up are made when those watchers have room.
      if (this.joinedWatchers.size === 0) break;
      const chunk = selectMatching.slice(index, index + MESSAGES_MADE_TOGETHER);
      this.deliverToJoined(await this.makeMessages(chunk), chunk.at(-1)?.position as FeedPosition);
    }
    this.deliveredUpTo = end;
  }

  private deliverToJoined(messages: readonly Message[], end: FeedPosition): void {
    const before = this.deliveredUpTo as FeedPosition;
    this.deliveredUpTo = end;
    for (const [watcher, joinedAt] of this.joinedWatchers) {
      const isAhead = isAfter(joinedAt, before);
      const fresh = isAhead ? messages.filter(({ position }) => isAfter(position, joinedAt)) : messages;
      const taken = watcher.deliver(fresh);
      if (taken === fresh.length || !this.joinedWatchers.has(watcher)) continue;
      this.startCatchUp(watcher, fresh[taken - 1]?.position ?? (isAhead ? joinedAt : before));
    }
  }

  private chosen(events: readonly FeedEvent[]): FeedEvent[] {
    return events.filter((event) => this.content.matches(event));
  }

  private async makeMessages(events: readonly FeedEvent[]): Promise<Message[]> {
    const messages = await Promise.all(events.map((event) => this.makeMessage(event)));
    return messages.filter((message) => message !== null);
  }

  /**
   * Makes the message of one event. During an outage of the database, waits and tries again. If the database answers but the
   * message still fails with DatabaseUnavailable, the message takes too long: after MAX_TRIES the subscriptions fail.
   */
  private async makeMessage(event: FeedEvent): Promise<Message | null> {
    for (let tries = 1; this.isWatched(); tries += 1) {
      try {
        const text = await this.bulkhead(() => this.content.makeMessage(event));
        if (text === null) return null;
        return { position: event.position, cursor: event.cursor, text, bytes: Buffer.byteLength(text) };
      } catch (cause) {
        if (!(cause instanceof DatabaseUnavailable)) throw cause;
        const wasAway = await this.feed.waitForSource();
        if (wasAway) tries = 0;
        else if (tries >= MAX_TRIES) {
          this.report(
            new Error(`The subscription ${this.content.name} was not executed in time for the change ${event.cursor}`, {
              cause,
            }),
          );
          throw new BadInput(TOO_SLOW_MESSAGE);
        }
      }
    }
    return null;
  }
}

/** Returns one promise to all callers with the same key, until the promise is settled. */
function shareResult<Answer>(
  running: Map<string, Promise<Answer>>,
  key: string,
  begin: () => Promise<Answer>,
): Promise<Answer> {
  const answer = running.get(key) ?? begin().finally(() => running.delete(key));
  running.set(key, answer);
  return answer;
}
