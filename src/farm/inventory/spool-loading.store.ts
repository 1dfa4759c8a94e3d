// Writes that a spool was put into a slot or taken out. Loads of one slot never overlap, and neither do loads of one spool: the exclusion
// constraints slot_loads_slot_once and slot_loads_spool_once refuse what another program writes at the same time.
import limit from 'p-limit';
import { violatedConstraint } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { CLOCK, sql, withoutFutureTime } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { selectUnarchived } from './inventory.rows';
import { MAX_SLOTS_OF_PRINTER } from './printer-slot.store';

/** A spool to put into a slot; without a spool (`null`), the spool in the slot is taken out. */
export interface SlotLoading {
  printerId: string;
  slot: string;
  spoolId: string | null;
}

/**
 * The values that decide a change of a slot. Except for `loadedAt`, times in the future are left out, because a wrong clock
 * wrote them (withoutFutureTime of database/sql.ts).
 */
export interface SlotSituation {
  /** Whether the slot already holds the wanted spool, or is already empty as wanted. */
  isSame: boolean;
  /** The stored time at which the present spool was put into the slot. */
  loadedAt: Instant | null;
  /** When a load of the slot or of the spool last started or ended. */
  changedAt: Instant | null;
  /** When the previous load of the slot or of the spool ended. */
  endedAt: Instant | null;
  /** The later time of the gateway's clock and the database's clock. */
  latestNow: Instant;
}

/** The members of a situation `k`. */
const SITUATION_ROW = rowShape<SlotSituation>('k', {
  isSame: 'boolean',
  loadedAt: 'timestamptz',
  changedAt: 'timestamptz',
  endedAt: 'timestamptz',
  latestNow: 'timestamptz',
});

export class SpoolLoadingStore {
  /** Runs one change at a time, so that a waiting change holds no connection, and changes of one transaction do not mix. */
  private readonly queue = limit(1);

  constructor(private readonly database: Queryable) {}

  /**
   * @returns false if the printer or the spool is gone or archived, or if another program wrote a load of them at the same time
   * @param decideStart decides when the spool is put in or taken out; null if nothing changes
   */
  change(
    loading: SlotLoading,
    time: Pick<RequestTime, 'now' | 'deadline'>,
    decideStart: (situation: SlotSituation) => Instant | null,
  ): Promise<boolean> {
    return this.queue(() => {
      refusePastDeadline(time);
      return this.changeNow(loading, time.now, decideStart);
    });
  }

  private async changeNow(
    loading: SlotLoading,
    now: Instant,
    decideStart: (situation: SlotSituation) => Instant | null,
  ): Promise<boolean> {
    try {
      return await this.database.transaction(async (transaction) => {
        if (loading.spoolId !== null && !(await lockInUse(transaction, loading))) return false;
        await waitForTurn(transaction);
        const situation = await readSituation(transaction, loading, now);
        const start = decideStart(situation);
        if (start !== null) await writeLoad(transaction, loading, situation, start);
        return true;
      });
    } catch (error) {
      const violated = violatedConstraint(error);
      if (violated?.constraint === 'printer_slots_at_most') {
        throw new BadInput(
          `must be a slot that the printer already has, because the printer has ${MAX_SLOTS_OF_PRINTER} slots, which is the maximum`,
          'slot',
        );
      }
      if (CONSTRAINTS_OF_RACES.has(violated?.constraint ?? '')) return false;
      throw error;
    }
  }
}

/** Constraints of slot_loads that another program can violate together with this change: no overlapping loads of a spool or of a slot. */
const CONSTRAINTS_OF_RACES = new Set(['slot_loads_spool_once', 'slot_loads_slot_once', 'slot_loads_pkey']);

/** Locks the printer and the spool, so that nobody archives them until the transaction ends. */
function lockInUse(database: Queryable, { printerId, spoolId }: SlotLoading): Promise<boolean> {
  return database.json(
    'slotChanges.isAdmitted',
    Prisma.sql`
    with a as materialized (
      select from (${selectUnarchived('printers', Prisma.sql`${printerId}::uuid`)}) printer,
        lateral (${selectUnarchived('spools', Prisma.sql`${spoolId}::uuid`)}) spool
    )
    select to_json(count(*) > 0) as value from a`,
  );
}

/**
 * Waits until no other gateway changes a slot. A change reads and writes the rows of up to three slots, so changes run one after the other.
 * Another program that does not wait is stopped by the constraints of the table.
 */
async function waitForTurn(database: Queryable): Promise<void> {
  const lock = sql("pg_advisory_xact_lock('slot_loads'::regclass::bigint)");
  await database.json('slotChanges.takeTurn', Prisma.sql`select to_json(${lock} is not null) as value`);
}

/**
 * Reads what decides the change, by the later time of the two clocks. Otherwise a gateway whose clock is behind would take recent rows of
 * other gateways for rows of the future, and remove them.
 */
async function readSituation(database: Queryable, loading: SlotLoading, now: Instant): Promise<SlotSituation> {
  const { printerId, slot, spoolId } = loading;
  const latest = sql('n.latest_now');
  const [from, to] = [withoutFutureTime('l.from', latest), withoutFutureTime('l.to', latest)];
  const [situation] = await database.rows(
    'slotChanges.situation',
    SITUATION_ROW,
    Prisma.sql`
    with clocks (latest_now) as materialized (
      select greatest(${now}::timestamptz, date_trunc('milliseconds', ${CLOCK}))
    ), given (printer_id, slot, spool_id) as (values (${printerId}::uuid, ${slot}, ${spoolId}::uuid)
    ), present as (
      select l.* from given g join slot_loads l on l.printer_id = g.printer_id and l.slot = g.slot and l.to is null
    ), touched as (
      select max(greatest(${from}, ${to})) as changed_at, max(${to}) as ended_at
      from clocks n, given g join slot_loads l on (l.printer_id = g.printer_id and l.slot = g.slot)
        or l.spool_id = coalesce(g.spool_id, (select p.spool_id from present p))
    )
    select ${SITUATION_ROW.json} as row from (
      select g.spool_id is not distinct from p.spool_id as is_same, p.from as loaded_at, t.changed_at, t.ended_at, n.latest_now
      from given g left join present p on true, touched t, clocks n
    ) k`,
  );
  return situation as SlotSituation;
}

/**
 * Writes the load. Other loads of the slot and of the spool end when this load starts. A load that would start at the same instant or later
 * is removed, because a start in the future was written by a wrong clock.
 */
async function writeLoad(
  database: Queryable,
  { printerId, slot, spoolId }: SlotLoading,
  { isSame }: SlotSituation,
  start: Instant,
): Promise<void> {
  const otherLoads: Prisma.SlotLoadWhereInput = {
    OR: [{ printerId, slot }, ...(spoolId === null ? [] : [{ spoolId }])],
    ...(isSame && { NOT: { spoolId: spoolId as string, to: null } }),
  };
  const isOpen = { OR: [{ to: null }, { to: { gt: start } }] };
  await database.attempt('slotChanges.write', async ({ prisma }) => {
    await prisma.slotLoad.deleteMany({ where: { AND: [otherLoads, { from: { gte: start } }] } });
    await prisma.slotLoad.updateMany({
      where: { AND: [otherLoads, isOpen, { from: { lt: start } }] },
      data: { to: start },
    });
    if (spoolId === null) return;
    if (isSame) await prisma.slotLoad.updateMany({ where: { spoolId, to: null }, data: { from: start } });
    else await prisma.slotLoad.createMany({ data: { printerId, slot, spoolId, from: start } });
  });
}
