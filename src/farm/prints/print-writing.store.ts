// The rows of observed prints, one by one, as decisions read, lock and write them, and what was heard of each.
import { violatedConstraint } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import { HAS_HOLDER } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import type { NewestFigures } from '../print-rules/newest-figures';
import type {
  Ending,
  EndingWithAmounts,
  FilamentPlan,
  ObservedFilament,
  RunningPrint,
  SightingKind,
} from '../print-rules/print.model';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import { STORED_PRINT, type StoredPrint } from './observed-print.rows';

/** Of the latest prints that are over, so many are compared with what a machine shows. */
export const MAX_COMPARED_PRINTS = 20;

/** The printer that a print is of, and the device by which it was heard. */
export interface PrinterOfDevice {
  deviceId: string;
  printerId: string;
}

/** The job of a print, as the gateway wrote it last. */
interface JobFingerprint {
  jobId: string;
  jobUpdatedAt: Instant | null;
  jobWritten: string | null;
  spools: Record<string, string> | null;
  lacking?: string[] | null;
}

/** A running print as a decision writes it. */
interface WrittenPrint extends RunningPrint {
  /** Null: as it is. */
  sliced: SlicedPlan | null;
}

/** Each by its name: the print of a process that goes on with it has the other columns too, as they were then. */
function printColumns(print: WrittenPrint) {
  const { externalId, name, filePath, startedAt, startedAtEstimated, paused, lost, seenAt } = print;
  const { progress, progressBasis, remainingSec, layer, layers, counter, plan, sliced } = print;
  return {
    externalId,
    name,
    filePath,
    startedAt,
    startedAtEstimated,
    paused,
    lost,
    seenAt,
    progress,
    progressBasis,
    remainingSec,
    layer,
    layers,
    counterSec: counter?.seconds ?? null,
    countsPauses: counter?.countsPauses ?? null,
    plan: jsonOf(plan),
    measured: asJson(print.measured),
    course: jsonOf(print.course),
    // It may have 50 KB, and hardly ever changes.
    ...(sliced && { sliced: asJson(sliced) }),
  };
}

/** An end as a decision has it, or as another row does. */
type WrittenEnding = Omit<Ending, 'outcome'> & {
  outcome: string;
  filament: ObservedFilament[] | null;
};

/** The columns of the end; null: it runs. */
const endColumns = (ending: WrittenEnding | null) => ({
  outcome: ending?.outcome ?? 'RUNNING',
  endedAt: ending?.at ?? null,
  endedAtEstimated: ending?.estimated ?? false,
  reason: ending?.reason ?? null,
  filament: jsonOf(ending?.filament ?? null),
});

const asJson = (value: unknown) => value as Prisma.InputJsonValue;

const jsonOf = (value: unknown) => (value === null ? Prisma.DbNull : asJson(value));

export class PrintWritingStore {
  constructor(private readonly database: Queryable) {}

  byId(id: string): Promise<StoredPrint | null> {
    return this.read('byId', Prisma.sql`o.id = ${id}::uuid`);
  }

  /** As byId. Until the transaction ends no other writer changes it. */
  locked(id: string): Promise<StoredPrint | null> {
    return this.read('locked', Prisma.sql`o.id = ${id}::uuid for update of o`);
  }

  /** What its machine last reported of a running print, as the state of its printer has it; null: the state has nothing of this print. */
  async newestFigures({ id, printerId }: Pick<StoredPrint, 'id' | 'printerId'>): Promise<NewestFigures | null> {
    return this.database.json(
      'prints.newestFigures',
      Prisma.sql`
      select (select s.figures from printer_states s where s.printer_id = ${printerId}::uuid and s.print_id = ${id}::uuid) as value`,
    );
  }

