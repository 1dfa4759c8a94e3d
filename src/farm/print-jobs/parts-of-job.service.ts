// Reads and replaces the parts of a job (what the job used of each spool), for users who enter parts and for prints that a machine reports.
import { archivedLink, BadInput, unknownLink } from '../../errors';
import { checkStorable, readAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { checkEach, nullable, readMembers, type Unread } from '../../values/members';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { readSlot } from '../../values/slot';
import type { Spool } from '../inventory/inventory.types';
import { calculateCostByPrice, deriveGrams } from './filament';
import { chooseJobSpool, completeParts, needsPartRows, sortParts, sumParts, toStoredParts } from './part-amounts';
import { MAX_PARTS } from './print-job.limits';
import type { JobPart, JobRow, PartRow, StoredJob } from './print-job.rows';
import { type PrintJobService, repeatUntilStored } from './print-job.service';
import type { PrintJobStore } from './print-job.store';
import type { PrintJobPart, PrintJobPartInput } from './print-job-part.types';

const parsePart = readMembers({
  spoolId: parseGuid,
  slot: nullable(readSlot),
  mmExtruded: readAmount,
  gramsDerived: nullable(readAmount),
});

/** Members of a job that change together with its parts. A missing member does not change. */
export type JobChangesWithParts = Partial<Pick<StoredJob, 'notes' | 'status' | 'completedAt'>>;

export class PartsOfJobService {
  private readonly partsByRow = new WeakMap<JobRow, Promise<PrintJobPart[]>>();

  constructor(
    private readonly store: PrintJobStore,
    private readonly jobs: PrintJobService,
    private readonly spool: (id: string) => Promise<Spool | null>,
  ) {}

  /** The part of a job with one spool comes from the row of the job. An answer may name one row 10,000 times, so its parts are built once. */
  partsOfJob(job: JobRow): Promise<PrintJobPart[]> {
    const parts = this.partsByRow.get(job) ?? this.read(job);
    this.partsByRow.set(job, parts);
    return parts;
  }

  private async read(job: JobRow): Promise<PrintJobPart[]> {
    return job.divided ? createParts(job, await this.withSpools(job)) : [createOnlyPart(job)];
  }

  /** A user enters what the job used of each spool. */
  setParts(id: string, inputs: readonly Unread<PrintJobPartInput>[], time: RequestTime): Promise<JobRow> {
    return repeatUntilStored(time, async () => {
      const job = await this.jobs.requireJob(id);
      if (inputs.length === 0 || inputs.length > MAX_PARTS)
        throw new BadInput(`must have 1 to ${MAX_PARTS} items`, 'parts');
      const before = await this.store.partsOf(job);
      const parts = await this.readParts(inputs, (spool) => mayUseSpool(job, before, spool));
      const mayBeArchived = isUnfinished(job) ? listSpoolIds([job, ...before]) : null;
      return this.replaceParts({ job, parts: before }, parts, {}, mayBeArchived, time);
    });
  }

  /**
   * Divides a job into the given parts. A single part makes the job whole again (needsPartRows). The spools may be archived, because a user may
   * have archived a spool after the print used it.
   * @param changes changes of the job in the same statement
   * @returns null if the job changed after it was read, or if a spool is gone
   */
  async divide(
    job: JobRow,
    parts: readonly JobPart[],
    time: RequestTime,
    changes: JobChangesWithParts = {},
  ): Promise<JobRow | null> {
    return this.replaceParts({ job, parts: await this.store.partsOf(job) }, parts, changes, null, time);
  }

  /** Whether a user entered what the job used of each spool. */
  async isEnteredByUser(job: Pick<StoredJob, 'id' | 'divided'>): Promise<boolean> {
    return (await this.store.partsOf(job)).some(({ filamentBasis }) => filamentBasis === 'MANUAL');
  }

  /** The ids of the spools that the job already has: the spool of the job, and the spools of its parts. */
  async spoolIdsOf(job: Pick<StoredJob, 'id' | 'spoolId' | 'divided'>): Promise<string[]> {
    return listSpoolIds([job, ...(await this.store.partsOf(job))]);
  }

  private async withSpools(job: JobRow): Promise<PartRow[]> {
    if (!job.parts) return this.store.partsOf(job);
    const spoolOf = async (id: string | null) => (id === null ? null : this.spool(id));
    return Promise.all(job.parts.map(async (part) => ({ ...part, spool: await spoolOf(part.spoolId) })));
  }

  private async readParts(
    inputs: readonly Unread<PrintJobPartInput>[],
    mayUse: (spool: Spool) => boolean,
  ): Promise<JobPart[]> {
    const read: ReturnType<typeof parsePart>[] = [];
    checkEach(inputs, ['parts'], (input, at) => void read.push(parsePart(input, at)));
    const spools = await Promise.all(read.map(({ spoolId }) => this.spool(spoolId)));
    const parts: JobPart[] = [];
    checkEach(read, ['parts'], ({ spoolId, slot, mmExtruded, gramsDerived }, at) => {
      const spool = spools[at] ?? null;
      if (spool === null) throw unknownLink('spool', at, 'spoolId');
      if (!mayUse(spool)) throw archivedLink('spool', at, 'spoolId');
      const density = spool.material.densityGPerCm3;
      const grams = gramsDerived ?? deriveGrams(mmExtruded, spool.filamentDiameterMm, density);
      parts.push({
        spoolId,
        slot: slot ?? null,
        fromLayer: null,
        toLayer: null,
        mmExtruded,
        gramsDerived: checkStorable(grams, at, 'gramsDerived'),
        cost: checkStorable(calculateCostByPrice(grams, spool) ?? '0', at, 'cost'),
        filamentDiameterAtPrintMm: spool.filamentDiameterMm,
        materialDensityAtPrint: density,
        filamentBasis: 'MANUAL',
      });
    });
    return parts;
  }

  /** @param mayBeArchived the spools that may be archived; null for all */
  private async replaceParts(
    before: { job: JobRow; parts: readonly PartRow[] },
    newParts: readonly JobPart[],
    changes: JobChangesWithParts,
    mayBeArchived: readonly string[] | null,
    time: RequestTime,
  ): Promise<JobRow | null> {
    const { job } = before;
    const spoolId = chooseJobSpool(newParts, job.spoolId);
    const parts = sortParts(newParts, spoolId);
    const [first] = parts as [JobPart];
    const totals = sumParts(parts);
    const rows = needsPartRows(parts) ? toStoredParts(job.id, parts) : [];
    const spool = await this.spool(spoolId);
    refusePastDeadline(time);
    const written = await this.store.replaceDivided(
      before,
      {
        ...changes,
        spoolId,
        mmExtruded: checkStorable(totals.mmExtruded, 'parts'),
        gramsDerived: checkStorable(totals.gramsDerived, 'parts'),
        costPerPrint: checkStorable(totals.cost, 'parts'),
        filamentDiameterAtPrintMm: first.filamentDiameterAtPrintMm,
        materialDensityAtPrint: first.materialDensityAtPrint,
        divided: rows.length > 0,
        updatedAt: time.now,
      },
      rows,
      { ids: listSpoolIds(newParts), mayBeArchived },
    );
    return written && { ...written, printer: job.printer, spool };
  }
}

const isUnfinished = ({ status }: JobRow) => status === 'Queued' || status === 'Printing';

const listSpoolIds = (parts: readonly { spoolId: string | null }[]) => [
  ...new Set(parts.flatMap(({ spoolId }) => spoolId ?? [])),
];

/** A job that has not ended cannot get an archived spool, unless it already has the spool. */
function mayUseSpool(job: JobRow, before: readonly PartRow[], { id, archivedAt }: Spool): boolean {
  return archivedAt === null || !isUnfinished(job) || listSpoolIds([job, ...before]).includes(id);
}

/** Without rows the job has one part: another program may have removed the parts after the job was read. */
function createParts(job: JobRow, rows: readonly PartRow[]): PrintJobPart[] {
  if (rows.length === 0) return [createOnlyPart(job)];
  const parts = completeParts(job, rows);
  return sortParts(parts, job.spoolId).map(({ filamentBasis, ...part }) => ({ ...part, job, basis: filamentBasis }));
}

function createOnlyPart(job: JobRow): PrintJobPart {
  const { spool, mmExtruded, gramsDerived, costPerPrint, filamentDiameterAtPrintMm, materialDensityAtPrint } = job;
  return {
    job,
    basis: null,
    slot: null,
    fromLayer: null,
    toLayer: null,
    spool,
    mmExtruded,
    gramsDerived,
    cost: costPerPrint,
    filamentDiameterAtPrintMm,
    materialDensityAtPrint,
  };
}
