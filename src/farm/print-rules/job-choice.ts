// Decides whether a print claims a queued job, gets a new job with the loaded spools, or waits for the user.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { hasReportedSlot, listAnnouncedSlots, listUsedSlots } from './fed-slots';
import type { Amount, PrintOutcome, RunningPrint } from './print.model';
import { baseName, planKeysOf, planName } from './sliced-plan';

export interface QueuedJob {
  id: string;
  gcodeFilePath: string;
}

export type JobChoice =
  | { do: 'CLAIM'; jobId: string }
  /** `spools` has the spool of each slot. */
  | { do: 'CREATE'; spools: Record<string, string> }
  | { do: 'WAIT' };

/**
 * @param queued the queued jobs of the printer, the oldest first
 * @param loaded the spools by slot of the printer
 * @param slots the slots that need a spool
 */
export function chooseJob(
  print: Pick<RunningPrint, 'name' | 'filePath'> & SlottedPrint,
  queued: readonly QueuedJob[],
  loaded: ReadonlyMap<string, string>,
  slots = listUsedSlots(print),
): JobChoice {
  // Jobs of one file are interchangeable and are printed in the order of the queue. If jobs of several files match, nobody knows which one this is.
  const [oldest, ...others] = findMatchingJobs(print, queued);
  const isOneFile = others.every((job) => fileOf(job) === (oldest && fileOf(oldest)));
  if (oldest !== undefined && isOneFile) return { do: 'CLAIM', jobId: oldest.id };
  const hasAllSpools = slots.every((slot) => loaded.has(slot));
  return hasAllSpools && areSlotsKnown(print, loaded)
    ? { do: 'CREATE', spools: pickSpools(slots, loaded) }
    : { do: 'WAIT' };
}

type SlottedPrint = Pick<RunningPrint, 'plan' | 'course' | 'machine' | 'measured'> & { outcome: PrintOutcome };

/**
 * Whether it is known which slots feed the print. If several spools are loaded and the print has no plan, nobody knows while the print is
 * running. After the end, the slot counts that the machine names with its measured length.
 */
export const areSlotsKnown = (print: SlottedPrint, loaded: ReadonlyMap<string, string>): boolean =>
  loaded.size === 1 ||
  listAnnouncedSlots(print).length > 0 ||
  (print.outcome !== 'RUNNING' && print.measured.some(({ mm }) => Number(mm) > 0));

type PrintOfOneSlot = Pick<RunningPrint, 'plan' | 'course' | 'machine' | 'measured'>;

/**
 * Corrects the slot of a print whose file names a slot that its printer does not use. A Klipper printer with one extruder does not report
 * what feeds it, because a unit of several filaments may feed it, and OctoPrint reports no slot at all. But if the only spool is in the
 * first slot, that slot feeds, whatever number the file has.
 */
export function assumeFirstSlot<Print extends PrintOfOneSlot>(
  print: Print,
  loaded: ReadonlyMap<string, string>,
): Print {
  const { plan, machine } = print;
  const [named, ...others] = plan?.slots ?? [];
  if (plan === null || named === undefined || others.length > 0 || !mayFeedFirstSlot(print)) return print;
  const isOnlyFirst = loaded.size === 1 && loaded.has(machine.firstSlot);
  return isOnlyFirst ? { ...print, plan: { ...plan, slots: [{ ...named, slot: machine.firstSlot }] } } : print;
}

/** Whether the file names another slot than the machine names with its measured length, and nothing else shows which slot feeds. */
export function mayFeedFirstSlot(print: PrintOfOneSlot): boolean {
  const { plan, course, machine } = print;
  const isNamed = plan?.slots.some(({ slot }) => slot === machine.firstSlot) ?? true;
  const isPossible = isFirstSlotMeasured(print) || measuresNothing(print);
  return !isNamed && isPossible && plan?.mapping === undefined && !course?.measure && !hasReportedSlot({ course });
}

