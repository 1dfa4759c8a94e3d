// Merges what a machine reports into the print that the gateway follows, and turns the followed print into its row.
import type { PrintFacts } from '../../kind-facts';
import type { Instant } from '../../values/instant';
import { continueCourse } from './course';
import { type FollowedPrint, NO_FIGURES, type PrintReading, type RunningPrint, segmentsOf } from './print.model';

/** A new print with its first reading. */
export const startFollowing = (reading: PrintReading, at: Instant, machine: PrintFacts): FollowedPrint =>
  mergeReading(createPrint(reading, at, machine), reading, at);

const createPrint = (reading: PrintReading, at: Instant, machine: PrintFacts): FollowedPrint => ({
  externalId: reading.externalId,
  name: reading.name ?? 'Unnamed print',
  filePath: reading.filePath,
  startedAt: reading.startedAt,
  startedAtEstimated: reading.startedAtEstimated,
  plan: null,
  paused: reading.paused,
  lost: false,
  seenAt: at,
  ...NO_FIGURES,
  measured: [],
  course: null,
  machine,
  ordinal: reading.ordinal,
  feeding: null,
  savedAt: at,
});

/** The print with a new reading. Some machines set layer and progress to 0 at a cancel, so the last values above 0 stay. */
export function mergeReading(print: FollowedPrint, reading: PrintReading, at: Instant): FollowedPrint {
  const hasProgressed = isAbove0(reading.progress);
  const hasMeasured = reading.measured.some(({ mm }) => isAbove0(mm)) || print.measured.length === 0;
  const next = {
    ...print,
    ordinal: reading.ordinal > 0 ? reading.ordinal : print.ordinal,
    feeding: reading.feeding ?? print.feeding,
    plan: reading.plan ?? print.plan,
    paused: reading.end === null ? reading.paused : print.paused,
    lost: false,
    seenAt: at,
    counter: reading.counter ?? print.counter,
    progress: hasProgressed ? reading.progress : print.progress,
    progressBasis: hasProgressed ? reading.progressBasis : print.progressBasis,
    remainingSec: reading.end === null ? reading.remainingSec : print.remainingSec,
    // A layer counter that starts again shows less than was printed.
    layer: isAbove0(reading.layer) ? Math.max(reading.layer as number, print.layer ?? 0) : print.layer,
    layers: reading.layers ?? print.layers,
    measured: hasMeasured ? reading.measured : print.measured,
  };
  return { ...next, course: continueCourse(print, next, reading, at) };
}

const isAbove0 = (value: string | number | null) => Number(value) > 0;

/** The members of a print whose changes are saved immediately. */
export function serializeFacts(print: FollowedPrint): string {
  const { externalId, plan, course, paused, lost } = print;
  const starts = segmentsOf(print).flatMap(({ slot, from }) => (slot === null ? [] : [slot, from.at]));
  // If the gateway loses the connection, the amounts between two changes of the slot are known from these points.
  return JSON.stringify([externalId, plan, starts, course?.measure?.slot ?? null, paused, lost]);
}

export function rowOf({ ordinal, feeding, savedAt, ...row }: FollowedPrint): RunningPrint {
  return row;
}
