// The lease of a device: what a process compares in each statement that writes for the device.
import type { Queryable } from '../database/queryable';
import { Prisma } from '../generated/prisma/client';

export interface Lease {
  deviceId: string;
  /** The process. */
  holder: string;
  /** Grows at each change of the holder. */
  number: string;
}

/** Whether the lease of a device `d` is still the one of this holder and number, by the clock of the database. */
export const isHeld = (holder: Prisma.Sql, number: Prisma.Sql) =>
  Prisma.sql`d.holder = ${holder} and d.lease_number = ${number} and d.held_until > clock_timestamp()`;

/** The condition that the process holds the device `d`. */
export const holds = ({ deviceId, holder, number }: Lease) =>
  Prisma.sql`d.id = ${deviceId}::uuid and ${isHeld(Prisma.sql`${holder}`, Prisma.sql`${number}::bigint`)}`;

/** Whether the process holds the device, and holds it until the transaction ends. */
export const isHolder = (database: Queryable, lease: Lease): Promise<boolean> =>
  database.json(
    'leases.isHolder',
    Prisma.sql`
    with d as (select from devices d where ${holds(lease)} for share) select to_json(count(*) > 0) as value from d`,
  );
