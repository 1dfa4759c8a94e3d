// The SQL of losses: the grams of adjustments that no job explains. Reports need them for many spools at once, so this file calculates the
// grams of `selectLedgerRows` for many spools in one statement.
import { joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { FIRST_END, NOTED, selectUses, USE } from './stock.rows';

/** The adjustments that may have a loss: at or after `from`, before `to`, of one spool or of all spools (`null`). */
export interface LossRange {
  from: Prisma.Sql;
  to: Prisma.Sql;
  spool: Prisma.Sql | null;
}

/** The spool_id and the time of these adjustments. A starting weight is no loss. */
export function selectAdjustments({ from, to, spool }: LossRange): Prisma.Sql {
  const spoolConditions = spool === null ? [] : [Prisma.sql`a.spool_id = ${spool}`];
  return Prisma.sql`select a.spool_id, a.at from spool_adjustments a
    where a.taken_back_at is null and a.kind <> 'OPENING' and a.at >= ${from} and a.at < ${to} and ${joinConditions(spoolConditions)}`;
}

/** What other programs reported in this time and counts: spool_id, at and grams. */
export const selectReports = ({ from, to, spool }: LossRange) => Prisma.sql`
  select t.spool_id, r.at, r.grams
  from (
    select distinct o.spool_id from reported_uses o
    where o.started_at < ${to} and o.ended_at >= ${from} and ${spool === null ? Prisma.sql`true` : Prisma.sql`o.spool_id = ${spool}`}
  ) t cross join lateral counted_reports(t.spool_id) r
  where r.at >= ${from} and r.at < ${to} and r.grams <> 0`;

/** The uses of the spools that have such adjustments. */
export const selectUsesOfLedgers = (range: LossRange) =>
  Prisma.sql`select from (select distinct a.spool_id from (${selectAdjustments(range)}) a) t
    cross join lateral (${sql(selectUses('t.spool_id', 'j.id'))}) u`;

/**
 * The rule `calculateCost` of print-jobs/filament.ts in SQL, because a report adds up the rows of many ledgers. The cost is 0 without a price.
 * losses.test.ts compares both.
 */
const calculateCost = (grams: string, price: string, weight: string) => {
  const [product, whole] = [`(${grams} * ${price} * 10000)`, `div(${grams} * ${price} * 10000, nullif(${weight}, 0))`];
  const twiceTheRemainder = `2 * abs(${product} - ${whole} * ${weight})`;
  return `coalesce(0.0001 * (${whole} + case when ${twiceTheRemainder} > ${weight}
    or ${twiceTheRemainder} = ${weight} and mod(${whole}, 2) <> 0 then sign(${product}) else 0 end), 0)`;
};

/**
 * The losses in a range of time: spool_id, at, grams and cost. `c` has the rows of the ledgers with the sum of all corrections up to the
 * row and the number of the weighing. `b` has the grams that ended jobs used between two weighings. A job that ends in the same millisecond
 * as a weighing counts before the weighing.
 */
export const selectLosses = (range: LossRange) => Prisma.sql`
  with c as materialized (
    select a.*, coalesce(sum(a.grams) over w, 0) as corrected, count(a.net_grams) over w as weighing
    from spool_adjustments a
    where a.taken_back_at is null and a.at < ${range.to} and a.spool_id in (select i.spool_id from (${selectAdjustments(range)}) i)
    window w as (partition by a.spool_id order by a.at, a.id)
  ), b as (
    select t.spool_id, u.weighing, u.grams
    from (select c.spool_id, array_agg(c.at + interval '1 millisecond' order by c.weighing) as ends
      from c where c.net_grams is not null group by c.spool_id) t cross join lateral (
      select width_bucket(u.first_end, t.ends) + 1 as weighing, sum(u.grams) as grams
      from (${sql(selectUses('t.spool_id', `${USE.text} as use, ${FIRST_END.text} as first_end`))}) u
      where u.use <> 'planned' group by 1
    ) u
  )
  select l.spool_id, l.at, l.grams, ${sql(calculateCost('l.grams', 'l.purchase_price', 'l.weight_total_grams'))} as cost
  from (
    select c.spool_id, c.kind, c.at, c.purchase_price, c.weight_total_grams,
      coalesce(lag(c.net_grams + n.later) over w, s.weight_total_grams) - (c.net_grams + n.later) - coalesce(b.grams, 0)
        + c.corrected - coalesce(lag(c.corrected) over w, 0) as grams
    from c join spools s on s.id = c.spool_id left join b on b.spool_id = c.spool_id and b.weighing = c.weighing cross join ${NOTED}
    where c.net_grams is not null window w as (partition by c.spool_id order by c.weighing)
    union all
    select c.spool_id, c.kind, c.at, c.purchase_price, c.weight_total_grams, -c.grams from c where c.net_grams is null
  ) l where l.kind <> 'OPENING' and l.at >= ${range.from}`;
