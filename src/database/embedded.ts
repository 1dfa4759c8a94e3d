// PostgreSQL inside this process as the database: in a directory, or in memory and gone at the end.
import { mkdirSync } from 'node:fs';
import type { DatabaseTarget } from '../config';
import { answerBackup } from './backup-door';
import { finishDirectory, prepareDirectory } from './data-directory';
import { type DirectoryLock, lockDirectory } from './directory-lock';
import type { Driver } from './driver';
import { dump } from './dump';
import { DurableFs } from './durable-fs';
import { adapterOn } from './embedded-adapter';
import { EmbeddedPostgres } from './embedded-postgres';
import { ReopeningPostgres } from './reopening-postgres';

type EmbeddedTarget = Exclude<DatabaseTarget, { kind: 'server' }>;

/**
 * Prisma writes and reads times without an offset, so any other zone would shift them. Pages that are not in its buffers
 * PostgreSQL reads from the system's: with 32 MB of its own instead of PGlite's 128 the process takes 420 MB instead of
 * 550, starts in 1.4 s instead of 1.8, and the benchmark's answers come as fast.
 */
const SETTINGS = ['-c', 'timezone=UTC', '-c', 'datestyle=ISO', '-c', 'shared_buffers=32MB'];

/**
 * PGlite's own parameters turn syncing off (-F); see DurableFs for the method. The report on the progress of a recovery
 * is a timer, which would keep an instance whose recovery failed in memory, 150 MB of it.
 */
const DURABLE = [
  ...EmbeddedPostgres.defaultStartParams.filter((one) => one !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'log_startup_progress_interval=0',
  ...SETTINGS,
];

export interface EmbeddedDriver extends Driver {
  dump(): ReturnType<typeof dump>;
}

export function openEmbedded(target: EmbeddedTarget): Promise<EmbeddedDriver> {
  return target.kind === 'directory' ? openDirectory(target.path) : openMemory();
}

async function openMemory(): Promise<EmbeddedDriver> {
  const startParams = [...EmbeddedPostgres.defaultStartParams, ...SETTINGS];
  const postgres = await EmbeddedPostgres.open({ dataDir: 'memory://', startParams });
  return driver(postgres, async () => postgres);
}

async function openDirectory(path: string): Promise<EmbeddedDriver> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(path);
  try {
    const state = prepareDirectory(path);
    const open = () => EmbeddedPostgres.open({ fs: new DurableFs(path), startParams: DURABLE });
    const postgres = new ReopeningPostgres(await open(), path, open);
    if (state === 'new') finishDirectory(path);
    return driver(postgres, () => postgres.running(), lock);
  } catch (error) {
    await lock.release();
    throw new Error(`The database in ${path} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

function driver(
  postgres: ReopeningPostgres | EmbeddedPostgres,
  running: () => Promise<EmbeddedPostgres>,
  lock?: DirectoryLock,
): EmbeddedDriver {
  const dumped = async function* () {
    yield* dump(await running());
  };
  return {
    isApart: false,
    adapter: adapterOn(postgres),
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
    dump: dumped,
    offerBackup: () => lock?.answer((socket) => answerBackup(socket, dumped)),
    async close() {
      await postgres.close();
      await lock?.release();
    },
  };
}
