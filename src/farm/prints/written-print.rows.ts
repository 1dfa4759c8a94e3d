// The columns of observed prints, as decisions write them.

import { Prisma } from '../../generated/prisma/client';
import type { SlicedPlan } from '../print-rules/plan-completion';
import type { Ending, ObservedFilament, RunningPrint } from '../print-rules/print.model';

/** A running print as a decision writes it. */
export interface WrittenPrint extends RunningPrint {
  /** Null: as it is. */
  sliced: SlicedPlan | null;
}

/** Each by its name: the print of a process that goes on with it has the other columns too, as they were then. */
export function columnsOf(print: WrittenPrint) {
  const { externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt } = print;
  const { progress, progressBasis, remainingSec, layer, layers, counter, plan, sliced } = print;
  return {
    externalId,
    name,
    filePath,
    startedAt,
    startedAtEstimated,
    paused,
    lost,
    seenAt,
    progress,
    progressBasis,
    remainingSec,
    layer,
    layers,
    counterSec: counter?.seconds ?? null,
    countsPauses: counter?.countsPauses ?? null,
    plan: jsonOf(plan),
    measured: asJson(print.measured),
    course: jsonOf(print.course),
    // It may have 50 KB, and hardly ever changes.
    ...(sliced && { sliced: asJson(sliced) }),
  };
}

/** An end as a decision tells it, or as another row has it. */
export type WrittenEnding = Omit<Ending, 'outcome' | 'filament'> & {
  outcome: string;
  filament: ObservedFilament[] | null;
};

/** The columns of the end; null: it runs. */
export const endColumnsOf = (ending: WrittenEnding | null) => ({
  outcome: ending?.outcome ?? 'RUNNING',
  endedAt: ending?.at ?? null,
  endedAtEstimated: ending?.estimated ?? false,
  reason: ending?.reason ?? null,
  filament: jsonOf(ending?.filament ?? null),
});

export const asJson = (value: unknown) => value as Prisma.InputJsonValue;

export const jsonOf = (value: unknown) => (value === null ? Prisma.DbNull : asJson(value));
