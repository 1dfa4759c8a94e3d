// The rows of observed prints as the collector writes and reads them.
import { violatedConstraint } from '../database/failures';
import type { Queryable } from '../database/queryable';
import { Prisma } from '../generated/prisma/client';
import { holds, type Lease } from '../leases/lease';
import type { DataSource } from '../print-jobs/print-job.data-source';
import { MAX_RECORDS } from '../print-rules/limits';
import type { EndedPrint, Ending } from '../print-rules/print.model';
import { before, HOUR_MS, type Instant, instantNow } from '../values/instant';
import { LatePlanStore } from './late-plan.store';
import { MAX_ENDED, MAX_NEW_PRINTS, MAX_SIGHTINGS } from './observed-print.limits';
import {
  columnsOf,
  ENDED_ROW,
  endColumnsOf,
  endedColumnsOf,
  type StoredPrint,
  storedPrintOf,
  WITH_KIND,
  type WrittenPrint,
} from './print-recorder.rows';
import { addSlots } from './print-slots.store';

export type { StoredPrint } from './print-recorder.rows';

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
  readonly late: LatePlanStore<StoredPrint>;

  constructor(private readonly database: Queryable) {
    this.late = new LatePlanStore(database, (id) => this.locked(id));
  }

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
      prisma.observedPrint.findUnique({ where: { id }, include: WITH_KIND }),
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
      prisma.observedPrint.findFirst({ where: { deviceId, outcome: 'RUNNING' }, include: WITH_KIND }),
    );
    return row && storedPrintOf(row);
  }

  /**
   * The prints that are over: the latest ones, the last one last. A machine prints one thing at a time, so what it shows can be
   * none of those before. With an id, also the latest print that has it, or has had it before it was used again (`ID~…`).
   */
  ended(deviceId: string, externalId: string | null): Promise<EndedPrint[]> {
    const [again, end] = [`${externalId}~`, `${externalId}\x7f`];
    const isOver = Prisma.sql`device_id = ${deviceId}::uuid and outcome <> 'RUNNING'`;
    return this.database.rows(
      'printRecorder.ended',
      ENDED_ROW,
      Prisma.sql`
      select ${ENDED_ROW.json} as row from observed_prints o where o.id = any (array(
        (select id from observed_prints where ${isOver} order by seen_at desc limit ${MAX_ENDED}::bigint)
        union all (select id from observed_prints where ${isOver} and external_id = ${externalId})
        union all (
          select id from observed_prints where ${isOver} and external_id >= ${again} and external_id < ${end}
          order by external_id desc limit 1
        )
      ))
      order by o.seen_at, o.created_at, o.id`,
    );
  }

  /** When the device was last heard of with a print, by the rows that are not ahead of now. */
  async lastSeen(deviceId: string, now: Instant): Promise<Instant | null> {
    const row = await this.database.models('printRecorder.lastSeen', (prisma) =>
      prisma.observedPrint.findFirst({
        where: { deviceId, seenAt: { lte: now } },
        orderBy: { seenAt: 'desc' },
        select: { seenAt: true },
      }),
    );
    return row?.seenAt.toISOString() ?? null;
  }

  /** The UNRESOLVED print of the device, locked. */
  async unresolved(deviceId: string, id: string): Promise<StoredPrint | null> {
    const print = await this.locked(id);
    return print?.outcome === 'UNRESOLVED' && print.deviceId === deviceId ? print : null;
  }

  /**
   * Whether as many prints of the device were heard to begin in the last hour as an hour may have. Those that a history told have
   * no such sighting. A row of a time that is still to come says nothing.
   */
  isFull(deviceId: string, now: Instant): Promise<boolean> {
    return this.database.json(
      'printRecorder.isFull',
      Prisma.sql`
      select to_json(count(*) >= ${MAX_NEW_PRINTS}::int) as value from (
        select from observed_prints o
        where o.device_id = ${deviceId}::uuid and o.seen_at > ${before(now, HOUR_MS)}::timestamptz
          and o.created_at > ${before(now, HOUR_MS)}::timestamptz and o.created_at <= ${now}::timestamptz
          and coalesce((select s.kind from print_sightings s where s.print_id = o.id order by s.id limit 1), 'STARTED') = 'STARTED'
        limit ${MAX_NEW_PRINTS}::int
      ) heard`,
    );
  }

  /**
   * Whether an hour that begins or ends with this start has as many prints of the device as an hour may have, or the last hour as
   * many as histories tell in one.
   */
  isCrowded(deviceId: string, startedAt: Instant, now: Instant): Promise<boolean> {
    const at = Prisma.sql`${startedAt}::timestamptz`;
    const from = Prisma.sql`${before(startedAt, HOUR_MS)}::timestamptz`;
    const lately = Prisma.sql`${before(now, HOUR_MS)}::timestamptz`;
    return this.database.json(
      'printRecorder.isCrowded',
      Prisma.sql`
      select to_json(greatest(
        count(*) filter (where started_at <= ${at}), count(*) filter (where started_at >= ${at})
      ) >= ${MAX_NEW_PRINTS}::int or (
        select count(*) >= ${MAX_RECORDS}::int from (
          select from observed_prints where device_id = ${deviceId}::uuid and seen_at > ${lately} limit ${MAX_RECORDS}::int
        ) r
      )) as value
      from observed_prints
      where device_id = ${deviceId}::uuid and seen_at > ${from} and started_at > ${from}
        and started_at < ${at} + interval '1 hour'`,
    );
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

  /** A running print becomes UNRESOLVED, and nothing else of it changes. False when it does not run. */
  async giveUp(id: string): Promise<boolean> {
    const { count } = await this.database.attempt('printRecorder.giveUp', ({ prisma }) =>
      prisma.observedPrint.updateMany({ where: { id, outcome: 'RUNNING' }, data: { outcome: 'UNRESOLVED' } }),
    );
    return count > 0;
  }

  async reopen(id: string, print: WrittenPrint): Promise<void> {
    await this.write('reopen', id, { ...columnsOf(print), ...endColumnsOf(null) });
  }

  /**
   * One row takes in another one of the same print, with what was heard of it.
   * @param print its columns while it runs; the id of the row, one of both, that knows how it ended
   */
  async absorb(id: string, other: string, print: WrittenPrint | string): Promise<void> {
    await this.database.attempt('printRecorder.absorb', async ({ prisma }) => {
      await prisma.printSighting.updateMany({ where: { printId: other }, data: { printId: id } });
      const gone = await prisma.observedPrint.delete({ where: { id: other } });
      if (print === id) return;
      const data = typeof print === 'string' ? endedColumnsOf(gone) : { ...columnsOf(print), ...endColumnsOf(null) };
      await prisma.observedPrint.update({ where: { id }, data, select: { id: true } });
    });
  }

  /** How often these prints were seen to begin. */
  starts(printIds: string[]): Promise<number> {
    return this.database.models('printRecorder.starts', (prisma) =>
      prisma.printSighting.count({ where: { printId: { in: printIds }, kind: 'STARTED' } }),
    );
  }

  /** @param jobUpdatedAt of the job as the gateway wrote it; null: it writes it no more */
  async book(
    id: string,
    job: { jobId: string; jobUpdatedAt: Instant | null; spools: Record<string, string> | null },
  ): Promise<void> {
    const { spools, ...ids } = job;
    await this.write('book', id, { ...ids, ...(spools !== null && { spools }) });
  }

  /** Its job is none of its own any more. */
  async unbook(id: string): Promise<void> {
    await this.write('unbook', id, { jobId: null, jobUpdatedAt: null, spools: Prisma.DbNull });
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

  /** Whether a person said its spool. */
  async isCorrected(printId: string): Promise<boolean> {
    const where = { printId, kind: 'CORRECTED' };
    return (
      (await this.database.models('printRecorder.isCorrected', (prisma) => prisma.printSighting.count({ where }))) > 0
    );
  }

  /** The slots that a print uses are slots of its printer. */
  async addSlots(printerId: string, slots: readonly string[]): Promise<void> {
    await addSlots(this.database, printerId, slots);
  }

  async isArchived(printerId: string): Promise<boolean> {
    const where = { id: printerId, archivedAt: { not: null } };
    return (await this.database.models('printRecorder.isArchived', (prisma) => prisma.printer.count({ where }))) > 0;
  }

  /** The spools by the slots of a printer. @param until those loaded later are left out; null: all */
  async loaded(printerId: string, until: Instant | null): Promise<Map<string, string>> {
    const from = until === null ? [] : [{ from: { lte: until } }, { from: { gt: instantNow() } }];
    const rows = await this.database.models('printRecorder.loaded', (prisma) =>
      prisma.slotLoad.findMany({ where: { printerId, to: null, ...(until !== null && { OR: from }) } }),
    );
    return new Map(rows.map(({ slot, spoolId }) => [slot, spoolId]));
  }

  /** The Queued jobs of a printer that were made before the instant, the oldest first. */
  queued(printerId: string, before: Instant): Promise<{ id: string; gcodeFilePath: string }[]> {
    return this.database.models('printRecorder.queued', (prisma) =>
      prisma.printJob.findMany({
        where: {
          ...{ printerId, status: 'Queued' },
          // A clock that was ahead made it: when is not known.
          OR: [{ createdAt: { lte: before } }, { createdAt: { gt: instantNow() } }],
        },
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

/** A machine may pause and go on for ever. What became of a print, and what people say, is written, though not for ever. */
function withinBound(sightings: readonly Sighting[], written: number): Sighting[] {
  return sightings.flatMap((one, at) => {
    const left = MAX_SIGHTINGS - written - at;
    const isSaid = ['ENDED', 'RESOLVED', 'AMENDED', 'CORRECTED'].includes(one.kind);
    if (left > 1 || (left > -MAX_SIGHTINGS && isSaid)) return [one];
    return left === 1 ? [{ ...one, text: `${one.text}. What follows is not written, but for its end` }] : [];
  });
}
