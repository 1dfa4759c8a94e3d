// What a person decides about a print: its spools, what became of it, and whether it is booked.
import { BadInput, Conflict, orNotFound } from '../errors';
import { slotsOf } from '../print-rules/consumption';
import type { Ending } from '../print-rules/print.model';
import { parseGuid } from '../values/guid';
import { parseInstant } from '../values/instant';
import type { Moment } from '../values/moment';
import type { InTransaction, PrintParts } from './print-booking.service';
import { endingWith, planned } from './print-planning.service';
import type { StoredPrint } from './print-recorder.store';

interface SlotSpool {
  slot: string;
  spoolId: string;
}

const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'] as const;
const WORDS = { COMPLETED: 'it was completed', CANCELLED: 'it was cancelled', FAILED: 'it failed' };

/** Each decision is one transaction. */
export class PrintDecisionsService {
  constructor(private readonly inTransaction: InTransaction) {}

  assignSpools(id: string, spools: readonly SlotSpool[], moment: Moment): Promise<void> {
    return this.inTransaction((parts) => new Decisions(parts).assignSpools(id, spools, moment));
  }

  resolve(id: string, outcome: string, endedAt: string | null | undefined, moment: Moment): Promise<void> {
    return this.inTransaction((parts) => new Decisions(parts).resolve(id, outcome, endedAt, moment));
  }

  ignore(id: string, ignored: boolean, moment: Moment): Promise<void> {
    return this.inTransaction((parts) => new Decisions(parts).ignore(id, ignored, moment));
  }
}

class Decisions {
  private readonly store: PrintParts['store'];
  private readonly booking: PrintParts['booking'];

  constructor(private readonly parts: PrintParts) {
    this.store = parts.store;
    this.booking = parts.booking;
  }

  async assignSpools(id: string, spools: readonly SlotSpool[], moment: Moment): Promise<void> {
    const print = await this.existing(id);
    const spoolId = await this.spoolFor(print, spools);
    if (print.jobId !== null)
      throw new Conflict('This print has its job already: change the spool of the job', 'printId');
    if (print.ignoredAt !== null) throw new Conflict('This print is ignored: ignorePrint takes that back', 'printId');
    if (await this.store.isArchived(print.printerId))
      throw new Conflict('The printer of this print is archived: use the printer again first', 'printId');
    const bySlot = Object.fromEntries(spools.map(({ slot }) => [slot, spoolId]));
    await this.booking.make(print, spoolId, bySlot, moment);
    await this.sight(print.id, 'CORRECTED', 'A person said its spool', moment);
    await this.settle(print.id, moment);
  }

  /** One spool for all slots of the print: a job has one spool. */
  private async spoolFor(print: StoredPrint, spools: readonly SlotSpool[]): Promise<string> {
    // Of a print that is over they are written down.
    const slots = print.filament?.length ? print.filament.map(({ slot }) => slot) : slotsOf(print);
    const given = spools.map(({ slot }) => slot);
    const isEach = slots.length === given.length && slots.every((slot) => given.includes(slot));
    if (!isEach) throw new BadInput(`must name each slot of the print once: ${slots.join(', ')}`, 'spools');
    const ids = spools.map(({ spoolId }, at) => {
      try {
        return parseGuid(spoolId, 'spoolId');
      } catch {
        throw new BadInput('must be the id of a spool', 'spools', at, 'spoolId');
      }
    });
    const [spoolId] = ids as [string];
    if (ids.some((one) => one !== spoolId))
      throw new BadInput('must be the same spool for all slots, because a job has one spool', 'spools');
    const spool = await this.parts.spool(spoolId);
    if (spool === null) throw new BadInput('must be the id of a spool', 'spools', 0, 'spoolId');
    if (spool.archivedAt !== null)
      throw new BadInput('must be a spool in use: this one is archived', 'spools', 0, 'spoolId');
    return spoolId;
  }

  async resolve(id: string, outcome: string, endedAt: string | null | undefined, moment: Moment): Promise<void> {
    const print = await this.existing(id);
    const said = ENDED.find((one) => one === outcome);
    if (said === undefined) throw new BadInput(`must be one of ${ENDED.join(', ')}`, 'outcome');
    const at = endedAt == null ? null : parseInstant(endedAt, 'endedAt');
    if (at !== null && at > moment.now) throw new BadInput('must not be later than now', 'endedAt');
    if (at !== null && print.startedAt !== null && at < print.startedAt)
      throw new BadInput(`must not be earlier than the start of the print, ${print.startedAt}`, 'endedAt');
    if (print.outcome !== 'UNRESOLVED')
      throw new Conflict(`This print is ${print.outcome}: only an UNRESOLVED print can be resolved`, 'printId');
    const ending: Ending = {
      outcome: said,
      // Until then it was seen.
      at: at ?? print.seenAt,
      estimated: at === null,
      reason: null,
      filament: [],
    };
    const plan = await planned(this.parts, print, print);
    await this.store.end(print.id, await endingWith(this.parts, plan, print, ending, { isEndSeen: false }));
    await this.sight(print.id, 'RESOLVED', `A person said: ${WORDS[said]}`, moment);
    await this.settle(print.id, moment);
  }

  async ignore(id: string, ignored: boolean, moment: Moment): Promise<void> {
    const print = await this.existing(id);
    if (ignored === (print.ignoredAt !== null)) return;
    if (ignored && print.jobId !== null)
      throw new Conflict('This print has its job already: cancel the job instead', 'printId');
    await this.store.setIgnored(print.id, ignored ? moment.now : null);
  }

  private sight(printId: string, kind: 'CORRECTED' | 'RESOLVED', text: string, { newId, now }: Moment): Promise<void> {
    return this.store.sight(printId, [{ key: newId(), at: now, kind, text }]);
  }

  private async settle(id: string, moment: Moment): Promise<void> {
    const print = (await this.store.byId(id)) as StoredPrint;
    await this.booking.settle(print, print.endedAt ?? print.seenAt, moment);
  }

  private async existing(id: string): Promise<StoredPrint> {
    return orNotFound(await this.store.locked(parseGuid(id, 'printId')), 'print', id);
  }
}
