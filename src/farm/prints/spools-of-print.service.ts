// The spools of the job of a print: when further slots turn out to feed, and when a person says what was in a slot.
import type { RequestTime } from '../../values/request-time';
import type { SlotChange } from '../inventory/slot.service';
import type { JobRow } from '../print-jobs/print-job.rows';
import { findSlotsWithoutSpool, neededSlots } from '../print-rules/amounts';
import { usedSlotsOf } from '../print-rules/fed-slots';
import { chooseSpoolOfFedSlot, pickSpools } from '../print-rules/job-choice';
import { chooseFirstSpools, findSpoolChanges } from '../print-rules/loaded-spools';
import type { StoredPrint } from './observed-print.rows';
import {
  calculateJobAmounts,
  endInstantOf,
  findFirstSpools,
  readLoadsDuring,
  selectUnarchived,
} from './print-amounts.service';
import {
  type BookedPrint,
  bookEnd,
  fingerprintJob,
  giveJob,
  isMadeByGateway,
  isNoteOnSlots,
  isUnchangedSinceWritten,
  writeJob,
} from './print-booking.service';
import type { InTransaction, Prints } from './prints.transaction';

const FED_FROM_OTHER_SLOT =
  'The print of this job was fed from another slot than that of its spool: it gets another job, or waits for its spool.';

/**
 * A slot turned out to feed that the job of the print was not made for. What it used becomes a part of the job where its spool is
 * known. Else the print waits for that spool beside its job.
 */
