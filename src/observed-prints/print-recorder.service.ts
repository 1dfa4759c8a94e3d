// Writes the decisions of the rules, one transaction each, on the condition that this process holds the device.

import type { Lease } from '../leases/lease';
import { consumption, slotsOf, toldSlotsOf } from '../print-rules/consumption';
import { together } from '../print-rules/one-print';
import { hasAmounts } from '../print-rules/plan-completion';
import type { Decision, Ending } from '../print-rules/print.model';
import { NO_FIGURES } from '../print-rules/readings';
import type { Moment } from '../values/moment';
import type { InTransaction, PrintParts } from './print-booking.service';
import { merge } from './print-merging.service';
import { endingWith, planned } from './print-planning.service';
import type { PrinterOfDevice, StoredPrint } from './print-recorder.store';

type Amendment = Extract<Decision, { do: 'AMEND' }>;
type Sighting = Omit<Extract<Decision, { do: 'SIGHT' }>, 'do'>;

/** A decision about a print, with what was heard of it. */
export interface Step {
  /** Of the running print; of a new one the id that it gets, so that a step which is tried again writes it once. */
  printId: string;
  decision: Exclude<Decision, { do: 'SIGHT' }>;
  /** With keys, so that a step which is tried again writes them once. */
  sightings: (Sighting & { key: string })[];
}

type Told = Extract<Decision, { do: 'RESOLVE' }>;

export type Recorded =
  | 'DONE'
  /** The rows are not what the decision was made from: another process or a person changed them. */
  | 'STALE'
  /** The device has had as many new prints as an hour may have. */
  | 'TOO_MANY'
  /** Another process holds the device, or nobody does. */
  | 'NOT_HELD';

export class PrintRecorderService {
  /** @param late outside of a transaction */
  constructor(
    private readonly inTransaction: InTransaction,
    private readonly late: Pick<PrintParts['store']['late'], 'isMissed'>,
  ) {}

