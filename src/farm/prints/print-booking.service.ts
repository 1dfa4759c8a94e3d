// Gives a print its job, either a queued job that the print claims or a new job, and writes the end of the print into the job.
import { BadInput } from '../../errors';
import { trimZeros } from '../../values/decimal';
import { discardFutureTime } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { JobChangesWithParts } from '../print-jobs/parts-of-job.service';
import type { JobPart, JobRow, StoredJob } from '../print-jobs/print-job.rows';
import { decideTransition, type JobStatus, type StatusWrite } from '../print-jobs/print-job.status';
import { chooseJob, chooseSpoolsOfClaimedJob, pickSpools } from '../print-rules/job-choice';
import { findNeededSlots, findSlotsWithoutSpool } from '../print-rules/needed-slots';
import type { PrintOutcome } from '../print-rules/print.model';
import { noteJobInWeighings } from './earlier-weighings.service';
import { calculateJobAmounts, findJobSpool, type JobAmounts } from './job-amounts.service';
import { AMOUNT_UNKNOWN, chooseNotes } from './job-notes';
import type { StoredPrint } from './observed-print.rows';
import { endInstantOf, findFirstSpools, selectUnarchived } from './print-amounts.service';
import type { Prints } from './prints.transaction';

const JOB_STATUS_BY_OUTCOME: Record<Exclude<PrintOutcome, 'RUNNING' | 'UNRESOLVED'>, JobStatus> = {
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
};

/** A print with its job, as both are stored now. */
export interface BookedPrint {
  print: StoredPrint;
  /** The amounts that the job got. `null` if nothing was calculated. */
  amounts: JobAmounts | null;
}

/** Gives the print its job. `null` if the print waits for a user. */
export async function assignJob(prints: Prints, print: StoredPrint, time: RequestTime): Promise<BookedPrint | null> {
  const end = endInstantOf(print);
  const queued = await prints.jobStore.queuedBefore(
    print.printerId,
    end !== null && end < print.createdAt ? end : print.createdAt,
  );
  const loaded = await findFirstSpools(prints, print);
  const choice = chooseJob(print, queued, loaded, findNeededSlots(print));
  if (choice.do === 'WAIT') return null;
  // If another request has claimed the job meanwhile, the print tries the next queued job.
  if (choice.do === 'CLAIM')
    return (await claimJob(prints, print, choice.jobId, loaded, time)) || assignJob(prints, print, time);
  const { spools } = choice;
  const slots = Object.keys(spools);
  // If one of several spools is archived, the user decides. The spool of a single slot is checked when its job is created.
  if (slots.length > 1 && Object.keys(await selectUnarchived(prints, spools)).length < slots.length) return null;
  try {
    return await createJob(prints, print, spools, time);
  } catch (error) {
    // The spool or the printer is archived.
    if (error instanceof BadInput) return null;
    throw error;
  }
}

/** Creates a job that has been printing since the print started. */
export async function createJob(
  prints: Prints,
  print: StoredPrint,
  spools: Record<string, string>,
  time: RequestTime,
): Promise<BookedPrint> {
  const spoolId = await findJobSpool(prints, print, spools);
  const spool = await prints.spool(spoolId);
  const amounts = await calculateJobAmounts(prints, { ...print, spools }, { spoolId, spool, divided: false });
  const { totals, isKnown, parts } = amounts;
  const job = await prints.jobs.create(
    {
      ...totals,
      printerId: print.printerId,
      printName: print.name,
      gcodeFilePath: print.filePath ?? '',
      notes: isKnown || print.outcome === 'RUNNING' ? null : AMOUNT_UNKNOWN,
      dataSource: print.machine.jobSource,
      startedAt: print.startedAt,
      filamentDiameterAtPrintMm: spool?.filamentDiameterMm ?? '0',
      materialDensityAtPrint: spool?.material.densityGPerCm3 ?? '0',
    },
    time,
  );
  const printing = await prints.jobs.changeToReportedStatus(
    job.id,
    'Printing',
    print.startedAt ?? print.createdAt,
    time,
  );
  const written = parts === null ? printing : await writeParts(prints, printing, parts, time);
  const booked = { ...fingerprintJob(written), spools };
  await prints.store.setJob(print.id, booked);
  await noteJobInWeighings(prints, { ...print, ...booked }, written, time);
  return { print: { ...print, ...booked }, amounts };
}

