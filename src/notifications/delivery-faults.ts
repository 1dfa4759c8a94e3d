// Decides what people read of a notification that was not delivered and of a target that has failed: a sentence for each code of the database.

import { receiverSentence } from '../wire/fault-sentences';
import type { ReceiverFault } from '../wire/faults';
import { GIVEN_UP_AFTER_HOURS } from './deliveries/delivery.limits';
import type { NotificationKind } from './target.types';

const LEFT_OUT = `It could not be delivered within ${GIVEN_UP_AFTER_HOURS} hours and was given up. Send it again if you need it.`;

/** Why a target is disabled, or a delivery was given up. */
const SENTENCES = {
  DISABLED: 'The target is disabled and gets no notifications. Enable it to get them again.',
  PRINTERS_REMOVED:
    'All printers of this target were removed, so nothing is sent. Choose other printers and enable the target again.',
  RESTORED:
    'The database was restored from a backup, and a copy of a farm must not send notifications. If this farm is the one to send them, enable the target again.',
  /** The delivery was too old when its turn came. */
  LEFT_OUT,
  /** The same, and a notification OMITTED has reported it. */
  LEFT_OUT_REPORTED: LEFT_OUT,
};

export type NotificationFault = ReceiverFault | keyof typeof SENTENCES;

const isNotificationCode = (fault: NotificationFault): fault is keyof typeof SENTENCES =>
  Object.hasOwn(SENTENCES, fault);

export const faultSentence = (fault: NotificationFault, kind: NotificationKind): string =>
  isNotificationCode(fault) ? SENTENCES[fault] : receiverSentence(fault, kind);

/** Of a target that has failed. @param sentence of its fault; null where none is known */
export const failedSentence = (sentence: string | null): string =>
  `Nothing was delivered for ${GIVEN_UP_AFTER_HOURS} hours. ${sentence ?? ''}`.trimEnd();
