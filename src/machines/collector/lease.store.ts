// Leases: which process holds a device, by the clock of the database.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { NEW_DEVICE_COLUMNS, type NewDevice } from '../../farm/devices/device.rows';
import { Prisma } from '../../generated/prisma/client';
import { holds, type Lease } from '../../sharing/lease';
import { IS_DUE, IS_FREE, LEASE_END } from '../../sharing/lease-time';
import type { Instant } from '../../values/instant';

/** A device that this process holds, as it is to be connected. */
export interface HeldDevice extends Omit<NewDevice, 'enabled' | 'stateSince' | 'updatedAt'> {
  fault: string | null;
  lastMessageAt: Instant | null;
  leaseNumber: string;
}

const { enabled, stateSince, updatedAt, ...COLUMNS } = NEW_DEVICE_COLUMNS;

const HELD_ROW = rowShape<HeldDevice, 'leaseNumber'>(
  'd',
  { ...COLUMNS, fault: 'text', lastMessageAt: 'timestamptz' },
  { leaseNumber: { sql: 'coalesce(h.lease_number, d.lease_number)::text' } },
);

/** How long ago a device was heard of: the time itself is that of the database, whose clock all processes share. */
export interface Contact {
  deviceId: string;
  agoMs: number;
}

const rowsOf = (contacts: readonly Contact[]) => Prisma.sql`
  select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, "agoMs" float8)`;
const LAST_MESSAGE_AT = Prisma.sql`coalesce(
  (select clock_timestamp() - c."agoMs" * interval '1 millisecond' from contact c where c."deviceId" = d.id), d.last_message_at)`;
/** A device has no connection while its holder changes. */
const cutOff = (condition = Prisma.sql`true`) => Prisma.sql`
  state_since = case when d.state = 'CONNECTED' and ${condition} then clock_timestamp()
    else least(d.state_since, clock_timestamp()) end,
  state = case when d.state = 'CONNECTED' and ${condition} then 'CONNECTING' else d.state end`;
const GIVEN_BACK = Prisma.sql`holder = null, held_until = null, ${cutOff()}`;
const IS_TAKEN = Prisma.sql`d.id in (select id from free)`;

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Renews the leases of this process, also those that are over while nobody has taken them: our clock was set. Takes devices
   * that no process holds.
   * Returns all devices that this process holds now.
   * @param contacts are stored with the renewals
   * @param kinds that this process can connect to
   * @param room for so many more devices
   */
  async hold(
    holder: string,
    contacts: readonly Contact[],
    kinds: readonly string[],
    room: number,
  ): Promise<HeldDevice[]> {
    const rows = await this.database.json<unknown[][]>(
      'leases.hold',
      Prisma.sql`
      with contact as (${rowsOf(contacts)}), free as (
        select d.id from devices d
        where d.enabled and d.kind = any(${kinds}::text[]) and ${IS_FREE} and d.holder is distinct from ${holder}
        order by d.id limit ${room}::bigint for update skip locked
      ), h as (
        update devices d set holder = ${holder}, held_until = ${LEASE_END},
          lease_number = d.lease_number + case when ${IS_TAKEN} then 1 else 0 end,
          last_message_at = ${LAST_MESSAGE_AT}, ${cutOff(IS_TAKEN)}
        where d.enabled and (${IS_TAKEN} or (d.holder = ${holder} and ${IS_DUE}))
        returning d.id, d.lease_number
      )
      select coalesce(json_agg(${HELD_ROW.json}), '[]') as value from devices d left join h on h.id = d.id
      where h.id is not null or (d.enabled and d.holder = ${holder} and not ${IS_FREE})`,
    );
    return rows.map(HELD_ROW.read);
  }

  /** Other processes can take them at once. */
  async release(holder: string, contacts: readonly Contact[]): Promise<void> {
    await this.database.json(
      'leases.release',
      Prisma.sql`
      with contact as (${rowsOf(contacts)}), released as (
        update devices d set ${GIVEN_BACK}, last_message_at = ${LAST_MESSAGE_AT}
        where d.holder = ${holder} returning 1
      )
      select to_json(count(*)) as value from released`,
    );
  }

  /** Takes all leases back, where no other process can have one: those of a process that was killed. */
  async takeBack(): Promise<void> {
    await this.database.json(
      'leases.takeBack',
      Prisma.sql`
      with back as (
        update devices d set ${GIVEN_BACK}, lease_number = d.lease_number + 1 where d.holder is not null returning 1
      )
      select to_json(count(*)) as value from back`,
    );
  }

  /** The state of the connection; false when the lease does not go on. */
  async announce(lease: Lease, state: string, fault: string | null): Promise<boolean> {
    return this.database.attempt('leases.announce', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with told as (
          update devices d set state = ${state}, fault = ${fault}, state_since = clock_timestamp()
          where ${holds(lease)} and (state, fault) is distinct from (${state}, ${fault}::text)
          returning 1
        )
        select to_json(exists (select from devices d where ${holds(lease)})) as value from (select count(*) from told) t`,
      ),
    );
  }
}