  async record(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<Recorded> {
    const { decision } = step;
    // Most answers about a file tell nothing new: no transaction begins for them, in which other requests wait.
    const isNews =
      decision.do !== 'AMEND' || (await this.late.isMissed(printer.deviceId, decision.filePath, decision.since));
    if (!isNews) return 'STALE';
    return this.inTransaction((parts) => new Recording(parts).record(lease, printer, step, moment));
  }

  /**
   * What is left of a decision that cannot be written: a print that begins has its bare row, and one that ends waits for a person.
   * Nothing is booked.
   */
  putAside(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<void> {
    return this.inTransaction((parts) => new Recording(parts).putAside(lease, printer, step, moment));
  }
}

class Recording {
  private readonly store: PrintParts['store'];
  private readonly booking: PrintParts['booking'];

  constructor(private readonly parts: PrintParts) {
    this.store = parts.store;
    this.booking = parts.booking;
  }

  async record(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<Recorded> {
    if (!(await this.store.holds(lease))) return 'NOT_HELD';
    const { decision } = step;
    if (decision.do === 'AMEND') return this.amend(printer, decision, moment);
    if (await this.isOneTooMany(printer, step, moment)) return 'TOO_MANY';
    const { print, isReplanned } = await this.write(printer, step, moment);
    if (print === null) return 'STALE';
    await this.store.sight(print.id, step.sightings);
    await this.book(print, decision, isReplanned, moment);
    return 'DONE';
  }

  /** Once: a print that has its amounts is left. Who edited its job by hand wins. */
  private async amend({ deviceId }: PrinterOfDevice, told: Amendment, moment: Moment): Promise<Recorded> {
    const prints = await this.store.late.of(deviceId, told.filePath, told.since);
    for (const { id, ...print } of prints) {
      await this.store.late.amend(id, told.plan, consumption({ ...print, plan: told.plan }, print.outcome));
      const text = 'The printer told later how much the file uses';
      await this.store.sight(id, [{ key: moment.newId(), at: moment.now, kind: 'AMENDED', text }]);
      const { print: amended } = await this.asNow(id);
      if (amended !== null) await this.book(amended, told, true, moment);
    }
    return prints.length > 0 ? 'DONE' : 'STALE';
  }

  private async isOneTooMany({ deviceId }: PrinterOfDevice, { decision }: Step, { now }: Moment): Promise<boolean> {
    if (decision.do === 'BEGIN') return this.store.isFull(deviceId, now);
    // A history that is read after an outage is none of the last hour, but has no more in any hour.
    return decision.do === 'RECORD' && this.store.isCrowded(deviceId, decision.print.startedAt ?? now, now);
  }

  async putAside(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<void> {
    const { printId, decision, sightings } = step;
    if (!(await this.store.holds(lease)) || (await this.isOneTooMany(printer, step, moment))) return;
    if (decision.do === 'BEGIN' || decision.do === 'RECORD') {
      const print = { ...decision.print, ...NO_FIGURES, plan: null, measured: [], sliced: null };
      const ending = decision.do === 'RECORD' ? decision.ending : null;
      const isCreated =
        (await this.store.create(printId, printer, print, ending)) ||
        (await this.store.create(printId, printer, { ...print, externalId: null }, ending));
      if (isCreated) await this.store.sight(printId, sightings);
    }
    if ((decision.do !== 'END' && decision.do !== 'MERGE') || !(await this.store.giveUp(printId))) return;
    const text = 'What the printer told could not be written. Say what became of the print';
    await this.store.sight(printId, [{ key: moment.newId(), at: moment.now, kind: 'ENDED', text }]);
  }

  private async write(printer: PrinterOfDevice, { printId, decision }: Step, moment: Moment): Promise<Written> {
    switch (decision.do) {
      case 'AMEND':
        return NOT_WRITTEN;
      case 'BEGIN':
      case 'RECORD': {
        const told = decision.do === 'RECORD' ? decision.ending : null;
        const plan = await planned(this.parts, decision.print, null);
        const whose = { printerId: printer.printerId, spools: null };
        const ending = await endingWith(this.parts, plan, whose, told);
        const created = await this.store.create(printId, printer, { ...plan.print, sliced: plan.sliced }, ending);
        return created ? this.asNow(printId) : NOT_WRITTEN;
      }
      case 'SAVE':
      case 'END': {
        const before = await this.store.byId(printId);
        if (before === null) return NOT_WRITTEN;
        const told = decision.do === 'END' ? decision.ending : null;
        const plan = await planned(this.parts, decision.print, before);
        const ending = await endingWith(this.parts, plan, before, told);
        const sliced = plan.sliced === before.sliced ? null : plan.sliced;
        const saved = await this.store.save(printId, { ...plan.print, sliced }, ending);
        const isMoved = saved !== null && (saved.startedAt !== before.startedAt || before.createdAt > saved.seenAt);
        if (isMoved) await this.booking.moveStart(saved, before, moment);
        const print = isMoved ? await this.store.byId(printId) : saved;
        const isPlanned = hasAmounts(plan.print.plan) || hasAmounts(before.plan);
        return { print, isReplanned: isPlanned && JSON.stringify(plan.print.plan) !== JSON.stringify(before.plan) };
      }
      case 'REOPEN': {
        const found = await this.store.unresolved(printer.deviceId, decision.id);
        if (found === null) return NOT_WRITTEN;
        const { print, sliced } = await planned(this.parts, together(found, decision.print), found);
        await this.store.reopen(found.id, { ...print, sliced });
        return this.asNow(found.id);
      }
      case 'MERGE':
        return { print: await merge(this.parts, printId, decision, moment), isReplanned: true };
      case 'RESOLVE': {
        const found = await this.store.unresolved(printer.deviceId, decision.id);
        if (found === null) return NOT_WRITTEN;
        await this.store.end(found.id, await this.resolved(found, decision));
        return this.asNow(found.id);
      }
    }
  }

  /** What the machine tells of a print that is over may leave out what it told while the print ran. */
  private async resolved(found: StoredPrint, { ending, measured }: Told): Promise<Ending> {
    const isEndSeen = measured.length > 0;
    if (!isEndSeen && ending.filament.some(({ basis }) => basis !== 'UNKNOWN')) return ending;
    const print = isEndSeen ? { ...found, measured } : found;
    const plan = await planned(this.parts, print, found);
    return endingWith(this.parts, plan, found, ending, { isEndSeen });
  }

  private async asNow(id: string): Promise<Written> {
    return { print: await this.store.byId(id), isReplanned: false };
  }

  private async book(
    written: StoredPrint,
    decision: Step['decision'],
    isReplanned: boolean,
    moment: Moment,
  ): Promise<void> {
    const print = await this.booking.follow(written, moment);
    const needsJob = print.jobId === null && print.ignoredAt === null;
    // A checkpoint of a print with a job says nothing new of slots.
    if (needsJob || decision.do !== 'SAVE') await this.store.addSlots(print.printerId, usedSlotsOf(print));
    const booked = needsJob && (await this.booking.choose(print, moment)) ? await this.store.byId(print.id) : print;
    if (booked === null) return;
    // The job of a print whose end is not known stays as it is but for its amounts.
    const runsOn = decision.do === 'SAVE' || (decision.do === 'MERGE' && print.outcome === 'RUNNING');
    const goesOn = runsOn || (decision.do === 'AMEND' && print.outcome === 'UNRESOLVED');
    if (goesOn && isReplanned) await this.booking.replan(booked, moment);
    if (decision.do === 'AMEND') await this.booking.settle(booked, print.endedAt ?? print.seenAt, moment);
    if ('ending' in decision) await this.booking.settle(booked, decision.ending.at ?? print.seenAt, moment);
  }
}

const usedSlotsOf = (print: StoredPrint) =>
  print.machine.isSlotToldLate && print.outcome === 'RUNNING' ? toldSlotsOf(print) : slotsOf(print);

interface Written {
  /** As it is now; null when the rows are not what the decision was made from. */
  print: StoredPrint | null;
  /** Whether its planned amounts are others than before. */
  isReplanned: boolean;
}

const NOT_WRITTEN: Written = { print: null, isReplanned: false };

/** Steps of the decisions of one evaluation. @param newId of the prints that begin, and of sightings */
export function stepsOf(decisions: readonly Decision[], runningId: string | null, newId: () => string): Step[] {
  const steps: Step[] = [];
  for (const decision of decisions) {
    if (decision.do !== 'SIGHT') {
      const isNew = decision.do === 'BEGIN' || decision.do === 'RECORD';
      const printId = isNew ? newId() : (runningId ?? '');
      steps.push({ printId, decision, sightings: [] });
    } else {
      const { kind, at, text } = decision;
      steps.at(-1)?.sightings.push({ key: newId(), kind, at, text });
    }
  }
  return steps;
}
