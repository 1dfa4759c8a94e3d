// The SQL that locks, reads and writes the row of one print.
import { violatedConstraint } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import { HAS_HOLDER } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import type { Ending, EndingWithAmounts } from '../print-rules/decision';
import type { NewestFigures } from '../print-rules/newest-figures';
import type { FilamentPlan, ObservedFilament, RunningPrint } from '../print-rules/print.model';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import { STORED_PRINT, type StoredPrint } from './observed-print.rows';

/** How many of the latest ended prints are compared with what a machine shows. */
export const MAX_COMPARED_PRINTS = 20;

/** The printer of a print, and the device that reports it. */
export interface PrinterOfDevice {
  deviceId: string;
  printerId: string;
}

/** The job of a print, as the gateway wrote it last. */
interface JobFingerprint {
  jobId: string;
  /** `null` if the gateway no longer writes the job. */
  jobUpdatedAt: Instant | null;
  jobWritten: string | null;
  /** `null` if the stored spools stay. */
  spools: Record<string, string> | null;
  /** Left out if the stored slots stay. */
  slotsWithoutSpool?: string[] | null;
}

/** A running print as a decision writes it. */
interface PrintToWrite extends RunningPrint {
  /** `null` if the stored plan stays. */
  sliced: SlicedPlan | null;
}

/** Names each column, because the print that a process follows also has other columns, with the values from its start. */
function printColumns(print: PrintToWrite) {
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
    plan: toJsonOrNull(plan),
    measured: toJson(print.measured),
    course: toJsonOrNull(print.course),
    // The slicer's plan may have 50 KB, and it hardly ever changes.
    ...(sliced && { sliced: toJson(sliced) }),
  };
}

/** An ending from a decision, or from another row. */
type EndingToWrite = Omit<Ending, 'outcome'> & {
  outcome: string;
  filament: ObservedFilament[] | null;
};

/** @param ending `null` while the print is running */
const endColumns = (ending: EndingToWrite | null) => ({
  outcome: ending?.outcome ?? 'RUNNING',
  endedAt: ending?.at ?? null,
  endedAtEstimated: ending?.estimated ?? false,
  reason: ending?.reason ?? null,
  filament: toJsonOrNull(ending?.filament ?? null),
});

const toJson = (value: unknown) => value as Prisma.InputJsonValue;

const toJsonOrNull = (value: unknown) => (value === null ? Prisma.DbNull : toJson(value));

export class PrintWritingStore {
  constructor(private readonly database: Queryable) {}

  byId(id: string): Promise<StoredPrint | null> {
    return this.read('byId', Prisma.sql`o.id = ${id}::uuid`);
  }

  /** Reads a print and locks it: no other writer changes it until the transaction ends. */
  locked(id: string): Promise<StoredPrint | null> {
    return this.read('locked', Prisma.sql`o.id = ${id}::uuid for update of o`);
  }

  /** As locked, for the print of a job. `null` if the job has no print. */
  lockedByJob(jobId: string): Promise<StoredPrint | null> {
    return this.read('lockedByJob', Prisma.sql`o.job_id = ${jobId}::uuid for update of o`);
  }

  /** The newest figures of a running print, from the state of its printer. `null` if that state has no figures of this print. */
  async newestFigures({ id, printerId }: Pick<StoredPrint, 'id' | 'printerId'>): Promise<NewestFigures | null> {
    return this.database.json(
      'prints.newestFigures',
      Prisma.sql`
      select (select s.figures from printer_states s where s.printer_id = ${printerId}::uuid and s.print_id = ${id}::uuid) as value`,
    );
  }

  /** The running print of a printer and its latest prints without a job, the oldest first. */
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

  /**
   * Creates the row of a print. `false` if the device already has a running print, or a print with this external id.
   * @param ending `null` while the print is running
   */
  async create(
    id: string,
    { deviceId, printerId }: PrinterOfDevice,
    print: PrintToWrite,
    ending: EndingWithAmounts | null,
  ): Promise<boolean> {
    const keys = { id, deviceId, printerId, createdAt: print.seenAt };
    try {
      await this.database.attempt('prints.create', ({ prisma }) =>
        prisma.observedPrint.create({ data: { ...keys, ...printColumns(print), ...endColumns(ending) } }),
      );
      return true;
    } catch (error) {
      if (violatedConstraint(error)?.kind !== 'unique') throw error;
      return false;
    }
  }

  /**
   * Saves a running print, or ends it. `null` if the print is no longer running.
   * @param ending `null` while the print is running
   */
  async save(id: string, print: PrintToWrite, ending: EndingWithAmounts | null): Promise<StoredPrint | null> {
    const isSaved = await this.updateRunning('save', id, { ...printColumns(print), ...endColumns(ending) });
    return isSaved ? this.byId(id) : null;
  }

  /** Makes a running print UNRESOLVED, and changes nothing else. `false` if the print is no longer running. */
  endUnseen(id: string): Promise<boolean> {
    return this.updateRunning('endWithoutEvent', id, { outcome: 'UNRESOLVED' });
  }

  end(id: string, ending: EndingWithAmounts): Promise<void> {
    return this.update('end', id, endColumns(ending));
  }

  /**
   * While its device is connected, the end of a pause is written as soon as the machine reports it. So a print that is paused in its row
   * was paused until now, although its last checkpoint may be 30 s older. `false` if the print is not known to be paused.
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

  /** Sets the amounts of an ended print. */
  setFilament(id: string, filament: readonly ObservedFilament[]): Promise<void> {
    return this.update('setFilament', id, { filament: toJson(filament) });
  }

  /** An ended print is running again. */
  reopen(id: string, print: PrintToWrite): Promise<void> {
    return this.update('reopen', id, { ...printColumns(print), ...endColumns(null) });
  }

  /** Gives an ended print its plan. */
  amend(id: string, plan: FilamentPlan, filament: readonly ObservedFilament[]): Promise<void> {
    return this.update('amend', id, { plan: toJson(plan), filament: toJson(filament) });
  }

  /**
   * Merges another row of the same print into this row, with the sightings and, if this row has none, the picture of the other row.
   * @param ending `null` while the print is running
   */
  async absorb(id: string, otherId: string, print: PrintToWrite, ending: EndingToWrite | null): Promise<void> {
    const data = { ...printColumns(print), ...endColumns(ending) };
    await this.database.attempt('prints.absorb', async ({ prisma }) => {
      await prisma.printSighting.updateMany({ where: { printId: otherId }, data: { printId: id } });
      await prisma.$executeRaw`
        insert into print_thumbnails (print_id, picture)
        select ${id}::uuid, picture from print_thumbnails where print_id = ${otherId}::uuid on conflict do nothing`;
      await prisma.observedPrint.delete({ where: { id: otherId }, select: { id: true } });
      await prisma.observedPrint.update({ where: { id }, data, select: { id: true } });
    });
  }

  setJob(id: string, { spools, slotsWithoutSpool, ...job }: JobFingerprint): Promise<void> {
    const slots = {
      ...(spools !== null && { spools }),
      ...(slotsWithoutSpool !== undefined && { lacking: toJsonOrNull(slotsWithoutSpool) }),
    };
    return this.update('setJob', id, { ...job, ...slots });
  }

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

  /** `false` if the print is no longer running. */
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
