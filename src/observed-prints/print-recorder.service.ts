// Writes the decisions of the rules, one transaction each, on the condition that this process holds the device.
import type { Moment } from '../values/moment';
import { slotsOf } from './consumption';
import type { Lease } from './lease';
import type { Decision, Ending } from './observed-print.model';
import type { InTransaction, PrintParts } from './print-booking.service';
import { hasAmounts } from './print-plan.completion';
import { endingWith, planned } from './print-planning';
import type { PrinterOfDevice, StoredPrint } from './print-recorder.store';

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
  /** Another process holds the device, or nobody does. */
  | 'NOT_HELD';

export class PrintRecorderService {
  constructor(private readonly inTransaction: InTransaction) {}

  record(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<Recorded> {
    return this.inTransaction((parts) => new Recording(parts).record(lease, printer, step, moment));
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
    const { print, isReplanned } = await this.write(printer, step);
    if (print === null) return 'STALE';
    await this.store.sight(print.id, step.sightings);
    await this.book(print, step.decision, isReplanned, moment);
    return 'DONE';
  }

  private async write(printer: PrinterOfDevice, { printId, decision }: Step): Promise<Written> {
    switch (decision.do) {
      case 'BEGIN':
      case 'RECORD': {
        const told = decision.do === 'RECORD' ? decision.ending : null;
        const plan = await planned(this.parts, decision.print, printer.deviceId, null);
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
        const plan = await planned(this.parts, decision.print, printer.deviceId, before);
        const ending = await endingWith(this.parts, plan, before, told);
        const sliced = plan.sliced === before.sliced ? null : plan.sliced;
        const print = await this.store.save(printId, { ...plan.print, sliced }, ending);
        const isPlanned = hasAmounts(plan.print.plan) || hasAmounts(before.plan);
        return { print, isReplanned: isPlanned && JSON.stringify(plan.print.plan) !== JSON.stringify(before.plan) };
      }
      case 'REOPEN': {
        const found = await this.store.unresolved(printer.deviceId, decision.externalId);
        if (found === null) return NOT_WRITTEN;
        const { print, sliced } = await planned(this.parts, decision.print, printer.deviceId, found);
        await this.store.reopen(found.id, { ...print, sliced });
        return this.asNow(found.id);
      }
      case 'RESOLVE': {
        const found = await this.store.unresolved(printer.deviceId, decision.externalId);
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
    const plan = await planned(this.parts, print, found.deviceId, found);
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
    if (needsJob || decision.do !== 'SAVE') await this.store.addSlots(print.printerId, slotsOf(print));
    const booked = needsJob && (await this.booking.choose(print, moment)) ? await this.store.byId(print.id) : print;
    if (booked === null) return;
    if (decision.do === 'SAVE' && isReplanned) await this.booking.replan(booked, moment);
    if (!('ending' in decision)) return;
    await this.booking.settle(booked, decision.ending.at ?? print.seenAt, moment);
  }
}

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
