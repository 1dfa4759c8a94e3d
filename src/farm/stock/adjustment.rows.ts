// The columns of a spool's ledger, and the SQL that calculates the grams of each row.
import { type Columns, memberOf, nested, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import type { AdjustmentKind, SpoolAdjustment } from './adjustment.types';
import { selectLatestWeighing, sumCorrections, sumUsesUntil } from './stock.rows';

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
    at: memberOf('d.taken_back_at', 'timestamptz'),
    by: memberOf('d.taken_back_by', 'text'),
    note: memberOf('d.taken_back_note', 'text'),
  },
);

/**
 * A weighing gets the difference between its net weight and the weight that the previous weighing, the jobs and the corrections since
 * then lead to.
 */
const GRAMS = `case
  when d.taken_back_at is not null then 0
  when d.net_grams is null then d.grams
  else d.net_grams + w.before - coalesce(l.net_grams + v.before, s.weight_total_grams)
    - ${sumCorrections('d.spool_id', '(a.at, a.id) < (d.at, d.id) and (l.id is null or (a.at, a.id) > (l.at, l.id))').text}
  end`;

/** The members of a row `d` of ADJUSTMENTS. */
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
    grams: memberOf(`trim_scale(${GRAMS})`, 'numeric'),
    printingGrams: memberOf('trim_scale(w.noted)', 'numeric'),
    takenBack: nested(TAKEN_BACK, (json) => `case when d.taken_back_at is not null then ${json} end`),
  },
);

/** Adjustments `d` with the previous weighing `l`, and the grams that jobs used until each of the two (`w`, `v`). */
export const ADJUSTMENTS = sql(`spool_adjustments d join spools s on s.id = d.spool_id
  left join lateral ${selectLatestWeighing('d.spool_id', '(a.at, a.id) < (d.at, d.id)').text} l on true
  cross join ${sumUsesUntil('d', 'd.spool_id').text} w cross join ${sumUsesUntil('l', 'd.spool_id').text} v`);
