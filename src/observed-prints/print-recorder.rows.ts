// The columns of observed prints as the collector writes and reads them.
import { memberOf, rowShape } from '../database/rows';
import type { ObservedPrint as Row } from '../generated/prisma/client';
import { Prisma } from '../generated/prisma/client';
import { printFactsOf } from '../kinds';
import type { EndedPrint, Ending, ObservedFilament, PrintOutcome, RunningPrint } from '../print-rules/print.model';
import type { Amount, Plan, ProgressBasis } from '../print-rules/readings';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import type { Instant } from '../values/instant';

/** A row of a print. */
export interface StoredPrint extends RunningPrint {
  id: string;
  printerId: string;
  deviceId: string | null;
  outcome: PrintOutcome;
  endedAt: Instant | null;
  createdAt: Instant;
  ignoredAt: Instant | null;
  jobId: string | null;
  jobUpdatedAt: Instant | null;
  filament: ObservedFilament[] | null;
  /** The spools by slot that its job was made with; null before. */
  spools: Record<string, string> | null;
  /** The plan of its slicer, where the machine told no amounts. */
  sliced: SlicedPlan | null;
}

/** The columns of a running print that a decision writes. */
export interface WrittenPrint extends RunningPrint {
  /** Null: as it is. */
  sliced: SlicedPlan | null;
}

/** A print `o` that is over. */
export const ENDED_ROW = rowShape<EndedPrint, 'endedAt'>(
  'o',
  {
    ...{ id: 'uuid', externalId: 'text', name: 'text', filePath: 'text', startedAt: 'timestamptz' },
    ...{ seenAt: 'timestamptz', progress: 'numeric', remainingSec: 'float8', layer: 'int', outcome: 'text' },
  },
  { endedAt: memberOf('coalesce(o.ended_at, o.seen_at)', 'timestamptz') },
);

/** Each by its name: the print of a process that goes on with it has the other columns too, as they were then. */
export function columnsOf(print: WrittenPrint) {
  const { externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt } = print;
  const { progress, progressBasis, remainingSec, layer, layers, counter, plan, sliced } = print;
  return {
    ...{ externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt },
    ...{ progress, progressBasis, remainingSec, layer, layers },
    counterSec: counter?.seconds ?? null,
    countsPauses: counter?.countsPauses ?? null,
    plan: plan === null ? Prisma.DbNull : asJson(plan),
    slots: asJson(print.slots),
    measured: asJson(print.measured),
    // It may have 50 KB, and hardly ever changes.
    ...(sliced && { sliced: asJson(sliced) }),
  };
}

/** The columns of a row that is over, for another row of the same print. */
export function endedColumnsOf(row: Row) {
  const { reason, endedAt, endedAtEstimated, outcome, filament } = row;
  return {
    ...columnsOf(storedPrintOf(row)),
    ...{ reason, endedAt, endedAtEstimated, outcome },
    filament: filament === null ? Prisma.DbNull : asJson(filament),
  };
}

/** The columns of the end; null: it runs. */
export function endColumnsOf(ending: Ending | null) {
  return {
    outcome: ending?.outcome ?? 'RUNNING',
    endedAt: ending?.at ?? null,
    endedAtEstimated: ending?.estimated ?? false,
    reason: ending?.reason ?? null,
    filament: ending === null ? Prisma.DbNull : asJson(ending.filament),
  };
}

const asJson = (value: unknown) => value as Prisma.InputJsonValue;

const instantOf = (date: Date | null): Instant | null => date?.toISOString() ?? null;

/** With the kind of its machine. */
export const WITH_KIND = { device: { select: { kind: true } } };

export function storedPrintOf(row: Row & { device?: { kind: string } | null }): StoredPrint {
  const { id, printerId, deviceId, externalId, name, filePath, startedAtEstimated, paused, lost } = row;
  return {
    ...{ id, printerId, deviceId, externalId, name, filePath, startedAtEstimated, paused, lost },
    ...{ remainingSec: row.remainingSec, layer: row.layer, layers: row.layers, jobId: row.jobId },
    outcome: row.outcome as PrintOutcome,
    machine: printFactsOf(row.device?.kind ?? null),
    startedAt: instantOf(row.startedAt),
    endedAt: instantOf(row.endedAt),
    createdAt: row.createdAt.toISOString(),
    ignoredAt: instantOf(row.ignoredAt),
    seenAt: row.seenAt.toISOString(),
    jobUpdatedAt: instantOf(row.jobUpdatedAt),
    filament: row.filament as unknown as ObservedFilament[] | null,
    spools: row.spools as Record<string, string> | null,
    plan: row.plan as unknown as Plan | null,
    slots: row.slots as string[],
    measured: row.measured as unknown as Amount[],
    sliced: row.sliced as unknown as SlicedPlan | null,
    counter: row.counterSec === null ? null : { seconds: row.counterSec, countsPauses: row.countsPauses === true },
    progress: row.progress?.toFixed() ?? null,
    progressBasis: row.progressBasis as ProgressBasis | null,
  };
}
