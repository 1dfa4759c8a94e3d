// Decides what a user may enter about a print: its spools, its outcome, and whether it is booked. Each entry is one transaction.
import { BadInput, Conflict, type Issue, orNotFound } from '../../errors';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { JobRow } from '../print-jobs/print-job.rows';
import { calculateUsedFilament } from '../print-rules/amounts';
import type { Ending } from '../print-rules/decision';
import { pickSpools } from '../print-rules/job-choice';
import { findNeededSlots } from '../print-rules/needed-slots';
import { noteJobInWeighings } from './earlier-weighings.service';
import type { StoredPrint } from './observed-print.rows';
import { findWait } from './observed-print.status';
import { addSlicedPlan, calculateEnding, findFirstSpools, selectUnarchived } from './print-amounts.service';
import { type BookedPrint, bookEnd, createJob, isUnchangedSinceWritten } from './print-booking.service';
import type { Prints } from './prints.transaction';
import { bookSlots } from './spools-of-print.service';

/** The most prints in one request. Each print takes about 10 ms. */
export const MAX_DECIDED_PRINTS = 100;

interface SlotSpool {
  slot: string;
  spoolId: string;
}

const OUTCOMES = ['COMPLETED', 'CANCELLED', 'FAILED'] as const;
const OUTCOME_WORDS = { COMPLETED: 'completed', CANCELLED: 'cancelled', FAILED: 'failed' };

export async function assignSpools(
  prints: Prints,
  id: string,
  spools: readonly SlotSpool[],
  time: RequestTime,
): Promise<void> {
  const print = await lockPrint(prints, id);
  const spoolBySlot = await chooseSpools(prints, print, spools);
  if (print.jobId !== null && print.slotsWithoutSpool === null)
    throw new Conflict('This print already has a job. Change the spool of the job instead', 'printId');
  if (print.ignoredAt !== null)
    throw new Conflict('This print is not booked. Call ignorePrint with ignored: false first', 'printId');
  if ((await prints.printer(print.printerId))?.archivedAt != null)
    throw new Conflict('The printer of this print is archived. Restore the printer first', 'printId');
  const job = print.jobId === null ? null : await prints.jobStore.lockJob(print.jobId);
  const all = { ...print.spools, ...spoolBySlot };
  const booked =
    job === null ? await createJob(prints, print, all, time) : await addSpoolsToJob(prints, print, job, all, time);
  await addSighting(prints, print.id, 'CORRECTED', 'A user entered the spool', time);
  await bookEnd(prints, booked, time);
}

export function checkAssignedCount(ids: readonly string[]): void {
  if (ids.length > MAX_DECIDED_PRINTS) throw new BadInput(`must have at most ${MAX_DECIDED_PRINTS} ids`, 'printIds');
}

/**
 * Assigns the spools that a print needs. A print that also waits for another slot, or waits for no spool, stays as it is.
 * @param spools spools by slot, of which the print may need some
 */
export async function assignFittingSpools(
  prints: Prints,
  id: string,
  spools: readonly SlotSpool[],
  time: RequestTime,
): Promise<void> {
  const print = await lockPrint(prints, id);
  await checkSpools(prints, spools);
  const slots = print.slotsWithoutSpool ?? findNeededSlots(print);
  const fitting = spools.filter(({ slot }) => slots.includes(slot));
  const missing = slots.filter((slot) => !fitting.some((spool) => spool.slot === slot));
  if (findWait(print) !== 'SPOOL' || fitting.length === 0) return;
  const known = await findLoadedSpools(prints, print, missing);
  if (missing.every((slot) => Object.hasOwn(known, slot))) await assignSpools(prints, id, fitting, time);
}

/** Adds spools to the job of a print that waits for them. Amounts that a user entered into the job stay. */
async function addSpoolsToJob(
  prints: Prints,
  print: StoredPrint,
  job: JobRow,
  spools: Record<string, string>,
  time: RequestTime,
): Promise<BookedPrint> {
  if (await isUnchangedSinceWritten(prints, job, print)) return bookSlots(prints, print, job, spools, time);
  const { jobUpdatedAt, jobWritten } = print;
  const booked = { jobId: job.id, jobUpdatedAt, jobWritten, spools, slotsWithoutSpool: null };
  await prints.store.setJob(print.id, booked);
  return { print: { ...print, ...booked }, amounts: null };
}

/** By slot, the spools that the user entered, or else the spools that were in the printer. */
async function chooseSpools(
  prints: Prints,
  print: StoredPrint,
  spools: readonly SlotSpool[],
): Promise<Record<string, string>> {
  const slots = print.slotsWithoutSpool ?? findNeededSlots(print);
  // The user may also name a slot that fed nothing.
  const known = print.slotsWithoutSpool ?? [...slots, ...calculateUsedFilament(print).map(({ slot }) => slot)];
  const namedSlots = spools.map(({ slot }) => slot);
  const unnamedSlots = slots.filter((slot) => !namedSlots.includes(slot));
  const isEachNamedOnce = namedSlots.every((slot, at) => known.includes(slot) && namedSlots.indexOf(slot) === at);
  const loaded = isEachNamedOnce ? await findLoadedSpools(prints, print, unnamedSlots) : {};
  if (!isEachNamedOnce || unnamedSlots.some((slot) => !Object.hasOwn(loaded, slot)))
    throw new BadInput(`must name each slot of the print once: ${slots.join(', ')}`, 'spools');
  const ids = await checkSpools(prints, spools);
  return { ...loaded, ...Object.fromEntries(namedSlots.map((slot, at) => [slot, ids[at] as string])) };
}

