// Writes the decisions of the rules: the row of a print, its sightings, and its job. Each step is one transaction. It is refused unless this
// process holds the lease of the device.
import type { Lease } from '../../sharing/lease';
import type { RequestTime } from '../../values/request-time';
import { calculateFilament } from '../print-rules/amounts';
import { combineRows } from '../print-rules/continuation';
import type { Decision, Ending, EndingWithAmounts } from '../print-rules/decision';
import { listAnnouncedSlots, listUsedSlots } from '../print-rules/fed-slots';
import { haveSlotsChanged } from '../print-rules/needed-slots';
import { hasAmounts, NO_FIGURES, type RunningPrint } from '../print-rules/print.model';
import { isUnplanned } from '../print-rules/sliced-plan';
import type { DeviceHistoryStore } from './device-history.store';
import type { StoredPrint } from './observed-print.rows';
import { addPlanOfPrinter, addSlicedPlan, calculateEnding, correctFirstSlot } from './print-amounts.service';
import { assignJob, bookEnd, moveJobStart, replanJob } from './print-booking.service';
import { mergePrints } from './print-merging.service';
import type { PrinterOfDevice } from './print-writing.store';
import type { InTransaction, Prints } from './prints.transaction';
import type { Sighting } from './sighting.store';
import { addFedSlots } from './spools-of-print.service';

/** A decision about a print, with its sightings. */
export interface Step {
  /** The id of the running print, or the id that a new print gets. A step that is tried again writes the print once. */
  printId: string;
  decision: Exclude<Decision, { do: 'SIGHTING' }>;
  /** Each has a key, so that a step that is tried again writes it once. */
  sightings: Sighting[];
}

export type StepResult =
  | 'DONE'
  /** The rows have changed since the decision: another process or a user wrote them. */
  | 'STALE'
  /** The device already has as many new prints as an hour may have. */
  | 'TOO_MANY'
  /** This process does not hold the device. */
  | 'NOT_HELD';

export class PrintWritingService {
  /** @param deviceHistory reads outside of a transaction */
  constructor(
    private readonly inTransaction: InTransaction,
    private readonly deviceHistory: Pick<DeviceHistoryStore, 'unplanned'>,
  ) {}

  async writeStep(lease: Lease, printer: PrinterOfDevice, step: Step, time: RequestTime): Promise<StepResult> {
    const { decision } = step;
    // Most answers about a file change nothing. They start no transaction, because other requests would wait for it.
    const hasChanges =
      decision.do !== 'AMEND' ||
      (await this.deviceHistory.unplanned(printer.deviceId, decision.filePath, decision.since)).length > 0;
    return hasChanges ? this.inTransaction((prints) => writeAsHolder(prints, lease, printer, step, time)) : 'STALE';
  }

  /** Writes what can be kept of a step that is skipped because it cannot be written. */
  writeSkipped(lease: Lease, printer: PrinterOfDevice, step: Step, time: RequestTime): Promise<void> {
    return this.inTransaction((prints) => writeSkipped(prints, lease, printer, step, time));
  }
}

async function writeAsHolder(
  prints: Prints,
  lease: Lease,
  printer: PrinterOfDevice,
  step: Step,
  time: RequestTime,
): Promise<StepResult> {
  if (!(await prints.isHolder(lease))) return 'NOT_HELD';
  const { decision } = step;
  if (decision.do === 'AMEND') return amendPrints(prints, printer, decision, time);
  if (await exceedsHourlyLimit(prints, printer, step, time)) return 'TOO_MANY';
  const { print, isReplanned } = await writePrint(prints, printer, step.printId, decision, time);
  if (print === null) return 'STALE';
  await prints.sightings.add(print.id, step.sightings);
  await bookDecision(prints, print, decision, isReplanned, time);
  return 'DONE';
}

