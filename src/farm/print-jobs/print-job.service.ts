// Decides what requests for print jobs do: the rules of the print job document, in the order in which the document checks them.
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { checkStorable, isPositive, readAmount } from '../../values/decimal';
import { isGuid, parseGuid } from '../../values/guid';
import { type Instant, parseInstant } from '../../values/instant';
import { nullable, readAll, readBoolean, readMembers, type Unread } from '../../values/members';
import type { Page, PageRange } from '../../values/page';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { textUpTo } from '../../values/text';
import type { FoundLinks, Printer, Spool } from '../inventory/inventory.types';
import { createDerivation, deriveGrams } from './filament';
import { deriveByParts, deriveFromSpool, deriveWithCost, keepsParts } from './part-amounts';
import { parseJobFilter } from './print-job.filter';
import type {
  CreatePrintJobInput,
  DeriveFilamentArguments,
  JobsOf,
  PrintJobFilter,
  UpdatePrintJobInput,
} from './print-job.inputs';
import { MAX_NOTES_LENGTH, MAX_PATH_LENGTH, MAX_PRINT_NAME_LENGTH } from './print-job.limits';
import type { PrintJobPages } from './print-job.pages';
import type { JobRow, StoredJob } from './print-job.rows';
import {
  decideDeletion,
  decideTransition,
  JOB_STATUSES,
  type JobStatus,
  parseJobStatus,
  type StatusWrite,
} from './print-job.status';
import type { PrintJobStore } from './print-job.store';
import {
  type GramDerivation,
  type PrintJobOrder,
  type PrintJobRecording,
  type PrintJobStatusChange,
  parseDataSource,
} from './print-job.types';

/** Finds the printer and the spool of a job. */
interface PrintJobLookUps {
  links(printerId: string, spoolId: string | null): Promise<FoundLinks>;
  spool(id: string): Promise<Spool | null>;
}

interface Links {
  printer: Printer;
  spool: Spool;
}

const KIND = 'print job';

const UPDATE = {
  printName: textUpTo(MAX_PRINT_NAME_LENGTH),
  gcodeFilePath: textUpTo(MAX_PATH_LENGTH),
  notes: nullable(textUpTo(MAX_NOTES_LENGTH)),
  mmExtruded: readAmount,
  gramsDerived: readAmount,
  costPerPrint: readAmount,
  autoDeriveGrams: readBoolean,
};
/** The members of a job for which the documents have no rule. Printer, spool and data source have rules with an order. */
const parseUpdate = readMembers(UPDATE);
const parseNewJob = readMembers({
  ...UPDATE,
  filamentDiameterAtPrintMm: readAmount,
  materialDensityAtPrint: readAmount,
  startedAt: nullable(parseInstant),
});
const parseDerivation = readMembers({
  mmExtruded: readAmount,
  filamentDiameterMm: readAmount,
  densityGPerCm3: readAmount,
  spoolId: nullable(parseGuid),
});

export class PrintJobService {
  constructor(
    private readonly store: PrintJobStore,
    private readonly pages: PrintJobPages,
    private readonly lookUps: PrintJobLookUps,
  ) {}

  async byId(id: string): Promise<JobRow | null> {
    return this.store.byId.load(parseGuid(id, 'id'));
  }

  async page(
    filter: PrintJobFilter,
    order: PrintJobOrder,
    range: PageRange,
    recording: readonly PrintJobRecording[] | null = null,
  ): Promise<Page<JobRow>> {
    return this.pages.page(parseJobFilter(filter), order, range, recording);
  }

  async pageOf({ id, ...like }: JobsOf, { deadline }: RequestTime): Promise<Page<JobRow>> {
    return this.pages.pageOfOwner(id, { ...like, filter: parseJobFilter(like.filter) }, deadline);
  }

  async countByStatus(): Promise<Record<JobStatus, number>> {
    const counts = await this.pages.countByStatus();
    return Object.fromEntries(JOB_STATUSES.map((status) => [status, counts[status] ?? 0])) as Record<JobStatus, number>;
  }

