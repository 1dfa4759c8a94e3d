// Decides the sentence for each code that the database stores for a notification that was not delivered, or for a channel that has failed.

import { describeReceiverFault } from '../wire/fault-sentences';
import type { ReceiverFault } from '../wire/faults';
import { GIVEN_UP_AFTER_HOURS } from './deliveries/retries';
import type { NotificationKind } from './target.types';

const GIVEN_UP = `The message could not be delivered within ${GIVEN_UP_AFTER_HOURS} hours and was given up. Send it again if you still need it.`;

/** Reasons for which a channel is disabled or a delivery is given up. */
const SENTENCES = {
  DISABLED: 'The channel is disabled and gets no notifications. Enable it to get them again.',
  PRINTERS_REMOVED:
    'All printers of this channel were removed, so nothing is sent. Choose other printers and enable the channel again.',
  RESTORED:
    'The database was restored from a backup, and a copy of a farm must not send notifications. If this farm is the one to send them, enable the channel again.',
  LEFT_OUT: GIVEN_UP,
  /** A notification OMITTED has already reported this delivery to the channel. */
  LEFT_OUT_REPORTED: GIVEN_UP,
};

export type NotificationFault = ReceiverFault | keyof typeof SENTENCES;

const isNotificationCode = (fault: NotificationFault): fault is keyof typeof SENTENCES =>
  Object.hasOwn(SENTENCES, fault);

export const describeNotificationFault = (fault: NotificationFault, kind: NotificationKind): string =>
  isNotificationCode(fault) ? SENTENCES[fault] : describeReceiverFault(fault, kind);

/**
 * Explains a channel in the state FAILED.
 * @param sentence the sentence about the last fault; `null` if no fault is known
 */
export const describeFailedTarget = (sentence: string | null): string =>
  `Nothing was delivered for ${GIVEN_UP_AFTER_HOURS} hours. ${sentence ?? ''}`.trimEnd();
