// Opens the built-in database: PostgreSQL inside this process, in a directory or in memory.

import type { TimeBudget } from '../../values/time-budget';
import type { DatabaseTarget, Driver, ReportStep, Warn } from '../driver/driver';
import { damagedFailure, directoryFailure } from '../start-failures';
import { answerBackup } from './backup-door';
import { finishDirectory, makeDirectory, prepareDirectory } from './directory';
import { type DirectoryLock, lockDirectory, readHolder } from './directory-lock';
import { DurableFs } from './durable-fs';
import { connectAdapter } from './embedded-adapter';
import { memoryMib, memoryWarning } from './memory-needs';
import { EmbeddedPostgres } from './pglite';
import { ReopeningPostgres } from './reopening';

type EmbeddedTarget = Exclude<DatabaseTarget, { kind: 'server' }>;

/**
 * Prisma writes and reads times without an offset, so another time zone would shift them. With 32 MB of shared buffers instead of
 * PGlite's 128 MB, the process takes 420 MB instead of 550 MB, and starts in 1.4 s instead of 1.8 s. The benchmark is equally
 * fast, because PostgreSQL reads other pages from the cache of the operating system.
 */
const SETTINGS = ['-c', 'timezone=UTC', '-c', 'datestyle=ISO', '-c', 'shared_buffers=32MB'];

/**
 * The settings for a directory. PGlite's option -F is left out, because it turns off the sync of files to the disk. The progress
 * report of a recovery is off, because its timer would keep an instance whose recovery failed in memory (150 MB).
 */
const DURABLE = [
  ...EmbeddedPostgres.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'log_startup_progress_interval=0',
  ...SETTINGS,
];

/** Writes a backup of the database as text. */
type Dump = (postgres: EmbeddedPostgres) => AsyncGenerator<string | Buffer>;

interface EmbeddedDriver extends Driver {
  dump(): ReturnType<Dump>;
}

export function openEmbedded(
  target: EmbeddedTarget,
  budget: TimeBudget,
  dump: Dump,
  warn: Warn = () => {},
  reportStep: ReportStep = () => {},
): Promise<EmbeddedDriver> {
  return target.kind === 'directory'
    ? openDirectory(target.path, { budget, dump, warn, reportStep })
    : openMemory(budget, dump, reportStep);
}

async function openMemory(budget: TimeBudget, dump: Dump, reportStep: ReportStep): Promise<EmbeddedDriver> {
  reportStep('Creating a database in memory …');
  const startParams = [...EmbeddedPostgres.defaultStartParams, ...SETTINGS];
  const postgres = await EmbeddedPostgres.open({ dataDir: 'memory://', startParams });
  return makeDriver(postgres, async () => postgres, budget, dump);
}

interface OpenOptions {
  budget: TimeBudget;
  dump: Dump;
  warn: Warn;
  reportStep: ReportStep;
}

async function openDirectory(path: string, { budget, dump, warn, reportStep }: OpenOptions): Promise<EmbeddedDriver> {
  let lock: DirectoryLock | undefined;
  try {
    makeDirectory(path);
    lock = await lockDirectory(path);
    const state = prepareDirectory(path);
    const warning = memoryWarning(state, memoryMib());
    if (warning !== null) warn(warning, undefined);
    if (state === 'new') reportStep(`Creating a database in ${path} …`);
    const open = () => EmbeddedPostgres.open({ fs: new DurableFs(path), startParams: DURABLE });
    const first = await open().catch((error) => {
      throw state === 'existing' ? damagedFailure(error) : error;
    });
    const postgres = new ReopeningPostgres(first, path, open);
    if (state === 'new') finishDirectory(path);
    return makeDriver(postgres, () => postgres.running(), budget, dump, lock);
  } catch (error) {
    await lock?.release();
    throw directoryFailure(error, path, readHolder(path));
  }
}

function makeDriver(
  postgres: ReopeningPostgres | EmbeddedPostgres,
  running: () => Promise<EmbeddedPostgres>,
  { requestMs }: TimeBudget,
  dump: Dump,
  lock?: DirectoryLock,
): EmbeddedDriver {
  const dumpRunning = async function* () {
    yield* dump(await running());
  };
  return {
    vacuumsItself: false,
    adapter: connectAdapter(postgres, requestMs),
    async withSession(work) {
      const session = await running();
      return work(
        async (text, values) => {
          if (values) return (await session.query<Record<string, unknown>>(text, values)).rows;
          return (await session.exec(text)).at(-1)?.rows ?? [];
        },
        async (statement, lines) => {
          await session.query(`${statement} FROM '/dev/blob'`, [], { blob: new Blob([new Uint8Array(lines)]) });
        },
      );
    },
    dump: dumpRunning,
    offerBackup: () => lock?.answer((socket) => answerBackup(socket, dumpRunning)),
    async close() {
      await postgres.close();
      await lock?.release();
    },
  };
}
