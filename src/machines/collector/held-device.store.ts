// The SQL for the devices that this process holds, each by a lease.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { NEW_DEVICE_COLUMNS, type NewDevice } from '../../farm/devices/device.rows';
import { FIRST_SLOT } from '../../farm/inventory/slot.types';
import { Prisma } from '../../generated/prisma/client';
import { heldDevice, IS_DUE, IS_FREE, type Lease, takeLeases } from '../../sharing/lease';
import type { Instant } from '../../values/instant';

/** A device that this process holds, with everything that a connection needs. */
export interface HeldDevice extends Omit<NewDevice, 'enabled' | 'stateSince' | 'updatedAt'> {
  fault: string | null;
  lastMessageAt: Instant | null;
  leaseNumber: string;
  /** What the only slot of a printer has, if the gateway sets the active spool of its machine; `null` if it never had a spool. */
  loaded: LoadedNumber | null;
}

/** The spool in a slot, and when a user last changed the slot. */
export interface LoadedNumber {
  number: number | null;
  changedAt: Instant;
}

const { enabled, stateSince, updatedAt, ...COLUMNS } = NEW_DEVICE_COLUMNS;

const HELD_ROW = rowShape<HeldDevice, 'leaseNumber' | 'loaded'>(
  'd',
  { ...COLUMNS, fault: 'text', lastMessageAt: 'timestamptz' },
  {
    leaseNumber: { sql: 'coalesce(h.number, l.number)::text' },
    // A load from before the setting was switched on is not sent.
    loaded: {
      sql: `case when d.sets_active_spool then (
        select json_build_object('number', case when k."to" is null then (select s.number from spools s where s.id = k.spool_id) end,
          'changedAt', coalesce(k."to", k."from"))
        from (select x.* from slot_loads x where x.printer_id = d.printer_id and x.slot = '${FIRST_SLOT}' order by x."from" desc limit 1) k
        where coalesce(k."to", k."from") > d.updated_at) end`,
      read: (loaded: LoadedNumber | null) =>
        loaded && { ...loaded, changedAt: new Date(loaded.changedAt).toISOString() },
    },
  },
);

/** How long ago a device sent its last message. The database computes the time itself, because all processes share its clock. */
export interface Contact {
  deviceId: string;
  agoMs: number;
}

/** The common table `contact`. */
const contactTable = (contacts: readonly Contact[]) => Prisma.sql`
  contact as (select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, "agoMs" float8))`;

/** Sets the time of the last message of a device `d`. */
const setLastMessageAt = Prisma.sql`last_message_at = coalesce(
  (select clock_timestamp() - c."agoMs" * interval '1 millisecond' from contact c where c."deviceId" = d.id), d.last_message_at)`;

/** Sets a device `d` to CONNECTING, because it has no connection while its holder changes. */
const setDisconnected = (condition = Prisma.sql`true`) => Prisma.sql`
  state_since = case when d.state = 'CONNECTED' and ${condition} then clock_timestamp()
    else least(d.state_since, clock_timestamp()) end,
  state = case when d.state = 'CONNECTED' and ${condition} then 'CONNECTING' else d.state end`;

export class HeldDeviceStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Renews the leases of this process, and takes devices that no process holds. An expired lease that nobody has taken is renewed too,
   * because it expires early if our clock was set. Returns all devices that this process holds now.
   * @param contacts the last contacts, which are stored with the renewals
   * @param kinds the kinds that this process can connect to
   * @param maxNewDevices how many more devices this process may take
   */
  async renewAndTake(
    holder: string,
    contacts: readonly Contact[],
    kinds: readonly string[],
    maxNewDevices: number,
  ): Promise<HeldDevice[]> {
    const rows = await this.database.json<unknown[][]>(
      'heldDevices.hold',
      Prisma.sql`
      with ${contactTable(contacts)}, free as (
        select d.id from devices d left join leases l on l.device_id = d.id
        where d.enabled and d.kind = any(${kinds}::text[]) and ${IS_FREE} and l.holder is distinct from ${holder}
        order by d.id limit ${maxNewDevices}::bigint for update of d skip locked
      ), own as (
        select d.id from devices d join leases l on l.device_id = d.id
        where d.enabled and l.holder = ${holder} and ${IS_DUE} for update of d
      ), h as (
        ${takeLeases(holder, Prisma.sql`select id::text as name, id as device_id from (select * from free union all select * from own) d`)}
      ), d as (
        update devices d set ${setLastMessageAt}, ${setDisconnected(Prisma.sql`d.id in (select id from free)`)}
        from h where d.id = h.device_id
      )
      select coalesce(json_agg(${HELD_ROW.json}), '[]') as value
      from devices d left join leases l on l.device_id = d.id left join h on h.device_id = d.id
      where h.number is not null or (d.enabled and l.holder = ${holder} and not ${IS_FREE})`,
    );
    return rows.map(HELD_ROW.read);
  }

  /** Stores the state of a connection. Returns false if this process no longer holds the device. */
  async storeState(lease: Lease, state: string, fault: string | null): Promise<boolean> {
    return this.database.attempt('heldDevices.announce', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with own as (select d.id from ${heldDevice(lease)} for update), d as (
          update devices d set state = ${state}, fault = ${fault}, state_since = clock_timestamp() from own
          where d.id = own.id and (d.state, d.fault) is distinct from (${state}, ${fault}::text)
        )
        select to_json(count(*) > 0) as value from own`,
      ),
    );
  }

  /** Releases the devices of this process, so that other processes can take them immediately. */
  async release(holder: string, contacts: readonly Contact[]): Promise<void> {
    await this.database.json(
      'heldDevices.release',
      Prisma.sql`
      with ${contactTable(contacts)}, own as (
        select d.id from devices d join leases l on l.device_id = d.id where l.holder = ${holder} for update
      ), d as (
        update devices d set ${setDisconnected()}, ${setLastMessageAt} from own where d.id = own.id returning d.id
      ), released as (
        update leases set holder = null, until = null
        where device_id in (select id from d) returning 1
      )
      select to_json(count(*)) as value from released`,
    );
  }

  /** Releases all leases of processes that were killed. Called only if no other process can use the database. */
  async releaseAll(): Promise<void> {
    await this.database.json(
      'heldDevices.takeBack',
      Prisma.sql`
      with l as (
        update leases set holder = null, until = null, number = number + 1 where holder is not null returning device_id
      ), d as (
        update devices d set ${setDisconnected()} from l where d.id = l.device_id
      )
      select to_json(count(*)) as value from l`,
    );
  }
}
