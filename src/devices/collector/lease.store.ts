// Leases: which process holds a device, by the clock of the database.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { Prisma } from '../../generated/prisma/client';
import type { Lease } from '../../observed-prints/print-recorder.store';
import type { Instant } from '../../values/instant';

const LEASE = Prisma.sql`interval '30 seconds'`;
/** A lease is renewed when it has so much left: every 10 s. */
const RENEWED_AT = Prisma.sql`interval '20 seconds'`;

/** A device that this process holds, as it is to be connected. */
export interface HeldDevice {
  id: string;
  kind: string;
  printerId: string | null;
  cameraId: string | null;
  address: string;
  serial: string | null;
  username: string | null;
  /** Encrypted. */
  secret: string | null;
  certificateFingerprint: string | null;
  state: string;
  fault: string | null;
  lastMessageAt: Instant | null;
  createdAt: Instant;
  leaseNumber: string;
}

const HELD_ROW = rowShape<HeldDevice, 'leaseNumber'>(
  'd',
  {
    id: 'uuid',
    kind: 'text',
    printerId: 'uuid',
    cameraId: 'text',
    address: 'text',
    serial: 'text',
    username: 'text',
    secret: 'text',
    certificateFingerprint: 'text',
    state: 'text',
    fault: 'text',
    lastMessageAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  { leaseNumber: { sql: 'coalesce(h.lease_number, d.lease_number)::text' } },
);

/** When a device was last heard of. */
export interface Contact {
  deviceId: string;
  at: Instant;
}

export class LeaseStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Renews the leases of this process, takes devices that nobody holds, and returns all that it holds.
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
      with contact as (
        select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, at timestamptz)
      ), free as (
        select id from devices
        where enabled and kind = any(${kinds}::text[]) and (held_until is null or held_until < clock_timestamp())
        order by id limit ${room}::bigint for update skip locked
      ), h as (
        update devices set holder = ${holder}, held_until = clock_timestamp() + ${LEASE},
          lease_number = lease_number + case when id in (select id from free) then 1 else 0 end,
          last_message_at = greatest(last_message_at, (select c.at from contact c where c."deviceId" = id))
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
      with contact as (
        select * from json_to_recordset(${JSON.stringify(contacts)}::json) as c ("deviceId" uuid, at timestamptz)
      ), released as (
        update devices set holder = null, held_until = null,
          last_message_at = greatest(last_message_at, (select c.at from contact c where c."deviceId" = id))
        where holder = ${holder} returning 1
      )
      select to_json(count(*)) as value from released`,
    );
  }

  /** The state of the connection, unless the lease was lost. */
  async tell({ deviceId, holder, number }: Lease, state: string, fault: string | null): Promise<void> {
    await this.database.attempt('leases.tell', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with told as (
          update devices set state = ${state}, fault = ${fault}, state_since = clock_timestamp()
          where id = ${deviceId}::uuid and holder = ${holder} and lease_number = ${number}::bigint
            and held_until > clock_timestamp() and (state, fault) is distinct from (${state}, ${fault}::text)
          returning 1
        )
        select to_json(count(*)) as value from told`,
      ),
    );
  }
}
