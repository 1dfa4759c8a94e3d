// Leases: which process holds a subject, such as a machine, and does the work for it. One table, and the clock of the database.
import type { Queryable } from '../database/queryable';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';

/** What a process compares in each statement that writes for the subject. */
export interface Lease {
  /** The id of a device, or the name of other work that one process does. */
  subject: string;
  /** The process. */
  holder: string;
  /** Grows at each change of the holder. */
  number: string;
}

const LEASE_SEC = 30;
/** A lease is renewed when it has so much left: every 10 s. It goes on for so long, at least, when it was not due. */
export const RENEWED_AT_SEC = 20;

/** To the millisecond, as it is stored. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
const NEW_END = `${NOW} + interval '${LEASE_SEC} seconds'`;

/**
 * Whether a lease `l` goes on; null when nobody holds it. One that ends later than a new lease is void: the clock that gave it
 * was ahead.
 */
const GOES_ON = `l.until between clock_timestamp() and clock_timestamp() + interval '${LEASE_SEC} seconds'`;

/** Whether another process may take the lease `l`. */
export const IS_FREE = sql(`((${GOES_ON}) is not true)`);

/** Whether its holder has to renew the lease `l`. */
export const IS_DUE = sql(
  `(l.until between clock_timestamp() + interval '${RENEWED_AT_SEC} seconds' and ${NEW_END}) is not true`,
);

const ofSubject = (what: string, subject: string) => `(select ${what} from leases l where l.name = ${subject})`;

/** When the lease of a subject ends; null when nobody holds it. @param subject in SQL */
export const heldUntil = (subject: string) => sql(ofSubject('l.until', subject));

/** Whether the holder of a subject is gone, and has not given it back. @param subject in SQL */
export const isLeft = (subject: string) => sql(`coalesce(${ofSubject(`(${GOES_ON}) is false`, subject)}, false)`);

/** Whether the lease `l` is still the one of this holder and number. */
export const isHeld = (holder: Prisma.Sql, number: Prisma.Sql) =>
  Prisma.sql`l.holder = ${holder} and l.number = ${number} and l.until > clock_timestamp()`;

/** Whether a process holds the lease `l`. */
export const HAS_HOLDER = sql('(l.holder is not null and l.until > clock_timestamp())');

/** The device `d` with its lease `l`, where the process holds it. All writers that lock both lock the device first. */
export const heldDevice = ({ subject, holder, number }: Lease) => Prisma.sql`
  devices d join leases l on l.device_id = d.id
  where d.id = ${subject}::uuid and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;

/** Whether the process holds the device, and holds it until the transaction ends. */
export const isHolder = (database: Queryable, lease: Lease): Promise<boolean> =>
  database.json(
    'leases.isHolder',
    Prisma.sql`with d as (select from ${heldDevice(lease)} for share) select to_json(count(*) > 0) as value from d`,
  );

/**
 * The statement that takes the leases that are free, and renews the own ones that are due.
 * @param wanted a query of their `name`, which is the subject, and `device_id`: with its device a lease is deleted
 */
export const takeLeases = (holder: string, wanted: Prisma.Sql) => Prisma.sql`
  insert into leases as l (name, device_id, holder, number, until)
  select w.name, w.device_id, ${holder}, coalesce(l.number, 0) + case when l.holder = ${holder} then 0 else 1 end, ${sql(NEW_END)}
  from (${wanted}) w left join leases l on l.name = w.name
  where case when l.holder = ${holder} then ${IS_DUE} else ${IS_FREE} end
  on conflict (name) do update set holder = excluded.holder, number = excluded.number, until = excluded.until
  -- Another process may have changed it since it was read.
  where case when l.holder = excluded.holder then l.number = excluded.number else l.number + 1 = excluded.number and ${IS_FREE} end
  returning l.device_id, l.number`;

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /** Gives the leases of this process back: other processes can take them at once. */
  async release(holder: string): Promise<void> {
    await this.database.json(
      'leases.release',
      Prisma.sql`
      with released as (update leases set holder = null, until = null where holder = ${holder} returning 1)
      select to_json(count(*)) as value from released`,
    );
  }
}
