// Reads a feed for all its followers: a single reader asks the database for new events while a follower waits for them.
import { DatabaseUnavailable } from '../errors';
import { setTimeout, sleep } from '../values/timers';

/** The position of an event in its feed; greater positions come later. The name distinguishes the feeds of two databases. */
export type FeedPosition = readonly [position: number, id: number, feed?: string];

export interface FeedEvent {
  readonly position: FeedPosition;
  readonly cursor: string;
  /** When it was written. */
  readonly at: string;
}

export interface EventSource {
  /** The position behind all events that are final. */
  latest(): Promise<FeedPosition>;
  /** Up to `limit` final events after the position, oldest first. */
  after(position: FeedPosition, limit: number): Promise<FeedEvent[]>;
}

/** A range of the feed: its events, and the position at which the range ends. */
export interface FeedRange {
  events: readonly FeedEvent[];
  end: FeedPosition;
}

export const MAX_EVENTS_PER_READ = 500;
/** The time between two reads, if the last read returned all events and no write of this process wakes the reader. */
const INTERVAL_MS = 100;
/** The time between two checks whether the database answers again. */
const OUTAGE_MS = 500;
/** The least time between two reads: 64 writers would otherwise cause a read after each write. */
const MIN_INTERVAL_MS = 20;

export class Feed {
  private followers = 0;
  /** The end of the reader's newest range; undefined while the feed has no followers. */
  private readUpTo: FeedPosition | undefined;
  private reading: Promise<FeedRange & { from: FeedPosition }> | undefined;
  private lastRead = 0;
  /** Whether the reader skips the interval before its next read. */
  private skipsInterval = false;
  /** The age of the oldest event of the newest read; 0 if the read returned no events. */
  secondsBehind = 0;
  private wakeReader = () => {};
  /** The check whether the source answers again, which all callers share; undefined while no check is running. */
  private outageCheck: Promise<boolean> | undefined;

  constructor(
    private readonly source: EventSource,
    private readonly intervalMs = INTERVAL_MS,
  ) {}

  /** The position behind all events that are final. */
  latest(): Promise<FeedPosition> {
    return this.retryDuringOutage(() => this.source.latest());
  }

  /** Makes the reader read immediately, because this process has committed a write. */
  wake(): void {
    this.skipsInterval = true;
    this.wakeReader();
  }

  /** Registers a follower. The follower calls the returned function exactly once, when it ends. */
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
   * Returns the events after a position, and waits if there are none yet. A follower that has caught up with the reader gets
   * the reader's next range. A follower behind the reader reads a separate range, so a slow follower neither delays the
   * other followers nor keeps events in memory.
   */
  async next(position: FeedPosition): Promise<FeedRange> {
    for (let from = position; ; ) {
      const { readUpTo } = this;
      if (readUpTo === undefined || !isAfter(readUpTo, from)) {
        this.readUpTo ??= from;
        this.reading ??= this.read().finally(() => {
          this.reading = undefined;
        });
        const range = await this.reading;
        if (this.followers === 0) return { events: [], end: from };
        if (isSame(range.from, from)) return range;
        // The reader was behind this follower, so its range starts too early.
        continue;
      }
      const range = await this.range(from, readUpTo);
      if (range.events.length > 0) return range;
      from = range.end;
    }
  }

  /** Reads one range of events after a position. If the range has all events, it ends at `until` or later. */
  async range(position: FeedPosition, until: FeedPosition): Promise<FeedRange> {
    const events = await this.retryDuringOutage(() => this.source.after(position, MAX_EVENTS_PER_READ));
    const end = events.at(-1)?.position ?? position;
    return { events, end: events.length < MAX_EVENTS_PER_READ && isAfter(until, end) ? until : end };
  }

  /** Reads until a range has an event, and returns that range. */
  private async read(): Promise<FeedRange & { from: FeedPosition }> {
    for (;;) {
      await this.pause();
      const from = this.readUpTo;
      if (from === undefined) return { from: BEFORE_ALL, events: [], end: BEFORE_ALL };
      const events = await this.retryDuringOutage(() => this.source.after(from, MAX_EVENTS_PER_READ));
      const end = events.at(-1)?.position;
      this.skipsInterval ||= events.length === MAX_EVENTS_PER_READ;
      this.secondsBehind = events[0] ? (Date.now() - Date.parse(events[0].at)) / 1000 : 0;
      if (end === undefined) continue;
      this.readUpTo &&= end;
      return { from, events, end };
    }
  }

  /** Repeats a query until the database answers: subscriptions wait during an outage instead of failing. */
  private async retryDuringOutage<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await this.waitForSource();
      }
    }
  }

  /**
   * Waits until the source answers, and at least OUTAGE_MS. All callers share one check at a time.
   * @returns whether the source did not answer at least once
   */
  waitForSource(): Promise<boolean> {
    this.outageCheck ??= this.checkUntilAnswered().finally(() => {
      this.outageCheck = undefined;
    });
    return this.outageCheck;
  }

  private async checkUntilAnswered(): Promise<boolean> {
    for (let wasAway = false; ; wasAway = true) {
      await sleep(OUTAGE_MS, undefined, { ref: false });
      const isAway = await this.source.latest().then(
        () => false,
        (error: unknown) => error instanceof DatabaseUnavailable,
      );
      if (!isAway) return wasAway;
    }
  }

  private async pause(): Promise<void> {
    const remainingMs = (interval: number) => Math.max(0, this.lastRead + interval - performance.now());
    if (!this.skipsInterval) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs(this.intervalMs));
        this.wakeReader = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await sleep(remainingMs(MIN_INTERVAL_MS));
    this.skipsInterval = false;
    this.lastRead = performance.now();
  }
}

/** The feeds of a process. */
export type FeedName = 'changes' | 'printerStates';

/**
 * What one subscription watches: the events of a feed that match, after a position, or from now on if `after` is null. A
 * broadcast delivers these events.
 */
export class WatchedEvents implements AsyncIterable<FeedEvent> {
  constructor(
    readonly after: FeedPosition | null,
    /** Called only with events of this feed. Its source returns events with more members than FeedEvent declares. */
    readonly matches: (event: never) => boolean,
    readonly feed: FeedName = 'changes',
  ) {}

  /** graphql 16.15.0 requires this method. Remove the method when createSourceEventStream accepts any object. */
  [Symbol.asyncIterator](): never {
    throw new Error('Only a broadcast can deliver the events of a subscription');
  }
}

export const BEFORE_ALL: FeedPosition = [0, 0];

export const isAfter = (one: FeedPosition, other: FeedPosition): boolean =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);

const isSame = (one: FeedPosition, other: FeedPosition): boolean => one[0] === other[0] && one[1] === other[1];