/** Gives ended prints their late plan. A print that has amounts stays as it is, and so does what a user changed in its job. */
async function amendPrints(
  prints: Prints,
  { deviceId }: PrinterOfDevice,
  decision: Extract<Decision, { do: 'AMEND' }>,
  time: RequestTime,
): Promise<StepResult> {
  const { filePath, plan, since } = decision;
  let result: StepResult = 'STALE';
  for (const id of (await prints.deviceHistory.unplanned(deviceId, filePath, since)).reverse()) {
    const print = await prints.store.locked(id);
    // Another process may have written the amounts in the meantime.
    if (print === null || print.outcome === 'RUNNING' || !isUnplanned(print)) continue;
    result = 'DONE';
    const late = await correctFirstSlot(prints, { ...print, plan });
    await prints.store.amend(id, late ?? plan, calculateFilament({ ...print, plan: late }, print.outcome));
    const text = 'The printer reported later how much filament the file uses';
    await prints.sightings.add(id, [{ key: time.newId(), at: time.now, kind: 'AMENDED', text }]);
    const { print: amended } = await readWritten(prints, id);
    if (amended !== null) await bookDecision(prints, amended, decision, true, time);
  }
  return result;
}

async function exceedsHourlyLimit(
  prints: Prints,
  { deviceId }: PrinterOfDevice,
  { decision }: Step,
  { now }: RequestTime,
): Promise<boolean> {
  if (decision.do === 'BEGIN') return prints.deviceHistory.startedTooMany(deviceId, now);
  // After an outage, a history has prints that are older than an hour. They are counted in the hours of their starts.
  return (
    decision.do === 'RECORD' && prints.deviceHistory.recordsTooMany(deviceId, decision.print.startedAt ?? now, now)
  );
}

/** Writes a new print without its figures, and lets an ended print wait for a user. Nothing is booked. */
async function writeSkipped(
  prints: Prints,
  lease: Lease,
  printer: PrinterOfDevice,
  step: Step,
  time: RequestTime,
): Promise<void> {
  const { printId, decision, sightings } = step;
  if (!(await prints.isHolder(lease)) || (await exceedsHourlyLimit(prints, printer, step, time))) return;
  if (decision.do === 'BEGIN' || decision.do === 'RECORD') {
    const print = { ...decision.print, ...NO_FIGURES, plan: null, measured: [], sliced: null };
    const ending = decision.do === 'RECORD' ? createReportedEnding(decision) : null;
    const isCreated =
      (await prints.store.create(printId, printer, print, ending)) ||
      (await prints.store.create(printId, printer, { ...print, externalId: null }, ending));
    if (isCreated) await prints.sightings.add(printId, sightings);
  }
  if ((decision.do !== 'END' && decision.do !== 'MERGE') || !(await prints.store.endUnseen(printId))) return;
  const text = 'What the printer reported could not be saved. Enter the outcome of the print';
  await prints.sightings.add(printId, [{ key: time.newId(), at: time.now, kind: 'ENDED', text }]);
}

/** The ending with the amounts that the machine reported, without the amounts of a slicer's plan. */
const createReportedEnding = ({ print, ending }: { print: RunningPrint; ending: Ending }): EndingWithAmounts => ({
  ...ending,
  filament: calculateFilament(print, ending.outcome),
});

/** Locks an UNRESOLVED print of the device. `null` if there is none with this id. */
async function lockUnresolved(prints: Prints, deviceId: string, id: string): Promise<StoredPrint | null> {
  const print = await prints.store.locked(id);
  return print?.outcome === 'UNRESOLVED' && print.deviceId === deviceId ? print : null;
}

