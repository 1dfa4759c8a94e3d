// Watchers of the same thing share one follower of the feed, and one message for each event.
import { setTimeout as sleep } from 'node:timers/promises';
import { TooManyRequests } from '../errors';
import { type Feed, type FeedEvent, isAfter, type Place, type Stretch } from './feed';

/** The message of one event. */
export interface Message {
  place: Place;
  cursor: string;
  text: string;
}

export interface Watcher {
  /** False when there is no room for them: the watcher then gets them again, as it takes them. */
  deliver(messages: readonly Message[]): boolean;
  /** Resolves when there is room for one more message. */
  room(): Promise<void>;
  /** With an error the watching failed; without one the gateway stops. */
  end(error?: Error): void;
}

/** A part of a feed, and how a message is made from an event of it. */
export interface Program {
  keeps(event: FeedEvent): boolean;
  /** Null where the event cannot be shown any more. */
  messageOf(event: FeedEvent): Promise<string | null>;
}

/** The channels of a feed. Subscriptions with the same key get the same messages. */
export class Channels {
  private readonly open = new Map<string, Channel>();
  private isStopped = false;

  /** @param maxChannels each costs an execution for each change that it keeps */
  constructor(
    private readonly feed: Feed,
    private readonly maxChannels: number,
  ) {}

  /** Refuses a key that would need one more channel than there may be. */
  refuseOneMore(key: string): void {
    if (this.open.has(key) || this.open.size < this.maxChannels) return;
    throw new TooManyRequests(`This gateway runs ${this.maxChannels} different subscriptions, as many as it may`);
  }

  /**
   * Delivers the events after a place, old and new ones. Without a place: new ones only.
   * @returns a function that ends the watching
   */
  watch(key: string, program: Program, watcher: Watcher, after: Place | null): () => void {
    // A client may come back before the gateway has closed its port.
    if (this.isStopped) {
      queueMicrotask(() => watcher.end());
      return () => {};
    }
    let channel = this.open.get(key);
    if (channel === undefined) {
      channel = new Channel(this.feed, program, () => this.open.delete(key));
      this.open.set(key, channel);
    }
    return channel.add(watcher, after);
  }

  /** Delivers the messages of the events that were read, then ends all watching. */
  async endAll(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.open.values()].map((channel) => channel.stop()));
  }
}

/** The longest wait for these messages when the gateway stops. */
const STOP_MS = 1000;

class Channel {
  /** The watchers, with the place up to which each has got its messages; null while it catches up by itself. */
  private readonly watchers = new Map<Watcher, Place | null>();
  private begun: Promise<void> | undefined;
  /** The end of the stretch that was delivered last. */
  private place: Place | undefined;
  private unfollow = () => {};
  /** The newest delivery. */
  private delivery: Promise<void> = Promise.resolve();
  /** Stretches that watchers catch up with, while they are read: after a restart all come with nearly the same place. */
  private readonly stretches = new Map<string, Promise<{ messages: Message[]; end: Place }>>();

  constructor(
    private readonly feed: Feed,
    private readonly program: Program,
    private readonly closed: () => void,
  ) {}

  add(watcher: Watcher, after: Place | null): () => void {
    this.goBack(watcher, after);
    return () => this.remove(watcher);
  }

  async stop(): Promise<void> {
    await Promise.race([this.delivery, sleep(STOP_MS, undefined, { ref: false })]);
    this.endAll();
  }

  private endAll(error?: Error): void {
    for (const watcher of [...this.watchers.keys()]) {
      this.remove(watcher);
      watcher.end(error);
    }
  }

  private remove(watcher: Watcher, error?: Error): void {
    if (!this.watchers.delete(watcher)) return;
    if (error !== undefined) watcher.end(error);
    if (this.watchers.size > 0) return;
    this.unfollow();
    this.closed();
  }

  private goBack(watcher: Watcher, after: Place | null): void {
    this.watchers.set(watcher, null);
    this.catchUp(watcher, after).catch((error: Error) => this.remove(watcher, error));
  }

  /** Without a seam: the watcher joins the others in the turn in which it has reached their place. */
  private async catchUp(watcher: Watcher, after: Place | null): Promise<void> {
    let place = after ?? (await this.feed.latest());
    this.begun ??= this.begin();
    await this.begun;
    // A place that a client gave is read from at least once: the feed may not know it.
    for (let isKnown = after === null; this.watchers.has(watcher); isKnown = true) {
      const front = this.place as Place;
      if (isKnown && !isAfter(front, place)) {
        this.watchers.set(watcher, place);
        return;
      }
      // The database is read faster than a client can take the messages that it missed.
      await watcher.room();
      const { messages, end } = await this.stretch(place, front);
      if (!this.watchers.has(watcher)) return;
      if (!watcher.deliver(messages)) await this.deliverSlowly(watcher, messages);
      place = end;
    }
  }

  private async deliverSlowly(watcher: Watcher, messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      await watcher.room();
      if (!this.watchers.has(watcher)) return;
      watcher.deliver([message]);
    }
  }

  private stretch(place: Place, until: Place) {
    const key = place.join();
    let reading = this.stretches.get(key);
    if (reading === undefined) {
      reading = this.feed
        .stretch(place, until)
        .then(async ({ events, end }) => ({ messages: await this.messagesOf(events), end }))
        .finally(() => this.stretches.delete(key));
      this.stretches.set(key, reading);
    }
    return reading;
  }

  private async begin(): Promise<void> {
    this.place = await this.feed.latest();
    if (this.watchers.size > 0) this.unfollow = this.feed.follow();
    this.follow().catch((error: Error) => this.endAll(error));
  }

  private async follow(): Promise<void> {
    while (this.watchers.size > 0) {
      this.delivery = this.deliver(await this.feed.next(this.place as Place));
      await this.delivery;
    }
  }

  private async deliver({ events, end }: Stretch): Promise<void> {
    const messages = await this.messagesOf(events);
    const before = this.place as Place;
    this.place = end;
    for (const [watcher, since] of this.watchers) {
      if (since === null) continue;
      const fresh = messages.filter(({ place }) => isAfter(place, since));
      // A watcher that was too slow has left.
      if (watcher.deliver(fresh) || !this.watchers.has(watcher)) continue;
      this.goBack(watcher, isAfter(since, before) ? since : before);
    }
  }

  private async messagesOf(events: readonly FeedEvent[]): Promise<Message[]> {
    const messages = await Promise.all(
      events
        .filter((event) => this.program.keeps(event))
        .map(async (event) => {
          const text = await this.program.messageOf(event);
          return text === null ? [] : [{ place: event.place, cursor: event.cursor, text }];
        }),
    );
    return messages.flat();
  }
}
