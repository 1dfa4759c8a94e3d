// Sends an event or a test to an MQTT target, and decides how its failure is answered.
import { fingerprintAt } from '../../wire/dial';
import { deliveredWith, failedWith, type ReceiverAnswer } from '../../wire/faults';
import type { Reach } from '../../wire/networks';
import type { NotificationMessage, ReadableTarget } from '../channel-message';
import { parseTargetUrl } from '../target.address';
import { buildEventBody, eventTypeOf } from '../webhook';
import { findBrokerFault, openMqttConnection, unlessAborted } from './broker-connection';
import type { BrokerRegistry } from './brokers';
import { eventTopic, HOME_ASSISTANT_STATUS } from './topics';

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
