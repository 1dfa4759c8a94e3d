// Decides how long an attempt may take, when a delivery is retried or given up, and how an attempt changes its delivery and its channel.
import { sql } from '../../database/sql';
import type { ReceiverAnswer, ReceiverFault } from '../../wire/faults';
import { MAX_PAUSE_SEC } from '../../wire/post';

/** A delivery that waits longer is given up. Its channel has failed if nothing was delivered to it meanwhile. */
export const GIVEN_UP_AFTER_HOURS = 72;
/** How long one attempt may take. */
export const ATTEMPT_MS = 15_000;
/** The waits between the first attempts of a delivery. Meanwhile later deliveries of the channel wait, so that messages arrive in order. */
const WAITS_SEC = [5, 30, 120, 300];
/** The waits between later attempts. The delivery is then deferred: later deliveries of the channel overtake it. */
const DEFERRED_SEC = [1800, 7200, 18_000, 36_000, 50_400, 72_000];
/** Spreads deferred deliveries, which would otherwise all be attempted at the same moment. */
const JITTER = 0.2;

/** A delivery with this many attempts is deferred. */
export const ATTEMPTS_IN_ORDER = WAITS_SEC.length + 1;
/** The longest wait of a delivery that is attempted in order, and of a deferred delivery. A delivery without an attempt is due immediately. */
const LONGEST_WAIT_SEC = { inTurn: Math.max(...WAITS_SEC), deferred: Math.max(...DEFERRED_SEC) * (1 + JITTER) };

/** @param attempts the number of failed attempts, including the last attempt */
export function chooseWaitSec(attempts: number, random: () => number = Math.random): number {
  const inOrder = WAITS_SEC[attempts - 1];
  if (inOrder !== undefined) return inOrder;
  const deferred = DEFERRED_SEC[Math.min(attempts - ATTEMPTS_IN_ORDER, DEFERRED_SEC.length - 1)] as number;
  return deferred * (1 + JITTER * (2 * random() - 1));
}

export interface AttemptOutcome {
  delivery: 'DELIVERED' | 'WAITING' | 'GIVEN_UP';
  /** The next state of the channel. RETRYING does not replace FAILED: a failed channel stays failed until something is delivered. */
  target: 'OK' | 'RETRYING' | 'DISABLED';
  /** The time until the next attempt; `null` if there is none. */
  waitSec: number | null;
  httpStatus: number | null;
  fault: ReceiverFault | null;
  /** How long the receiver asked the gateway to pause; `null` if it did not ask. */
  pauseSec: number | null;
}

/** @param attempts the number of attempts before this attempt */
export function decideOutcome(answer: ReceiverAnswer, attempts: number): AttemptOutcome {
  const { httpStatus, fault, retryAfterSec } = answer;
  if (fault === null) return { delivery: 'DELIVERED', target: 'OK', waitSec: null, httpStatus, fault, pauseSec: null };
  if (fault === 'GONE')
    return { delivery: 'GIVEN_UP', target: 'DISABLED', waitSec: null, httpStatus, fault, pauseSec: null };
  const wait = chooseWaitSec(attempts + 1);
  return { delivery: 'WAITING', target: 'RETRYING', waitSec: wait, httpStatus, fault, pauseSec: retryAfterSec };
}

/*
 * The SQL that decides when a delivery is due. A clock that was ahead may have written times of the far future. So a time is ignored if it
 * is later than now plus the longest wait, and also if the last attempt of its row lies in the future.
 */
const NOW = 'clock_timestamp()';

/** Whether the delivery with this alias has waited too long and is given up. */
export const isTooOld = (alias: string) =>
  sql(`(${alias}.waiting_since < ${NOW} - interval '${GIVEN_UP_AFTER_HOURS} hours')`);

/** When the delivery with this alias may be attempted, without the pause that a receiver asked for. */
export function dueAt(alias: string) {
  const { inTurn, deferred } = LONGEST_WAIT_SEC;
  const longest = `case when ${alias}.attempts = 0 then 0 when ${alias}.attempts < ${ATTEMPTS_IN_ORDER} then ${inTurn} else ${deferred} end`;
  const latest = `${NOW} + (${longest}) * interval '1 second'`;
  return sql(
    `(case when ${alias}.next_attempt_at <= ${latest} and ${isAttemptInPast(alias)} then ${alias}.next_attempt_at else ${NOW} end)`,
  );
}

/** Until when the receiver of the channel `t` asked the gateway to pause, at the last attempt of the delivery with this alias. */
export const pausedUntil = (alias: string) =>
  sql(`(case when t.silent_until <= ${NOW} + interval '${MAX_PAUSE_SEC} seconds'
    and ${isAttemptInPast(alias)} then t.silent_until end)`);

function isAttemptInPast(alias: string): string {
  return `(${alias}.last_attempt_at > ${NOW}) is not true`;
}
