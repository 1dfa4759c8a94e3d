// The columns of a spool's ledger, with what is computed of them.
import { type Columns, memberOf, nested, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { AdjustmentKind, SpoolAdjustment } from './adjustment.types';
import { FIRST_END, factOf, NOTED, USE, usesOf } from './stock.rows';

/** A row as the gateway writes it. The database gives the id. */
export interface NewAdjustment {
  spoolId: string;
  kind: AdjustmentKind;
  netGrams: string | null;
  grossGrams: string | null;
  tareGrams: string | null;
  grams: string | null;
  /** By the ids of the jobs that print; null: all that the job has of the spool. */
  printing: Record<string, string | null> | null;
  note: string | null;
  by: string | null;
}

export const NEW_COLUMNS = {
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
    at: memberOf('d.taken_back_at', 'timestamptz'),
    by: memberOf('d.taken_back_by', 'text'),
    note: memberOf('d.taken_back_note', 'text'),
  },
);

/** A row `d` of adjustmentsOf. */
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
    grams: memberOf('trim_scale(d.found_grams)', 'numeric'),
    printingGrams: memberOf('trim_scale(d.noted_grams)', 'numeric'),
    takenBack: nested(TAKEN_BACK, (json) => `case when d.taken_back_at is not null then ${json} end`),
  },
);

const IS_FACT = sql('(c.net_grams is not null and c.taken_back_at is null)');

/**
 * Rows of a ledger with their grams: a fact has what the books do not explain since the fact before it. The jobs of the spool are
 * read once for all rows: a page of 1,000 rows of a spool with 1,500 jobs took 17 s when each row read them.
 *
 * `c` are the rows from the fact before the page on, with the sum of what people corrected so far and the number of the fact; `b` what
 * ended jobs used up to each fact since the one before. An end at the time of a fact is before it, and times are whole milliseconds.
 * @param page the at and the id of rows of the spool
 */
export const adjustmentsOf = (spool: string, page: Prisma.Sql) => Prisma.sql`
  with page as materialized (${page}), c as materialized (
    select a.*, coalesce(sum(a.grams) filter (where a.taken_back_at is null) over w, 0) as corrected,
      count(a.net_grams) filter (where a.taken_back_at is null) over w as fact
    from (select p.at, p.id from page p order by p.at, p.id limit 1) oldest
      left join lateral ${factOf(spool, '(a.at, a.id) < (oldest.at, oldest.id)')} l on true
      join spool_adjustments a on a.spool_id = ${sql(spool)} and (l.id is null or (a.at, a.id) >= (l.at, l.id))
        and (a.at, a.id) <= (select p.at, p.id from page p order by p.at desc, p.id desc limit 1)
    window w as (order by a.at, a.id)
  ), b as (
    select width_bucket(u.first_end, f.ends) + 1 as fact, sum(u.grams) as grams
    from (select array_agg(c.at + interval '1 millisecond' order by c.fact) as ends from c where ${IS_FACT}) f
      cross join lateral (${sql(usesOf(spool, `${USE.text} as use, ${FIRST_END.text} as first_end`))}) u
    where u.use <> 'planned' group by 1
  )
  select d.* from (
    select c.*, n.noted as noted_grams, case
        when c.taken_back_at is not null then 0
        when c.net_grams is null then c.grams
        else c.net_grams + n.later + coalesce(b.grams, 0)
          - coalesce(lag(c.net_grams + n.later) over w, (select s.weight_total_grams from spools s where s.id = ${sql(spool)}))
          - c.corrected + coalesce(lag(c.corrected) over w, 0)
      end as found_grams
    from c left join b on ${IS_FACT} and b.fact = c.fact cross join ${NOTED}
    window w as (partition by ${IS_FACT} order by c.at, c.id)
  ) d join page p on p.id = d.id`;
