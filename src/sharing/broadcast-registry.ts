// Holds the open broadcasts of all feeds, and limits their number. Subscriptions with the same key share a broadcast.
import limit from 'p-limit';
import { GatewayError, TooManyRequests } from '../errors';
import { Broadcast, type Content, MESSAGES_MADE_TOGETHER, type Watcher } from './broadcast';
import type { Feed, FeedName, FeedPosition } from './feed';

/** How many executions for subscriptions run at a time: as many as share one round of batches. */
const MAX_EXECUTIONS = MESSAGES_MADE_TOGETHER;
/**
 * The maximum number of different subscriptions of this process. Each costs one execution for each change that matches. Clients
 * with the same operation and variables share one.
 */
const MAX_BROADCASTS = 1000;
/** One caller may open a fourth of the broadcasts, so it takes at least so many callers to open all of them. */
const CALLERS_THAT_FILL = 4;

export class Broadcasts {
  /** The open broadcasts by key, each with the caller that opened it. */
  private readonly openBroadcasts = new Map<string, { broadcast: Broadcast; caller: string }>();
  private readonly bulkhead = limit(MAX_EXECUTIONS);
  private readonly reported = new WeakSet<Error>();
  private isStopped = false;

  /**
   * @param failed called once for each error that ends watchers, except for errors that the client can correct
   */
  constructor(
    private readonly feeds: Readonly<Record<FeedName, Feed>>,
    private readonly failed: (error: Error) => void,
    private readonly maxBroadcasts = MAX_BROADCASTS,
  ) {}

  /** Throws if the key needs a new broadcast and the limit of the process or of the caller is reached. */
  refuseBeyondLimit(key: string, caller: string): void {
    const refused = this.findRefusal(key, caller);
    if (refused) throw refused;
  }

  private findRefusal(key: string, caller: string): TooManyRequests | undefined {
    if (this.openBroadcasts.has(key)) return undefined;
    if (this.openBroadcasts.size >= this.maxBroadcasts)
      return new TooManyRequests(
        `This gateway has reached its limit of ${this.maxBroadcasts} different subscriptions. Try again later, or share one by sending the same operation and variables as another client.`,
      );
    const maxOfCaller = Math.ceil(this.maxBroadcasts / CALLERS_THAT_FILL);
    const opened = [...this.openBroadcasts.values()].filter((one) => one.caller === caller).length;
    if (opened < maxOfCaller) return undefined;
    return new TooManyRequests(
      `One caller may have ${maxOfCaller} different subscriptions open. Close one first, or share one by sending the same operation and variables.`,
    );
  }

  /**
   * Delivers the events after a position to a watcher; without a position, only new events.
   * @param caller counts towards the limit of this caller if the broadcast is new
   * @returns a function that ends the delivery
   */
  watch(key: string, caller: string, content: Content, watcher: Watcher, after: FeedPosition | null): () => void {
    // A client may reconnect while the gateway stops, before its port is closed.
    if (this.isStopped) {
      queueMicrotask(() => watcher.end());
      return () => {};
    }
    let broadcast = this.openBroadcasts.get(key)?.broadcast;
    if (broadcast === undefined) {
      // Checked again, because several operations of one client may pass refuseBeyondLimit before the first one opens its broadcast.
      const refused = this.findRefusal(key, caller);
      if (refused) {
        queueMicrotask(() => watcher.end(refused));
        return () => {};
      }
      broadcast = new Broadcast(
        this.feeds[content.feed],
        content,
        this.bulkhead,
        () => this.openBroadcasts.delete(key),
        this.report,
      );
      this.openBroadcasts.set(key, { broadcast, caller });
    }
    return broadcast.add(watcher, after);
  }

  private readonly report = (error: Error): void => {
    if (error instanceof GatewayError || this.reported.has(error)) return;
    this.reported.add(error);
    this.failed(error);
  };

  /** Delivers the messages of events that were already read, then ends all deliveries. */
  async endAll(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.openBroadcasts.values()].map(({ broadcast }) => broadcast.stop()));
  }
}
