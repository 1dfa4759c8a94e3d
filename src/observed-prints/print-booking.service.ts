// From an observed print to its job: the job that it takes up or gets, and what the job says of its end.
import Decimal from 'decimal.js';
import { BadInput } from '../errors';
import type { Spool } from '../inventory/inventory.types';
import { costOf, deriveGrams, hasPrice } from '../print-jobs/filament';
import type { JobRow } from '../print-jobs/print-job.rows';
import type { PrintJobService } from '../print-jobs/print-job.service';
import type { JobStatus } from '../print-jobs/print-job.status';
import type { PrintPlanStore } from '../print-plans/print-plan.store';
import { gramsOf, slotsOf } from '../print-rules/consumption';
import { chooseJob, spoolOfFed } from '../print-rules/job-choice';
import type { ObservedFilament, PrintOutcome } from '../print-rules/print.model';
import { asEvidence } from '../values/evidence';
import type { Instant } from '../values/instant';
import type { Moment } from '../values/moment';
import { bookedFilamentOf } from './observed-print.status';
import type { PrintRecorderStore, StoredPrint } from './print-recorder.store';

const STATUS_OF: Record<Exclude<PrintOutcome, 'RUNNING' | 'UNRESOLVED'>, JobStatus> = {
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
};
const notBooked = (slots: readonly string[]) =>
  `The filament of ${slots.join(', ')} is not in this job, because its spool is not known.`;
const inAnother = (id: string | null) =>
  id === null
    ? 'This job is of a print that is not to be booked.'
    : `This job and job ${id} are of one print: its filament is in that one.`;
const OTHERS_FED =
  'The print of this job was fed from another slot than that of its spool: it gets another job, or waits for its spool.';
const NOT_KNOWN = 'The printer did not tell how much filament this print used.';

/** What decisions about prints need, on one transaction. */
export interface PrintParts {
  store: PrintRecorderStore;
  plans: PrintPlanStore;
  booking: PrintBookingService;
  spool(id: string): Promise<Spool | null>;
}

/** Does all of `work`, or nothing when it fails. */
export type InTransaction = <T>(work: (parts: PrintParts) => Promise<T>) => Promise<T>;

export class PrintBookingService {
  constructor(
    private readonly store: PrintRecorderStore,
    private readonly jobs: PrintJobService,
    private readonly spool: (id: string) => Promise<Spool | null>,
  ) {}

  /** Gives the print its job, or lets it wait for a person. @returns whether it has one now */
  async choose(print: StoredPrint, moment: Moment): Promise<boolean> {
    // A print may have ended while no gateway listened. A job that was queued, or a spool that was loaded, after its end is for the next print.
    const end = print.outcome === 'RUNNING' ? null : (print.endedAt ?? print.seenAt);
    const queued = await this.store.queued(
      print.printerId,
      end !== null && end < print.createdAt ? end : print.createdAt,
    );
    const choice = chooseJob(print, queued, await this.store.loaded(print.printerId, end));
    if (choice.do === 'WAIT') return false;
    // Somebody else was faster: the next one in the queue may be its own.
    if (choice.do === 'TAKE_UP') return (await this.takeUp(print, choice.jobId, moment)) || this.choose(print, moment);
    try {
      await this.make(print, choice.spoolId, { [choice.slot]: choice.spoolId }, moment);
      return true;
    } catch (error) {
      // The spool or the printer is archived: a person decides.
      if (error instanceof BadInput) return false;
      throw error;
    }
  }

  /** A new job, printing since the print began. */
  async make(print: StoredPrint, spoolId: string, spools: Record<string, string>, moment: Moment): Promise<void> {
    const spool = await this.spool(spoolId);
    const { isKnown, others, ...amounts } = amountsFor({ ...print, spools }, spool);
    const job = await this.jobs.create(
      {
        ...amounts,
        printerId: print.printerId,
        spoolId,
        printName: print.name,
        gcodeFilePath: print.filePath ?? '',
        notes: isKnown || print.outcome === 'RUNNING' ? null : NOT_KNOWN,
        dataSource: print.machine.jobSource,
        startedAt: print.startedAt,
        filamentDiameterAtPrintMm: spool?.filamentDiameterMm ?? '0',
        materialDensityAtPrint: spool?.material.densityGPerCm3 ?? '0',
      },
      moment,
    );
    const printing = await this.jobs.observedStatus(job.id, 'Printing', print.startedAt ?? print.createdAt, moment);
    await this.store.book(print.id, { jobId: job.id, jobUpdatedAt: printing.updatedAt, spools });
  }

