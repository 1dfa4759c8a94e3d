// When a delivery is tried, in SQL. A time later than now plus the longest wait was written by a clock that was ahead, and so was
// every time in a row whose last try is in the future: neither is trusted.
import { sql } from '../../database/sql';
import { MAX_SILENCE_SEC } from '../target.limits';
import { LONGEST_WAIT_SEC, TRIES_IN_ORDER } from './retries';

const NOW = 'clock_timestamp()';

/** Of a delivery with this alias: when its own wait is over. */
export function waitsUntil(alias: string) {
  const { inTurn, parked } = LONGEST_WAIT_SEC;
  const longest = `case when ${alias}.attempts = 0 then 0 when ${alias}.attempts < ${TRIES_IN_ORDER} then ${inTurn} else ${parked} end`;
  const latest = `${NOW} + (${longest}) * interval '1 second'`;
  return sql(
    `(case when ${alias}.next_attempt_at <= ${latest} and ${isTriedBefore(alias)} then ${alias}.next_attempt_at else ${NOW} end)`,
  );
}

/** Until when the receiver of the target `t` has asked for silence, as its last try of the delivery with this alias says. */
export const silentUntil = (alias: string) =>
  sql(`(case when t.silent_until <= ${NOW} + interval '${MAX_SILENCE_SEC} seconds'
    and ${isTriedBefore(alias)} then t.silent_until end)`);

function isTriedBefore(alias: string): string {
  return `(${alias}.last_attempt_at > ${NOW}) is not true`;
}
