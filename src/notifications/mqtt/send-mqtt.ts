// Sends an event or a test to an MQTT channel, and decides which fault a failure has.
import { readFingerprint } from '../../wire/dial';
import { type ReceiverAnswer, reportDelivered, reportFailed } from '../../wire/faults';
import type { Reach } from '../../wire/networks';
import type { NotificationMessage, ReadableTarget } from '../channel-message';
import { parseTargetUrl } from '../target.address';
import { buildEventBody, eventTypeOf } from '../webhook';
import type { BrokerRegistry } from './broker-registry';
import { findBrokerFault, openMqttConnection, unlessAborted } from './mqtt-connection';
import { eventTopic, HOME_ASSISTANT_STATUS } from './topics';

/** Sends an event through the publisher of its channel, and a test through a connection of its own, because a disabled channel has no publisher. */
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
    return reportDelivered(null, null);
  } catch (error) {
    const fault = signal.aborted ? 'TIMED_OUT' : findBrokerFault(error);
    const isUnknown = fault === 'CERTIFICATE_NOT_TRUSTED' && message.event === 'TEST';
    return reportFailed(fault, isUnknown ? await readBrokerFingerprint(target, reach, signal) : null);
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
    return reportDelivered(null, connection.certificateFingerprint);
  } finally {
    connection.close();
  }
}

function readBrokerFingerprint({ url }: ReadableTarget, reach: Reach, signal: AbortSignal): Promise<string | null> {
  const address = parseTargetUrl('MQTT', url);
  return readFingerprint(address, reach.networkOf(address.host), signal);
}
