// PostgreSQL inside this process as the database: in a directory, or in memory and gone at the end.
import { mkdirSync } from 'node:fs';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { finishDirectory, prepareDirectory } from './data-directory';
import { lockDirectory } from './directory-lock';
import type { Driver } from './driver';
import { DurableFs } from './durable-fs';
import { EmbeddedPostgres } from './embedded-postgres';

/** Prisma writes and reads times without an offset, so any other zone would shift them. */
const SESSION = ['-c', 'timezone=UTC', '-c', 'datestyle=ISO'];

/** PGlite's own parameters turn syncing off (-F); see DurableFs for the method. */
const DURABLE = [
  ...EmbeddedPostgres.defaultStartParams.filter((one) => one !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  ...SESSION,
];

export function openEmbedded(target: { kind: 'directory'; path: string } | { kind: 'memory' }): Promise<Driver> {
  return target.kind === 'directory' ? openDirectory(target.path) : openMemory();
}

async function openMemory(): Promise<Driver> {
  const startParams = [...EmbeddedPostgres.defaultStartParams, ...SESSION];
  return driver(await EmbeddedPostgres.open({ dataDir: 'memory://', startParams }), async () => {});
}

async function openDirectory(path: string): Promise<Driver> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(path);
  try {
    const state = prepareDirectory(path);
    const postgres = await EmbeddedPostgres.open({ fs: new DurableFs(path), startParams: DURABLE });
    if (state === 'new') finishDirectory(path);
    return driver(postgres, lock.release);
  } catch (error) {
    await lock.release();
    throw new Error(`The database in ${path} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

function driver(postgres: EmbeddedPostgres, afterClose: () => Promise<void>): Driver {
  return {
    adapter: new PrismaPGlite(postgres),
    withSession: (work) =>
      work(async (text, values) => {
        if (values) return (await postgres.query<Record<string, unknown>>(text, values)).rows;
        return (await postgres.exec(text)).at(-1)?.rows ?? [];
      }),
    async close() {
      // One that has stopped cannot shut down; its log is replayed at the next start.
      if (!postgres.stopped) await postgres.close();
      await afterClose();
    },
  };
}
