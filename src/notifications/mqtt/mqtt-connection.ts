// Opens one MQTT connection to the broker of a channel, with a retained status "online" and a last will "offline", and finds out why a broker refuses.

import { createTimeoutSignal } from '../../values/timers';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS, type Limits } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { type ConnectionFault, Failure, type ReceiverFault, toConnectionFault } from '../../wire/faults';
import type { Meter } from '../../wire/meter';
import { type MqttSession, openMqtt, type ReceivedMessage } from '../../wire/mqtt';
import type { Reach } from '../../wire/networks';
import { estimateBytes } from '../../wire/waiting-bytes';
import type { ReadableTarget } from '../channel-message';
import { parseTargetUrl } from '../target.address';
import { HOME_ASSISTANT_STATUS, statusTopic } from './topics';

export type BrokerTarget = Omit<ReadableTarget, 'kind' | 'formerSecret'>;

interface ConnectionOptions {
  reach: Pick<Reach, 'networkOf'>;
  /** `null` for a short connection of a test. It replaces no other connection and has no last will. */
  clientId: string | null;
  topics: string[];
  /** Whether a retained topic is kept in `retainedTopics`. */
  keepsTopic?(topic: string): boolean;
  limits?: Limits | undefined;
  /** Aborts the opening of the connection. */
  signal: AbortSignal;
  /** Called for each message that is not retained. */
  receive(message: ReceivedMessage): void;
  /** Called once when the connection ends, but not after `close`. While the connection is opening, openMqttConnection rejects instead. */
  onEnd(fault: ReceiverFault): void;
}

export interface MqttConnection {
  /** Ends the connection if the broker does not acknowledge in time. */
  publish: MqttSession['publish'];
  unsubscribe: MqttSession['unsubscribe'];
  /** The topics that the broker had retained before. They count as memory of this connection and are released with it. */
  retainedTopics: RetainedTopics;
  certificateFingerprint: string | null;
  /** Closes the connection without triggering the last will. */
  close(): void;
}

/** The error that shows why there is no connection to a broker. */
export class BrokerFailure extends Error {
  constructor(readonly fault: ReceiverFault) {
    super(fault);
  }
}

export const findBrokerFault = (error: unknown): ReceiverFault =>
  error instanceof BrokerFailure ? error.fault : toConnectionFault(error);

export const RETAINED = { qos: 1, retain: true } as const;

/** Every broker accepts messages of this size. */
const SHORT_BYTES = 1024;

/** A broker that retains more topics below the prefix is not used by this farm alone. */
const MAX_RETAINED_TOPICS = 5_000;
const MAX_TOPIC_LENGTH = 4_000;

class RetainedTopics {
  private readonly topics = new Set<string>();
  private bytes = 0;

  constructor(private readonly meter: Pick<Meter, 'setKeptBytes'>) {}

  add(topic: string): void {
    if (this.topics.size === MAX_RETAINED_TOPICS || topic.length > MAX_TOPIC_LENGTH || this.topics.has(topic)) return;
    this.topics.add(topic);
    this.count(estimateBytes(topic));
  }

  delete(topic: string): void {
    if (this.topics.delete(topic)) this.count(-estimateBytes(topic));
  }

  /** A copy, so that the caller may delete topics meanwhile. */
  all(): string[] {
    return [...this.topics];
  }

  clear(): void {
    this.topics.clear();
    this.count(-this.bytes);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.meter.setKeptBytes(this.bytes);
  }
}

