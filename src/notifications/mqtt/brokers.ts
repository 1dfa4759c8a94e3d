// Keeps one publisher for each enabled MQTT target while this process holds the lease, and sends events and tests over MQTT.
import { type Instant, instantNow } from '../../values/instant';
import { fingerprintAt } from '../../wire/dial';
import { deliveredWith, failedWith, type ReceiverAnswer } from '../../wire/faults';
import type { Reach } from '../../wire/networks';
import type { Secrets } from '../../wire/secrets';
import type { NotificationMessage, ReadableTarget } from '../channel-message';
import { hasAddress, parseTargetUrl } from '../target.address';
import type { TargetStore } from '../target.store';
import { buildEventBody, eventTypeOf } from '../webhook';
import { BrokerFailure, findBrokerFault, openMqttConnection, unlessAborted } from './broker-connection';
import { BrokerPublisher, type BrokerPublisherParts, type PublisherTarget } from './broker-session';
import type { FarmStates } from './states.store';
import { eventTopic, HOME_ASSISTANT_STATUS } from './topics';

/** States are published every 2 s. This is a little less, because a timer of 2 s may fire early. */
const PUBLISH_EVERY_MS = 1_900;

/** A target with a text that changes each time a user edits the target. */
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
  private readonly publishers = new Map<string, { edited: string; session: BrokerPublisher }>();
  /** The publishers that are closing, by the ids of their targets. */
  private readonly closing = new Map<string, Promise<void>>();

  constructor(private readonly parts: BrokerRegistryParts) {}

  /** Starts and closes publishers as the targets require, and publishes what has changed. */
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
   * Closes the publishers of targets that are gone or were edited, and starts new ones. If the target is gone or its URL changed, the retained
   * topics on the old broker are emptied.
   */
  setTargets(targets: readonly VersionedTarget[]): void {
    const wanted = new Map(targets.map((target) => [target.id, target]));
    for (const [id, { edited, session }] of this.publishers) {
      const target = wanted.get(id);
      if (target?.version === edited) continue;
      this.publishers.delete(id);
      this.close(id, session, target?.url !== session.target.url);
    }
    const { reach, publicUrl, limits, store } = this.parts;
    for (const target of targets) {
      const { id, version: edited } = target;
      if (this.publishers.has(id)) continue;
      const previous = this.closing.get(id) ?? Promise.resolve();
      const changed: BrokerPublisherParts['reportConnection'] = (fault) =>
        void store.updateConnectionState(id, fault).catch(() => undefined);
      const session = new BrokerPublisher(target, { reach, publicUrl, limits, reportConnection: changed }, previous);
      this.publishers.set(id, { edited, session });
    }
  }

  /** Publishes to each broker what has changed. Without a broker no states are read. */
  async publish(now: Instant): Promise<void> {
    if (this.publishers.size === 0) return;
    const states = await this.parts.readStates(now);
    for (const { session } of this.publishers.values()) session.publish(states);
  }

  /** Resolves when the broker of the target has the event. */
  async send(targetId: string, event: { type: string; body: string }, signal: AbortSignal): Promise<void> {
    const found = this.publishers.get(targetId);
    if (found === undefined) throw new BrokerFailure('NOT_REACHABLE');
    await found.session.send(event.type, event.body, signal);
  }

  /** Leaves the retained topics on the brokers, because another process may continue to publish them. */
  async stop(): Promise<void> {
    for (const [id, { session }] of this.publishers) this.close(id, session, false);
    this.publishers.clear();
    await Promise.all(this.closing.values());
  }

  private close(id: string, session: BrokerPublisher, empties: boolean): void {
    const closing = session.close(empties).finally(() => {
      if (this.closing.get(id) === closing) this.closing.delete(id);
    });
    this.closing.set(id, closing);
  }
}

/** Sends an event through the publisher of its target, and a test through a connection of its own, because a disabled target has no publisher. */
export async function sendMqtt(
  message: NotificationMessage,
  target: ReadableTarget,
  reach: Reach,
  brokers: Pick<BrokerRegistry, 'send'>,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  try {
    if (message.event === 'TEST') return await sendTest(message, target, reach, signal);
    await brokers.send(
      target.id,
      { type: eventTypeOf(message.event), body: buildEventBody(message, message.id) },
      signal,
    );
    return deliveredWith(null, null);
  } catch (error) {
    const fault = signal.aborted ? 'TIMED_OUT' : findBrokerFault(error);
    const isUnknown = fault === 'CERTIFICATE_NOT_TRUSTED' && message.event === 'TEST';
    return failedWith(fault, isUnknown ? await readFingerprint(target, reach, signal) : null);
  }
}

async function sendTest(
  message: NotificationMessage,
  target: ReadableTarget,
  reach: Reach,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const connection = await openMqttConnection(target, {
    reach,
    clientId: null,
    topics: [HOME_ASSISTANT_STATUS],
    signal,
    receive: () => {},
    onEnd: () => {},
  });
  try {
    const topic = eventTopic(parseTargetUrl('MQTT', target.url).path, eventTypeOf(message.event));
    await unlessAborted(signal, connection.publish(topic, buildEventBody(message, message.id), { qos: 1 }));
    return deliveredWith(null, connection.certificateFingerprint);
  } finally {
    connection.close();
  }
}

function readFingerprint({ url }: ReadableTarget, reach: Reach, signal: AbortSignal): Promise<string | null> {
  const address = parseTargetUrl('MQTT', url);
  return fingerprintAt(address, reach.networkOf(address.host), signal);
}