/** @returns the ids of the spools as they are stored */
async function checkSpools(prints: Prints, spools: readonly SlotSpool[]): Promise<string[]> {
  const ids = spools.map(({ spoolId }, at) => {
    try {
      return parseGuid(spoolId, 'spoolId');
    } catch {
      throw new BadInput('must be the id of a spool', 'spools', at, 'spoolId');
    }
  });
  for (const [at, id] of ids.entries()) {
    const spool = await prints.spool(id);
    if (spool === null) throw new BadInput('must be the id of a spool', 'spools', at, 'spoolId');
    if (spool.archivedAt !== null)
      throw new BadInput('must not be an archived spool. Restore it first', 'spools', at, 'spoolId');
  }
  return ids;
}

/** The spools that were loaded, by the same rule as in `assignJob`. A print that has a job waits for slots without a loaded spool. */
async function findLoadedSpools(
  prints: Prints,
  print: StoredPrint,
  slots: readonly string[],
): Promise<Record<string, string>> {
  if (slots.length === 0 || print.jobId !== null) return {};
  return selectUnarchived(prints, pickSpools(slots, await findFirstSpools(prints, print)));
}

export async function resolvePrint(
  prints: Prints,
  id: string,
  outcome: string,
  endedAt: string | null | undefined,
  time: RequestTime,
): Promise<void> {
  const print = await lockPrint(prints, id);
  const entered = parseOutcome(outcome, 'outcome');
  const at = endedAt == null ? null : parseInstant(endedAt, 'endedAt');
  if (at !== null && at > time.now) throw new BadInput('must not be later than now', 'endedAt');
  if (at !== null && print.startedAt !== null && at < print.startedAt)
    throw new BadInput(`must not be earlier than the start of the print, ${print.startedAt}`, 'endedAt');
  if (print.outcome !== 'UNRESOLVED')
    throw new Conflict(`This print is ${print.outcome}. Only an UNRESOLVED print can be resolved`, 'printId');
  await enterEnding(
    prints,
    print,
    { outcome: entered, at: at ?? print.seenAt, estimated: at === null, reason: null },
    time,
  );
}

interface PrintOutcome {
  printId: string;
  outcome: string;
}

/** Checks all outcomes before the first of them is entered. */
export function checkOutcomes(outcomes: readonly PrintOutcome[]): void {
  if (outcomes.length > MAX_DECIDED_PRINTS)
    throw new BadInput(`must have at most ${MAX_DECIDED_PRINTS} items`, 'outcomes');
  for (const [at, { printId, outcome }] of outcomes.entries()) {
    parseGuid(printId, 'outcomes', at, 'printId');
    parseOutcome(outcome, 'outcomes', at, 'outcome');
  }
}

/** Enters the outcome of a print that ended at its last contact. A print that is not UNRESOLVED any more stays as it is. */
export async function resolveIfUnresolved(
  prints: Prints,
  { printId, outcome }: PrintOutcome,
  time: RequestTime,
): Promise<void> {
  const print = await lockPrint(prints, printId);
  if (print.outcome !== 'UNRESOLVED') return;
  const entered = parseOutcome(outcome, 'outcome');
  await enterEnding(prints, print, { outcome: entered, at: print.seenAt, estimated: true, reason: null }, time);
}

function parseOutcome(outcome: string, ...place: Issue['path']): (typeof OUTCOMES)[number] {
  const entered = OUTCOMES.find((known) => known === outcome);
  if (entered === undefined) throw new BadInput(`must be one of ${OUTCOMES.join(', ')}`, ...place);
  return entered;
}

type EnteredEnding = Ending & { outcome: (typeof OUTCOMES)[number] };

async function enterEnding(
  prints: Prints,
  print: StoredPrint,
  ending: EnteredEnding,
  time: RequestTime,
): Promise<void> {
  const planned = await addSlicedPlan(prints, print, print);
  await prints.store.end(print.id, await calculateEnding(prints, planned, print, ending, { isEndSeen: false }));
  await addSighting(prints, print.id, 'RESOLVED', `A user entered the outcome: ${OUTCOME_WORDS[ending.outcome]}`, time);
  const ended = (await prints.store.byId(print.id)) as StoredPrint;
  await bookEnd(prints, { print: ended, amounts: null }, time);
  const job = ended.jobId === null ? null : await prints.jobs.byId(ended.jobId);
  if (job !== null) await noteJobInWeighings(prints, ended, job, time);
}

export async function ignorePrint(prints: Prints, id: string, ignored: boolean, time: RequestTime): Promise<void> {
  const print = await lockPrint(prints, id);
  if (ignored === (print.ignoredAt !== null)) return;
  if (ignored && print.jobId !== null && print.slotsWithoutSpool === null)
    throw new Conflict('This print already has a job. Cancel the job instead', 'printId');
  await prints.store.setIgnored(print.id, ignored ? time.now : null);
}

function addSighting(
  prints: Prints,
  printId: string,
  kind: 'CORRECTED' | 'RESOLVED',
  text: string,
  { newId, now }: RequestTime,
): Promise<void> {
  return prints.sightings.add(printId, [{ key: newId(), at: now, kind, text }]);
}

async function lockPrint(prints: Prints, id: string): Promise<StoredPrint> {
  return orNotFound(await prints.store.locked(parseGuid(id, 'printId')), 'print', id);
}
