// The columns of observed prints and of what was heard of them.
import { type Columns, memberOf, rowShape } from '../database/rows';
import { printFactsOf } from '../kinds';
import type { ObservedFilament, RunningPrint } from '../print-rules/print.model';
import type { ObservedPrint, PrintSighting } from './observed-print.types';

/** What the filament of a running print is computed from. */
type Facts = Pick<
  RunningPrint,
  'plan' | 'slots' | 'measured' | 'progress' | 'progressBasis' | 'layer' | 'layers' | 'machine'
>;

/** A print as its table holds it, as far as readers need it. */
export type ObservedPrintRow = Omit<ObservedPrint, 'printer'> &
  Facts & {
    printerId: string;
    /** Of a print that is over. */
    filament: ObservedFilament[] | null;
    /** By slot. */
    spools: Record<string, string> | null;
    jobId: string | null;
    jobUpdatedAt: string | null;
  };

/** A print `o`. */
export const PRINT_ROW = rowShape<ObservedPrintRow, 'machine'>(
  'o',
  {
    id: 'uuid',
    printerId: 'uuid',
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
    ignoredAt: 'timestamptz',
    createdAt: 'timestamptz',
    plan: 'json',
    slots: 'json',
    measured: 'json',
    progress: 'numeric',
    progressBasis: 'text',
    layer: 'int',
    layers: 'int',
  } satisfies Columns<Omit<ObservedPrintRow, 'machine'>>,
  { machine: { sql: '(select d.kind from devices d where d.id = o.device_id)', read: printFactsOf } },
);

export type SightingRow = PrintSighting & { id: string };

/** Something that was heard, `s`. */
export const SIGHTING_ROW = rowShape<SightingRow, 'id'>(
  's',
  { at: 'timestamptz', kind: 'text', text: 'text' },
  { id: memberOf('s.id', 'bigint') },
);
