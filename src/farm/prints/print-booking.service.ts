// From an observed print to its job: the job that it takes up or gets, and what the job says of its end.
import { BadInput } from '../../errors';
import { withoutZeros } from '../../values/decimal';
import { asEvidence } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { JobPart, JobRow, StoredJob } from '../print-jobs/print-job.rows';
import { type JobStatus, type StatusWrite, transition } from '../print-jobs/print-job.status';
import type { ChangeOfDivided } from '../print-jobs/print-job-part.service';
import { findSlotsWithoutSpool, neededSlots } from '../print-rules/amounts';
import { chooseJob, chooseSpoolsOfClaimedJob, pickSpools } from '../print-rules/job-choice';
import type { PrintOutcome } from '../print-rules/print.model';
import type { StoredPrint } from './observed-print.rows';
import {
  calculateJobAmounts,
  chooseJobSpool,
  endInstantOf,
  findFirstSpools,
  type JobAmounts,
  selectUnarchived,
} from './print-amounts.service';
import type { Prints } from './prints.transaction';

const JOB_STATUS_BY_OUTCOME: Record<Exclude<PrintOutcome, 'RUNNING' | 'UNRESOLVED'>, JobStatus> = {
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
};
const noteNotBooked = (slots: readonly string[]) =>
  `The filament of ${slots.join(', ')} is not in this job, because its spool is not known.`;
const noteFedWithoutSpool = (slots: readonly string[]) =>
  `The spool of ${slots.join(', ')} was taken out while the slot went on to feed: what it fed since then counts for that spool. ` +
  'Say which one was put in, and when, or divide this job.';
/** What the gateway says of the slots, and takes back. */
const NOTES_ON_SLOTS = new RegExp(`^(?:${noteNotBooked(['.+'])})? ?(?:${noteFedWithoutSpool(['.+'])})?$`);
/** Its words stay as they are: it is taken back where a job has exactly these. */
const AMOUNT_UNKNOWN = 'The printer did not tell how much filament this print used.';

/** A print with its job, as both are now. */
export interface BookedPrint {
  print: StoredPrint;
  /** What the job was given; null where nothing was computed for it. */
  amounts: JobAmounts | null;
}

/** Gives the print its job. Null: it waits for a person. */
export async function giveJob(prints: Prints, print: StoredPrint, time: RequestTime): Promise<BookedPrint | null> {
  const end = endInstantOf(print);
  const queued = await prints.jobStore.queuedBefore(
    print.printerId,
    end !== null && end < print.createdAt ? end : print.createdAt,
  );
  const loaded = await findFirstSpools(prints, print);
  const choice = chooseJob(print, queued, loaded, neededSlots(print));
  if (choice.do === 'WAIT') return null;
  // Somebody else was faster: the next one in the queue may be its own.
  if (choice.do === 'CLAIM')
    return (await claimJob(prints, print, choice.jobId, loaded, time)) || giveJob(prints, print, time);
  // A person decides.
  const { spools } = choice;
  const slots = Object.keys(spools);
  // Of one slot the spool is looked at when its job is made.
  if (slots.length > 1 && Object.keys(await selectUnarchived(prints, spools)).length < slots.length) return null;
  try {
    return await createJob(prints, print, spools, time);
  } catch (error) {
    // The spool or the printer is archived.
    if (error instanceof BadInput) return null;
    throw error;
  }
}

/** A new job, printing since the print began. */
export async function createJob(
  prints: Prints,
  print: StoredPrint,
  spools: Record<string, string>,
  time: RequestTime,
): Promise<BookedPrint> {
  const spoolId = await chooseJobSpool(prints, print, spools);
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
  const printing = await prints.jobs.observedStatus(job.id, 'Printing', print.startedAt ?? print.createdAt, time);
  const written = parts === null ? printing : await writeParts(prints, printing, parts, time);
  const booked = { ...fingerprintJob(written), spools };
  await prints.store.setJob(print.id, booked);
  return { print: { ...print, ...booked }, amounts };
}

/** The amounts that a person gave the job stay until the print has its own. */
async function claimJob(
  prints: Prints,
  print: StoredPrint,
  jobId: string,
  loaded: ReadonlyMap<string, string>,
  time: RequestTime,
): Promise<BookedPrint | null> {
  const job = await prints.jobStore.locked(jobId);
  if (job?.status !== 'Queued') return null;
  const printing = await prints.jobs.observedStatus(jobId, 'Printing', print.startedAt ?? print.createdAt, time);
  const slots = neededSlots(print);
  const own = [...loaded].filter(([, id]) => id === job.spoolId);
  const others = slots.length > 1 ? Object.entries(await selectUnarchived(prints, pickSpools(slots, loaded))) : [];
  const spools = chooseSpoolsOfClaimedJob(print, job.spoolId, new Map([...others, ...own]), slots);
  const amounts = await calculateJobAmounts(prints, { ...print, spools }, job);
  const written = amounts.isKnown ? await writeJob(prints, printing, amounts, time) : printing;
  const booked = { ...fingerprintJob(written), spools, lacking: findSlotsWithoutSpool({ ...print, spools }) };
  await prints.store.setJob(print.id, booked);
  return { print: { ...print, ...booked }, amounts };
}

/** Whether the gateway made the job by itself. A person has planned the others, or has said their spool. */
export async function isMadeByGateway(prints: Prints, job: JobRow, print: StoredPrint): Promise<boolean> {
  // One that was taken up had waited in the queue before the print began.
  if (job.createdAt < print.createdAt || job.dataSource !== print.machine.jobSource) return false;
  return !(await prints.sightings.isCorrected(print.id));
}

