// The statements that put a spool into a slot, or take it out.
import limit from 'p-limit';
import { violatedConstraint } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { CLOCK, evidence, sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import { type RequestTime, refuseLate } from '../../values/request-time';
import { inUse } from './inventory.rows';
import { MAX_SLOTS_OF_PRINTER } from './slot.store';

/** A spool into a slot; null: what is in it is taken out. */
export interface SlotLoading {
  printerId: string;
  slot: string;
  spoolId: string | null;
}

/** A change of a slot is decided by these values. But for loadedAt, a time that is no evidence (asEvidence of values/instant.ts) does not count. */
export interface SlotSituation {
  /** The slot holds the wanted spool already, or is empty as wanted. */
  isSame: boolean;
  /** As it is stored: when the spool that is in the slot was put there. */
  loadedAt: Instant | null;
  /** When the slot or the spool was last changed. */
  changedAt: Instant | null;
  /** When the load before ended, of the slot or of the spool. */
  endedAt: Instant | null;
  /** By the clock of the gateway or by that of the database, whichever is later. */
  latestNow: Instant;
}

/** A situation `k`. */
const SITUATION_ROW = rowShape<SlotSituation>('k', {
  isSame: 'boolean',
  loadedAt: 'timestamptz',
  changedAt: 'timestamptz',
  endedAt: 'timestamptz',
  latestNow: 'timestamptz',
});

export class SlotChangeStore {
  /** A change that waits for its turn holds no connection, and changes of one transaction do not mix. */
  private readonly inTurn = limit(1);

  constructor(private readonly database: Queryable) {}

  /**
   * False when the printer or the spool is gone or archived, or when another program wrote a load of them at the same time.
   * @param beginOf when the spool is put in or taken out; null: nothing changes
   */
  change(
    loading: SlotLoading,
    time: Pick<RequestTime, 'now' | 'deadline'>,
    beginOf: (situation: SlotSituation) => Instant | null,
  ): Promise<boolean> {
    return this.inTurn(() => {
      refuseLate(time);
      return this.changeNow(loading, time.now, beginOf);
    });
  }

  private async changeNow(
    loading: SlotLoading,
    now: Instant,
    beginOf: (situation: SlotSituation) => Instant | null,
  ): Promise<boolean> {
    try {
      return await this.database.transaction(async (transaction) => {
        if (loading.spoolId !== null && !(await lockInUse(transaction, loading))) return false;
        await waitForTurn(transaction);
        const situation = await readSituation(transaction, loading, now);
        const begin = beginOf(situation);
        if (begin !== null) await writeLoad(transaction, loading, situation, begin);
        return true;
      });
    } catch (error) {
      const violated = violatedConstraint(error);
      if (violated?.constraint === 'printer_slots_at_most') {
        const has = `it has ${MAX_SLOTS_OF_PRINTER} already, and no printer has more`;
        throw new BadInput(`must be one of the slots that the printer has: ${has}`, 'slot');
      }
      if (CONSTRAINTS_OF_RACES.has(violated?.constraint ?? '')) return false;
      throw error;
    }
  }
}

const CONSTRAINTS_OF_RACES = new Set(['slot_loads_spool_once', 'slot_loads_slot_once', 'slot_loads_pkey']);

/** Keeps the printer and the spool in use until the transaction ends. */
function lockInUse(database: Queryable, { printerId, spoolId }: SlotLoading): Promise<boolean> {
  return database.json(
    'slotChanges.isAdmitted',
    Prisma.sql`
    with a as materialized (
      select from (${inUse('printers', Prisma.sql`${printerId}::uuid`)}) printer,
        lateral (${inUse('spools', Prisma.sql`${spoolId}::uuid`)}) spool
    )
    select to_json(count(*) > 0) as value from a`,
  );
}

/**
 * The gateways change slots one after the other: a change may touch the rows of three slots, and is decided by them. Another
 * program that takes no turn is stopped by the constraints of the table.
 */
async function waitForTurn(database: Queryable): Promise<void> {
  const lock = sql("pg_advisory_xact_lock('slot_loads'::regclass::bigint)");
  await database.json('slotChanges.takeTurn', Prisma.sql`select to_json(${lock} is not null) as value`);
}

/**
 * A gateway whose clock is behind that of the database must not take what others wrote for times that are still to come, which
 * would be removed.
 */
async function readSituation(database: Queryable, loading: SlotLoading, now: Instant): Promise<SlotSituation> {
  const { printerId, slot, spoolId } = loading;
  const latest = sql('n.latest_now');
  const [from, to] = [evidence('l.from', latest), evidence('l.to', latest)];
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
 * What else was in the slot, and where else the spool was, ends then. A load of which nothing is left is removed: it was replaced
 * at the instant of its begin, or its begin is later than now and therefore not known.
 */
async function writeLoad(
  database: Queryable,
  { printerId, slot, spoolId }: SlotLoading,
  { isSame }: SlotSituation,
  begin: Instant,
): Promise<void> {
  const others: Prisma.SlotLoadWhereInput = {
    OR: [{ printerId, slot }, ...(spoolId === null ? [] : [{ spoolId }])],
    ...(isSame && { NOT: { spoolId: spoolId as string, to: null } }),
  };
  const isOpen = { OR: [{ to: null }, { to: { gt: begin } }] };
  await database.attempt('slotChanges.write', async ({ prisma }) => {
    await prisma.slotLoad.deleteMany({ where: { AND: [others, { from: { gte: begin } }] } });
    await prisma.slotLoad.updateMany({
      where: { AND: [others, isOpen, { from: { lt: begin } }] },
      data: { to: begin },
    });
    if (spoolId === null) return;
    if (isSame) await prisma.slotLoad.updateMany({ where: { spoolId, to: null }, data: { from: begin } });
    else await prisma.slotLoad.createMany({ data: { printerId, slot, spoolId, from: begin } });
  });
}