/** Opens the connection. The promise is rejected with a BrokerFailure. */
export async function openMqttConnection(target: BrokerTarget, options: ConnectionOptions): Promise<MqttConnection> {
  if (target.secret !== null && target.username === null) throw new BrokerFailure('CREDENTIALS_REFUSED');
  const { reach, clientId, topics, keepsTopic = () => false, limits = LIMITS, signal, receive, onEnd } = options;
  const address = parseTargetUrl('MQTT', target.url);
  const willTopic = statusTopic(address.path);
  const sizes = { accepted: SHORT_BYTES, pending: new Set<number>() };
  let isOpen = false;
  let fail: (error: unknown) => void = () => {};
  let endFault: Promise<ReceiverFault> | undefined;
  const lifetime = new ConnectionLifetime(
    {
      onConnected: () => {},
      onMessage: () => {},
      onEnded(fault) {
        if (!isOpen) return fail(new Failure(fault));
        endFault = mayBeTooLong()
          ? diagnoseRefusal(target, options, 'MESSAGE_TOO_LARGE', fault)
          : Promise.resolve(fault);
        void endFault.then(onEnd);
      },
    },
    limits,
  );
  const retainedTopics = new RetainedTopics(lifetime.meter);
  lifetime.onClose(() => retainedTopics.clear());
  const mayBeTooLong = () => Math.max(...sizes.pending) > sizes.accepted;
  const abandon = () => lifetime.end('TIMED_OUT');
  const opening = async (): Promise<MqttConnection> => {
    const trusted = target.certificateFingerprint;
    const network = reach.networkOf(address.host);
    const dialled = await dial(address, { network, trusted, signal: lifetime.signal, meter: lifetime.meter });
    const credentials = {
      username: target.username,
      password: target.secret,
      topics,
      ...(clientId === null ? {} : { clientId, will: { topic: willTopic, payload: 'offline' } }),
    };
    const session = await openMqtt(dialled, credentials, {
      lifetime,
      limits,
      onMessage(message) {
        if (!message.retain) receive(message);
        else if (message.payload.length > 0 && keepsTopic(message.topic)) retainedTopics.add(message.topic);
      },
      onPong: () => {},
      // Without its subscriptions the gateway can still publish.
      onTopicRefused: () => {},
    });
    if (clientId !== null) await session.publish(willTopic, 'online', RETAINED);
    return {
      async publish(topic, payload, publishOptions) {
        const bytes = Buffer.byteLength(payload);
        sizes.pending.add(bytes);
        try {
          await unlessAborted(createTimeoutSignal(limits.answerMs), session.publish(topic, payload, publishOptions));
        } catch (error) {
          if (error instanceof BrokerFailure) lifetime.end('TIMED_OUT');
          throw endFault === undefined ? error : new BrokerFailure(await endFault);
        }
        sizes.pending.delete(bytes);
        sizes.accepted = Math.max(sizes.accepted, bytes);
      },
      unsubscribe: session.unsubscribe,
      retainedTopics,
      certificateFingerprint: dialled.certificateFingerprint,
      close() {
        session.disconnect();
        lifetime.close();
      },
    };
  };
  try {
    const broker = await new Promise<MqttConnection>((resolve, reject) => {
      fail = reject;
      if (signal.aborted) abandon();
      signal.addEventListener('abort', abandon, { once: true });
      opening().then(resolve, reject);
    });
    isOpen = true;
    lifetime.connected(null);
    return broker;
  } catch (error) {
    lifetime.close();
    const fault = toConnectionFault(error);
    const hasWill = clientId !== null && fault === 'CLOSED_AT_ONCE';
    throw new BrokerFailure(hasWill ? await diagnoseRefusal(target, options, 'RETAIN_REFUSED', fault) : fault);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/**
 * MQTT 3.1.1 gives no reason when a broker closes a connection. So the gateway connects once more without a last will and without messages: if
 * the broker accepts that connection, it refused what was sent, and the result is `refusalFault`.
 */
async function diagnoseRefusal(
  target: BrokerTarget,
  options: ConnectionOptions,
  refusalFault: ReceiverFault,
  fault: ConnectionFault,
): Promise<ReceiverFault> {
  if (fault !== 'CLOSED_AT_ONCE' && fault !== 'NOT_REACHABLE') return fault;
  try {
    const connection = await openMqttConnection(target, {
      ...options,
      clientId: null,
      topics: [HOME_ASSISTANT_STATUS],
      keepsTopic: () => false,
      receive: () => {},
      onEnd: () => {},
    });
    connection.close();
    return refusalFault;
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
