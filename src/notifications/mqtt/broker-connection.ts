// A connection to the broker of a target, which says that it is online and, when it is lost, that it is offline.

import { timeoutSignal } from '../../values/timers';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS, type Limits } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { type ConnectionFault, connectionFaultOf, Failure, type ReceiverFault } from '../../wire/faults';
import type { Meter } from '../../wire/meter';
import { type Heard, type MqttSession, openMqtt } from '../../wire/mqtt';
import type { Reach } from '../../wire/networks';
import { weightOf } from '../../wire/waiting-bytes';
import type { ReadableTarget } from '../channel-message';
import { addressOf } from '../target.address';
import { HOME_ASSISTANT_STATUS, statusTopic } from './topics';

export type BrokerTarget = Omit<ReadableTarget, 'kind' | 'formerSecret'>;

interface Connecting {
  reach: Pick<Reach, 'networkOf'>;
  /** null: a connection for a look. It replaces no other connection, and leaves no will. */
  clientId: string | null;
  topics: string[];
  /** Whether a topic that the broker retains is remembered in `found`. */
  remembers?(topic: string): boolean;
  limits?: Limits | undefined;
  /** Gives it up while it is not open. */
  signal: AbortSignal;
  /** What the broker did not retain. */
  hear(message: Heard): void;
  /** The connection is over, once; not after `close`. Before `connectBroker` has answered, it rejects instead. */
  ended(fault: ReceiverFault): void;
}

export interface BrokerConnection {
  /** A broker that does not acknowledge in time has its connection ended. */
  publish: MqttSession['publish'];
  unsubscribe: MqttSession['unsubscribe'];
  /** What the broker retained before. It counts as memory of this connection, and ends with it. */
  found: FoundTopics;
  certificateFingerprint: string | null;
  /** Without the last will. */
  close(): void;
}

/** Why there is no connection to a broker. */
export class BrokerFailure extends Error {
  constructor(readonly fault: ReceiverFault) {
    super(fault);
  }
}

export const brokerFaultOf = (error: unknown): ReceiverFault =>
  error instanceof BrokerFailure ? error.fault : connectionFaultOf(error);

export const RETAINED = { qos: 1, retain: true } as const;

/** A message as short as this is too long for no broker. */
const SHORT_BYTES = 1024;

/** A broker that retains more below the prefix is not one for this farm alone. */
const MAX_FOUND = 5_000;
const MAX_TOPIC = 4_000;

class FoundTopics {
  private readonly topics = new Set<string>();
  private bytes = 0;

  constructor(private readonly meter: Pick<Meter, 'keeps'>) {}

  add(topic: string): void {
    if (this.topics.size === MAX_FOUND || topic.length > MAX_TOPIC || this.topics.has(topic)) return;
    this.topics.add(topic);
    this.count(weightOf(topic));
  }

  delete(topic: string): void {
    if (this.topics.delete(topic)) this.count(-weightOf(topic));
  }

  /** As they are now. */
  all(): string[] {
    return [...this.topics];
  }

  clear(): void {
    this.topics.clear();
    this.count(-this.bytes);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.meter.keeps(this.bytes);
  }
}

/** Rejects with a BrokerFailure. */
export async function connectBroker(target: BrokerTarget, connecting: Connecting): Promise<BrokerConnection> {
  if (target.secret !== null && target.username === null) throw new BrokerFailure('CREDENTIALS_REFUSED');
  const { reach, clientId, topics, remembers = () => false, limits = LIMITS, signal, hear, ended } = connecting;
  const address = addressOf('MQTT', target.url);
  const topic = statusTopic(address.path);
  const sizes = { taken: SHORT_BYTES, waiting: new Set<number>() };
  let isOpen = false;
  let fail: (error: unknown) => void = () => {};
  let over: Promise<ReceiverFault> | undefined;
  const lifetime = new ConnectionLifetime(
    {
      connected: () => {},
      heard: () => {},
      ended(fault) {
        if (!isOpen) return fail(new Failure(fault));
        over = isTooLong() ? takesConnections(target, connecting, 'MESSAGE_TOO_LARGE', fault) : Promise.resolve(fault);
        void over.then(ended);
      },
    },
    limits,
  );
  const found = new FoundTopics(lifetime.meter);
  lifetime.onClose(() => found.clear());
  const isTooLong = () => Math.max(...sizes.waiting) > sizes.taken;
  const giveUp = () => lifetime.end('TIMED_OUT');
  const opening = async (): Promise<BrokerConnection> => {
    const trusted = target.certificateFingerprint;
    const network = reach.networkOf(address.host);
    const dialled = await dial(address, { network, trusted, signal: lifetime.signal, meter: lifetime.meter });
    const login = {
      username: target.username,
      password: target.secret,
      topics,
      ...(clientId === null ? {} : { clientId, will: { topic, payload: 'offline' } }),
    };
    const session = await openMqtt(dialled, login, {
      lifetime,
      limits,
      hear(message) {
        if (!message.retain) hear(message);
        else if (message.payload.length > 0 && remembers(message.topic)) found.add(message.topic);
      },
      pong: () => {},
      // Without its topics, it says what happens all the same.
      notGranted: () => {},
    });
    if (clientId !== null) await session.publish(topic, 'online', RETAINED);
    return {
      async publish(where, payload, how) {
        const bytes = Buffer.byteLength(payload);
        sizes.waiting.add(bytes);
        try {
          await unlessAborted(timeoutSignal(limits.answerMs), session.publish(where, payload, how));
        } catch (error) {
          if (error instanceof BrokerFailure) lifetime.end('TIMED_OUT');
          throw over === undefined ? error : new BrokerFailure(await over);
        }
        sizes.waiting.delete(bytes);
        sizes.taken = Math.max(sizes.taken, bytes);
      },
      unsubscribe: session.unsubscribe,
      found,
      certificateFingerprint: dialled.certificateFingerprint,
      close() {
        session.disconnect();
        lifetime.close();
      },
    };
  };
  try {
    const broker = await new Promise<BrokerConnection>((resolve, reject) => {
      fail = reject;
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      opening().then(resolve, reject);
    });
    isOpen = true;
    lifetime.connected(null);
    return broker;
  } catch (error) {
    lifetime.close();
    const fault = connectionFaultOf(error);
    const hasWill = clientId !== null && fault === 'CLOSED_AT_ONCE';
    throw new BrokerFailure(hasWill ? await takesConnections(target, connecting, 'RETAIN_REFUSED', fault) : fault);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** MQTT 3.1.1 has no reason for an end: a broker that takes a connection without a last will has refused what was sent. */
async function takesConnections(
  target: BrokerTarget,
  connecting: Connecting,
  refused: ReceiverFault,
  fault: ConnectionFault,
): Promise<ReceiverFault> {
  if (fault !== 'CLOSED_AT_ONCE' && fault !== 'NOT_REACHABLE') return fault;
  try {
    const plain = await connectBroker(target, {
      ...connecting,
      clientId: null,
      topics: [HOME_ASSISTANT_STATUS],
      remembers: () => false,
      hear: () => {},
      ended: () => {},
    });
    plain.close();
    return refused;
  } catch {
    return fault;
  }
}

/** Rejects when the signal is aborted first. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new BrokerFailure('TIMED_OUT'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
