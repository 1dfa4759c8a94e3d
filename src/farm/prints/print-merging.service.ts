// Two rows that are one print become one row with one job; where a person had a hand in both jobs, a person decides.

import type { RequestTime } from '../../values/request-time';
import { combineRows } from '../print-rules/continuation';
import { fedSlots } from '../print-rules/fed-slots';
import { type Decision, type EndingWithAmounts, NO_FIGURES } from '../print-rules/print.model';
import type { StoredPrint } from './observed-print.rows';
import { addPlanOfPrinter } from './print-amounts.service';
import { bookEnd, isMadeByGateway, isUnchangedSinceWritten } from './print-booking.service';
import type { Prints } from './prints.transaction';

/** A row takes in the rows of so many begins; a machine that begins more often is not believed. */
const MAX_STARTS = 4;

const noteMerged = (id: string | null) =>
  id === null
    ? 'This job is of a print that is not to be booked.'
    : `This job and job ${id} are of one print: its filament is in that one.`;

/** @returns the print as it is now; null when the rows are not what the decision was made from */
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
  // A person may have said meanwhile what became of it.
  if (duplicate.outcome !== outcome) return null;
  const planned = await addPlanOfPrinter(prints, combineRows(duplicate, print), duplicate, duplicate);
  const whole = { ...planned.print, sliced: planned.sliced };
  const [older, younger] = running.createdAt < duplicate.createdAt ? [running, duplicate] : [duplicate, running];
  const isDecided = older.jobId !== null || older.ignoredAt !== null;
  const isOneTooMany = isDecided && younger.jobId !== null;
  const mayGo = !isOneTooMany || (await isJobUntouched(prints, younger));
  if (!mayGo || (await sightings.starts([older.id, younger.id])) > MAX_STARTS) {
    await store.save(running.id, { ...running, ...NOTHING_USED, sliced: null }, unresolvedEnding(running));
    await emptyJob(prints, running, duplicate.jobId, time);
    const text = `It is print ${duplicate.name} too, which has a record of its own. Say what becomes of this record and its job`;
    await sightings.add(running.id, [{ key: time.newId(), at: time.now, kind: 'ENDED', text }]);
    if (duplicate.outcome === 'UNRESOLVED') await store.reopen(duplicate.id, whole);
    return store.byId(duplicate.id);
  }
  const isRunning = duplicate.outcome === 'UNRESOLVED';
  await store.absorb(older.id, younger.id, isRunning ? whole : duplicate, isRunning ? null : endingOfRow(duplicate));
  if (isOneTooMany) await withdrawJob(prints, younger.jobId as string, older.jobId, time);
  else if (younger.jobId !== null) {
    const { jobId, jobUpdatedAt, jobWritten, spools, lacking } = younger;
    await store.setJob(older.id, { jobId, jobUpdatedAt, jobWritten, spools, lacking });
  }
  const now = await store.byId(older.id);
  if (now !== null) await bookEnd(prints, { print: now, amounts: null }, time);
  return now;
}

/** What it used is in the row of the other one. */
const NOTHING_USED = { ...NO_FIGURES, plan: null, measured: [] };

const endingOfRow = ({ outcome, endedAt, endedAtEstimated, reason, filament }: StoredPrint) => ({
  outcome,
  at: endedAt,
  estimated: endedAtEstimated,
  reason,
  filament,
});

const unresolvedEnding = (print: StoredPrint): EndingWithAmounts => ({
  outcome: 'UNRESOLVED',
  at: null,
  estimated: false,
  reason: null,
  filament: fedSlots(print).map((slot) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' })),
});

/** Whether the gateway made the job of this print by itself, and no person has changed the job since. */
async function isJobUntouched(prints: Prints, print: StoredPrint): Promise<boolean> {
  if (print.jobId === null) return true;
  const job = await prints.jobStore.locked(print.jobId);
  if (job === null) return true;
  return job.updatedAt === print.jobUpdatedAt && isMadeByGateway(prints, job, print);
}

/** @param other the job that its print has instead */
async function withdrawJob(prints: Prints, jobId: string, other: string | null, time: RequestTime): Promise<void> {
  if ((await prints.jobs.byId(jobId)) !== null) await prints.jobs.withdraw(jobId, noteMerged(other), time);
}

/** A person says what becomes of the job. Amounts of the machine do not stay in two jobs, and those of a person do. */
async function emptyJob(prints: Prints, print: StoredPrint, other: string | null, time: RequestTime): Promise<void> {
  if (print.jobId === null) return;
  const job = await prints.jobStore.locked(print.jobId);
  if (job !== null && (await isUnchangedSinceWritten(prints, job, print))) {
    const { printerId, spoolId, printName, gcodeFilePath } = job;
    const of = { printerId, spoolId, printName, gcodeFilePath, notes: job.notes ?? noteMerged(other) };
    const amounts = { mmExtruded: '0', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: false };
    await prints.jobs.update(job.id, { ...of, ...amounts }, time);
  }
  await prints.store.setJob(print.id, { jobId: print.jobId, jobUpdatedAt: null, jobWritten: null, spools: null });
}
