// Leases: which process holds a device, or reports what happens. One table, and the clock of the database.
import type { Queryable } from '../database/queryable';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';

/** The lease of a device: what a process compares in each statement that writes for the device. */
export interface Lease {
  deviceId: string;
  /** The process. */
  holder: string;
  /** Grows at each change of the holder. */
  number: string;
}

/** The lease of the process that reports what happens and delivers it. */
export const NOTIFICATIONS = 'notifications';

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

const ofDevice = (what: string) => `(select ${what} from leases l where l.device_id = d.id)`;

/** When the lease of the device `d` ends; null when nobody holds it. */
export const HELD_UNTIL = sql(ofDevice('l.until'));

/** Whether the holder of the device `d` is gone, and has not given the device back. */
export const IS_LEFT = sql(`coalesce(${ofDevice(`(${GOES_ON}) is false`)}, false)`);

/** Whether nobody listens to the device `d`. */
export const IS_ALONE = sql(`(${IS_LEFT.sql} or (${HELD_UNTIL.sql} is null and d.state <> 'CONNECTED'))`);

/** Whether the lease `l` is still the one of this holder and number. */
export const isHeld = (holder: Prisma.Sql, number: Prisma.Sql) =>
  Prisma.sql`l.holder = ${holder} and l.number = ${number} and l.until > clock_timestamp()`;

/** The device `d` with its lease `l`, where the process holds it. Whoever locks both locks the device first, as all do. */
export const heldDevice = ({ deviceId, holder, number }: Lease) => Prisma.sql`
  devices d join leases l on l.device_id = d.id
  where d.id = ${deviceId}::uuid and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;

/** Whether the process holds the device, and holds it until the transaction ends. */
export const isHolder = (database: Queryable, lease: Lease): Promise<boolean> =>
  database.json(
    'leases.isHolder',
    Prisma.sql`with d as (select from ${heldDevice(lease)} for share) select to_json(count(*) > 0) as value from d`,
  );

/**
 * The statement that takes the leases that are free, and renews the own ones that are due.
 * @param wanted a query of their `name` and `device_id`
 */
export const held = (holder: string, wanted: Prisma.Sql) => Prisma.sql`
  insert into leases as l (name, device_id, holder, number, until)
  select w.name, w.device_id, ${holder}, coalesce(l.number, 0) + case when l.holder = ${holder} then 0 else 1 end, ${sql(NEW_END)}
  from (${wanted}) w left join leases l on l.name = w.name
  where case when l.holder = ${holder} then ${IS_DUE} else ${IS_FREE} end
  on conflict (name) do update set holder = excluded.holder, number = excluded.number, until = excluded.until
  -- Another process may have changed it since it was read.
  where case when l.holder = excluded.holder then l.number = excluded.number else l.number + 1 = excluded.number and ${IS_FREE} end
  returning l.device_id, l.number`;

/** How long ago a device was heard of: the time itself is that of the database, whose clock all processes share. */
export interface Contact {
  deviceId: string;
  agoMs: number;
}

/** The common table `contact`. */
export const contactsOf = (contacts: readonly Contact[]) => Prisma.sql`
  contact as (select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, "agoMs" float8))`;

/** Of a device `d`. */
export const LAST_MESSAGE_AT = Prisma.sql`last_message_at = coalesce(
  (select clock_timestamp() - c."agoMs" * interval '1 millisecond' from contact c where c."deviceId" = d.id), d.last_message_at)`;

/** A device `d` has no connection while its holder changes. */
export const disconnected = (condition = Prisma.sql`true`) => Prisma.sql`
  state_since = case when d.state = 'CONNECTED' and ${condition} then clock_timestamp()
    else least(d.state_since, clock_timestamp()) end,
  state = case when d.state = 'CONNECTED' and ${condition} then 'CONNECTING' else d.state end`;

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /** Gives all leases of this process back: other processes can take them at once. */
  async release(holder: string, contacts: readonly Contact[] = []): Promise<void> {
    await this.database.json(
      'leases.release',
      Prisma.sql`
      with ${contactsOf(contacts)}, own as (
        select d.id from devices d join leases l on l.device_id = d.id where l.holder = ${holder} for update
      ), d as (
        update devices d set ${disconnected()}, ${LAST_MESSAGE_AT} from own where d.id = own.id returning d.id
      ), released as (
        update leases set holder = null, until = null
        where holder = ${holder} and (device_id is null or device_id in (select id from d)) returning 1
      )
      select to_json(count(*)) as value from released`,
    );
  }

  /** Takes all leases back, where no other process can have one: those of processes that were killed. */
  async takeBack(): Promise<void> {
    await this.database.json(
      'leases.takeBack',
      Prisma.sql`
      with l as (
        update leases set holder = null, until = null, number = number + 1 where holder is not null returning device_id
      ), d as (
        update devices d set ${disconnected()} from l where d.id = l.device_id
      )
      select to_json(count(*)) as value from l`,
    );
  }
}
