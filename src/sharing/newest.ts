// The newest value of each object as the events of a feed: of several values, a follower that comes late gets the last alone.
import { type Instant, instantNow } from '../values/instant';
import type { EventSource, FeedEvent, FeedPosition } from './feed';

/** An object has another value than before. */
export interface NewestEvent extends FeedEvent {
  readonly id: string;
}

/** A value that was read is used again for so long, by followers that come at once. */
const FRESH_MS = 500;

/** Positions are counted here, so they are those of one process, and nobody can go on after one elsewhere. */
export class NewestOf implements EventSource {
  /** The newest event of each object, in the order of their positions. An object whose value is gone keeps its last one. */
  private readonly events = new Map<string, NewestEvent>();
  private values: Readonly<Record<string, string>> = {};
  private count = 0;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  /** @param read the values of all objects, by their ids; equal texts are equal values */
  constructor(private readonly read: (now: Instant) => Promise<Readonly<Record<string, string>>>) {}

  async latest(): Promise<FeedPosition> {
    await this.refresh();
    return [this.count, 0];
  }

  async after([position]: FeedPosition, limit: number): Promise<NewestEvent[]> {
    if (performance.now() - this.readAt > FRESH_MS) await this.refresh();
    return [...this.events.values()].filter((event) => event.position[0] > position).slice(0, limit);
  }

  private refresh(): Promise<void> {
    this.reading ??= this.compare().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async compare(): Promise<void> {
    const [now, readAt] = [instantNow(), performance.now()];
    const values = await this.read(now);
    for (const id of new Set([...Object.keys(this.values), ...Object.keys(values)])) {
      if (values[id] === this.values[id]) continue;
      this.count += 1;
      this.events.delete(id);
      this.events.set(id, { id, position: [this.count, 0], cursor: String(this.count), at: now });
    }
    [this.values, this.readAt] = [values, readAt];
  }
}
