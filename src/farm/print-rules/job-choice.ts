// From print to job: the queued job it takes up, the spool a job is made with, or that it waits for a person.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { announcedSlotsOf, slotsOf } from './course';
import type { Amount, RunningPrint } from './print.model';
import { baseName, planKeysOf, planName } from './sliced-plan';

export interface QueuedJob {
  id: string;
  gcodeFilePath: string;
}

export type JobChoice =
  | { do: 'TAKE_UP'; jobId: string }
  /** With the spool of each slot. */
  | { do: 'MAKE'; spools: Record<string, string> }
  | { do: 'WAIT' };

/**
 * @param queued the Queued jobs of the printer, the oldest first
 * @param loaded the spools by the slots of the printer
 * @param slots that need a spool
 */
export function chooseJob(
  print: Pick<RunningPrint, 'name' | 'filePath' | 'plan' | 'course' | 'machine'>,
  queued: readonly QueuedJob[],
  loaded: ReadonlyMap<string, string>,
  slots = slotsOf(print),
): JobChoice {
  // Jobs of one file are equal: they are printed in the order of the queue. Of several files, no one is meant for sure.
  const [oldest, ...others] = jobsOf(print, queued);
  const isOneFile = others.every((one) => fileOf(one) === (oldest && fileOf(oldest)));
  if (oldest !== undefined && isOneFile) return { do: 'TAKE_UP', jobId: oldest.id };
  const isEach = slots.every((slot) => loaded.has(slot));
  return isEach && areSlotsKnown(print, loaded) ? { do: 'MAKE', spools: spoolsIn(slots, loaded) } : { do: 'WAIT' };
}

/** Which of several spools feeds a print without a plan is not known. */
export const areSlotsKnown = (
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  loaded: ReadonlyMap<string, string>,
): boolean => loaded.size === 1 || announcedSlotsOf(print).length > 0;

/** Only the slots count whose spool is known. */
export const spoolsIn = (slots: readonly string[], loaded: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(slots.flatMap((slot) => (loaded.has(slot) ? [[slot, loaded.get(slot) as string]] : [])));

/**
 * The spools of a print that takes up a job. The job's spool is that of the slot that has it, else of the heaviest slot without a
 * spool: who planned the job said it. Where each slot has another one, the job gets theirs.
 */
export function spoolsTakenUp(
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  spoolId: string,
  loaded: ReadonlyMap<string, string>,
  slots = slotsOf(print),
): Record<string, string> {
  const known = slots.length === 1 ? {} : spoolsIn(slots, loaded);
  if (Object.values(known).includes(spoolId)) return known;
  const slot = heaviestOf(
    slots.filter((one) => !Object.hasOwn(known, one)),
    print.plan?.slots ?? [],
  );
  return slot === null ? known : { ...known, [slot]: spoolId };
}

/** The slot with the most planned filament, then the lowest one; null of none. */
function heaviestOf(slots: readonly string[], planned: readonly Amount[]): string | null {
  const amountOf = (slot: string) => {
    const amount = planned.find((one) => one.slot === slot);
    return new Decimal(amount?.grams ?? amount?.mm ?? 0);
  };
  const [lowest = null, ...others] = slots.toSorted(compareSlots);
  return others.reduce((most, one) => (most !== null && amountOf(one).gt(amountOf(most)) ? one : most), lowest);
}

/**
 * The spool of a job whose print is fed from one slot, and not from that which it was made for; null where it is not known.
 * @param slot that feeds
 * @param job of a person, or made by the gateway with the spool of another slot
 */
export function spoolOfFed(
  slot: string,
  job: { spoolId: string; isMade: boolean },
  loaded: ReadonlyMap<string, string>,
): string | null {
  // Who planned the job said its spool, whichever slot that is in.
  if (!job.isMade) return job.spoolId;
  const isElsewhere = [...loaded.values()].includes(job.spoolId);
  return loaded.get(slot) ?? (isElsewhere ? null : job.spoolId);
}

/**
 * The queued jobs of the print's file name. Without one, the jobs whose file name has another ending: a Bambu printer calls
 * `cube.gcode.3mf` `cube`.
 */
function jobsOf(print: Pick<RunningPrint, 'name' | 'filePath' | 'machine'>, queued: readonly QueuedJob[]): QueuedJob[] {
  const names = planKeysOf(print).map(({ name }) => name);
  const alike = queued.filter(({ gcodeFilePath }) => gcodeFilePath !== '' && names.includes(planName(gcodeFilePath)));
  const files = [print.name, print.filePath ?? print.name].map(baseName);
  const same = alike.filter((job) => files.includes(fileOf(job)));
  return same.length > 0 ? same : alike;
}

const fileOf = ({ gcodeFilePath }: QueuedJob) => baseName(gcodeFilePath);