/**
 * The slicer's amounts came after the start: OctoPrint analyses a file while it prints, and a slicer may send them late. Or they
 * turned out to be those of another print.
 */
export async function replanJob(prints: Prints, print: StoredPrint, time: RequestTime): Promise<void> {
  if (print.jobId === null) return;
  const job = await prints.jobStore.locked(print.jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  const written = await writeJob(
    prints,
    job,
    { ...(await calculateJobAmounts(prints, print, job)), isKnown: true },
    time,
  );
  await prints.store.setJob(print.id, { ...fingerprintJob(written), spools: null });
}

/** Our clock was set while the print ran: its job begins when the print does. @param before as it was stored */
export async function moveJobStart(
  prints: Prints,
  print: StoredPrint,
  before: StoredPrint,
  time: RequestTime,
): Promise<void> {
  const { jobId } = print;
  const from = before.startedAt ?? before.createdAt;
  const to = print.startedAt ?? asEvidence(before.createdAt, time.now) ?? print.seenAt;
  if (jobId === null || from === to) return;
  const job = await prints.jobStore.locked(jobId);
  const moved = await prints.jobStore.moveStart(jobId, from, to, time.now);
  if (moved === null || job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  await prints.store.setJob(print.id, { ...fingerprintJob(moved), spools: null });
}

/** The end of a print: its job gets the amounts and the status. What a person changed in the job by hand stays. */
export async function bookEnd(
  prints: Prints,
  { print, amounts: given }: BookedPrint,
  time: RequestTime,
): Promise<void> {
  const { jobId, outcome } = print;
  if (jobId === null || outcome === 'RUNNING') return;
  const job = await prints.jobStore.locked(jobId);
  if (job === null) return;
  const isFree = await isUnchangedSinceWritten(prints, job, print);
  const amounts = given ?? (await calculateJobAmounts(prints, print, job));
  if (outcome !== 'UNRESOLVED' && amounts.isDivided) await prints.store.setFilament(print.id, amounts.filament);
  const endedAt = print.endedAt ?? print.seenAt;
  const end =
    job.status === 'Printing' && outcome !== 'UNRESOLVED'
      ? transition('Printing', JOB_STATUS_BY_OUTCOME[outcome], endedAt)
      : null;
  // While its end waits for a person, that nothing is known is not said yet.
  const isWritten = isFree && (outcome !== 'UNRESOLVED' || amounts.isKnown);
  const written = isWritten ? await writeJob(prints, job, amounts, time, end) : job;
  // A job with parts has got its end with them.
  const isOpen = end !== null && written.status === 'Printing';
  const ended = isOpen ? await prints.jobs.observedStatus(jobId, end.status, endedAt, time) : written;
  if (isFree) await prints.store.setJob(print.id, { ...fingerprintJob(ended), spools: null });
}

/** Whether the notes are of slots whose spool is not known. */
export const isNoteOnSlots = (notes: string | null) => notes !== null && notes !== '' && NOTES_ON_SLOTS.test(notes);

/**
 * @param job as it is stored: parts are written to no other row
 * @param end which the job gets in the statement of its parts; one without parts gets it behind its amounts (bookEnd)
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

/** What a person noted stays. @param notes as they are */
function chooseNotes(
  { isKnown, unbookedSlots: others, slotsFedWithoutSpool: emptied }: JobAmounts,
  notes: string | null,
): string | null {
  // Amounts that are reported late take back what the gateway noted.
  const isTakenBack = isNoteOnSlots(notes) || (isKnown && notes === AMOUNT_UNKNOWN);
  if (notes !== null && !isTakenBack) return notes;
  const ofSlots = [
    ...(others.length > 0 ? [noteNotBooked(others)] : []),
    ...(emptied.length > 0 ? [noteFedWithoutSpool(emptied)] : []),
  ];
  return ofSlots.length > 0 ? ofSlots.join(' ') : isKnown ? null : AMOUNT_UNKNOWN;
}

/** A spool that was removed since it was read refuses it: the decision is made again. */
async function writeParts(
  prints: Prints,
  job: JobRow,
  parts: readonly JobPart[],
  time: RequestTime,
  also: ChangeOfDivided = {},
): Promise<JobRow> {
  if (parts.length === 0) return job;
  const row = await prints.parts.divide(job, parts, time, also);
  if (row === null) throw new Error('A spool of the print is gone since it was read');
  return row;
}

export type WrittenJob = Pick<StoredJob, 'id' | 'updatedAt' | Compared>;
type Compared = 'spoolId' | 'mmExtruded' | 'gramsDerived' | 'costPerPrint' | 'status' | 'divided';

/** The members of the print by which its job is known again. */
export const fingerprintJob = (job: WrittenJob) => ({
  jobId: job.id,
  jobUpdatedAt: job.updatedAt,
  jobWritten: fingerprintText(job),
});

const fingerprintText = ({ spoolId, mmExtruded, gramsDerived, costPerPrint, status, divided }: WrittenJob) =>
  JSON.stringify([spoolId, ...[mmExtruded, gramsDerived, costPerPrint].map(withoutZeros), status, divided]);

/** Whether the amounts, the spool and the status are as the gateway wrote them. Notes, name and path may have changed. */
export async function isUnchangedSinceWritten(
  { parts }: { parts: Pick<Prints['parts'], 'isSaid'> },
  job: WrittenJob,
  { jobUpdatedAt, jobWritten }: Pick<StoredPrint, 'jobUpdatedAt' | 'jobWritten'>,
): Promise<boolean> {
  if (jobUpdatedAt === null) return false;
  if (job.updatedAt === jobUpdatedAt) return true;
  if (jobWritten !== fingerprintText(job)) return false;
  // The sums of other parts may be the same.
  return !job.divided || !(await parts.isSaid(job));
}