  /** The amounts that a person gave the job stay until the print has its own. */
  private async takeUp(print: StoredPrint, jobId: string, moment: Moment): Promise<boolean> {
    await this.store.lockJob(jobId);
    const job = await this.jobs.byId(jobId);
    if (job?.status !== 'Queued') return false;
    const printing = await this.jobs.observedStatus(jobId, 'Printing', print.startedAt ?? print.createdAt, moment);
    const amounts = amountsFor(print, job.spool);
    const { updatedAt } = amounts.isKnown ? await this.write(printing, amounts, moment) : printing;
    await this.store.book(print.id, { jobId, jobUpdatedAt: updatedAt, spools: spoolsOf(print, job.spoolId) });
    return true;
  }

  /**
   * A slot was seen feeding that the job of the print was not made for: the job gets the spool of that slot. Where this is not known,
   * or how much each slot fed, a job that the gateway made is withdrawn, and the print waits.
   * @returns the print as it is then
   */
  async follow(print: StoredPrint, moment: Moment): Promise<StoredPrint> {
    const { jobId, spools, plan } = print;
    const slots = slotsOf(print);
    // A plan that tells the amount of each slot keeps those of the others out of the job.
    if (jobId === null || spools === null || (plan?.slots.length ?? 0) > 1) return print;
    if (slots.every((slot) => Object.hasOwn(spools, slot))) return print;
    await this.store.lockJob(jobId);
    const job = await this.jobs.byId(jobId);
    if (job === null || job.updatedAt !== print.jobUpdatedAt) return print;
    const isMade = await this.isMade(job, print);
    const spoolId = spoolOfFed(slots, { ...job, isMade }, await this.store.loaded(print.printerId, null));
    const spool = spoolId === null || spoolId === job.spoolId ? job.spool : await this.spool(spoolId);
    if (spoolId === null || (spoolId !== job.spoolId && spool?.archivedAt !== null)) {
      await this.jobs.withdraw(jobId, OTHERS_FED, moment);
      await this.store.unbook(print.id);
      return { ...print, jobId: null, jobUpdatedAt: null, spools: null };
    }
    const bySlot = Object.fromEntries(slots.map((slot) => [slot, spoolId]));
    const amounts = amountsFor({ ...print, spools: bySlot }, spool);
    const isKnown = amounts.isKnown || print.outcome === 'RUNNING';
    const isKept = !isMade && !amounts.isKnown;
    const { updatedAt } = isKept ? job : await this.write({ ...job, spoolId }, { ...amounts, isKnown }, moment);
    await this.store.book(print.id, { jobId, jobUpdatedAt: updatedAt, spools: bySlot });
    return { ...print, jobUpdatedAt: updatedAt, spools: bySlot };
  }

  /** Whether the gateway made the job by itself. A person has planned the others, or has said their spool. */
  private async isMade(job: JobRow, print: StoredPrint): Promise<boolean> {
    // One that was taken up had waited in the queue before the print began.
    if (job.createdAt < print.createdAt || job.dataSource !== print.machine.jobSource) return false;
    return !(await this.store.isCorrected(print.id));
  }

  /**
   * The slicer's amounts came after the start: OctoPrint analyses a file while it prints, and a slicer may send them late. Or they
   * turned out to be those of another print.
   */
  async replan(print: StoredPrint, moment: Moment): Promise<void> {
    if (print.jobId === null) return;
    await this.store.lockJob(print.jobId);
    const job = await this.jobs.byId(print.jobId);
    if (job === null || job.updatedAt !== print.jobUpdatedAt) return;
    const { updatedAt } = await this.write(job, { ...amountsFor(print, job.spool), isKnown: true }, moment);
    await this.store.book(print.id, { jobId: job.id, jobUpdatedAt: updatedAt, spools: null });
  }

  /** Our clock was set while the print ran: its job begins when the print does. @param before as it was stored */
  async moveStart(print: StoredPrint, before: StoredPrint, moment: Moment): Promise<void> {
    const { jobId } = print;
    const from = before.startedAt ?? before.createdAt;
    const to = print.startedAt ?? asEvidence(before.createdAt, moment.now) ?? print.seenAt;
    if (jobId === null || from === to) return;
    await this.store.lockJob(jobId);
    const job = await this.jobs.byId(jobId);
    const moved = await this.jobs.movedStart(jobId, from, to, moment);
    if (moved === null || job?.updatedAt !== print.jobUpdatedAt) return;
    await this.store.book(print.id, { jobId, jobUpdatedAt: moved.updatedAt, spools: null });
  }

  /** The end of a print: its job gets the amounts and the status. Who edited the job by hand wins. */
  async settle(print: StoredPrint, at: Instant, moment: Moment): Promise<void> {
    const { jobId, outcome } = print;
    if (jobId === null || outcome === 'RUNNING') return;
    await this.store.lockJob(jobId);
    const job = await this.jobs.byId(jobId);
    if (job === null) return;
    const amounts = amountsFor(print, job.spool);
    const isOurs = job.updatedAt === print.jobUpdatedAt;
    // While its end waits for a person, that nothing is known is not said yet.
    const isWritten = isOurs && (outcome !== 'UNRESOLVED' || amounts.isKnown);
    const written = isWritten ? await this.write(job, amounts, moment) : job;
    const ended =
      written.status === 'Printing' && outcome !== 'UNRESOLVED'
        ? await this.jobs.observedStatus(jobId, STATUS_OF[outcome], at, moment)
        : written;
    if (isOurs) await this.store.book(print.id, { jobId, jobUpdatedAt: ended.updatedAt, spools: null });
  }

