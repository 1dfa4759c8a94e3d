// A connection to the broker of a target, which says that it is online and, when it is lost, that it is offline.
import { ConnectionLifetime } from '../../machines/connection-lifetime';
import { dial } from '../../machines/dial';
import { Failure } from '../../machines/error-faults';
import { LIMITS, type Limits } from '../../machines/limits';
import { type Heard, type MqttSession, openMqtt } from '../../machines/mqtt';
import { timeoutSignal } from '../../values/timers';
import { addressOf, type Reach } from '../address';
import type { SendFault } from '../faults';
import type { ReadableTarget } from '../sender';
import { sendFaultOf, watched } from '../way';
import { statusTopic } from './topics';

export type BrokerTarget = Omit<ReadableTarget, 'kind' | 'formerSecret'>;

interface Connecting {
  reach: Pick<Reach, 'networkOf'>;
  /** null: a look that takes nobody's place, and leaves no will. */
  clientId: string | null;
  topics: string[];
  limits?: Limits | undefined;
  /** Gives it up while it is not open. */
  signal: AbortSignal;
  hear(message: Heard): void;
  /** The connection is over, once; not after `close`. Before `connectBroker` has answered, it rejects instead. */
  ended(fault: SendFault): void;
}

export interface Broker {
  /** A broker that does not acknowledge in time has its connection ended. */
  publish: MqttSession['publish'];
  unsubscribe: MqttSession['unsubscribe'];
  certificateFingerprint: string | null;
  /** Without the last will. */
  close(): void;
}

/** Why there is no connection to a broker. */
export class BrokerFailure extends Error {
  constructor(readonly fault: SendFault) {
    super(fault);
  }
}

export const brokerFaultOf = (error: unknown): SendFault =>
  error instanceof BrokerFailure ? error.fault : sendFaultOf(error);

export const RETAINED = { qos: 1, retain: true } as const;

/** Rejects with a BrokerFailure. */
export async function connectBroker(target: BrokerTarget, connecting: Connecting): Promise<Broker> {
  if (target.secret !== null && target.username === null) throw new BrokerFailure('CREDENTIALS_REFUSED');
  const { reach, clientId, topics, limits = LIMITS, signal, hear, ended } = connecting;
  const address = addressOf('MQTT', target.url);
  const way = watched(reach.networkOf(address.host));
  const topic = statusTopic(address.place);
  let isOpen = false;
  let fail: (error: unknown) => void = () => {};
  const lifetime = new ConnectionLifetime(
    {
      connected: () => {},
      heard: () => {},
      ended: (fault) => (isOpen ? ended(sendFaultOf(new Failure(fault))) : fail(new Failure(fault))),
    },
    limits,
  );
  const giveUp = () => lifetime.end('TIMED_OUT');
  const opening = async (): Promise<Broker> => {
    const trusted = target.certificateFingerprint;
    const { network } = way;
    const dialled = await dial(address, { network, trusted, signal: lifetime.signal, meter: lifetime.meter });
    const login = {
      ...{ username: target.username, password: target.secret, topics },
      ...(clientId === null ? {} : { clientId, will: { topic, payload: 'offline' } }),
    };
    const session = await openMqtt(dialled, login, {
      ...{ lifetime, limits, hear },
      pong: () => {},
      // Without its topics, it says what happens all the same.
      notGranted: () => {},
    });
    if (clientId !== null) await session.publish(topic, 'online', RETAINED);
    return {
      publish: (...message) =>
        within(timeoutSignal(limits.answerMs), session.publish(...message)).catch((error: unknown) => {
          if (error instanceof BrokerFailure) lifetime.end('TIMED_OUT');
          throw error;
        }),
      unsubscribe: session.unsubscribe,
      certificateFingerprint: dialled.certificateFingerprint,
      close() {
        session.disconnect();
        lifetime.close();
      },
    };
  };
  try {
    const broker = await new Promise<Broker>((resolve, reject) => {
      fail = reject;
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      opening().then(resolve, reject);
    });
    isOpen = true;
    lifetime.connected({ model: null, serial: null, firmware: null, certificateFingerprint: null });
    return broker;
  } catch (error) {
    lifetime.close();
    throw new BrokerFailure(way.isForbidden() ? 'NOT_ALLOWED' : sendFaultOf(error));
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Rejects when the signal is aborted first. */
export function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new BrokerFailure('TIMED_OUT'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
