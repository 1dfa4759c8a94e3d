// Holds the statements that find weighings which note nothing of a job, and replace them by rows that note what the job had used.
import type { Queryable } from '../../database/queryable';
import { rowShape } from '../../database/rows';
import { CLOCK, matchesOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

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

export class EarlierWeighingsStore {
  constructor(private readonly database: Queryable) {}

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
}
