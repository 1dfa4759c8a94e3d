// Merges two rows of the same print into one row with one job. If a user has changed the surplus job, both rows stay and the user decides.
import type { RequestTime } from '../../values/request-time';
import { combineRows } from '../print-rules/continuation';
import type { Decision, EndingWithAmounts } from '../print-rules/decision';
import { listFedSlots } from '../print-rules/fed-slots';
import { NO_FIGURES } from '../print-rules/print.model';
import type { StoredPrint } from './observed-print.rows';
import { addPlanOfPrinter } from './print-amounts.service';
import { bookEnd, isMadeByGateway, isUnchangedSinceWritten } from './print-booking.service';
import type { Prints } from './prints.transaction';

/** The most starts of a merged row. If a machine reports more starts of one print, its reports are wrong. */
const MAX_STARTS = 4;

const createMergeNote = (otherJobId: string | null) =>
  otherJobId === null
    ? 'This job is of a print that is not booked.'
    : `This job and job ${otherJobId} are of one print: its filament is in that job.`;

/** @returns the print as it is stored now; `null` if the rows have changed since the decision */
export async function mergePrints(
  prints: Prints,
  runningId: string,
  { id, outcome, print }: Extract<Decision, { do: 'MERGE' }>,
  time: RequestTime,
): Promise<StoredPrint | null> {
  const { store, sightings } = prints;
  const running = await store.locked(runningId);
  const duplicate = await store.locked(id);
  if (running?.outcome !== 'RUNNING' || duplicate === null || duplicate.deviceId !== running.deviceId) return null;
  // A user may have entered the outcome meanwhile.
  if (duplicate.outcome !== outcome) return null;
  const planned = await addPlanOfPrinter(prints, combineRows(duplicate, print), duplicate, duplicate);
  const combined = { ...planned.print, sliced: planned.sliced };
  const [older, younger] = running.createdAt < duplicate.createdAt ? [running, duplicate] : [duplicate, running];
  const isOlderDecided = older.jobId !== null || older.ignoredAt !== null;
  const isJobSurplus = isOlderDecided && younger.jobId !== null;
  const mayMerge = !isJobSurplus || (await isJobUntouched(prints, younger));
  if (!mayMerge || (await sightings.countStarts([older.id, younger.id])) > MAX_STARTS) {
    await store.save(running.id, { ...running, ...NOTHING_USED, sliced: null }, createUnresolvedEnding(running));
    await emptyJob(prints, running, duplicate.jobId, time);
    const text =
      `This is the same print as ${duplicate.name}, which has a record of its own. ` +
      'Enter the outcome of this record, and check its job';
    await sightings.add(running.id, [{ key: time.newId(), at: time.now, kind: 'ENDED', text }]);
    if (duplicate.outcome === 'UNRESOLVED') await store.reopen(duplicate.id, combined);
    return store.byId(duplicate.id);
  }
  const isRunning = duplicate.outcome === 'UNRESOLVED';
  await store.absorb(older.id, younger.id, isRunning ? combined : duplicate, isRunning ? null : endingOfRow(duplicate));
  if (isJobSurplus) await withdrawJob(prints, younger.jobId as string, older.jobId, time);
  else if (younger.jobId !== null) {
    const { jobId, jobUpdatedAt, jobWritten, spools, slotsWithoutSpool } = younger;
    await store.setJob(older.id, { jobId, jobUpdatedAt, jobWritten, spools, slotsWithoutSpool });
  }
  const merged = await store.byId(older.id);
  if (merged !== null) await bookEnd(prints, { print: merged, amounts: null }, time);
  return merged;
}

/** The other row has what the print used. */
const NOTHING_USED = { ...NO_FIGURES, plan: null, measured: [] };

const endingOfRow = ({ outcome, endedAt, endedAtEstimated, reason, filament }: StoredPrint) => ({
  outcome,
  at: endedAt,
  estimated: endedAtEstimated,
  reason,
  filament,
});

const createUnresolvedEnding = (print: StoredPrint): EndingWithAmounts => ({
  outcome: 'UNRESOLVED',
  at: null,
  estimated: false,
  reason: null,
  filament: listFedSlots(print).map((slot) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' })),
});

/** Whether the gateway created the job of this print, and no user has changed the job since. */
async function isJobUntouched(prints: Prints, print: StoredPrint): Promise<boolean> {
  if (print.jobId === null) return true;
  const job = await prints.jobStore.lockJob(print.jobId);
  if (job === null) return true;
  return job.updatedAt === print.jobUpdatedAt && isMadeByGateway(prints, job, print);
}

/** @param otherJobId the job that the print keeps */
async function withdrawJob(prints: Prints, jobId: string, otherJobId: string | null, time: RequestTime): Promise<void> {
  if ((await prints.jobs.byId(jobId)) !== null) await prints.jobs.withdraw(jobId, createMergeNote(otherJobId), time);
}

/**
 * Removes the machine's amounts from a job that the user has changed, because the other job has them. Amounts that a user entered stay.
 * The user decides about the job.
 */
async function emptyJob(
  prints: Prints,
  print: StoredPrint,
  otherJobId: string | null,
  time: RequestTime,
): Promise<void> {
  if (print.jobId === null) return;
  const job = await prints.jobStore.lockJob(print.jobId);
  if (job !== null && (await isUnchangedSinceWritten(prints, job, print))) {
    const { printerId, spoolId, printName, gcodeFilePath } = job;
    const kept = { printerId, spoolId, printName, gcodeFilePath, notes: job.notes ?? createMergeNote(otherJobId) };
    const amounts = { mmExtruded: '0', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: false };
    await prints.jobs.update(job.id, { ...kept, ...amounts }, time);
  }
  await prints.store.setJob(print.id, { jobId: print.jobId, jobUpdatedAt: null, jobWritten: null, spools: null });
}
