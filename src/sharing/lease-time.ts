// Leases in SQL: how long they last, and whether that of a device goes on.
import { sql } from '../database/sql';

const LEASE_SEC = 30;
/** A lease is renewed when it has so much left: every 10 s. It goes on for so long, at least, when it was not due. */
export const RENEWED_AT_SEC = 20;

/** To the millisecond, as it is stored. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** When a lease ends that is given now. */
export const LEASE_END = sql(`${NOW} + interval '${LEASE_SEC} seconds'`);

/**
 * Whether the lease of a device `d` goes on; null when nobody holds the device. One that ends later than a new lease is void:
 * the clock that gave it was ahead.
 */
const GOES_ON = `d.held_until between clock_timestamp() and clock_timestamp() + interval '${LEASE_SEC} seconds'`;

/** Whether another process may take the device `d`. */
export const IS_FREE = sql(`((${GOES_ON}) is not true)`);

/** Whether the holder of the device `d` is gone, and has not given the device back. */
export const IS_LEFT = sql(`((${GOES_ON}) is false)`);

/** Whether nobody listens to the device `d`. */
export const IS_ALONE = sql(`(${IS_LEFT.sql} or (d.held_until is null and d.state <> 'CONNECTED'))`);

/** Whether its holder has to renew the lease of the device `d`. */
export const IS_DUE = sql(`(d.held_until between clock_timestamp() + interval '${RENEWED_AT_SEC} seconds' and ${NOW}
  + interval '${LEASE_SEC} seconds') is not true`);
