// Keeps one publisher for each enabled MQTT channel while this process holds the lease.
import { type Instant, instantNow } from '../../values/instant';
import type { Secrets } from '../../wire/secrets';
import { hasAddress } from '../target.address';
import type { TargetStore } from '../target.store';
import { BrokerPublisher, type BrokerPublisherParts, type PublisherTarget } from './broker-publisher';
import { BrokerFailure } from './mqtt-connection';
import type { FarmStates } from './states.store';

/** States are published every 2 s. This is a little less, because a timer of 2 s may fire early. */
const PUBLISH_EVERY_MS = 1_900;

/** A channel with a text that changes each time a user edits the channel. */
export interface VersionedTarget extends PublisherTarget {
  version: string;
}

interface BrokerRegistryParts extends Omit<BrokerPublisherParts, 'reportConnection'> {
  store: Pick<TargetStore, 'listBrokers' | 'updateConnectionState'>;
  secrets: Pick<Secrets, 'decrypt'>;
  readStates(now: Instant): Promise<FarmStates>;
}

export class BrokerRegistry {
  private publishedAt = Number.NEGATIVE_INFINITY;
  private readonly publishers = new Map<string, { version: string; publisher: BrokerPublisher }>();
  /** The publishers that are closing, by the ids of their channels. */
  private readonly closing = new Map<string, Promise<void>>();

  constructor(private readonly parts: BrokerRegistryParts) {}

  /** Starts and closes publishers as the channels require, and publishes what has changed. */
  async step(): Promise<void> {
    if (performance.now() - this.publishedAt < PUBLISH_EVERY_MS) return;
    this.publishedAt = performance.now();
    const { store, secrets } = this.parts;
    const targets = (await store.listBrokers()).flatMap((target): VersionedTarget[] => {
      const secret = secrets.decrypt({ ...target, address: target.url });
      // Another program may have written a URL or a secret that the gateway cannot read.
      const isReadable = secret !== 'SECRET_NOT_READABLE' && hasAddress('MQTT', target.url);
      return isReadable ? [{ ...target, secret }] : [];
    });
    this.setTargets(targets);
    await this.publish(instantNow());
  }

  /**
   * Closes the publishers of channels that are gone or were edited, and starts publishers for new and edited channels. If a channel is gone or
   * its URL changed, the retained topics on the old broker are emptied.
   */
  setTargets(targets: readonly VersionedTarget[]): void {
    const wanted = new Map(targets.map((target) => [target.id, target]));
    for (const [id, { version, publisher }] of this.publishers) {
      const target = wanted.get(id);
      if (target?.version === version) continue;
      this.publishers.delete(id);
      this.close(id, publisher, target?.url !== publisher.target.url);
    }
    const { reach, publicUrl, limits, store } = this.parts;
    for (const target of targets) {
      const { id, version } = target;
      if (this.publishers.has(id)) continue;
      const previous = this.closing.get(id) ?? Promise.resolve();
      const reportConnection: BrokerPublisherParts['reportConnection'] = (fault) =>
        void store.updateConnectionState(id, fault).catch(() => undefined);
      const publisher = new BrokerPublisher(target, { reach, publicUrl, limits, reportConnection }, previous);
      this.publishers.set(id, { version, publisher });
    }
  }

  /** Publishes to each broker what has changed. Without a broker no states are read. */
  async publish(now: Instant): Promise<void> {
    if (this.publishers.size === 0) return;
    const states = await this.parts.readStates(now);
    for (const { publisher } of this.publishers.values()) publisher.publish(states);
  }

  /** Resolves when the broker of the channel has acknowledged the event. */
  async send(targetId: string, event: { type: string; body: string }, signal: AbortSignal): Promise<void> {
    const entry = this.publishers.get(targetId);
    if (entry === undefined) throw new BrokerFailure('NOT_REACHABLE');
    await entry.publisher.send(event.type, event.body, signal);
  }

  /** Leaves the retained topics on the brokers, because another process may continue to publish them. */
  async stop(): Promise<void> {
    for (const [id, { publisher }] of this.publishers) this.close(id, publisher, false);
    this.publishers.clear();
    await Promise.all(this.closing.values());
  }

  private close(id: string, publisher: BrokerPublisher, empties: boolean): void {
    const closing = publisher.close(empties).finally(() => {
      if (this.closing.get(id) === closing) this.closing.delete(id);
    });
    this.closing.set(id, closing);
  }
}
