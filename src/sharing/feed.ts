// The one reader of a feed: it asks the database for new events as long as a follower waits for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../errors';

/** The place of an event in its feed; greater places come later. The name tells the feeds of two databases apart. */
export type Place = readonly [position: number, id: number, feed?: string];

export interface FeedEvent {
  readonly place: Place;
  readonly cursor: string;
  /** When it was written. */
  readonly at: string;
}

export interface EventSource {
  /** The place behind all events that are final. */
  latest(): Promise<Place>;
  /** Up to `limit` final events after the place, oldest first. */
  after(place: Place, limit: number): Promise<FeedEvent[]>;
}

/** A stretch of the feed: its events, and the place at which it ends. */
export interface Stretch {
  events: readonly FeedEvent[];
  end: Place;
}

export const EVENTS_READ = 500;
/** The time between two reads, when the last one had all, and no write of this process wakes the reader. */
const INTERVAL_MS = 100;
/** The time between two questions whether the database is back. */
const OUTAGE_MS = 500;
/** The least time between two reads: 64 writers would otherwise cause a read after each write. */
const MIN_INTERVAL_MS = 20;

export class Feed {
  private followers = 0;
  /** The end of the reader's newest stretch, as long as there are followers. */
  private readUpTo: Place | undefined;
  private reading: Promise<Stretch & { from: Place }> | undefined;
  private lastRead = 0;
  /** Whether the reader leaves out the pause before its next read. */
  private readsAtOnce = false;
  /** The age of the oldest event of the newest read; 0 when it had none. */
  secondsBehind = 0;
  private wakeReader = () => {};
  /** The question whether the source answers, which all callers share; undefined when it is not being asked. */
  private asking: Promise<boolean> | undefined;

  constructor(private readonly source: EventSource) {}

  /** The place behind all events that are final. */
  latest(): Promise<Place> {
    return this.overOutages(() => this.source.latest());
  }

  /** Says that this process has committed a write: the reader asks at once. */
  wake(): void {
    this.readsAtOnce = true;
    this.wakeReader();
  }

  /** A follower begins; it calls the returned function once, at its end. */
  follow(): () => void {
    this.followers += 1;
    return () => {
      this.followers -= 1;
      if (this.followers > 0) return;
      this.readUpTo = undefined;
      this.secondsBehind = 0;
      this.wakeReader();
    };
  }

  /**
   * The events after a place; waits for the next ones when there are none. A follower that is as far as the reader gets the
   * reader's next stretch. A follower behind the reader reads a stretch of its own, so a slow follower neither holds up the
   * others nor keeps events in memory.
   */
  async next(place: Place): Promise<Stretch> {
    for (let from = place; ; ) {
      const { readUpTo } = this;
      if (readUpTo === undefined || !isAfter(readUpTo, from)) {
        this.readUpTo ??= from;
        this.reading ??= this.read().finally(() => {
          this.reading = undefined;
        });
        const stretch = await this.reading;
        if (this.followers === 0) return { events: [], end: from };
        if (isSame(stretch.from, from)) return stretch;
        // The reader is behind this follower.
        continue;
      }
      const stretch = await this.stretch(from, readUpTo);
      if (stretch.events.length > 0) return stretch;
      from = stretch.end;
    }
  }

  /** The events after a place. Where these are all, the stretch ends at `until` or later. */
  async stretch(place: Place, until: Place): Promise<Stretch> {
    const events = await this.overOutages(() => this.source.after(place, EVENTS_READ));
    const end = events.at(-1)?.place ?? place;
    return { events, end: events.length < EVENTS_READ && isAfter(until, end) ? until : end };
  }

  /** The next stretch that has an event. */
  private async read(): Promise<Stretch & { from: Place }> {
    for (;;) {
      await this.pause();
      const from = this.readUpTo;
      if (from === undefined) return { from: NOWHERE, events: [], end: NOWHERE };
      const events = await this.overOutages(() => this.source.after(from, EVENTS_READ));
      const end = events.at(-1)?.place;
      this.readsAtOnce ||= events.length === EVENTS_READ;
      this.secondsBehind = events[0] ? (Date.now() - Date.parse(events[0].at)) / 1000 : 0;
      if (end === undefined) continue;
      this.readUpTo &&= end;
      return { from, events, end };
    }
  }

  /** Watchers wait while the database is away. */
  private async overOutages<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        await this.untilSourceAnswers();
      }
    }
  }

  /**
   * Waits until the source answers, and at least OUTAGE_MS. One question at a time asks for all.
   * @returns whether a question had no answer
   */
  untilSourceAnswers(): Promise<boolean> {
    this.asking ??= this.askUntilAnswered().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async askUntilAnswered(): Promise<boolean> {
    for (let wasAway = false; ; wasAway = true) {
      await sleep(OUTAGE_MS, undefined, { ref: false });
      const isAway = await this.source.latest().then(
        () => false,
        (error: unknown) => error instanceof Outage,
      );
      if (!isAway) return wasAway;
    }
  }

  private async pause(): Promise<void> {
    const rest = (interval: number) => Math.max(0, this.lastRead + interval - performance.now());
    if (!this.readsAtOnce) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, rest(INTERVAL_MS));
        this.wakeReader = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await sleep(rest(MIN_INTERVAL_MS));
    this.readsAtOnce = false;
    this.lastRead = performance.now();
  }
}

/** The events of one subscription: those after a place (null: from now on) that it keeps. A channel delivers them. */
export class WatchedEvents implements AsyncIterable<FeedEvent> {
  constructor(
    readonly after: Place | null,
    /** Called only with events of this feed's source, which have more members than FeedEvent. */
    readonly keeps: (event: never) => boolean,
  ) {}

  /** graphql 16.15.0 refuses a source without this method. Remove this when createSourceEventStream takes any object. */
  [Symbol.asyncIterator](): never {
    throw new Error('A channel delivers the events');
  }
}

const NOWHERE: Place = [0, 0];

export const isAfter = (one: Place, other: Place): boolean =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);

const isSame = (one: Place, other: Place): boolean => one[0] === other[0] && one[1] === other[1];
