// A connection to the broker of a target, which says that it is online and, when it is lost, that it is offline.

import type { Network } from '../../devices/address';
import type { DeviceFault } from '../../devices/connection';
import { ConnectionLifetime } from '../../devices/connection-lifetime';
import { dial } from '../../devices/dial';
import { Failure, faultOf } from '../../devices/error-faults';
import { LIMITS } from '../../devices/limits';
import { type Heard, type MqttSession, openMqtt } from '../../devices/mqtt';
import { parseBrokerUrl, statusTopic } from './topics';

/** A target, with its password in clear. */
export interface BrokerTarget {
  id: string;
  /** mqtt(s)://HOST[:PORT][/PREFIX] */
  url: string;
  username: string | null;
  password: string | null;
  certificateFingerprint: string | null;
}

interface Connecting {
  network: Network;
  /** null: a look that takes nobody's place, and leaves no will. */
  clientId: string | null;
  topics: string[];
  hear(message: Heard): void;
  /** The connection is over, once; not after `close`. Before `connectBroker` has answered, it rejects instead. */
  ended(fault: DeviceFault): void;
}

export interface Broker {
  publish: MqttSession['publish'];
  unsubscribe: MqttSession['unsubscribe'];
  certificateFingerprint: string | null;
  /** Without the last will. */
  close(): void;
}

const QUALITY = { qos: 1, retain: true } as const;

/** Rejects with the fault of the connection. */
export async function connectBroker(target: BrokerTarget, connecting: Connecting): Promise<Broker> {
  const { network, clientId, topics, hear, ended } = connecting;
  const url = parseBrokerUrl(target.url);
  if (url === undefined) throw new Error('a stored target has no url of a broker');
  let isOpen = false;
  let fail: (error: unknown) => void = () => {};
  const lifetime = new ConnectionLifetime(
    {
      connected: () => {},
      heard: () => {},
      ended: (fault) => (isOpen ? ended(fault) : fail(new Failure(fault))),
    },
    LIMITS,
  );
  const topic = statusTopic(url.prefix);
  const opening = async (): Promise<Broker> => {
    const trusted = target.certificateFingerprint;
    const dialled = await dial(url, { network, trusted, signal: lifetime.signal, meter: lifetime.meter });
    const login = {
      username: target.username,
      password: target.password,
      ...(clientId === null ? {} : { clientId, will: { topic, payload: 'offline' } }),
      topics,
    };
    const session = await openMqtt(dialled, login, {
      lifetime,
      limits: LIMITS,
      hear,
      pong: () => {},
      // Without its topics, it says what happens all the same.
      notGranted: () => {},
    });
    if (clientId !== null) await session.publish(topic, 'online', QUALITY);
    return {
      publish: session.publish,
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
      opening().then(resolve, (error: unknown) => reject(new Failure(faultOf(error))));
    });
    isOpen = true;
    lifetime.connected({ model: null, serial: null, firmware: null, certificateFingerprint: null });
    return broker;
  } catch (error) {
    lifetime.close();
    throw error;
  }
}
