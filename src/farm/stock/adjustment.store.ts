// The SQL of a spool's ledger: reads, locks and adds adjustments.
import { limitAndOffset, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { columnNames, memberNames, recordType } from '../../database/rows';
import { arrayParameter, CLOCK, joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages } from '../../sharing/batch';
import { parseInstant } from '../../values/instant';
import { defineCursors, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import {
  ADJUSTMENT_ROW,
  type AdjustmentRow,
  NEW_ADJUSTMENT_COLUMNS,
  type NewAdjustment,
  selectLedgerRows,
} from './adjustment.rows';
import { FIRST_END, REMAINING_GRAMS, SPOOL_SUMS, USE } from './stock.rows';

/** The clocks of replicas differ by less. A job whose end is at most this much later than the weighing had ended before the weighing. */
const MAX_CLOCK_DIFFERENCE = sql(`interval '1 minute'`);
/** A row of reports is never longer (reported-uses/reported-uses.sql). */
const LONGEST_REPORTED_USE = sql(`interval '10 minutes'`);
const { printing: _, ...WITHOUT_PRINTING } = NEW_ADJUSTMENT_COLUMNS;
const CURSORS = defineCursors('adjustments of a spool', parseInstant, parseText);

/** A job in the status Printing that uses a spool. */
export interface PrintingJob {
  id: string;
  name: string;
  /** The print that a machine reports for the job; `null` if no machine reports one. */
  printId: string | null;
}

/** A locked spool: it does not change until the transaction ends. */
export interface LockedSpool {
  isArchived: boolean;
  isEmpty: boolean;
  tareGrams: string | null;
  loadedIn: { printerId: string; slot: string } | null;
}

export class AdjustmentStore {
  constructor(private readonly database: Queryable) {}

  /** The adjustments of a spool, newest first. */
  readonly ofSpool = batchedPages<PageRange, AdjustmentRow>((range) => {
    const conditions = [sql('d.spool_id = k.id')];
    if (range.after !== null) {
      const [at, id] = CURSORS.keyOf(range.after);
      conditions.push(Prisma.sql`(d.at, d.id) < (${at}::timestamptz, ${id}::bigint)`);
    }
    const page = {
      rows: Prisma.sql`
        select ${ADJUSTMENT_ROW.json} as row from (${selectLedgerRows(
          'k.id',
          Prisma.sql`
          select d.at, d.id from spool_adjustments d where ${joinConditions(conditions)} order by d.at desc, d.id desc ${limitAndOffset(range)}`,
        )}) d
        order by d.at desc, d.id desc`,
      total: sql('null'),
    };
    return (spools) =>
      readPagesByOwner(this.database, 'adjustments.ofSpool', ADJUSTMENT_ROW, spools, page, range, ({ at, id }) =>
        CURSORS.to(at, id),
      );
  });

  async byId(id: string): Promise<AdjustmentRow | null> {
    const [row = null] = await this.database.rows(
      'adjustments.byId',
      ADJUSTMENT_ROW,
      Prisma.sql`
      select ${ADJUSTMENT_ROW.json} as row from spool_adjustments k cross join lateral (
        ${selectLedgerRows('k.spool_id', Prisma.sql`select k.at, k.id`)}) d where k.id = ${id}::bigint`,
    );
    return row;
  }

  /** @returns null if there is no such spool. The spool stays locked until the transaction ends. */
  async lockSpool(spoolId: string): Promise<LockedSpool | null> {
    await this.database.json(
      'adjustments.lock',
      Prisma.sql`
      with s as (select from spools where id = ${spoolId}::uuid for update) select to_json(count(*)) as value from s`,
    );
    // A second statement reads the sums, because the first statement may have waited for the lock and would still see older sums.
    return this.database.json(
      'adjustments.locked',
      Prisma.sql`
      select json_build_object('isArchived', s.archived_at is not null, 'isEmpty', ${REMAINING_GRAMS} = 0,
        'tareGrams', coalesce(s.tare_grams, f.tare_grams)::text,
        'loadedIn', (select json_build_object('printerId', l.printer_id, 'slot', l.slot) from slot_loads l
          where l.spool_id = s.id and l.to is null)) as value
      from spools s left join filaments f on f.id = s.filament_id cross join ${SPOOL_SUMS} where s.id = ${spoolId}::uuid`,
    );
  }

  /**
   * The jobs that print from these spools now, by the ids of the spools. A job that gets its part of a spool only later counts too, if the
   * spool is in its printer.
   */
  printingJobs(spoolIds: readonly string[]): Promise<Record<string, PrintingJob[]>> {
    const id = sql('k.id');
    return this.database.json(
      'adjustments.printingOf',
      Prisma.sql`
      select coalesce(json_object_agg(k.id, p.jobs), '{}') as value
      from unnest(${arrayParameter(spoolIds, 'uuid')}) as k (id) cross join lateral (
      select json_agg(json_build_object('id', j.id, 'name', j.print_name,
        'printId', (select o.id from observed_prints o where o.job_id = j.id)) order by j.id) as jobs
      from print_jobs j where j.status = 'Printing'
        and (j.spool_id = ${id} or j.divided and exists (select from print_job_parts p where p.job_id = j.id and p.spool_id = ${id})
          or exists (select from observed_prints o join slot_loads l on l.printer_id = o.printer_id and l.spool_id = ${id}
            where o.job_id = j.id and o.outcome = 'RUNNING' and coalesce(l.to > coalesce(o.started_at, o.created_at), true)))
      ) p where p.jobs is not null`,
    );
  }

  /**
   * Adds adjustments and returns their ids. A spool that was removed gets no adjustment. An adjustment gets the time of this gateway, but no
   * earlier time than the newest adjustment and the end of each job and report of the spool, and no later time than the clock of the
   * database. If a wrong clock gave a job an even later end, the job had nevertheless ended before, so a weighing notes all grams of the job.
   */
  add(adjustments: readonly NewAdjustment[], now: string): Promise<string[]> {
    const isJobOfSpool = Prisma.sql`(j.spool_id = s.id or j.divided and j.id in (
      select p.job_id from print_job_parts p where p.spool_id = s.id))`;
    const printing = sql(
      `case when "netGrams" is null then "printing" else noting_ended_jobs("printing", s.id, t.at, 'infinity') end`,
    );
    return this.database.json(
      'adjustments.add',
      Prisma.sql`
      with a as (
        insert into spool_adjustments (at, ${columnNames(WITHOUT_PRINTING)}, printing)
        select t.at, ${memberNames(WITHOUT_PRINTING)}, ${printing}
        from json_to_recordset(${JSON.stringify(adjustments)}::json) as given (${recordType(NEW_ADJUSTMENT_COLUMNS)})
          join spools s on s.id = given."spoolId"
          cross join lateral (select least(greatest(${now}::timestamptz, (
              select max(${FIRST_END}) from print_jobs j where ${isJobOfSpool} and ${USE} in ('completed', 'wasted')
                and ${FIRST_END} <= ${now}::timestamptz + ${MAX_CLOCK_DIFFERENCE}
            ), (
              select max(r.ended_at) from reported_uses r where r.spool_id = s.id
                and r.started_at > ${now}::timestamptz - ${LONGEST_REPORTED_USE} and r.ended_at <= ${now}::timestamptz + ${MAX_CLOCK_DIFFERENCE}
            ), (
              select max(d.at) from spool_adjustments d where d.spool_id = s.id and d.taken_back_at is null and d.at <= ${CLOCK}
            )), date_trunc('milliseconds', ${CLOCK})) as at) t
        returning id
      )
      select coalesce(json_agg(id::text), '[]') as value from a`,
    );
  }

  /** @returns false if there is no such adjustment, or if it was already undone */
  takeBack(id: string, by: string | null, note: string | null, now: string): Promise<boolean> {
    return this.database.json(
      'adjustments.takeBack',
      Prisma.sql`
      with a as (
        update spool_adjustments set taken_back_at = ${now}::timestamptz, taken_back_by = ${by}::text, taken_back_note = ${note}::text
        where id = ${id}::bigint and taken_back_at is null returning 1
      )
      select to_json(count(*) > 0) as value from a`,
    );
  }
}
