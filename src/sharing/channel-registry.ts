// The channels of all feeds. Subscriptions with the same key get the same messages.
import limit from 'p-limit';
import { GatewayError, TooManyRequests } from '../errors';
import { AT_ONCE, Channel, type Content, type Watcher } from './channel';
import type { Feed, FeedName, FeedPosition } from './feed';

/** Executions for subscriptions at a time: as many as share one round of batches. */
const MAX_EXECUTIONS = AT_ONCE;
/**
 * Different subscriptions of this process. Each costs an execution for each change that it keeps; clients with the same operation
 * and variables use one together.
 */
const MAX_CHANNELS = 1000;
/** So many callers together can open all channels; fewer leave some to others. */
const CALLERS_THAT_FILL = 4;

export class Channels {
  /** The channels that are open, each with the caller that opened it. */
  private readonly open = new Map<string, { channel: Channel; caller: string }>();
  private readonly bulkhead = limit(MAX_EXECUTIONS);
  private readonly reported = new WeakSet<Error>();
  private isStopped = false;

  /**
   * @param failed called once with each error that ends watchers, except refusals
   */
  constructor(
    private readonly feeds: Readonly<Record<FeedName, Feed>>,
    private readonly failed: (error: Error) => void,
    private readonly maxChannels = MAX_CHANNELS,
  ) {}

  /** Refuses a key that would need one more channel than there may be, or than one caller may open. */
  refuseOneMore(key: string, caller: string): void {
    const refused = this.refusalOf(key, caller);
    if (refused) throw refused;
  }

  private refusalOf(key: string, caller: string): TooManyRequests | undefined {
    if (this.open.has(key)) return undefined;
    if (this.open.size >= this.maxChannels)
      return new TooManyRequests(`This gateway has reached its limit of ${this.maxChannels} different subscriptions`);
    const maxOfCaller = Math.ceil(this.maxChannels / CALLERS_THAT_FILL);
    const opened = [...this.open.values()].filter((one) => one.caller === caller).length;
    if (opened < maxOfCaller) return undefined;
    return new TooManyRequests(`One caller may have ${maxOfCaller} different subscriptions`);
  }

  /**
   * Delivers the events after a position, old and new ones. Without a position: new ones only.
   * @param caller for whose share the channel counts when it is new
   * @returns a function that ends the delivery
   */
  watch(key: string, caller: string, content: Content, watcher: Watcher, after: FeedPosition | null): () => void {
    // A client may come back before the gateway has closed its port.
    if (this.isStopped) {
      queueMicrotask(() => watcher.end());
      return () => {};
    }
    let channel = this.open.get(key)?.channel;
    if (channel === undefined) {
      // Several operations of one client may have passed the check before the first of them is delivered.
      const refused = this.refusalOf(key, caller);
      if (refused) {
        queueMicrotask(() => watcher.end(refused));
        return () => {};
      }
      channel = new Channel(this.feeds[content.feed], content, this.bulkhead, () => this.open.delete(key), this.report);
      this.open.set(key, { channel, caller });
    }
    return channel.add(watcher, after);
  }

  private readonly report = (error: Error): void => {
    if (error instanceof GatewayError || this.reported.has(error)) return;
    this.reported.add(error);
    this.failed(error);
  };

  /** Delivers the messages of the events that were read, then ends all deliveries. */
  async endAll(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.open.values()].map(({ channel }) => channel.stop()));
  }
}