export async function addFedSlots(prints: Prints, print: StoredPrint, time: RequestTime): Promise<BookedPrint> {
  const { jobId, spools } = print;
  const asBefore = { print, amounts: null };
  if (jobId === null || spools === null) return asBefore;
  const lacking = findSlotsWithoutSpool(print);
  const job = await prints.jobStore.locked(jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return asBefore;
  const slots = usedSlotsOf(print);
  // A file of several tools may use the others yet.
  const isOne = slots.length === 1 && (print.plan?.slots.length ?? 0) < 2;
  if (isOne && lacking !== null) return moveJob(prints, { ...print, spools }, job, time);
  const loaded = lacking === null ? new Map<string, string>() : await findFirstSpools(prints, print);
  // A person says the spool of a slot that the print waits for already: the spool that is in it now came later.
  const isNew = (slot: string) => print.lacking === null || !print.lacking.includes(slot);
  const found = await selectUnarchived(prints, pickSpools((lacking ?? []).filter(isNew), loaded));
  return bookSlots(prints, print, job, { ...spools, ...found }, time);
}

/** The spools of further slots: what these used becomes parts. */
export async function bookSlots(
  prints: Prints,
  print: StoredPrint,
  job: JobRow,
  spools: Record<string, string>,
  time: RequestTime,
): Promise<BookedPrint> {
  const now = { ...print, spools, lacking: findSlotsWithoutSpool({ ...print, spools }) };
  const [only, ...more] = new Set(Object.values(spools));
  const isMoved = more.length === 0 && only !== undefined && only !== job.spoolId;
  const its = isMoved ? { ...job, spoolId: only, spool: await prints.spool(only) } : job;
  const amounts = await calculateJobAmounts(prints, now, its);
  const isKnown = amounts.isKnown || print.outcome === 'RUNNING';
  // The amounts that a person gave the job stay until the print has its own.
  const isKept = !amounts.isKnown && !(await isMadeByGateway(prints, job, print));
  if (isKept && isMoved) return { print, amounts: null };
  const written = isKept ? job : await writeJob(prints, job, { ...amounts, isKnown }, time);
  await prints.store.setJob(print.id, { ...fingerprintJob(written), spools, lacking: now.lacking });
  return { print: { ...now, ...fingerprintJob(written) }, amounts };
}

/**
 * One slot feeds, and it is another one than the file or the machine named: the job gets its spool. Where this is not known, a job
 * that the gateway made is withdrawn, and the print waits.
 */
async function moveJob(prints: Prints, print: StoredPrint, job: JobRow, time: RequestTime): Promise<BookedPrint> {
  const jobId = job.id;
  const [slot] = usedSlotsOf(print) as [string];
  const isMade = await isMadeByGateway(prints, job, print);
  const spoolId = chooseSpoolOfFedSlot(slot, { ...job, isMade }, await findFirstSpools(prints, print));
  const spool = spoolId === null || spoolId === job.spoolId ? job.spool : await prints.spool(spoolId);
  if (spoolId === null || (spoolId !== job.spoolId && spool?.archivedAt !== null)) {
    await prints.jobs.withdraw(jobId, FED_FROM_OTHER_SLOT, time);
    await prints.store.removeJob(print.id);
    const withoutJob = { jobId: null, jobUpdatedAt: null, jobWritten: null, spools: null, lacking: null };
    return { print: { ...print, ...withoutJob }, amounts: null };
  }
  const spoolBySlot = { [slot]: spoolId };
  const amounts = await calculateJobAmounts(
    prints,
    { ...print, spools: spoolBySlot },
    { spoolId, spool, divided: job.divided },
  );
  const isKnown = amounts.isKnown || print.outcome === 'RUNNING';
  const isKept = !isMade && !amounts.isKnown;
  const written = isKept ? job : await writeJob(prints, job, { ...amounts, isKnown }, time);
  const booked = { ...fingerprintJob(written), spools: spoolBySlot, lacking: null };
  await prints.store.setJob(print.id, booked);
  // The job that was kept may have another spool than the amounts.
  return { print: { ...print, ...booked }, amounts: isKept ? null : amounts };
}

/** The jobs of prints that are over stay as they are. @param store outside of a transaction: most printers have no such print */
export async function rebookAfterSlotChange(
  store: Pick<Prints['store'], 'openPrintIds'>,
  inTransaction: InTransaction,
  change: SlotChange,
  time: RequestTime,
): Promise<void> {
  for (const id of await store.openPrintIds(change.printerId))
    await inTransaction((prints) => rebookPrint(prints, id, change, time));
}

async function rebookPrint(prints: Prints, id: string, change: SlotChange, time: RequestTime): Promise<void> {
  await prints.store.notePausedUntil(id, change.at);
  const print = await prints.store.locked(id);
  const end = print && endInstantOf(print);
  if (print === null || print.ignoredAt !== null || (end !== null && end < change.at)) return;
  if (print.jobId !== null) return correctSpool(prints, print, change, time);
  const booked = neededSlots(print).includes(change.slot) ? await giveJob(prints, print, time) : null;
  if (booked !== null) await bookEnd(prints, booked, time);
}

/** The spool was in the slot when that began to feed, or it came into it since, or it did not after all. */
async function correctSpool(
  prints: Prints,
  print: StoredPrint,
  { slot, spoolId }: SlotChange,
  time: RequestTime,
): Promise<void> {
  const { jobId, lacking } = print;
  const spools = print.spools ?? {};
  const isUsed = Object.hasOwn(spools, slot) || lacking?.includes(slot) === true;
  if (jobId === null || print.outcome !== 'RUNNING' || !isUsed) return;
  const loads = await readLoadsDuring(prints, print);
  const fed = { ...print, endedAt: null };
  const isFirst = spoolId !== null && spoolId !== spools[slot] && chooseFirstSpools(fed, loads).get(slot) === spoolId;
  const found = isFirst ? await selectUnarchived(prints, { [slot]: spoolId }) : {};
  const now = { ...spools, ...found };
  const job = await prints.jobStore.locked(jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  const isChanged = findSpoolChanges(fed, now, loads).some((one) => one.slot === slot);
  const held = await prints.parts.spoolIdsOf(job);
  const isLeft = held.some((id) => !Object.values(now).includes(id));
  const isEmptied = spoolId === null || isNoteOnSlots(job.notes);
  if (Object.hasOwn(found, slot) || isChanged || isLeft || isEmptied) await bookSlots(prints, print, job, now, time);
}
