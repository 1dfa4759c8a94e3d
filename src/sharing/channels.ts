// The channels of a feed. Subscriptions with the same key get the same messages.
import { GatewayError, TooManyRequests } from '../errors';
import { Channel, type Content, type Watcher } from './channel';
import type { Feed, Place } from './feed';

export class Channels {
  private readonly open = new Map<string, Channel>();
  private readonly told = new WeakSet<Error>();
  private isStopped = false;

  /**
   * @param maxChannels each costs an execution for each change that it keeps
   * @param failed told once of each error that ends watchers and is no refusal
   */
  constructor(
    private readonly feed: Feed,
    private readonly maxChannels: number,
    private readonly failed: (error: Error) => void,
  ) {}

  /** Refuses a key that would need one more channel than there may be. */
  refuseOneMore(key: string): void {
    if (this.open.has(key) || this.open.size < this.maxChannels) return;
    throw new TooManyRequests(`This gateway has reached its limit of ${this.maxChannels} different subscriptions`);
  }

  /**
   * Delivers the events after a place, old and new ones. Without a place: new ones only.
   * @returns a function that ends the delivery
   */
  watch(key: string, content: Content, watcher: Watcher, after: Place | null): () => void {
    // A client may come back before the gateway has closed its port.
    if (this.isStopped) {
      queueMicrotask(() => watcher.end());
      return () => {};
    }
    let channel = this.open.get(key);
    if (channel === undefined) {
      channel = new Channel(this.feed, content, () => this.open.delete(key), this.report);
      this.open.set(key, channel);
    }
    return channel.add(watcher, after);
  }

  private readonly report = (error: Error): void => {
    if (error instanceof GatewayError || this.told.has(error)) return;
    this.told.add(error);
    this.failed(error);
  };

  /** Delivers the messages of the events that were read, then ends all deliveries. */
  async endAll(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.open.values()].map((channel) => channel.stop()));
  }
}
