// From print to job: the queued job it takes up, the spool a job is made with, or that it waits for a person.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { announcedSlotsOf, hasReportedSlot, usedSlotsOf } from './fed-slots';
import type { Amount, PrintOutcome, RunningPrint } from './print.model';
import { baseName, planKeysOf, planName } from './sliced-plan';

export interface QueuedJob {
  id: string;
  gcodeFilePath: string;
}

export type JobChoice =
  | { do: 'CLAIM'; jobId: string }
  /** With the spool of each slot. */
  | { do: 'CREATE'; spools: Record<string, string> }
  | { do: 'WAIT' };

/**
 * @param queued the Queued jobs of the printer, the oldest first
 * @param loaded the spools by the slots of the printer
 * @param slots that need a spool
 */
export function chooseJob(
  print: Pick<RunningPrint, 'name' | 'filePath'> & Slotted,
  queued: readonly QueuedJob[],
  loaded: ReadonlyMap<string, string>,
  slots = usedSlotsOf(print),
): JobChoice {
  // Jobs of one file are equal: they are printed in the order of the queue. Of several files, no one is meant for sure.
  const [oldest, ...others] = findMatchingJobs(print, queued);
  const isOneFile = others.every((one) => fileOf(one) === (oldest && fileOf(oldest)));
  if (oldest !== undefined && isOneFile) return { do: 'CLAIM', jobId: oldest.id };
  const isEach = slots.every((slot) => loaded.has(slot));
  return isEach && areSlotsKnown(print, loaded) ? { do: 'CREATE', spools: pickSpools(slots, loaded) } : { do: 'WAIT' };
}

type Slotted = Pick<RunningPrint, 'plan' | 'course' | 'machine' | 'measured'> & { outcome: PrintOutcome };

/**
 * Which of several spools feeds a print without a plan is unknown while it runs. When it is over, the slot counts that the machine names
 * with its measure.
 */
export const areSlotsKnown = (print: Slotted, loaded: ReadonlyMap<string, string>): boolean =>
  loaded.size === 1 ||
  announcedSlotsOf(print).length > 0 ||
  (print.outcome !== 'RUNNING' && print.measured.some(({ mm }) => Number(mm) > 0));

/**
 * The print whose file names one slot that its printer does not use. A Klipper with one extruder does not report what feeds it, since a unit
 * of several filaments may do that. But where its only spool is in its first slot, that slot feeds, whatever number the file has.
 */
export function assumeFirstSlot<Print extends Pick<RunningPrint, 'plan' | 'course' | 'machine' | 'measured'>>(
  print: Print,
  loaded: ReadonlyMap<string, string>,
): Print {
  const { plan, machine } = print;
  const [named, ...others] = plan?.slots ?? [];
  if (plan === null || named === undefined || others.length > 0 || !mayFeedFirstSlot(print)) return print;
  const isOnlyFirst = loaded.size === 1 && loaded.has(machine.firstSlot);
  return isOnlyFirst ? { ...print, plan: { ...plan, slots: [{ ...named, slot: machine.firstSlot }] } } : print;
}

/** Whether the file names another slot than the one that the machine names with its measure, and nothing else says which one feeds. */
export function mayFeedFirstSlot({
  plan,
  course,
  machine,
  measured,
}: Pick<RunningPrint, 'plan' | 'course' | 'machine' | 'measured'>): boolean {
  const isNamed = plan?.slots.some(({ slot }) => slot === machine.firstSlot) ?? true;
  const isMeasured = measured.some(({ slot }) => slot === machine.firstSlot);
  return !isNamed && isMeasured && plan?.mapping === undefined && !course?.measure && !hasReportedSlot({ course });
}

/** Only the slots count whose spool is known. */
export const pickSpools = (slots: readonly string[], loaded: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(slots.flatMap((slot) => (loaded.has(slot) ? [[slot, loaded.get(slot) as string]] : [])));

/**
 * The spools of a print that takes up a job. The job's spool is that of the slot that has it, else of the heaviest slot without a
 * spool: who planned the job said it. Where each slot has another one, the job gets theirs.
 */
export function chooseSpoolsOfClaimedJob(
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  spoolId: string,
  loaded: ReadonlyMap<string, string>,
  slots = usedSlotsOf(print),
): Record<string, string> {
  const known = slots.length === 1 ? {} : pickSpools(slots, loaded);
  if (Object.values(known).includes(spoolId)) return known;
  const slot = findHeaviestSlot(
    slots.filter((one) => !Object.hasOwn(known, one)),
    print.plan?.slots ?? [],
  );
  return slot === null ? known : { ...known, [slot]: spoolId };
}

/** The slot with the most planned filament, then the lowest one; null of none. */
function findHeaviestSlot(slots: readonly string[], planned: readonly Amount[]): string | null {
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
export function chooseSpoolOfFedSlot(
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
function findMatchingJobs(
  print: Pick<RunningPrint, 'name' | 'filePath' | 'machine'>,
  queued: readonly QueuedJob[],
): QueuedJob[] {
  const names = planKeysOf(print).map(({ name }) => name);
  const alike = queued.filter(({ gcodeFilePath }) => gcodeFilePath !== '' && names.includes(planName(gcodeFilePath)));
  const files = [print.name, print.filePath ?? print.name].map(baseName);
  const same = alike.filter((job) => files.includes(fileOf(job)));
  return same.length > 0 ? same : alike;
}

const fileOf = ({ gcodeFilePath }: QueuedJob) => baseName(gcodeFilePath);