/** Claims a queued job. Amounts that a user entered stay until the print has amounts. `null` if the job is no longer queued. */
async function claimJob(
  prints: Prints,
  print: StoredPrint,
  jobId: string,
  loaded: ReadonlyMap<string, string>,
  time: RequestTime,
): Promise<BookedPrint | null> {
  const job = await prints.jobStore.lockJob(jobId);
  if (job?.status !== 'Queued') return null;
  const printing = await prints.jobs.changeToReportedStatus(
    jobId,
    'Printing',
    print.startedAt ?? print.createdAt,
    time,
  );
  const slots = findNeededSlots(print);
  const withJobSpool = [...loaded].filter(([, id]) => id === job.spoolId);
  const unarchived = slots.length > 1 ? Object.entries(await selectUnarchived(prints, pickSpools(slots, loaded))) : [];
  const spools = chooseSpoolsOfClaimedJob(print, job.spoolId, new Map([...unarchived, ...withJobSpool]), slots);
  const amounts = await calculateJobAmounts(prints, { ...print, spools }, job);
  const written = amounts.isKnown ? await writeJob(prints, printing, amounts, time) : printing;
  const slotsWithoutSpool = findSlotsWithoutSpool({ ...print, spools });
  const booked = { ...fingerprintJob(written), spools, slotsWithoutSpool };
  await prints.store.setJob(print.id, booked);
  await noteJobInWeighings(prints, { ...print, ...booked }, written, time);
  return { print: { ...print, ...booked }, amounts };
}

/** Whether the gateway created the job, and no user has planned the job or entered its spool. */
export async function isMadeByGateway(prints: Prints, job: JobRow, print: StoredPrint): Promise<boolean> {
  // A claimed job was already in the queue when the print started.
  if (job.createdAt < print.createdAt || job.dataSource !== print.machine.jobSource) return false;
  return !(await prints.sightings.isCorrected(print.id));
}

/**
 * Writes changed planned amounts into the job. Amounts may arrive after the start, because OctoPrint analyses a file while it prints and a
 * slicer may send its plan late. Amounts may also turn out to belong to another print.
 */
