// The rows of observed prints as the collector writes and reads them.
import { violatedConstraint } from '../database/failures';
import type { Queryable } from '../database/queryable';
import type { ObservedPrint as Row } from '../generated/prisma/client';
import { Prisma } from '../generated/prisma/client';
import type { DataSource } from '../print-jobs/print-job.data-source';
import type { Instant } from '../values/instant';
import { holds, type Lease } from './lease';
import { MAX_SIGHTINGS } from './observed-print.limits';
import type { EndedPrint, Ending, ObservedFilament, PrintOutcome, RunningPrint } from './observed-print.model';
import type { SlicedPlan } from './print-plan.model';
import type { Amount, Plan, ProgressBasis } from './readings';

/** A row of a print. */
export interface StoredPrint extends RunningPrint {
  id: string;
  printerId: string;
  deviceId: string | null;
  outcome: PrintOutcome;
  endedAt: Instant | null;
  createdAt: Instant;
  ignoredAt: Instant | null;
  jobId: string | null;
  jobUpdatedAt: Instant | null;
  filament: ObservedFilament[] | null;
  /** The spools by slot that its job was made with; null before. */
  spools: Record<string, string> | null;
  /** The plan of its slicer, where the machine told no amounts. */
  sliced: SlicedPlan | null;
}

/** The columns of a running print that a decision writes. */
interface WrittenPrint extends RunningPrint {
  /** Null: as it is. */
  sliced: SlicedPlan | null;
}

interface Sighting {
  key: string;
  at: Instant;
  kind: string;
  text: string;
}

export interface PrinterOfDevice {
  deviceId: string;
  printerId: string;
}

export class PrintRecorderStore {
  constructor(private readonly database: Queryable) {}

  /** Whether the process holds the device, and holds it until the transaction ends. */
  holds(lease: Lease): Promise<boolean> {
    return this.lock('holds', Prisma.sql`select from devices d where ${holds(lease)} for share`);
  }

  /** Of the job of a print. */
  async dataSourceOf({ deviceId }: Pick<StoredPrint, 'deviceId'>): Promise<DataSource> {
    return (await this.kindOf(deviceId)) === 'BAMBU' ? 'Mqtt' : 'PrinterApi';
  }

  /** Null when the device was removed. */
  async kindOf(deviceId: string | null): Promise<string | null> {
    if (deviceId === null) return null;
    const device = await this.database.models('printRecorder.kindOf', (prisma) =>
      prisma.device.findUnique({ where: { id: deviceId }, select: { kind: true } }),
    );
    return device?.kind ?? null;
  }

  async byId(id: string): Promise<StoredPrint | null> {
    const row = await this.database.models('printRecorder.byId', (prisma) =>
      prisma.observedPrint.findUnique({ where: { id } }),
    );
    return row && storedPrintOf(row);
  }

  /** As byId. Until the transaction ends no other writer changes it. */
  async locked(id: string): Promise<StoredPrint | null> {
    await this.lock('locked', Prisma.sql`select from observed_prints where id = ${id}::uuid for update`);
    return this.byId(id);
  }

  async running(deviceId: string): Promise<StoredPrint | null> {
    const row = await this.database.models('printRecorder.running', (prisma) =>
      prisma.observedPrint.findFirst({ where: { deviceId, outcome: 'RUNNING' } }),
    );
    return row && storedPrintOf(row);
  }

