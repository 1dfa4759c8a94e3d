// Leases: which process holds a device, by the clock of the database.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';
import { holds, type Lease } from '../../observed-prints/lease';
import type { Instant } from '../../values/instant';
import { NEW_DEVICE_COLUMNS, type NewDevice } from '../device.rows';

const LEASE = Prisma.sql`interval '30 seconds'`;
/** A lease is renewed when it has so much left: every 10 s. */
const RENEWED_AT = Prisma.sql`interval '20 seconds'`;

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

/** When a device was last heard of. */
export interface Contact {
  deviceId: string;
  at: Instant;
}

const rowsOf = (contacts: readonly Contact[]) => Prisma.sql`
  select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, at timestamptz)`;
const LAST_MESSAGE_AT = Prisma.sql`greatest(last_message_at, (select c.at from contact c where c."deviceId" = id))`;

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Renews the leases of this process and takes devices that no process holds.
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
        select id from devices
        where enabled and kind = any(${kinds}::text[]) and (held_until is null or held_until < clock_timestamp())
        order by id limit ${room}::bigint for update skip locked
      ), h as (
        update devices set holder = ${holder}, held_until = clock_timestamp() + ${LEASE},
          lease_number = lease_number + case when id in (select id from free) then 1 else 0 end,
          last_message_at = ${LAST_MESSAGE_AT}
        where enabled and (id in (select id from free) or (holder = ${holder}
          and held_until between clock_timestamp() and clock_timestamp() + ${RENEWED_AT}))
        returning id, lease_number
      )
      select coalesce(json_agg(${HELD_ROW.json}), '[]') as value from devices d left join h on h.id = d.id
      where h.id is not null or (d.enabled and d.holder = ${holder} and d.held_until > clock_timestamp())`,
    );
    return rows.map(HELD_ROW.read);
  }

  /** Other processes can take them at once. */
  async release(holder: string, contacts: readonly Contact[]): Promise<void> {
    await this.database.json(
      'leases.release',
      Prisma.sql`
      with contact as (${rowsOf(contacts)}), released as (
        update devices set holder = null, held_until = null,
          last_message_at = ${LAST_MESSAGE_AT}
        where holder = ${holder} returning 1
      )
      select to_json(count(*)) as value from released`,
    );
  }

  /** The state of the connection, unless the lease was lost. */
  async tell(lease: Lease, state: string, fault: string | null): Promise<void> {
    await this.database.attempt('leases.tell', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with told as (
          update devices d set state = ${state}, fault = ${fault}, state_since = clock_timestamp()
          where ${holds(lease)} and (state, fault) is distinct from (${state}, ${fault}::text)
          returning 1
        )
        select to_json(count(*)) as value from told`,
      ),
    );
  }
}
