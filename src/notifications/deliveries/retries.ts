// How long a try may take, when a message is tried again and when it is given up, and what a try makes of its delivery and its target.
import { sql } from '../../database/sql';
import type { ReceiverAnswer } from '../../wire/faults';
import { MAX_PAUSE_SEC } from '../../wire/post';
import type { NotificationFault } from '../delivery-faults';
import { GIVEN_UP_AFTER_HOURS } from './delivery.limits';

/** How long one try may take. */
export const ATTEMPT_MS = 15_000;
/** Between the first tries of a message; meanwhile the later messages of its target wait. */
const WAITS_SEC = [5, 30, 120, 300];
/** Between the tries after these: the message is deferred, and later messages of its target are sent meanwhile. */
const DEFERRED_SEC = [1800, 7200, 18_000, 36_000, 50_400, 72_000];
/** So that deferred messages are not all tried at one moment. */
const JITTER = 0.2;

/** From so many tries on a message is deferred. */
export const ATTEMPTS_IN_ORDER = WAITS_SEC.length + 1;
/** The longest wait of a message in its turn, and of one that is deferred. A message that was never tried is due at once. */
const LONGEST_WAIT_SEC = { inTurn: Math.max(...WAITS_SEC), deferred: Math.max(...DEFERRED_SEC) * (1 + JITTER) };

/** @param attempts so many tries failed, the last one among them */
export function chooseWaitSec(attempts: number, random: () => number = Math.random): number {
  const inOrder = WAITS_SEC[attempts - 1];
  if (inOrder !== undefined) return inOrder;
  const deferred = DEFERRED_SEC[Math.min(attempts - ATTEMPTS_IN_ORDER, DEFERRED_SEC.length - 1)] as number;
  return deferred * (1 + JITTER * (2 * random() - 1));
}

export interface AttemptOutcome {
  delivery: 'DELIVERED' | 'WAITING' | 'GIVEN_UP';
  /** What becomes of the target; one that has failed already stays so while nothing is delivered. */
  target: 'OK' | 'RETRYING' | 'DISABLED';
  /** Until the next try; null where there is none. */
  waitSec: number | null;
  httpStatus: number | null;
  fault: NotificationFault | null;
  /** Nothing is sent to the target for so long; null: no longer than before. */
  pauseSec: number | null;
}

/** @param attempts before this one */
export function decideOutcome(answer: ReceiverAnswer, attempts: number): AttemptOutcome {
  const { httpStatus, fault, retryAfterSec } = answer;
  if (fault === null) return { delivery: 'DELIVERED', target: 'OK', waitSec: null, httpStatus, fault, pauseSec: null };
  if (fault === 'GONE')
    return { delivery: 'GIVEN_UP', target: 'DISABLED', waitSec: null, httpStatus, fault, pauseSec: null };
  const wait = chooseWaitSec(attempts + 1);
  return { delivery: 'WAITING', target: 'RETRYING', waitSec: wait, httpStatus, fault, pauseSec: retryAfterSec };
}

/*
 * When a delivery is tried, in SQL. A time later than now plus the longest wait was written by a clock that was ahead, and so was
 * every time in a row whose last try is in the future: neither is trusted.
 */
const NOW = 'clock_timestamp()';

/** Whether the delivery with this alias has waited for so long that it is given up. */
export const isTooOld = (alias: string) =>
  sql(`(${alias}.waiting_since < ${NOW} - interval '${GIVEN_UP_AFTER_HOURS} hours')`);

/** When the own wait of the delivery with this alias is over. */
export function dueAt(alias: string) {
  const { inTurn, deferred } = LONGEST_WAIT_SEC;
  const longest = `case when ${alias}.attempts = 0 then 0 when ${alias}.attempts < ${ATTEMPTS_IN_ORDER} then ${inTurn} else ${deferred} end`;
  const latest = `${NOW} + (${longest}) * interval '1 second'`;
  return sql(
    `(case when ${alias}.next_attempt_at <= ${latest} and ${isAttemptInPast(alias)} then ${alias}.next_attempt_at else ${NOW} end)`,
  );
}

/** Until when the receiver of the target `t` has asked for a pause, as its last try of the delivery with this alias says. */
export const pausedUntil = (alias: string) =>
  sql(`(case when t.silent_until <= ${NOW} + interval '${MAX_PAUSE_SEC} seconds'
    and ${isAttemptInPast(alias)} then t.silent_until end)`);

function isAttemptInPast(alias: string): string {
  return `(${alias}.last_attempt_at > ${NOW}) is not true`;
}
