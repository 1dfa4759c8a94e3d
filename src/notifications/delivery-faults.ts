// Why a notification was not delivered, and what people read of a target that has failed: the codes that the database keeps, and their
// sentences.

import { FAILED_AFTER_HOURS } from '../farm/alerts/alert.limits';
import { receiverSentence } from '../wire/fault-sentences';
import type { ReceiverFault } from '../wire/faults';
import type { NotificationKind } from './target.types';

const LEFT_OUT = `It could not be delivered within ${FAILED_AFTER_HOURS} hours, and is not sent any more: send it again if it matters.`;

/** Why a target is disabled, or a delivery was given up. */
const SENTENCES = {
  DISABLED: 'The target is disabled, and misses what happens: enable it to get notifications again.',
  PRINTERS_REMOVED:
    'All printers that were chosen are removed, so nothing is sent: choose others, and enable the target again.',
  RESTORED:
    'The database was restored from a backup, and a copy must not send notifications: enable the target again if this farm is to send them.',
  /** The delivery was too old when its turn came. */
  LEFT_OUT,
  /** The same, and a notification OMITTED has reported it. */
  LEFT_OUT_REPORTED: LEFT_OUT,
};

export type NotificationFault = ReceiverFault | keyof typeof SENTENCES;

const isOwn = (fault: NotificationFault): fault is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, fault);

export const faultSentence = (fault: NotificationFault, kind: NotificationKind): string =>
  isOwn(fault) ? SENTENCES[fault] : receiverSentence(fault, kind);

/** Of a target that has failed. @param sentence of its fault; null where none is known */
export const failedSentence = (sentence: string | null): string =>
  `Nothing was delivered for ${FAILED_AFTER_HOURS} hours. ${sentence ?? ''}`.trimEnd();
