// Corrects the spools of a print's job when further slots feed, and when a user enters what was in a slot.
import type { RequestTime } from '../../values/request-time';
import type { SlotChange } from '../inventory/spool-loading.service';
import type { JobRow } from '../print-jobs/print-job.rows';
import { listUsedSlots } from '../print-rules/fed-slots';
import { chooseSpoolOfFedSlot, pickSpools } from '../print-rules/job-choice';
import { chooseFirstSpools, findSpoolChanges } from '../print-rules/loaded-spools';
import { findNeededSlots, findSlotsWithoutSpool } from '../print-rules/needed-slots';
import { noteJobInWeighings } from './earlier-weighings.service';
import { calculateJobAmounts } from './job-amounts.service';
import { isNoteOnSlots } from './job-notes';
import type { StoredPrint } from './observed-print.rows';
import { endInstantOf, findFirstSpools, readLoadsDuring, selectUnarchived } from './print-amounts.service';
import {
  assignJob,
  type BookedPrint,
  bookEnd,
  fingerprintJob,
  isMadeByGateway,
  isUnchangedSinceWritten,
  writeJob,
} from './print-booking.service';
import type { InTransaction, Prints } from './prints.transaction';

const FED_FROM_OTHER_SLOT =
  'The print of this job was fed from another slot than the slot of its spool. The print gets another job, or waits for its spool.';

/**
 * Books slots that fed although the job was not created for them. If the spool of such a slot is known, what the slot used becomes a part
 * of the job. Otherwise the print waits for that spool and keeps its job.
 */
export async function addFedSlots(prints: Prints, print: StoredPrint, time: RequestTime): Promise<BookedPrint> {
  const { jobId, spools } = print;
  const unchanged = { print, amounts: null };
  if (jobId === null || spools === null) return unchanged;
  const slotsWithoutSpool = findSlotsWithoutSpool(print);
  const job = await prints.jobStore.lockJob(jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return unchanged;
  const slots = listUsedSlots(print);
  // A file with several tools may still use the other tools.
  const isOneSlot = slots.length === 1 && (print.plan?.slots.length ?? 0) < 2;
  if (isOneSlot && slotsWithoutSpool !== null) return moveJob(prints, { ...print, spools }, job, time);
  const loaded = slotsWithoutSpool === null ? new Map<string, string>() : await findFirstSpools(prints, print);
  // If the print already waits for the spool of a slot, the user enters it: the spool that is in the slot now came later.
  const isNew = (slot: string) => !print.slotsWithoutSpool?.includes(slot);
  const found = await selectUnarchived(prints, pickSpools((slotsWithoutSpool ?? []).filter(isNew), loaded));
  return bookSlots(prints, print, job, { ...spools, ...found }, time);
}

/** Books the spools of further slots: what these slots used becomes parts of the job. */
export async function bookSlots(
  prints: Prints,
  print: StoredPrint,
  job: JobRow,
  spools: Record<string, string>,
  time: RequestTime,
): Promise<BookedPrint> {
  const withSpools = { ...print, spools, slotsWithoutSpool: findSlotsWithoutSpool({ ...print, spools }) };
  const [only, ...more] = new Set(Object.values(spools));
  const isMoved = more.length === 0 && only !== undefined && only !== job.spoolId;
  const jobSpool = isMoved ? { ...job, spoolId: only, spool: await prints.spool(only) } : job;
  const amounts = await calculateJobAmounts(prints, withSpools, jobSpool);
  const isKnown = amounts.isKnown || print.outcome === 'RUNNING';
  // Amounts that a user entered stay until the print has amounts.
  const isKept = !amounts.isKnown && !(await isMadeByGateway(prints, job, print));
  if (isKept && isMoved) return { print, amounts: null };
  const written = isKept ? job : await writeJob(prints, job, { ...amounts, isKnown }, time);
  const { slotsWithoutSpool } = withSpools;
  await prints.store.setJob(print.id, { ...fingerprintJob(written), spools, slotsWithoutSpool });
  const booked = { ...withSpools, ...fingerprintJob(written) };
  await noteJobInWeighings(prints, booked, written, time);
  return { print: booked, amounts };
}

/**
 * Gives the job the spool of the only slot that feeds, which is not the slot that the file or the machine named. If this spool is unknown,
 * a job that the gateway created is withdrawn, and the print waits.
 */
async function moveJob(prints: Prints, print: StoredPrint, job: JobRow, time: RequestTime): Promise<BookedPrint> {
  const jobId = job.id;
  const [slot] = listUsedSlots(print) as [string];
  const isCreatedByGateway = await isMadeByGateway(prints, job, print);
  const loaded = await findFirstSpools(prints, print);
  const spoolId = chooseSpoolOfFedSlot(slot, { ...job, isCreatedByGateway }, loaded);
  const spool = spoolId === null || spoolId === job.spoolId ? job.spool : await prints.spool(spoolId);
  if (spoolId === null || (spoolId !== job.spoolId && spool?.archivedAt !== null)) {
    await prints.jobs.withdraw(jobId, FED_FROM_OTHER_SLOT, time);
    await prints.store.removeJob(print.id);
    const withoutJob = { jobId: null, jobUpdatedAt: null, jobWritten: null, spools: null, slotsWithoutSpool: null };
    return { print: { ...print, ...withoutJob }, amounts: null };
  }
  const spools = { [slot]: spoolId };
  const amounts = await calculateJobAmounts(prints, { ...print, spools }, { spoolId, spool, divided: job.divided });
  const isKnown = amounts.isKnown || print.outcome === 'RUNNING';
  const isKept = !isCreatedByGateway && !amounts.isKnown;
  const written = isKept ? job : await writeJob(prints, job, { ...amounts, isKnown }, time);
  const booked = { ...fingerprintJob(written), spools, slotsWithoutSpool: null };
  await prints.store.setJob(print.id, booked);
  if (!isKept) await noteJobInWeighings(prints, { ...print, ...booked }, written, time);
  // A job that was kept may have another spool than the amounts.
  return { print: { ...print, ...booked }, amounts: isKept ? null : amounts };
}

/**
 * Books the open prints of a printer again after a user entered a slot change. Jobs of ended prints stay as they are.
 * @param store reads outside of a transaction, because most printers have no open print
 */
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
  const booked = findNeededSlots(print).includes(change.slot) ? await assignJob(prints, print, time) : null;
  if (booked !== null) await bookEnd(prints, booked, time);
}