  /** The prints that are over and were seen since then, or have one of these ids, oldest first. */
  async ended(deviceId: string, since: Instant | null, externalIds: readonly string[]): Promise<EndedPrint[]> {
    const ids = externalIds.flatMap((id) => [{ externalId: id }, { externalId: { startsWith: `${id}~` } }]);
    const rows = await this.database.models('printRecorder.ended', (prisma) =>
      prisma.observedPrint.findMany({
        where: {
          deviceId,
          outcome: { not: 'RUNNING' },
          OR: [...(since === null ? [] : [{ seenAt: { gte: since } }]), ...ids],
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      }),
    );
    return rows.map((row) => endedPrintOf(storedPrintOf(row)));
  }

  /** The UNRESOLVED print of the device with this id, locked. */
  async unresolved(deviceId: string, externalId: string): Promise<StoredPrint | null> {
    const found = await this.database.models('printRecorder.unresolved', (prisma) =>
      prisma.observedPrint.findFirst({
        where: { deviceId, externalId, outcome: 'UNRESOLVED' },
        select: { id: true },
      }),
    );
    const print = found && (await this.locked(found.id));
    return print?.outcome === 'UNRESOLVED' ? print : null;
  }

  /** False when the device has a running print already, or one with this external id. @param ending null while it runs */
  async create(id: string, printer: PrinterOfDevice, print: WrittenPrint, ending: Ending | null): Promise<boolean> {
    try {
      await this.database.attempt('printRecorder.create', ({ prisma }) =>
        prisma.observedPrint.create({
          data: { id, ...printer, createdAt: print.seenAt, ...columnsOf(print), ...endColumnsOf(ending) },
        }),
      );
      return true;
    } catch (error) {
      if (violatedConstraint(error)?.kind !== 'unique') throw error;
      return false;
    }
  }

  /** Null when it does not run any more. @param ending null while it runs */
  async save(id: string, print: WrittenPrint, ending: Ending | null): Promise<StoredPrint | null> {
    const data = { ...columnsOf(print), ...endColumnsOf(ending) };
    const { count } = await this.database.attempt('printRecorder.save', ({ prisma }) =>
      prisma.observedPrint.updateMany({ where: { id, outcome: 'RUNNING' }, data }),
    );
    return count === 0 ? null : this.byId(id);
  }

  async end(id: string, ending: Ending): Promise<void> {
    await this.write('end', id, endColumnsOf(ending));
  }

  async reopen(id: string, print: WrittenPrint): Promise<void> {
    await this.write('reopen', id, { ...columnsOf(print), ...endColumnsOf(null) });
  }

  /** @param jobUpdatedAt of the job as the gateway wrote it */
  async book(
    id: string,
    job: { jobId: string; jobUpdatedAt: Instant; spools: Record<string, string> | null },
  ): Promise<void> {
    const { spools, ...ids } = job;
    await this.write('book', id, { ...ids, ...(spools !== null && { spools }) });
  }

  async setIgnored(id: string, ignoredAt: Instant | null): Promise<void> {
    await this.write('setIgnored', id, { ignoredAt });
  }

  private async write(name: string, id: string, data: Prisma.ObservedPrintUncheckedUpdateInput): Promise<void> {
    await this.database.attempt(`printRecorder.${name}`, ({ prisma }) =>
      prisma.observedPrint.update({ where: { id }, data, select: { id: true } }),
    );
  }

  /** Those that are there already, by their keys, are left out. */
  async sight(printId: string, sightings: readonly Sighting[]): Promise<void> {
    if (sightings.length === 0) return;
    const written = await this.database.models('printRecorder.sighted', (prisma) =>
      prisma.printSighting.count({ where: { printId } }),
    );
    const data = withinBound(sightings, written).map((one) => ({ ...one, printId }));
    await this.database.attempt('printRecorder.sight', ({ prisma }) =>
      prisma.printSighting.createMany({ data, skipDuplicates: true }),
    );
  }

  /** The slots that a print uses are slots of its printer. */
  async addSlots(printerId: string, slots: readonly string[]): Promise<void> {
    await this.database.attempt('printRecorder.addSlots', ({ prisma }) =>
      prisma.printerSlot.createMany({ data: slots.map((slot) => ({ printerId, slot })), skipDuplicates: true }),
    );
  }

  /** The spools by the slots of a printer. @param until those loaded later are left out; null: all */
  async loaded(printerId: string, until: Instant | null): Promise<Map<string, string>> {
    const loadedAt = until === null ? {} : { loadedAt: { lte: until } };
    const rows = await this.database.models('printRecorder.loaded', (prisma) =>
      prisma.printerSlot.findMany({ where: { printerId, spoolId: { not: null }, ...loadedAt } }),
    );
    return new Map(rows.map(({ slot, spoolId }) => [slot, spoolId as string]));
  }

  /** The Queued jobs of a printer that were made before the instant, the oldest first. */
  queued(printerId: string, before: Instant): Promise<{ id: string; gcodeFilePath: string }[]> {
    return this.database.models('printRecorder.queued', (prisma) =>
      prisma.printJob.findMany({
        where: { printerId, status: 'Queued', createdAt: { lte: before } },
        select: { id: true, gcodeFilePath: true },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      }),
    );
  }

  /** Until the transaction ends, no other writer changes the job. */
  async lockJob(id: string): Promise<void> {
    await this.lock('lockJob', Prisma.sql`select from print_jobs where id = ${id}::uuid for update`);
  }

  /** Whether there is a row to lock. */
  private lock(name: string, row: Prisma.Sql): Promise<boolean> {
    return this.database.json(
      `printRecorder.${name}`,
      Prisma.sql`with l as (${row}) select to_json(count(*) > 0) as value from l`,
    );
  }
}

/** A machine may pause and go on for ever. What became of a print is always written. */
function withinBound(sightings: readonly Sighting[], written: number): Sighting[] {
  return sightings.flatMap((one, at) => {
    const left = MAX_SIGHTINGS - written - at;
    if (left > 1 || ['ENDED', 'RESOLVED'].includes(one.kind)) return [one];
    return left === 1 ? [{ ...one, text: `${one.text}. What follows is not written, but for its end` }] : [];
  });
}

const endedPrintOf = ({ outcome, endedAt, ...print }: StoredPrint): EndedPrint => ({
  externalId: print.externalId,
  name: print.name,
  filePath: print.filePath,
  startedAt: print.startedAt,
  endedAt: endedAt ?? print.seenAt,
  counter: print.counter,
  outcome: outcome as EndedPrint['outcome'],
});

/** Each by its name: the print of a process that goes on with it has the other columns too, as they were then. */
function columnsOf(print: WrittenPrint) {
  const { externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt } = print;
  const { progress, progressBasis, remainingSec, layer, layers, counter, plan, sliced } = print;
  return {
    ...{ externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt },
    ...{ progress, progressBasis, remainingSec, layer, layers },
    counterSec: counter?.seconds ?? null,
    countsPauses: counter?.countsPauses ?? null,
    plan: plan === null ? Prisma.DbNull : asJson(plan),
    slots: asJson(print.slots),
    measured: asJson(print.measured),
    // It may have 50 KB, and hardly ever changes.
    ...(sliced && { sliced: asJson(sliced) }),
  };
}

/** The columns of the end; null: it runs. */
function endColumnsOf(ending: Ending | null) {
  return {
    outcome: ending?.outcome ?? 'RUNNING',
    endedAt: ending?.at ?? null,
    endedAtEstimated: ending?.estimated ?? false,
    reason: ending?.reason ?? null,
    filament: ending === null ? Prisma.DbNull : asJson(ending.filament),
  };
}

const asJson = (value: unknown) => value as Prisma.InputJsonValue;

const instantOf = (date: Date | null): Instant | null => date?.toISOString() ?? null;

function storedPrintOf(row: Row): StoredPrint {
  const { id, printerId, deviceId, externalId, name, filePath, startedAtEstimated, paused, lost } = row;
  return {
    ...{ id, printerId, deviceId, externalId, name, filePath, startedAtEstimated, paused, lost },
    ...{ remainingSec: row.remainingSec, layer: row.layer, layers: row.layers, jobId: row.jobId },
    outcome: row.outcome as PrintOutcome,
    startedAt: instantOf(row.startedAt),
    endedAt: instantOf(row.endedAt),
    createdAt: row.createdAt.toISOString(),
    ignoredAt: instantOf(row.ignoredAt),
    seenAt: row.seenAt.toISOString(),
    jobUpdatedAt: instantOf(row.jobUpdatedAt),
    filament: row.filament as unknown as ObservedFilament[] | null,
    spools: row.spools as Record<string, string> | null,
    plan: row.plan as unknown as Plan | null,
    slots: row.slots as string[],
    measured: row.measured as unknown as Amount[],
    sliced: row.sliced as unknown as SlicedPlan | null,
    counter: row.counterSec === null ? null : { seconds: row.counterSec, countsPauses: row.countsPauses === true },
    progress: row.progress?.toFixed() ?? null,
    progressBasis: row.progressBasis as ProgressBasis | null,
  };
}
