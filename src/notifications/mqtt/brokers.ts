// MQTT: a session for each target while this process is the one that notifies, and the events of all of them.
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

/** States are published at most once in this time. A timer of 2 s may be early. */
const PUBLISH_EVERY_MS = 1_900;

/** A target, with what changes when a person edits it. */
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
  /** The sessions that are being closed, by their targets. */
  private readonly closing = new Map<string, Promise<void>>();

  constructor(private readonly parts: BrokerRegistryParts) {}

  /** Opens and closes sessions as the targets are now, and publishes what has changed. */
  async step(): Promise<void> {
    if (performance.now() - this.publishedAt < PUBLISH_EVERY_MS) return;
    this.publishedAt = performance.now();
    const { store, secrets } = this.parts;
    const targets = (await store.listBrokers()).flatMap((target): VersionedTarget[] => {
      const secret = secrets.decrypt({ ...target, address: target.url });
      // Another program may have written the row.
      const isReadable = secret !== 'SECRET_NOT_READABLE' && hasAddress('MQTT', target.url);
      return isReadable ? [{ ...target, secret }] : [];
    });
    this.setTargets(targets);
    await this.publish(instantNow());
  }

  /** The sessions of other targets than these are closed, and what their brokers retain is emptied. */
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

  /** Publishes to each broker what has changed. Nothing is read for none. */
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

  /** Another process may go on: what the brokers retain stays. */
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

/** An event goes through the session of its target, and a test through a connection of its own. */
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
