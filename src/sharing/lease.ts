// Decides which process works for a subject, such as a machine: the process that holds its lease. All leases are in one table and
// use the clock of the database.
import type { Queryable } from '../database/queryable';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';

/** A lease as its holder knows it. Each statement that writes for the subject compares these members with the table. */
export interface Lease {
  /** The id of a device, or the name of a task that only one process may do, such as sending notifications. */
  subject: string;
  /** The id of the process that holds the lease. */
  holder: string;
  /** Grows by one with each new holder, so a former holder can be recognised. */
  number: string;
}

const LEASE_SEC = 30;
/** A lease is renewed when fewer seconds than this are left, which is every 10 s. A lease that is not due lasts at least so long. */
export const RENEWED_AT_SEC = 20;

/** The time now, in milliseconds, which is the precision of the stored times. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
const NEW_END = `${NOW} + interval '${LEASE_SEC} seconds'`;

/**
 * Whether the lease `l` is valid; null if no process holds it. A lease that ends later than a new lease would is not valid: the
 * clock was ahead when the lease was given.
 */
const IS_VALID = `l.until between clock_timestamp() and clock_timestamp() + interval '${LEASE_SEC} seconds'`;

/** Whether another process may take the lease `l`. */
export const IS_FREE = sql(`((${IS_VALID}) is not true)`);

/** Whether the holder must renew the lease `l` now. */
export const IS_DUE = sql(
  `(l.until between clock_timestamp() + interval '${RENEWED_AT_SEC} seconds' and ${NEW_END}) is not true`,
);

const selectFromLease = (what: string, subject: string) => `(select ${what} from leases l where l.name = ${subject})`;

/** When the lease of a subject ends; null if no process holds the subject. @param subject an SQL expression */
export const heldUntil = (subject: string) => sql(selectFromLease('l.until', subject));

/** Whether the lease of a subject expired without being released, so its holder is gone. @param subject an SQL expression */
export const isLeft = (subject: string) =>
  sql(`coalesce(${selectFromLease(`(${IS_VALID}) is false`, subject)}, false)`);

/** Whether this holder still holds the lease `l` with this number. */
export const isHeld = (holder: Prisma.Sql, number: Prisma.Sql) =>
  Prisma.sql`l.holder = ${holder} and l.number = ${number} and l.until > clock_timestamp()`;

/** Whether a process holds the lease `l`. */
export const HAS_HOLDER = sql('(l.holder is not null and l.until > clock_timestamp())');

/** The device `d` with its lease `l`, if the process holds the lease. Writers that lock both rows lock the device first. */
export const heldDevice = ({ subject, holder, number }: Lease) => Prisma.sql`
  devices d join leases l on l.device_id = d.id
  where d.id = ${subject}::uuid and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;

/** Whether the process holds the device. The lock keeps this true until the transaction ends. */
export const isHolder = (database: Queryable, lease: Lease): Promise<boolean> =>
  database.json(
    'leases.isHolder',
    Prisma.sql`with d as (select from ${heldDevice(lease)} for share) select to_json(count(*) > 0) as value from d`,
  );

/**
 * The statement that takes free leases, and renews the leases of this process that are due.
 * @param wanted a query of `name`, which is the subject, and `device_id`; deleting a device deletes its lease
 */
export const takeLeases = (holder: string, wanted: Prisma.Sql) => Prisma.sql`
  insert into leases as l (name, device_id, holder, number, until)
  select w.name, w.device_id, ${holder}, coalesce(l.number, 0) + case when l.holder = ${holder} then 0 else 1 end, ${sql(NEW_END)}
  from (${wanted}) w left join leases l on l.name = w.name
  where case when l.holder = ${holder} then ${IS_DUE} else ${IS_FREE} end
  on conflict (name) do update set holder = excluded.holder, number = excluded.number, until = excluded.until
  -- Another process may have changed the lease since this statement read it.
  where case when l.holder = excluded.holder then l.number = excluded.number else l.number + 1 = excluded.number and ${IS_FREE} end
  returning l.device_id, l.number`;

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /** Releases the leases of this process, so that other processes can take them immediately. */
  async release(holder: string): Promise<void> {
    await this.database.json(
      'leases.release',
      Prisma.sql`
      with released as (update leases set holder = null, until = null where holder = ${holder} returning 1)
      select to_json(count(*)) as value from released`,
    );
  }
}