  /** Of a printer: the print that runs, and the latest ones without a job; the oldest first. */
  async openPrintIds(printerId: string): Promise<string[]> {
    const rows = await this.database.models('prints.openOf', (prisma) =>
      prisma.observedPrint.findMany({
        where: { printerId, ignoredAt: null, OR: [{ outcome: 'RUNNING' }, { jobId: null }] },
        orderBy: { createdAt: 'desc' },
        take: MAX_COMPARED_PRINTS,
        select: { id: true },
      }),
    );
    return rows.map(({ id }) => id).reverse();
  }

  private async read(name: string, condition: Prisma.Sql): Promise<StoredPrint | null> {
    const select = Prisma.sql`select ${STORED_PRINT.json} as row from observed_prints o where ${condition}`;
    const [print = null] = await this.database.rows(`prints.${name}`, STORED_PRINT, select);
    return print;
  }

  /** False when the device has a running print already, or one with this external id. @param ending null while it runs */
  async create(
    id: string,
    { deviceId, printerId }: PrinterOfDevice,
    print: WrittenPrint,
    ending: EndingWithAmounts | null,
  ): Promise<boolean> {
    const whose = { id, deviceId, printerId, createdAt: print.seenAt };
    try {
      await this.database.attempt('prints.create', ({ prisma }) =>
        prisma.observedPrint.create({ data: { ...whose, ...printColumns(print), ...endColumns(ending) } }),
      );
      return true;
    } catch (error) {
      if (violatedConstraint(error)?.kind !== 'unique') throw error;
      return false;
    }
  }

  /** Null when it does not run any more. @param ending null while it runs */
  async save(id: string, print: WrittenPrint, ending: EndingWithAmounts | null): Promise<StoredPrint | null> {
    const isSaved = await this.updateRunning('save', id, { ...printColumns(print), ...endColumns(ending) });
    return isSaved ? this.byId(id) : null;
  }

  /** A running print becomes UNRESOLVED, and nothing else of it changes. False when it does not run. */
  endWithoutEvent(id: string): Promise<boolean> {
    return this.updateRunning('endWithoutEvent', id, { outcome: 'UNRESOLVED' });
  }

  end(id: string, ending: EndingWithAmounts): Promise<void> {
    return this.update('end', id, endColumns(ending));
  }

  /**
   * While its device is connected, a resume is written as soon as it is heard. So a print that is paused in its row was paused until now,
   * although its last checkpoint may be 30 s older. False when it is not known to be paused.
   */
  notePausedUntil(id: string, at: Instant): Promise<boolean> {
    return this.database.attempt('prints.notePausedUntil', (database, name) =>
      database.json(
        name,
        Prisma.sql`
        with noted as (
          update observed_prints o set seen_at = ${at}::timestamptz
          from devices d join leases l on l.device_id = d.id
          where o.id = ${id}::uuid and o.outcome = 'RUNNING' and o.paused and not o.lost and o.seen_at < ${at}::timestamptz
            and d.id = o.device_id and d.state = 'CONNECTED' and ${HAS_HOLDER}
          returning 1
        )
        select to_json(count(*) > 0) as value from noted`,
      ),
    );
  }

  /** Of a print that is over. */
  setFilament(id: string, filament: readonly ObservedFilament[]): Promise<void> {
    return this.update('setFilament', id, { filament: asJson(filament) });
  }

  reopen(id: string, print: WrittenPrint): Promise<void> {
    return this.update('reopen', id, { ...printColumns(print), ...endColumns(null) });
  }

  /** A print that is over gets its plan. */
  amend(id: string, plan: FilamentPlan, filament: readonly ObservedFilament[]): Promise<void> {
    return this.update('amend', id, { plan: asJson(plan), filament: asJson(filament) });
  }

  /** One row takes in another one of the same print, with what was heard of it. @param ending null while it runs */
  async absorb(id: string, other: string, print: WrittenPrint, ending: WrittenEnding | null): Promise<void> {
    const data = { ...printColumns(print), ...endColumns(ending) };
    await this.database.attempt('prints.absorb', async ({ prisma }) => {
      await prisma.printSighting.updateMany({ where: { printId: other }, data: { printId: id } });
      await prisma.observedPrint.delete({ where: { id: other }, select: { id: true } });
      await prisma.observedPrint.update({ where: { id }, data, select: { id: true } });
    });
  }

