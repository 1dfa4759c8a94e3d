// PostgreSQL inside this process as the database: in a directory, or in memory and gone at the end.
import { mkdirSync } from 'node:fs';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { DatabaseTarget } from '../config';
import { answerBackup } from './backup-door';
import { finishDirectory, prepareDirectory } from './data-directory';
import { type DirectoryLock, lockDirectory } from './directory-lock';
import type { Driver } from './driver';
import { dump } from './dump';
import { DurableFs } from './durable-fs';
import { EmbeddedPostgres } from './embedded-postgres';

type EmbeddedTarget = Exclude<DatabaseTarget, { kind: 'server' }>;

/** Prisma writes and reads times without an offset, so any other zone would shift them. */
const SESSION = ['-c', 'timezone=UTC', '-c', 'datestyle=ISO'];

/** PGlite's own parameters turn syncing off (-F); see DurableFs for the method. */
const DURABLE = [
  ...EmbeddedPostgres.defaultStartParams.filter((one) => one !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  ...SESSION,
];

export interface EmbeddedDriver extends Driver {
  dump(): ReturnType<typeof dump>;
}

export function openEmbedded(target: EmbeddedTarget): Promise<EmbeddedDriver> {
  return target.kind === 'directory' ? openDirectory(target.path) : openMemory();
}

async function openMemory(): Promise<EmbeddedDriver> {
  const startParams = [...EmbeddedPostgres.defaultStartParams, ...SESSION];
  return driver(await EmbeddedPostgres.open({ dataDir: 'memory://', startParams }));
}

async function openDirectory(path: string): Promise<EmbeddedDriver> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(path);
  try {
    const state = prepareDirectory(path);
    const postgres = await EmbeddedPostgres.open({ fs: new DurableFs(path), startParams: DURABLE });
    if (state === 'new') finishDirectory(path);
    return driver(postgres, lock);
  } catch (error) {
    await lock.release();
    throw new Error(`The database in ${path} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

function driver(postgres: EmbeddedPostgres, lock?: DirectoryLock): EmbeddedDriver {
  return {
    adapter: new PrismaPGlite(postgres),
    withSession: (work) =>
      work(
        async (text, values) => {
          if (values) return (await postgres.query<Record<string, unknown>>(text, values)).rows;
          return (await postgres.exec(text)).at(-1)?.rows ?? [];
        },
        async (statement, lines) => {
          await postgres.query(`${statement} FROM '/dev/blob'`, [], { blob: new Blob([new Uint8Array(lines)]) });
        },
      ),
    dump: () => dump(postgres),
    offerBackup: () => lock?.answer((socket) => answerBackup(socket, () => dump(postgres))),
    async close() {
      // One that has stopped cannot shut down; its log is replayed at the next start.
      if (!postgres.stopped) await postgres.close();
      await lock?.release();
    },
  };
}