/** Corrects the job after a user entered that a spool was in the slot at the start of the print, came in later, or was not in the slot. */
async function correctSpool(
  prints: Prints,
  print: StoredPrint,
  { slot, spoolId }: SlotChange,
  time: RequestTime,
): Promise<void> {
  const { jobId, slotsWithoutSpool } = print;
  const spools = print.spools ?? {};
  const isUsed = Object.hasOwn(spools, slot) || slotsWithoutSpool?.includes(slot) === true;
  if (jobId === null || print.outcome !== 'RUNNING' || !isUsed) return;
  const loads = await readLoadsDuring(prints, print);
  const running = { ...print, endedAt: null };
  const isFirst =
    spoolId !== null && spoolId !== spools[slot] && chooseFirstSpools(running, loads).get(slot) === spoolId;
  const found = isFirst ? await selectUnarchived(prints, { [slot]: spoolId }) : {};
  const corrected = { ...spools, ...found };
  const job = await prints.jobStore.lockJob(jobId);
  if (job === null || !(await isUnchangedSinceWritten(prints, job, print))) return;
  const isChangedLater = findSpoolChanges(running, corrected, loads).some((change) => change.slot === slot);
  const spoolsOfJob = await prints.parts.spoolIdsOf(job);
  const hasWrongSpool = spoolsOfJob.some((id) => !Object.values(corrected).includes(id));
  const mayBeEmpty = spoolId === null || isNoteOnSlots(job.notes);
  if (Object.hasOwn(found, slot) || isChangedLater || hasWrongSpool || mayBeEmpty)
    await bookSlots(prints, print, job, corrected, time);
}
