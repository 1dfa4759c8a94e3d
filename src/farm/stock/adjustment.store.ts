// The SQL of a spool's ledger: reads, locks and adds adjustments.
import { limitAndOffset, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { columnNames, memberNames, recordType, rowShape } from '../../database/rows';
import { arrayParameter, CLOCK, joinConditions, matchesOneOf, sql } from '../../database/sql';
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
const { printing: _, ...WITHOUT_PRINTING } = NEW_ADJUSTMENT_COLUMNS;
const CURSORS = defineCursors('adjustments of a spool', parseInstant, parseText);

/** A job in the status Printing that uses a spool. */
export interface PrintingJob {
  id: string;
  name: string;
  /** The print that a machine reports for the job; `null` if no machine reports one. */
  printId: string | null;
}

/** A weighing that was made while a print was running, and notes nothing of its job. */
export interface EarlierWeighing {
  id: string;
  spoolId: string;
  at: string;
  netGrams: string;
  /** Whether it notes that the job had used nothing, because the spool was not yet known to be of the job. */
  isNoted: boolean;
}

const EARLIER_WEIGHING = rowShape<EarlierWeighing>('w', {
  id: 'bigint',
  spoolId: 'uuid',
  at: 'timestamptz',
  netGrams: 'numeric',
  isNoted: 'boolean',
});
const JOB_NOTED =
  'The print that was using this spool was booked later. A row that counts what the print had used by then replaces this one.';

const ROW_MOVED =
  'A weighing of the same time was replaced by another row. A row with the same content follows that row.';

/** What a job had used of the spool at a weighing; null: all grams of the job. */
export interface NotedWeighing {
  id: string;
  grams: string | null;
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
   * earlier time than the newest adjustment and the end of each job of the spool, and no later time than the clock of the database. If a
   * wrong clock gave a job an even later end, the job had nevertheless ended before, so a weighing notes all grams of the job.
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
              select max(d.at) from spool_adjustments d where d.spool_id = s.id and d.taken_back_at is null and d.at <= ${CLOCK}
            )), date_trunc('milliseconds', ${CLOCK})) as at) t
        returning id
      )
      select coalesce(json_agg(id::text), '[]') as value from a`,
    );
  }

  /**
   * Waits until no other transaction adds rows to the ledgers of these spools, and keeps them from doing so. A row whose time is in the future
   * gets its right time first, because a copy of an earlier row would otherwise move it before that row.
   */
  async holdLedgers(spoolIds: readonly string[]): Promise<void> {
    await this.database.json(
      'adjustments.holdLedgers',
      Prisma.sql`
      with s as materialized (select id from spools where ${matchesOneOf('id', spoolIds, 'uuid')} order by id for share),
        redated as materialized (select redate_adjustments_ahead(s.id, ${CLOCK}) from s)
      select to_json(count(*)) as value from redated`,
    );
  }

  /**
   * Locks and reads the weighings of these spools in a range of time that note nothing of the job. A starting weight is no weighing.
   * @param until null: until now, by the clock of the database
   */
  async weighingsWithoutJob(
    jobId: string,
    spoolIds: readonly string[],
    after: string,
    until: string | null,
  ): Promise<EarlierWeighing[]> {
    const isBefore = until === null ? Prisma.sql`a.at <= ${CLOCK}` : Prisma.sql`a.at < ${until}::timestamptz`;
    const condition = Prisma.sql`a.kind = 'WEIGHED' and a.taken_back_at is null and a.at > ${after}::timestamptz and ${isBefore}
      and (a.printing->${jobId}::text is null or a.printing->>${jobId}::text = '0') and ${matchesOneOf('a.spool_id', spoolIds, 'uuid')}`;
    const read = () =>
      this.database.rows(
        'adjustments.weighingsWithoutJob',
        EARLIER_WEIGHING,
        Prisma.sql`
        select ${EARLIER_WEIGHING.json} as row from (
          select a.*, a.printing->${jobId}::text is not null as is_noted from spool_adjustments a where ${condition}
        ) w order by w.at, w.id`,
      );
    let weighings = await read();
    let locked: string[] = [];
    // Another transaction may replace a row while this one waits for its lock. Then the copy is read and locked.
    while (weighings.some(({ id }) => !locked.includes(id))) {
      locked = await this.database.json(
        'adjustments.lockWeighings',
        Prisma.sql`
        with a as (select a.id from spool_adjustments a where ${condition} order by a.id for update)
        select coalesce(json_agg(id::text), '[]') as value from a`,
      );
      weighings = await read();
    }
    return weighings;
  }

  /**
   * Notes in weighings what a job had used by then. A row never changes, so a copy of the row replaces it, with the same time. Later rows of
   * the same millisecond are copied too, so that they stay behind the weighing.
   */
  async noteJob(jobId: string, weighings: readonly NotedWeighing[], now: string): Promise<void> {
    await this.database.json(
      'adjustments.noteJob',
      Prisma.sql`
      with noted as materialized (
        select n.id, n.grams from json_to_recordset(${JSON.stringify(weighings)}::json) as n (id bigint, grams text)
      ), old as materialized (
        select a.*, n.grams as noted_grams, n.id is not null as is_noted from spool_adjustments a left join noted n on n.id = a.id
        where a.taken_back_at is null and exists (
          select from spool_adjustments w where w.id in (select id from noted) and w.spool_id = a.spool_id and w.at = a.at and w.id <= a.id)
      ), undone as materialized (
        update spool_adjustments a set taken_back_at = ${now}::timestamptz,
          taken_back_note = case when o.is_noted then ${JOB_NOTED} else ${ROW_MOVED} end
        from old o where a.id = o.id and a.taken_back_at is null returning a.id
      ), copies as (
        insert into spool_adjustments (spool_id, kind, at, net_grams, gross_grams, tare_grams, grams, printing, note, by)
        select o.spool_id, o.kind, o.at, o.net_grams, o.gross_grams, o.tare_grams, o.grams, case when o.is_noted
            then (coalesce(o.printing::jsonb, '{}') || jsonb_build_object(${jobId}::text, o.noted_grams))::json else o.printing end,
          o.note, o.by
        from old o join undone u on u.id = o.id order by o.at, o.id
        returning 1
      )
      select to_json(count(*)) as value from copies`,
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