async function writePrint(
  prints: Prints,
  printer: PrinterOfDevice,
  printId: string,
  decision: Exclude<Step['decision'], { do: 'AMEND' }>,
  time: RequestTime,
): Promise<WrittenPrint> {
  switch (decision.do) {
    case 'BEGIN':
    case 'RECORD': {
      const end = decision.do === 'RECORD' ? decision.ending : null;
      const row = { printerId: printer.printerId, spools: null, createdAt: decision.print.seenAt };
      const planned = await addPlanOfPrinter(prints, decision.print, null, row);
      const ending = end && (await calculateEnding(prints, planned, row, end));
      const print = { ...planned.print, sliced: planned.sliced };
      return (await prints.store.create(printId, printer, print, ending)) ? readWritten(prints, printId) : NOT_WRITTEN;
    }
    case 'SAVE':
    case 'END': {
      const before = await prints.store.byId(printId);
      if (before === null) return NOT_WRITTEN;
      const end = decision.do === 'END' ? decision.ending : null;
      const planned = await addPlanOfPrinter(prints, decision.print, before, before);
      const ending = end && (await calculateEnding(prints, planned, before, end));
      const sliced = planned.sliced === before.sliced ? null : planned.sliced;
      const saved = await prints.store.save(printId, { ...planned.print, sliced }, ending);
      const isStartMoved = saved !== null && (saved.startedAt !== before.startedAt || before.createdAt > saved.seenAt);
      if (isStartMoved) await moveJobStart(prints, saved, before, time);
      const print = isStartMoved ? await prints.store.byId(printId) : saved;
      const isPlanned = hasAmounts(planned.print.plan) || hasAmounts(before.plan);
      return { print, isReplanned: isPlanned && JSON.stringify(planned.print.plan) !== JSON.stringify(before.plan) };
    }
    case 'REOPEN': {
      const found = await lockUnresolved(prints, printer.deviceId, decision.id);
      if (found === null) return NOT_WRITTEN;
      const { print, sliced } = await addPlanOfPrinter(prints, combineRows(found, decision.print), found, found);
      await prints.store.reopen(found.id, { ...print, sliced });
      return readWritten(prints, found.id);
    }
    case 'MERGE':
      return { print: await mergePrints(prints, printId, decision, time), isReplanned: true };
    case 'RESOLVE': {
      const found = await lockUnresolved(prints, printer.deviceId, decision.id);
      if (found === null) return NOT_WRITTEN;
      await prints.store.end(found.id, await calculateResolvedEnding(prints, found, decision));
      return readWritten(prints, found.id);
    }
  }
}

/** The report of a machine about an ended print may lack what the machine reported while the print was running, so the row fills the gaps. */
async function calculateResolvedEnding(
  prints: Prints,
  found: StoredPrint,
  { print, ending }: Extract<Decision, { do: 'RESOLVE' }>,
): Promise<EndingWithAmounts> {
  const isEndSeen = print.measured.length > 0;
  const reported = createReportedEnding({ print, ending });
  if (!isEndSeen && reported.filament.some(({ basis }) => basis !== 'UNKNOWN')) return reported;
  const planned = await addSlicedPlan(prints, isEndSeen ? { ...found, measured: print.measured } : found, found);
  return calculateEnding(prints, planned, found, ending, { isEndSeen });
}

async function readWritten(prints: Prints, id: string): Promise<WrittenPrint> {
  return { print: await prints.store.byId(id), isReplanned: false };
}

/** The decisions by which a print ends, or by which its amounts become known after its end. */
const ENDING_DECISIONS: ReadonlySet<Decision['do']> = new Set(['END', 'RECORD', 'RESOLVE', 'AMEND']);

async function bookDecision(
  prints: Prints,
  written: StoredPrint,
  decision: Step['decision'],
  isReplanned: boolean,
  time: RequestTime,
): Promise<void> {
  const withSlots = haveSlotsChanged(written)
    ? await addFedSlots(prints, written, time)
    : { print: written, amounts: null };
  const { print } = withSlots;
  const needsJob = print.jobId === null && print.ignoredAt === null;
  // A checkpoint of a print with a job has no new slots.
  if (needsJob || decision.do !== 'SAVE') await prints.addSlots(print.printerId, listSlotsToAdd(print));
  const booked = (needsJob && (await assignJob(prints, print, time))) || withSlots;
  const isStillRunning = decision.do === 'SAVE' || (decision.do === 'MERGE' && print.outcome === 'RUNNING');
  // The job of a print whose end is unknown only gets new amounts.
  const isEndOpen = isStillRunning || (decision.do === 'AMEND' && print.outcome === 'UNRESOLVED');
  if (isEndOpen && isReplanned) await replanJob(prints, booked.print, time);
  if (ENDING_DECISIONS.has(decision.do)) await bookEnd(prints, booked, time);
}

const listSlotsToAdd = (print: StoredPrint) =>
  print.machine.isSlotReportedLate && print.outcome === 'RUNNING' ? listAnnouncedSlots(print) : listUsedSlots(print);

interface WrittenPrint {
  /** The print as it is stored now. `null` if the rows have changed since the decision. */
  print: StoredPrint | null;
  /** Whether the planned amounts have changed. */
  isReplanned: boolean;
}

const NOT_WRITTEN: WrittenPrint = { print: null, isReplanned: false };
