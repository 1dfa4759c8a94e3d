// MQTT: a session for each target while this process is the one that notifies, and the events of all of them.
import { type Instant, instantNow } from '../../values/instant';
import { fingerprintAt } from '../../wire/dial';
import { deliveredWith, failedWith, type ReceiverAnswer } from '../../wire/faults';
import type { Reach } from '../../wire/networks';
import type { Secrets } from '../../wire/secrets';
import type { NotificationMessage, ReadableTarget } from '../channel-message';
import { addressOf, hasAddress } from '../target.address';
import type { TargetStore } from '../target.store';
import { eventBody, eventType } from '../webhook';
import { BrokerFailure, brokerFaultOf, connectBroker, unlessAborted } from './broker-connection';
import { BrokerSession, type BrokerSessionParts, type SessionTarget } from './broker-session';
import type { FarmStates } from './states.store';
import { eventTopic, HOME_ASSISTANT_STATUS } from './topics';

/** States are published at most once in this time. A timer of 2 s may be early. */
const EVERY_MS = 1_900;

/** A target, with what changes when a person edits it. */
export interface EditedTarget extends SessionTarget {
  edited: string;
}

interface BrokersParts extends Omit<BrokerSessionParts, 'changed'> {
  store: Pick<TargetStore, 'brokers' | 'connection'>;
  secrets: Pick<Secrets, 'decrypt'>;
  read(now: Instant): Promise<FarmStates>;
}

export class Brokers {
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly open = new Map<string, { edited: string; session: BrokerSession }>();
  /** The sessions that are being closed, by their targets. */
  private readonly closing = new Map<string, Promise<void>>();

  constructor(private readonly parts: BrokersParts) {}

  /** Opens and closes sessions as the targets are now, and publishes what has changed. */
  async step(): Promise<void> {
    if (performance.now() - this.lookedAt < EVERY_MS) return;
    this.lookedAt = performance.now();
    const { store, secrets } = this.parts;
    const targets = (await store.brokers()).flatMap((target): EditedTarget[] => {
      const secret = secrets.decrypt({ ...target, address: target.url });
      // Another program may have written the row.
      const isReadable = secret !== 'SECRET_NOT_READABLE' && hasAddress('MQTT', target.url);
      return isReadable ? [{ ...target, secret }] : [];
    });
    this.keep(targets);
    await this.publish(instantNow());
  }

  /** The sessions of other targets than these are closed, and what their brokers retain is emptied. */
  keep(targets: readonly EditedTarget[]): void {
    const wanted = new Map(targets.map((target) => [target.id, target]));
    for (const [id, { edited, session }] of this.open) {
      const target = wanted.get(id);
      if (target?.edited === edited) continue;
      this.open.delete(id);
      this.close(id, session, target?.url !== session.target.url);
    }
    const { reach, publicUrl, limits, store } = this.parts;
    for (const target of targets) {
      const { id, edited } = target;
      if (this.open.has(id)) continue;
      const former = this.closing.get(id) ?? Promise.resolve();
      const changed: BrokerSessionParts['changed'] = (fault) => void store.connection(id, fault).catch(() => undefined);
      const session = new BrokerSession(target, { reach, publicUrl, limits, changed }, former);
      this.open.set(id, { edited, session });
    }
  }

  /** Publishes to each broker what has changed. Nothing is read for none. */
  async publish(now: Instant): Promise<void> {
    if (this.open.size === 0) return;
    const states = await this.parts.read(now);
    for (const { session } of this.open.values()) session.publish(states);
  }

  /** Resolves when the broker of the target has the event. */
  async send(targetId: string, event: { type: string; body: string }, signal: AbortSignal): Promise<void> {
    const found = this.open.get(targetId);
    if (found === undefined) throw new BrokerFailure('NOT_REACHABLE');
    await found.session.send(event.type, event.body, signal);
  }

  /** Another process may go on: what the brokers retain stays. */
  async stop(): Promise<void> {
    for (const [id, { session }] of this.open) this.close(id, session, false);
    this.open.clear();
    await Promise.all(this.closing.values());
  }

  private close(id: string, session: BrokerSession, empties: boolean): void {
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
  brokers: Pick<Brokers, 'send'>,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  try {
    if (message.event === 'TEST') return await tested(message, target, reach, signal);
    await brokers.send(target.id, { type: eventType(message.event), body: eventBody(message, message.id) }, signal);
    return deliveredWith(null, null);
  } catch (error) {
    const fault = signal.aborted ? 'TIMED_OUT' : brokerFaultOf(error);
    const isUnknown = fault === 'CERTIFICATE_NOT_TRUSTED' && message.event === 'TEST';
    return failedWith(fault, isUnknown ? await fingerprintOf(target, reach, signal) : null);
  }
}

async function tested(
  message: NotificationMessage,
  target: ReadableTarget,
  reach: Reach,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const connection = await connectBroker(target, {
    reach,
    clientId: null,
    topics: [HOME_ASSISTANT_STATUS],
    signal,
    hear: () => {},
    ended: () => {},
  });
  try {
    const topic = eventTopic(addressOf('MQTT', target.url).path, eventType(message.event));
    await unlessAborted(signal, connection.publish(topic, eventBody(message, message.id), { qos: 1 }));
    return deliveredWith(null, connection.certificateFingerprint);
  } finally {
    connection.close();
  }
}

function fingerprintOf({ url }: ReadableTarget, reach: Reach, signal: AbortSignal): Promise<string | null> {
  const address = addressOf('MQTT', url);
  return fingerprintAt(address, reach.networkOf(address.host), signal);
}
