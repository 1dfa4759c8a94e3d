// Writes the decisions of the rules, one transaction each, on the condition that this process holds the device.
import type { Moment } from '../values/moment';
import { slotsOf } from './consumption';
import type { Lease } from './lease';
import type { Decision } from './observed-print.model';
import type { InTransaction, PrintParts } from './print-booking.service';
import type { PrinterOfDevice, StoredPrint } from './print-recorder.store';

type Sighting = Extract<Decision, { do: 'SIGHT' }>;

/** A decision about a print, with what was heard of it. */
export interface Step {
  /** Of the running print; of a new one the id that it gets, so that a step which is tried again writes it once. */
  printId: string;
  decision: Exclude<Decision, Sighting>;
  sightings: Sighting[];
}

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

  constructor(parts: PrintParts) {
    this.store = parts.store;
    this.booking = parts.booking;
  }

  async record(lease: Lease, printer: PrinterOfDevice, step: Step, moment: Moment): Promise<Recorded> {
    if (!(await this.store.holds(lease))) return 'NOT_HELD';
    const print = await this.write(printer, step);
    if (print === null) return 'STALE';
    await this.store.sight(
      print.id,
      step.sightings.map(({ kind, at, text }) => ({ kind, at, text })),
    );
    await this.book(print, step.decision, moment);
    return 'DONE';
  }

  /** The print as it is now; null when it is not what the decision was made from. */
  private async write(printer: PrinterOfDevice, { printId, decision }: Step): Promise<StoredPrint | null> {
    switch (decision.do) {
      case 'BEGIN':
      case 'RECORD': {
        const ending = decision.do === 'RECORD' ? decision.ending : null;
        const created = await this.store.create(printId, printer, decision.print, ending);
        return created ? this.store.byId(printId) : null;
      }
      case 'SAVE':
        return this.store.save(printId, decision.print, null);
      case 'END':
        return this.store.save(printId, decision.print, decision.ending);
      case 'REOPEN': {
        const found = await this.store.unresolved(printer.deviceId, decision.externalId);
        if (found === null) return null;
        await this.store.reopen(found.id, decision.print);
        return this.store.byId(found.id);
      }
      case 'RESOLVE': {
        const found = await this.store.unresolved(printer.deviceId, decision.externalId);
        if (found === null) return null;
        await this.store.end(found.id, decision.ending);
        return this.store.byId(found.id);
      }
    }
  }

  private async book(print: StoredPrint, decision: Step['decision'], moment: Moment): Promise<void> {
    const needsJob = print.jobId === null && print.ignoredAt === null;
    // A checkpoint of a print with a job says nothing new of slots.
    if (needsJob || decision.do !== 'SAVE') await this.store.addSlots(print.printerId, slotsOf(print));
    const booked = needsJob && (await this.booking.choose(print, moment)) ? await this.store.byId(print.id) : print;
    if (booked === null) return;
    if (decision.do === 'SAVE' && decision.isReplanned) await this.booking.replan(booked, moment);
    if (!('ending' in decision)) return;
    await this.booking.settle(booked, decision.ending.at ?? print.seenAt, moment);
  }
}

/** Steps of the decisions of one evaluation. @param newId of the prints that begin */
export function stepsOf(decisions: readonly Decision[], runningId: string | null, newId: () => string): Step[] {
  const steps: Step[] = [];
  for (const decision of decisions) {
    if (decision.do !== 'SIGHT') {
      const isNew = decision.do === 'BEGIN' || decision.do === 'RECORD';
      const printId = isNew ? newId() : (runningId ?? '');
      steps.push({ printId, decision, sightings: [] });
    } else steps.at(-1)?.sightings.push(decision);
  }
  return steps;
}