  /** Whether the gateway made the job of this print by itself, and nobody has changed it since. */
  async isUntouched(print: StoredPrint): Promise<boolean> {
    if (print.jobId === null) return true;
    await this.store.lockJob(print.jobId);
    const job = await this.jobs.byId(print.jobId);
    if (job === null) return true;
    return job.updatedAt === print.jobUpdatedAt && this.isMade(job, print);
  }

  /** @param other the job that its print has instead */
  async withdraw(jobId: string, other: string | null, moment: Moment): Promise<void> {
    if ((await this.jobs.byId(jobId)) !== null) await this.jobs.withdraw(jobId, inAnother(other), moment);
  }

  /** A person says what becomes of the job. Amounts of the machine do not stay in two jobs, and those of a person do. */
  async leave(print: StoredPrint, other: string | null, moment: Moment): Promise<void> {
    if (print.jobId === null) return;
    await this.store.lockJob(print.jobId);
    const job = await this.jobs.byId(print.jobId);
    if (job !== null && job.updatedAt === print.jobUpdatedAt) {
      const { printerId, spoolId, printName, gcodeFilePath } = job;
      const of = { printerId, spoolId, printName, gcodeFilePath, notes: job.notes ?? inAnother(other) };
      const amounts = { mmExtruded: '0', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: false };
      await this.jobs.update(job.id, { ...of, ...amounts }, moment);
    }
    await this.store.book(print.id, { jobId: print.jobId, jobUpdatedAt: null, spools: null });
  }

  private write(job: JobRow, { isKnown, others, ...amounts }: Amounts, moment: Moment): Promise<JobRow> {
    const { printerId, spoolId, printName, gcodeFilePath } = job;
    // What is told late takes that back.
    const said = isKnown && job.notes === NOT_KNOWN ? null : job.notes;
    const notes = said ?? (others.length > 0 ? notBooked(others) : isKnown ? null : NOT_KNOWN);
    return this.jobs.update(job.id, { printerId, spoolId, printName, gcodeFilePath, notes, ...amounts }, moment);
  }
}

interface Amounts {
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
  autoDeriveGrams: boolean;
  isKnown: boolean;
  /** Slots that the print uses beside those of the job's spool: their filament is not the spool's. */
  others: string[];
}

/** Of the slots that the job was made for. A plan that comes later may name more. */
function amountsFor(print: StoredPrint, spool: Spool | null): Amounts {
  const all = bookedFilamentOf(print);
  const isOwn = ({ slot }: ObservedFilament) => print.spools === null || Object.hasOwn(print.spools, slot);
  const others = all.filter((one) => !isOwn(one)).map(({ slot }) => slot);
  return { ...amountsOf(all.filter(isOwn), spool), others };
}

/** All slots of a print count for the one spool of its job. */
function amountsOf(filament: readonly ObservedFilament[], spool: Spool | null): Omit<Amounts, 'others'> {
  const autoDeriveGrams = spool !== null && filament.every(({ mm }) => mm !== null);
  const mmExtruded = Decimal.sum(0, ...filament.map(({ mm }) => mm ?? 0)).toFixed();
  const gramsDerived = spool === null ? '0' : gramsWith(spool, filament, autoDeriveGrams ? mmExtruded : null);
  const isPriced = hasPrice(spool) && Number(gramsDerived) > 0;
  return {
    ...{ mmExtruded, gramsDerived, autoDeriveGrams },
    costPerPrint: isPriced ? costOf(gramsDerived, spool.purchasePrice, spool.weightTotalGrams) : '0',
    isKnown: filament.every(({ basis }) => basis !== 'UNKNOWN'),
  };
}

/** @param mm of all slots; null where one of them has no millimetres */
function gramsWith(spool: Spool, filament: readonly ObservedFilament[], mm: string | null): string {
  const measures = { filamentDiameterMm: spool.filamentDiameterMm, densityGPerCm3: spool.material.densityGPerCm3 };
  if (mm !== null) return deriveGrams(mm, measures.filamentDiameterMm, measures.densityGPerCm3);
  return Decimal.sum(0, ...filament.map((one) => gramsOf(one, measures))).toFixed();
}

const spoolsOf = (print: StoredPrint, spoolId: string) =>
  Object.fromEntries(bookedFilamentOf(print).map(({ slot }) => [slot, spoolId]));
