// The senders by the kind of target.

import type { Reach } from '../wire/networks';
import { type Brokers, mqttSender } from './mqtt/brokers';
import { ntfySender } from './ntfy';
import { posterOn } from './post';
import { type DeliveryAnswer, failedWith, type NotificationMessage, type ReadableTarget, type Sender } from './sender';
import type { NotificationKind } from './target.types';
import { webhookSender } from './webhook';

export type Senders = Record<NotificationKind, Sender>;

export function sendersOn(reach: Reach, brokers: Pick<Brokers, 'send'>): Senders {
  const post = posterOn(reach);
  return {
    WEBHOOK: webhookSender(post),
    NTFY: ntfySender(post),
    MQTT: mqttSender(reach, brokers),
  };
}

/** One try. It never throws: a row that another program wrote may hold what no sender can read. */
export async function sendOnce(
  senders: Senders,
  message: NotificationMessage,
  target: ReadableTarget | 'SECRET_NOT_READABLE',
  signal: AbortSignal,
): Promise<DeliveryAnswer> {
  if (target === 'SECRET_NOT_READABLE') return failedWith(target);
  try {
    return await senders[target.kind].send(message, target, signal);
  } catch {
    return failedWith('NOT_THIS_KIND');
  }
}
