// Holds the columns of observed prints and of their sightings, for all statements that read them.
import { type Columns, columnMember, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { findPrintFacts } from '../../kind-facts';
import type { EndedPrint, ObservedFilament, RunningPrint } from '../print-rules/print.model';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import type { ObservedPrint, PrintSighting } from './observed-print.types';

/** A row of the table of prints, without the slicer's plan. */
export type ObservedPrintRow = Omit<ObservedPrint, 'printer'> &
  RunningPrint & {
    printerId: string;
    /** `null` if the device was removed. */
    deviceId: string | null;
    /** The amounts of an ended print. */
    filament: ObservedFilament[] | null;
    /** By slot, the spools of its job. `null` before the print has a job. */
    spools: Record<string, string> | null;
    /** Used slots whose spool is unknown: their filament is not in the job. `null` if there are none. The column is `lacking`. */
    slotsWithoutSpool: string[] | null;
    jobId: string | null;
    jobUpdatedAt: string | null;
    /** The values that the gateway wrote last into the job. */
    jobWritten: string | null;
  };

/** A print with the slicer's plan, if the machine reported no amounts. The plan may have 50 KB, so lists do not read it. */
export type StoredPrint = ObservedPrintRow & { sliced: SlicedPlan | null };

type Computed = 'machine' | 'counter' | 'slotsWithoutSpool';

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
  machine: { sql: '(select d.kind from devices d where d.id = o.device_id)', read: findPrintFacts },
  counter: {
    sql: `case when o.counter_sec is not null then
      json_build_object('seconds', o.counter_sec, 'countsPauses', coalesce(o.counts_pauses, false)) end`,
  },
  slotsWithoutSpool: { sql: 'o.lacking' },
};

/**
 * Whether a print `o` has no job, or has a job and waits for the spool of a slot. The same rule is in `findWait` (observed-print.status.ts)
 * and in the triggers of notifications/events/note-unreported.sql. Tests compare the three.
 */
export const LACKS_SPOOL = sql('(o.job_id is null or o.lacking is not null)');

/** A print `o`. */
export const PRINT_ROW = rowShape<ObservedPrintRow, Computed>('o', COLUMNS, COMPUTED);

/** A print `o`, with the slicer's plan. */
export const STORED_PRINT = rowShape<StoredPrint, Computed>('o', { ...COLUMNS, sliced: 'json' }, COMPUTED);

const ENDED_AT = columnMember('coalesce(o.ended_at, o.seen_at)', 'timestamptz');

/** An ended print `o`. */
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

/** An ended print `o`, with the members that show whether its amounts are known. */
export const UNPLANNED_ROW = rowShape<
  Pick<EndedPrint & RunningPrint, 'id' | 'filePath' | 'plan' | 'measured' | 'endedAt'>,
  'endedAt'
>('o', { id: 'uuid', filePath: 'text', plan: 'json', measured: 'json' }, { endedAt: ENDED_AT });

export type SightingRow = PrintSighting & { id: string };

/** A sighting `s`. */
export const SIGHTING_ROW = rowShape<SightingRow, 'id'>(
  's',
  { at: 'timestamptz', kind: 'text', text: 'text' },
  { id: columnMember('s.id', 'bigint') },
);