  /** The first status of a job is Queued and is not stored, unless another program created the job with another status. */
  async statusHistory({ id, createdAt }: JobRow): Promise<PrintJobStatusChange[]> {
    const changes = (await this.store.statusChanges.load(id)) ?? [];
    return changes[0]?.from === null
      ? changes
      : [{ from: null, to: 'Queued' satisfies JobStatus, at: createdAt }, ...changes];
  }

  /** The formulas with the members of a job and the price of its spool. */
  derivation({ mmExtruded, filamentDiameterAtPrintMm, materialDensityAtPrint, spool }: JobRow): GramDerivation {
    return createDerivation(mmExtruded, filamentDiameterAtPrintMm, materialDensityAtPrint, spool);
  }

  /** The formulas with members of a request. The request may name a spool, whose price gives the cost. */
  async derive(members: Unread<DeriveFilamentArguments>): Promise<GramDerivation> {
    const { spoolId, ...given } = parseDerivation(members);
    const spool = spoolId == null ? null : await this.lookUps.spool(spoolId);
    if (spoolId != null && spool === null) throw new BadInput('must be the id of a spool', 'spoolId');
    return createDerivation(given.mmExtruded, given.filamentDiameterMm, given.densityGPerCm3, spool);
  }

  /** POST /api/printjobs, rules 1 to 6 in the order checked. */
  async create(input: Unread<CreatePrintJobInput>, time: RequestTime): Promise<JobRow> {
    return repeatUntilStored(time, async () => {
      const job = await this.buildJob(input, time);
      const { printer, spool, ...stored } = job;
      return (await this.store.create(stored, time.deadline)) ? job : null;
    });
  }

  private async buildJob(input: Unread<CreatePrintJobInput>, { now, newId }: RequestTime): Promise<StoredJob & Links> {
    const [{ links, dataSource }, { autoDeriveGrams, ...members }] = await readAll(
      // The document orders rules 1, 2 and 5: only the first broken rule is reported.
      async () => ({ links: await this.findLinks(input), dataSource: parseDataSource(input.dataSource) }),
      () => parseNewJob(input, 'input'),
    );
    if (autoDeriveGrams) {
      // Rule 3: "Request values for these three fields are overridden."
      Object.assign(members, deriveFromSpool(links.spool, members.mmExtruded));
    } else if (
      // Rule 4: "When AutoDeriveGrams is false, MmExtruded is above 0, GramsDerived is 0 and MaterialDensityAtPrint is above 0 …"
      isPositive(members.mmExtruded) &&
      !isPositive(members.gramsDerived) &&
      isPositive(members.materialDensityAtPrint)
    ) {
      members.gramsDerived = checkStorable(
        deriveGrams(members.mmExtruded, members.filamentDiameterAtPrintMm, members.materialDensityAtPrint),
        'input',
        'gramsDerived',
      );
    }
    return {
      id: newId(),
      printerId: links.printer.id,
      spoolId: links.spool.id,
      ...members, // Rule 6: CostPerPrint and StartedAt are "taken from the request as given"
      notes: members.notes ?? null,
      dataSource,
      startedAt: members.startedAt ?? null,
      completedAt: null,
      status: 'Queued' satisfies JobStatus, // Rule 6: "The stored Status is Queued."
      createdAt: now,
      updatedAt: now,
      divided: false,
      ...links,
    };
  }