export async function replanJob(prints: Prints, print: StoredPrint, time: RequestTime): Promise<void> {
  if (print.jobId === null) return;
  const job = await prints.jobStore.lockJob(print.jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  const amounts = { ...(await calculateJobAmounts(prints, print, job)), isKnown: true };
  const written = await writeJob(prints, job, amounts, time);
  await prints.store.setJob(print.id, { ...fingerprintJob(written), spools: null });
}

/**
 * Moves the start of the job to the start of the print after the gateway's clock was set.
 * @param before the print as it was stored
 */
export async function moveJobStart(
  prints: Prints,
  print: StoredPrint,
  before: StoredPrint,
  time: RequestTime,
): Promise<void> {
  const { jobId } = print;
  const from = before.startedAt ?? before.createdAt;
  const to = print.startedAt ?? discardFutureTime(before.createdAt, time.now) ?? print.seenAt;
  if (jobId === null || from === to) return;
  const job = await prints.jobStore.lockJob(jobId);
  const moved = await prints.jobStore.moveStart(jobId, from, to, time.now);
  if (moved === null || job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  await prints.store.setJob(print.id, { ...fingerprintJob(moved), spools: null });
}

/** Writes the amounts and the status of an ended print into its job. What a user changed in the job stays. */
export async function bookEnd(
  prints: Prints,
  { print, amounts: calculated }: BookedPrint,
  time: RequestTime,
): Promise<void> {
  const { jobId, outcome } = print;
  if (jobId === null || outcome === 'RUNNING') return;
  const job = await prints.jobStore.lockJob(jobId);
  if (job === null) return;
  const isUnchanged = await isUnchangedSinceWritten(prints, job, print);
  const amounts = calculated ?? (await calculateJobAmounts(prints, print, job));
  if (outcome !== 'UNRESOLVED' && amounts.isDivided) await prints.store.setFilament(print.id, amounts.filament);
  const endedAt = print.endedAt ?? print.seenAt;
  const end =
    job.status === 'Printing' && outcome !== 'UNRESOLVED'
      ? decideTransition('Printing', JOB_STATUS_BY_OUTCOME[outcome], endedAt)
      : null;
  // While a user still has to enter the outcome, the job does not get the note that its amounts are unknown.
  const isWritten = isUnchanged && (outcome !== 'UNRESOLVED' || amounts.isKnown);
  const written = isWritten ? await writeJob(prints, job, amounts, time, end) : job;
  // The end of a job with parts was written together with its parts.
  const isEndMissing = end !== null && written.status === 'Printing';
  const ended = isEndMissing ? await prints.jobs.changeToReportedStatus(jobId, end.status, endedAt, time) : written;
  if (isUnchanged) await prints.store.setJob(print.id, { ...fingerprintJob(ended), spools: null });
}

/**
 * Writes amounts and notes into a job.
 * @param job the stored job: the parts are written only if the job has not changed
 * @param end the end that a job with parts gets in the statement of its parts; a job without parts gets it afterwards (`bookEnd`)
 */
export function writeJob(
  prints: Prints,
  job: JobRow,
  amounts: JobAmounts,
  time: RequestTime,
  end: StatusWrite | null = null,
): Promise<JobRow> {
  const { printerId, printName, gcodeFilePath } = job;
  const notes = chooseNotes(amounts, job.notes);
  if (amounts.parts === null)
    return prints.jobs.update(job.id, { printerId, printName, gcodeFilePath, notes, ...amounts.totals }, time);
  const ended = end && { status: end.status, completedAt: end.completedAt };
  return writeParts(prints, job, amounts.parts, time, { notes, ...ended });
}

/** Writes the parts of a job. If a spool was removed after it was read, the write fails, and the decision is made again. */
async function writeParts(
  prints: Prints,
  job: JobRow,
  parts: readonly JobPart[],
  time: RequestTime,
  changes: JobChangesWithParts = {},
): Promise<JobRow> {
  if (parts.length === 0) return job;
  const row = await prints.parts.divide(job, parts, time, changes);
  if (row === null) throw new Error('A spool of the print was removed while its job was written');
  return row;
}

export type WrittenJob = Pick<StoredJob, 'id' | 'updatedAt' | ComparedMember>;
type ComparedMember = 'spoolId' | 'mmExtruded' | 'gramsDerived' | 'costPerPrint' | 'status' | 'divided';

/** The members of a print by which the gateway recognizes its job as unchanged. */
export const fingerprintJob = (job: WrittenJob) => ({
  jobId: job.id,
  jobUpdatedAt: job.updatedAt,
  jobWritten: serializeFingerprint(job),
});

const serializeFingerprint = ({ spoolId, mmExtruded, gramsDerived, costPerPrint, status, divided }: WrittenJob) =>
  JSON.stringify([spoolId, ...[mmExtruded, gramsDerived, costPerPrint].map(trimZeros), status, divided]);

/** Whether the job has the amounts, the spool and the status that the gateway wrote. Its notes, name and path may have changed. */
export async function isUnchangedSinceWritten(
  { parts }: { parts: Pick<Prints['parts'], 'isEnteredByUser'> },
  job: WrittenJob,
  { jobUpdatedAt, jobWritten }: Pick<StoredPrint, 'jobUpdatedAt' | 'jobWritten'>,
): Promise<boolean> {
  if (jobUpdatedAt === null) return false;
  if (job.updatedAt === jobUpdatedAt) return true;
  if (jobWritten !== serializeFingerprint(job)) return false;
  // A user may have entered other parts with the same sums.
  return !job.divided || !(await parts.isEnteredByUser(job));
}

/** Whether a user changed only the spool of a job with one spool, and its cost. Its length and weight are still those that the gateway wrote. */
export function hasOnlyOtherSpool(
  job: WrittenJob,
  { jobUpdatedAt, jobWritten }: Pick<StoredPrint, 'jobUpdatedAt' | 'jobWritten'>,
): boolean {
  if (jobUpdatedAt === null || jobWritten === null || job.divided) return false;
  const [spoolId, mmExtruded, gramsDerived, , status] = JSON.parse(jobWritten);
  const hasSameAmounts = mmExtruded === trimZeros(job.mmExtruded) && gramsDerived === trimZeros(job.gramsDerived);
  return spoolId !== job.spoolId && hasSameAmounts && status === job.status;
}