  /**
   * @param jobUpdatedAt of the job as the gateway wrote it; null: it writes it no more
   * @param spools null: as they are @param lacking left out: as they are
   */
  setJob(id: string, { spools, lacking, ...job }: JobFingerprint): Promise<void> {
    const ofSlots = { ...(spools !== null && { spools }), ...(lacking !== undefined && { lacking: jsonOf(lacking) }) };
    return this.update('setJob', id, { ...job, ...ofSlots });
  }

  /** The print has no job any more. */
  removeJob(id: string): Promise<void> {
    return this.update('removeJob', id, {
      jobId: null,
      jobUpdatedAt: null,
      jobWritten: null,
      spools: Prisma.DbNull,
      lacking: Prisma.DbNull,
    });
  }

  setIgnored(id: string, ignoredAt: Instant | null): Promise<void> {
    return this.update('setIgnored', id, { ignoredAt });
  }

  private async update(name: string, id: string, data: Prisma.ObservedPrintUncheckedUpdateInput): Promise<void> {
    await this.database.attempt(`prints.${name}`, ({ prisma }) =>
      prisma.observedPrint.update({ where: { id }, data, select: { id: true } }),
    );
  }

  /** False when it does not run. */
  private async updateRunning(
    name: string,
    id: string,
    data: Prisma.ObservedPrintUncheckedUpdateManyInput,
  ): Promise<boolean> {
    const { count } = await this.database.attempt(`prints.${name}`, ({ prisma }) =>
      prisma.observedPrint.updateMany({ where: { id, outcome: 'RUNNING' }, data }),
    );
    return count > 0;
  }
}

/** Of one print. */
const MAX_SIGHTINGS = 1000;

/** Something that was heard of a print. */
export interface Sighting {
  /** One that is written twice is there once. */
  key: string;
  at: Instant;
  kind: SightingKind;
  text: string;
}

export class SightingStore {
  constructor(private readonly database: Queryable) {}

  /** Sightings that are stored already, by their keys, are left out. */
  async add(printId: string, sightings: readonly Sighting[]): Promise<void> {
    if (sightings.length === 0) return;
    const written = await this.count('written', { printId });
    const data = limitSightings(sightings, written).map((one) => ({ ...one, printId }));
    await this.database.attempt('sightings.add', ({ prisma }) =>
      prisma.printSighting.createMany({ data, skipDuplicates: true }),
    );
  }

  /** How often these prints were seen to begin. */
  starts(printIds: string[]): Promise<number> {
    return this.count('starts', { printId: { in: printIds }, kind: 'STARTED' });
  }

  /** Whether a person said its spool. */
  async isCorrected(printId: string): Promise<boolean> {
    return (await this.count('isCorrected', { printId, kind: 'CORRECTED' })) > 0;
  }

  private count(name: string, where: { printId: string | { in: string[] }; kind?: SightingKind }): Promise<number> {
    return this.database.models(`sightings.${name}`, (prisma) => prisma.printSighting.count({ where }));
  }
}

/** A machine may pause and go on for ever. What became of a print, and what people say, is written, though not for ever. */
function limitSightings(sightings: readonly Sighting[], written: number): Sighting[] {
  return sightings.flatMap((one, at) => {
    const left = MAX_SIGHTINGS - written - at;
    const isSaid = ['ENDED', 'RESOLVED', 'AMENDED', 'CORRECTED'].includes(one.kind);
    if (left > 1 || (left > -MAX_SIGHTINGS && isSaid)) return [one];
    return left === 1 ? [{ ...one, text: `${one.text}. What follows is not written, but for its end` }] : [];
  });
}
