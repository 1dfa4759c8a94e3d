// Events for brokers: through the connection that tells the states, and a test through one of its own.
import { fingerprintAt } from '../../wire/dial';
import type { Reach } from '../../wire/networks';
import { addressOf } from '../address';
import { bodyOf, typeOf } from '../body';
import { type Answer, deliveredWith, failedWith, type Message, type ReadableTarget, type Sender } from '../sender';
import { brokerFaultOf, connectBroker, within } from './broker';
import { HOME_ASSISTANT_STATUS } from './discovery';
import type { BrokerTellers } from './tellers';
import { eventTopic } from './topics';

export const mqttSender = (reach: Reach, tellers: Pick<BrokerTellers, 'send'>): Sender => ({
  async send(message, target, signal) {
    try {
      if (message.event === 'TEST') return await tested(message, target, reach, signal);
      await tellers.send(target.id, { type: typeOf(message.event), body: bodyOf(message, message.id) }, signal);
      return deliveredWith(null, null);
    } catch (error) {
      const fault = signal.aborted ? 'TIMED_OUT' : brokerFaultOf(error);
      const isUnknown = fault === 'CERTIFICATE_NOT_TRUSTED' && message.event === 'TEST';
      return failedWith(fault, isUnknown ? await fingerprintOf(target, reach, signal) : null);
    }
  },
});

async function tested(message: Message, target: ReadableTarget, reach: Reach, signal: AbortSignal): Promise<Answer> {
  const broker = await connectBroker(target, {
    ...{ reach, clientId: null, topics: [HOME_ASSISTANT_STATUS], signal },
    hear: () => {},
    ended: () => {},
  });
  try {
    const topic = eventTopic(addressOf('MQTT', target.url).place, typeOf(message.event));
    await within(signal, broker.publish(topic, bodyOf(message, message.id), { qos: 1 }));
    return deliveredWith(null, broker.certificateFingerprint);
  } finally {
    broker.close();
  }
}

function fingerprintOf({ url }: ReadableTarget, reach: Reach, signal: AbortSignal): Promise<string | null> {
  const address = addressOf('MQTT', url);
  return fingerprintAt(address, reach.networkOf(address.host), signal);
}
