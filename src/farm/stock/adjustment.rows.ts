// The columns of a spool's ledger, and the SQL that calculates the grams of each row.
import { type Columns, columnMember, nestedRow, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { AdjustmentKind, SpoolAdjustment } from './adjustment.types';
import { FIRST_END, NOTED, selectLatestWeighing, selectUses, USE } from './stock.rows';

/** An adjustment as the gateway writes it. The database assigns the id. */
export interface NewAdjustment {
  spoolId: string;
  kind: AdjustmentKind;
  netGrams: string | null;
  grossGrams: string | null;
  tareGrams: string | null;
  grams: string | null;
  /** The grams that each printing job has used, by the id of the job; `null` for a job whose grams all count before the weighing. */
  printing: Record<string, string | null> | null;
  note: string | null;
  by: string | null;
}

export const NEW_ADJUSTMENT_COLUMNS = {
  spoolId: 'uuid',
  kind: 'text',
  netGrams: 'numeric',
  grossGrams: 'numeric',
  tareGrams: 'numeric',
  grams: 'numeric',
  printing: 'json',
  note: 'text',
  by: 'text',
} satisfies Columns<NewAdjustment>;

export interface AdjustmentRow extends SpoolAdjustment {
  spoolId: string;
}

type TakenBack = NonNullable<SpoolAdjustment['takenBack']>;

const TAKEN_BACK = rowShape<TakenBack, keyof TakenBack>(
  'd',
  {},
  {
    at: columnMember('d.taken_back_at', 'timestamptz'),
    by: columnMember('d.taken_back_by', 'text'),
    note: columnMember('d.taken_back_note', 'text'),
  },
);

/** The members of a row `d` of `selectLedgerRows`. */
export const ADJUSTMENT_ROW = rowShape<AdjustmentRow, 'grams' | 'printingGrams' | 'takenBack'>(
  'd',
  {
    id: 'bigint',
    spoolId: 'uuid',
    kind: 'text',
    at: 'timestamptz',
    netGrams: 'numeric',
    grossGrams: 'numeric',
    tareGrams: 'numeric',
    note: 'text',
    by: 'text',
  },
  {
    grams: columnMember('trim_scale(d.found_grams)', 'numeric'),
    printingGrams: columnMember('trim_scale(d.noted_grams)', 'numeric'),
    takenBack: nestedRow(TAKEN_BACK, (json) => `case when d.taken_back_at is not null then ${json} end`),
  },
);

const IS_WEIGHING = sql('(c.net_grams is not null and c.taken_back_at is null)');

/**
 * Selects adjustments with their grams. A weighing gets the grams that no job and no correction since the previous weighing explains.
 * The jobs of the spool are read once for all rows: a page of 1,000 rows of a spool with 1,500 jobs took 17 s when each row read them.
 *
 * `c` has the rows from the weighing before the page on, with the sum of all corrections up to the row and the number of the weighing.
 * `b` has the grams that ended jobs used between two weighings. A job that ends in the same millisecond as a weighing counts before it.
 * @param page the `at` and the `id` of rows of the spool
 */
export const selectLedgerRows = (spool: string, page: Prisma.Sql) => Prisma.sql`
  with page as materialized (${page}), c as materialized (
    select a.*, coalesce(sum(a.grams) filter (where a.taken_back_at is null) over w, 0) as corrected,
      count(a.net_grams) filter (where a.taken_back_at is null) over w as weighing
    from (select p.at, p.id from page p order by p.at, p.id limit 1) oldest
      left join lateral ${selectLatestWeighing(spool, '(a.at, a.id) < (oldest.at, oldest.id)')} l on true
      join spool_adjustments a on a.spool_id = ${sql(spool)} and (l.id is null or (a.at, a.id) >= (l.at, l.id))
        and (a.at, a.id) <= (select p.at, p.id from page p order by p.at desc, p.id desc limit 1)
    window w as (order by a.at, a.id)
  ), b as (
    select width_bucket(u.first_end, f.ends) + 1 as weighing, sum(u.grams) as grams
    from (select array_agg(c.at + interval '1 millisecond' order by c.weighing) as ends from c where ${IS_WEIGHING}) f
      cross join lateral (${sql(selectUses(spool, `${USE.text} as use, ${FIRST_END.text} as first_end`))}) u
    where u.use <> 'planned' group by 1
  )
  select d.* from (
    select c.*, n.noted as noted_grams, case when c.taken_back_at is not null then 0
        when c.net_grams is null then c.grams
        else c.net_grams + n.later + coalesce(b.grams, 0)
          - coalesce(lag(c.net_grams + n.later) over w, (select s.weight_total_grams from spools s where s.id = ${sql(spool)}))
          - c.corrected + coalesce(lag(c.corrected) over w, 0)
      end as found_grams
    from c left join b on ${IS_WEIGHING} and b.weighing = c.weighing cross join ${NOTED}
    window w as (partition by ${IS_WEIGHING} order by c.at, c.id)
  ) d join page p on p.id = d.id`;
