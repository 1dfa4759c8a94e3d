// The rows of observed prints and of what was heard of them, as they are read: one table of columns for all readers.

import { type Columns, memberOf, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { printFactsOf } from '../../kind-facts';
import type { EndedPrint, ObservedFilament, RunningPrint } from '../print-rules/print.model';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import type { ObservedPrint, PrintSighting } from './observed-print.types';

/** A print as its table holds it, but for the plan of its slicer. */
export type ObservedPrintRow = Omit<ObservedPrint, 'printer'> &
  RunningPrint & {
    printerId: string;
    /** Null when the device was removed. */
    deviceId: string | null;
    /** Of a print that is over. */
    filament: ObservedFilament[] | null;
    /** The spools by slot that its job was made with; null before. */
    spools: Record<string, string> | null;
    /** The slots that it used, and whose spools are not known: their filament is not in its job. Null: there are none. */
    lacking: string[] | null;
    jobId: string | null;
    jobUpdatedAt: string | null;
    /** What the gateway wrote last into it. */
    jobWritten: string | null;
  };

/** With the plan of its slicer, where the machine reported no amounts. It may have 50 KB, and lists do not read it. */
export type StoredPrint = ObservedPrintRow & { sliced: SlicedPlan | null };

type Computed = 'machine' | 'counter';

const COLUMNS: Columns<Omit<ObservedPrintRow, Computed>> = {
  id: 'uuid',
  printerId: 'uuid',
  deviceId: 'uuid',
  externalId: 'text',
  name: 'text',
  filePath: 'text',
  startedAt: 'timestamptz',
  startedAtEstimated: 'boolean',
  endedAt: 'timestamptz',
  endedAtEstimated: 'boolean',
  outcome: 'text',
  reason: 'text',
  filament: 'json',
  spools: 'json',
  jobId: 'uuid',
  jobUpdatedAt: 'timestamptz',
  lacking: 'json',
  jobWritten: 'text',
  ignoredAt: 'timestamptz',
  createdAt: 'timestamptz',
  plan: 'json',
  measured: 'json',
  course: 'json',
  paused: 'boolean',
  lost: 'boolean',
  seenAt: 'timestamptz',
  progress: 'numeric',
  progressBasis: 'text',
  remainingSec: 'float8',
  layer: 'int',
  layers: 'int',
};

const COMPUTED = {
  machine: { sql: '(select d.kind from devices d where d.id = o.device_id)', read: printFactsOf },
  counter: {
    sql: `case when o.counter_sec is not null then
      json_build_object('seconds', o.counter_sec, 'countsPauses', coalesce(o.counts_pauses, false)) end`,
  },
};

/** Whether a print `o` has no job, or waits beside its job for the spool of a slot. In TypeScript that is waitOf (observed-print.status.ts), in triggers notifications/events/note-unreported.sql; tests compare them. */
export const LACKS_SPOOL = sql('(o.job_id is null or o.lacking is not null)');

/** A print `o`. */
export const PRINT_ROW = rowShape<ObservedPrintRow, Computed>('o', COLUMNS, COMPUTED);

/** A print `o`, with the plan of its slicer. */
export const STORED_PRINT = rowShape<StoredPrint, Computed>('o', { ...COLUMNS, sliced: 'json' }, COMPUTED);

const ENDED_AT = memberOf('coalesce(o.ended_at, o.seen_at)', 'timestamptz');

/** A print `o` that is over. */
export const ENDED_ROW = rowShape<EndedPrint, 'endedAt'>(
  'o',
  {
    id: 'uuid',
    externalId: 'text',
    name: 'text',
    filePath: 'text',
    startedAt: 'timestamptz',
    seenAt: 'timestamptz',
    progress: 'numeric',
    remainingSec: 'float8',
    layer: 'int',
    outcome: 'text',
  },
  { endedAt: ENDED_AT },
);

/** A print `o` that is over, as far as it shows whether its amounts are known. */
export const UNPLANNED_ROW = rowShape<
  Pick<EndedPrint & RunningPrint, 'id' | 'filePath' | 'plan' | 'measured' | 'endedAt'>,
  'endedAt'
>('o', { id: 'uuid', filePath: 'text', plan: 'json', measured: 'json' }, { endedAt: ENDED_AT });

export type SightingRow = PrintSighting & { id: string };

/** Something that was heard, `s`. */
export const SIGHTING_ROW = rowShape<SightingRow, 'id'>(
  's',
  { at: 'timestamptz', kind: 'text', text: 'text' },
  { id: memberOf('s.id', 'bigint') },
);
