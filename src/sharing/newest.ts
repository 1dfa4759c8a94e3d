// Offers the newest value of each object as a feed. A follower that was away gets only the last value of each object.
import { type Instant, instantNow } from '../values/instant';
import type { EventSource, FeedEvent, FeedPosition } from './feed';

/** The event that the value of an object changed. */
export interface NewestEvent extends FeedEvent {
  readonly id: string;
}

/** How long the values of one read are reused, so that followers that ask together share the read. */
const FRESH_MS = 500;

/** Counts positions in this process. A client therefore cannot continue after a cursor of another process. */
export class NewestValues implements EventSource {
  /** The newest event of each object, in the order of positions. When an object disappears, its last event stays. */
  private readonly events = new Map<string, NewestEvent>();
  private values: Readonly<Record<string, string>> = {};
  private count = 0;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  /** @param read reads the values of all objects, by object id; equal texts count as equal values */
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