  /**
   * PUT /api/printjobs/{id}: "404 when the job does not exist; checked first", then rules 1 to 5. New amounts or a new spool hold for the
   * whole job, so its parts are removed.
   */
  async update(id: string, input: Unread<UpdatePrintJobInput>, time: RequestTime): Promise<JobRow> {
    return repeatUntilStored(time, async () => {
      const job = await this.requireJob(id);
      const [{ printer, spool }, { autoDeriveGrams, ...members }] = await readAll(
        () => this.findLinks(input, job), // Rule 1
        () => parseUpdate(input, 'input'),
      );
      const requested = { printerId: printer.id, spoolId: spool.id, ...members, notes: members.notes ?? null };
      const parts = await this.store.partsOf(job);
      const isKept = parts.length > 0 && keepsParts(job, requested, autoDeriveGrams);
      const { rows, ...derived } = autoDeriveGrams
        ? isKept
          ? deriveByParts({ ...job, spool }, parts, members.costPerPrint)
          : { ...deriveWithCost(spool, members), rows: [] } // Rules 3 and 4
        : { rows: isKept ? null : [] };
      const replacement = { ...requested, ...derived, updatedAt: time.now };
      refusePastDeadline(time);
      const updated = job.divided
        ? await this.store.replaceDivided({ job, parts }, { ...replacement, divided: isKept }, rows, {
            ids: [spool.id],
            mayBeArchived: [job.spoolId],
          })
        : await this.store.replace(job.id, replacement);
      // Null if the job was changed or removed meanwhile, or if its new printer or spool was removed or archived.
      return updated && { ...updated, printer, spool };
    });
  }

  /** PATCH /api/printjobs/{id}/status, rules 1 to 4 in the order checked. */
  changeStatus(id: string, status: unknown, time: RequestTime): Promise<JobRow> {
    return this.changeByStatus(id, time, (from) => decideTransition(from, parseJobStatus(status), time.now));
  }

  /** As changeStatus, for a status that a printer reports. @param at the time of the change, instead of now */
  changeToReportedStatus(id: string, status: JobStatus, at: Instant, time: RequestTime): Promise<JobRow> {
    return this.changeByStatus(id, time, (from) => decideTransition(from, status, at));
  }

  /** DELETE /api/printjobs/{id}, rules 1 to 4. */
  cancel(id: string, time: RequestTime): Promise<JobRow> {
    return this.changeByStatus(id, time, (from) => decideDeletion(from, time.now));
  }

  /**
   * Cancels a job that should not exist, for example because its print already has another job. Jobs are never removed, so the job becomes
   * Cancelled as if it had never started, and none of its filament counts.
   */
  async withdraw(id: string, notes: string, time: RequestTime): Promise<JobRow> {
    return orNotFound(await this.store.withdraw(id, notes, time.now), KIND, id);
  }

  /** Decides the change by the status that was read, and reads again if the status changed meanwhile. */
  private changeByStatus(
    id: string,
    time: RequestTime,
    decide: (from: JobStatus) => StatusWrite | undefined,
  ): Promise<JobRow> {
    return repeatUntilStored(time, async () => {
      const job = await this.requireJob(id);
      const from = job.status as JobStatus;
      const change = decide(from);
      if (change === undefined) return job;
      refusePastDeadline(time);
      return this.store.writeStatus(job.id, from, change, time.now);
    });
  }

  /** "404 when the job does not exist; checked first" */
  async requireJob(id: string): Promise<JobRow> {
    return orNotFound(await this.byId(id), KIND, id);
  }

  /**
   * POST rules 1 and 2, PUT rule 1. The printer is checked first, although one statement finds both.
   * @param job the stored job, which may keep its printer and its spool even if they are archived
   */
  private async findLinks(input: Unread<UpdatePrintJobInput>, job?: JobRow): Promise<Links> {
    const printerId = parseGuid(input.printerId, 'input', 'printerId');
    const spoolId = isGuid(input.spoolId) ? input.spoolId.toLowerCase() : null;
    const { printer, spool } = await this.lookUps.links(printerId, spoolId);
    if (printer === null) throw unknownLink('printer');
    parseGuid(input.spoolId, 'input', 'spoolId');
    if (spool === null) throw unknownLink('spool');
    if (printer.archivedAt !== null && printer.id !== job?.printerId) throw archivedLink('printer');
    if (spool.archivedAt !== null && spool.id !== job?.spoolId) throw archivedLink('spool');
    return { printer, spool };
  }
}

/** Repeats the attempt while it returns null, because another request then changed the rows that the attempt had read. */
export async function repeatUntilStored(time: RequestTime, attempt: () => Promise<JobRow | null>): Promise<JobRow> {
  for (;;) {
    refusePastDeadline(time);
    const row = await attempt();
    if (row !== null) return row;
  }
}