const isFirstSlotMeasured = ({ measured, machine }: Pick<RunningPrint, 'measured' | 'machine'>) =>
  measured.some(({ slot }) => slot === machine.firstSlot);

/**
 * Whether the machine neither measures nor maps slots. Then the number of its tools is unknown: it may have the tool that the file names, so
 * the first slot may be assumed only if no other slot of the printer has had a spool.
 */
export const measuresNothing = ({ measured, machine }: Pick<RunningPrint, 'measured' | 'machine'>): boolean =>
  measured.length === 0 && machine.toolsAreSlicerSlots;

/** By slot, the loaded spools of these slots. A slot without a known spool is left out. */
export const pickSpools = (slots: readonly string[], loaded: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(slots.flatMap((slot) => (loaded.has(slot) ? [[slot, loaded.get(slot) as string]] : [])));

/**
 * The spools of a print that claims a job. The user who planned the job chose its spool. That spool counts for the slot that holds it, or
 * else for the heaviest slot without a spool. If all slots hold other spools, the job gets the spools of the slots.
 */
export function chooseSpoolsOfClaimedJob(
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  spoolId: string,
  loaded: ReadonlyMap<string, string>,
  slots = listUsedSlots(print),
): Record<string, string> {
  const known = slots.length === 1 ? {} : pickSpools(slots, loaded);
  if (Object.values(known).includes(spoolId)) return known;
  const slot = findHeaviestSlot(
    slots.filter((name) => !Object.hasOwn(known, name)),
    print.plan?.slots ?? [],
  );
  return slot === null ? known : { ...known, [slot]: spoolId };
}

/** The slot with the most planned filament; of slots with equal amounts, the lowest slot. `null` without slots. */
function findHeaviestSlot(slots: readonly string[], planned: readonly Amount[]): string | null {
  const amountOf = (slot: string) => {
    const amount = planned.find((entry) => entry.slot === slot);
    return new Decimal(amount?.grams ?? amount?.mm ?? 0);
  };
  const [lowest = null, ...others] = slots.toSorted(compareSlots);
  return others.reduce(
    (heaviest, slot) => (heaviest !== null && amountOf(slot).gt(amountOf(heaviest)) ? slot : heaviest),
    lowest,
  );
}

/**
 * The spool of a job whose print is fed from one slot, but not from the slot for which the job was created. `null` if the spool is unknown.
 * @param slot the slot that feeds
 * @param job the job, which the user planned or which the gateway created with the spool of another slot
 */
export function chooseSpoolOfFedSlot(
  slot: string,
  job: { spoolId: string; isCreatedByGateway: boolean },
  loaded: ReadonlyMap<string, string>,
): string | null {
  // The user who planned the job chose its spool, whichever slot holds it.
  if (!job.isCreatedByGateway) return job.spoolId;
  const isInOtherSlot = [...loaded.values()].includes(job.spoolId);
  return loaded.get(slot) ?? (isInOtherSlot ? null : job.spoolId);
}

/**
 * The queued jobs with the file name of the print. If there are none, the jobs whose file name differs only in its ending: a Bambu
 * printer reports `cube.gcode.3mf` as `cube`.
 */
function findMatchingJobs(
  print: Pick<RunningPrint, 'name' | 'filePath' | 'machine'>,
  queued: readonly QueuedJob[],
): QueuedJob[] {
  const names = planKeysOf(print).map(({ name }) => name);
  const similar = queued.filter(({ gcodeFilePath }) => gcodeFilePath !== '' && names.includes(planName(gcodeFilePath)));
  const files = [print.name, print.filePath ?? print.name].map(baseName);
  const equal = similar.filter((job) => files.includes(fileOf(job)));
  return equal.length > 0 ? equal : similar;
}

const fileOf = ({ gcodeFilePath }: QueuedJob) => baseName(gcodeFilePath);
