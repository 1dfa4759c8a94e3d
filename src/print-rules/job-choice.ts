// From print to job: the queued job it takes up, the spool a job is made with, or that it waits for a person.
import { announcedSlotsOf, slotsOf } from './consumption';
import { baseName, planKeysOf, planName } from './plan-names';
import type { RunningPrint } from './print.model';

export interface QueuedJob {
  id: string;
  gcodeFilePath: string;
}

export type JobChoice =
  | { do: 'TAKE_UP'; jobId: string }
  | { do: 'MAKE'; spoolId: string; slot: string }
  | { do: 'WAIT'; for: 'SPOOL' };

/**
 * @param queued the Queued jobs of the printer, the oldest first
 * @param loaded the spools by the slots of the printer
 */
export function chooseJob(
  print: Pick<RunningPrint, 'name' | 'filePath' | 'plan' | 'slots' | 'machine'>,
  queued: readonly QueuedJob[],
  loaded: ReadonlyMap<string, string>,
): JobChoice {
  // Jobs of one file are equal: they are printed in the order of the queue. Of several files, no one is meant for sure.
  const [oldest, ...others] = jobsOf(print, queued);
  const isOneFile = others.every((one) => fileOf(one) === (oldest && fileOf(oldest)));
  if (oldest !== undefined && isOneFile) return { do: 'TAKE_UP', jobId: oldest.id };
  const slots = slotsOf(print);
  const [slot] = slots as [string];
  const spoolId = loaded.get(slot);
  // Which of several spools feeds a print without a plan is not known.
  const isSure = slots.length === 1 && (loaded.size === 1 || announcedSlotsOf(print).length > 0);
  return isSure && spoolId !== undefined ? { do: 'MAKE', spoolId, slot } : { do: 'WAIT', for: 'SPOOL' };
}

/**
 * The spool of a job whose print is fed from other slots than it was made for; null where it is not known.
 * @param slots that feed
 * @param job of a person, or made by the gateway with the spool of another slot
 */
export function spoolOfFed(
  slots: readonly string[],
  job: { spoolId: string; isMade: boolean },
  loaded: ReadonlyMap<string, string>,
): string | null {
  // Who planned the job said its spool, whichever slot that is in.
  if (!job.isMade) return job.spoolId;
  const [slot, ...others] = slots as [string];
  if (others.length > 0) return null;
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
