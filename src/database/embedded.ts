// PostgreSQL inside this process (PGlite) as the database: in a directory, or in memory and gone at the end.
import { mkdirSync } from 'node:fs';
import { PGlite, type QueryOptions } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { finishDirectory, prepareDirectory } from './data-directory';
import { lockDirectory } from './directory-lock';
import type { Driver } from './driver';
import { DurableFs } from './durable-fs';

/** Prisma writes and reads times without an offset, so any other zone would shift them. */
const SESSION = ['-c', 'timezone=UTC', '-c', 'datestyle=ISO'];

export function openEmbedded(target: { kind: 'directory'; path: string } | { kind: 'memory' }): Promise<Driver> {
  return target.kind === 'directory' ? openDirectory(target.path) : openMemory();
}

async function openMemory(): Promise<Driver> {
  const pglite = await PGlite.create('memory://', { startParams: [...PGlite.defaultStartParams, ...SESSION] });
  return driver(pglite, () => pglite.close());
}

async function openDirectory(path: string): Promise<Driver> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(path);
  try {
    const state = prepareDirectory(path);
    const pglite = await PGlite.create({ fs: new DurableFs(path), startParams: durable() });
    if (state === 'new') finishDirectory(path);
    return driver(pglite, async () => {
      await pglite.close();
      await lock.release();
    });
  } catch (error) {
    await lock.release();
    throw new Error(`The database in ${path} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

/** PGlite's own parameters turn syncing off (-F); see DurableFs for the method. */
function durable(): string[] {
  return [...PGlite.defaultStartParams.filter((one) => one !== '-F'), '-c', 'wal_sync_method=fsync', ...SESSION];
}

/**
 * The adapter gives its parsers along with every statement, and PGlite would copy them and its own 150 each time: 0.1 ms
 * of a trivial statement's 0.3 ms. So they are copied once, into its own.
 */
function keepParsers(pglite: PGlite): void {
  const query = pglite.query.bind(pglite);
  let kept: QueryOptions['parsers'];
  pglite.query = (text, values, options) => {
    if (!options?.parsers) return query(text, values, options);
    const { parsers, ...others } = options;
    if (parsers !== kept) Object.assign(pglite.parsers, parsers);
    kept = parsers;
    return query(text, values, others);
  };
}

function driver(pglite: PGlite, close: () => Promise<void>): Driver {
  keepParsers(pglite);
  return {
    adapter: new PrismaPGlite(pglite),
    withSession: (work) =>
      work(async (text, values) => {
        if (values) return (await pglite.query<Record<string, unknown>>(text, values)).rows;
        return (await pglite.exec(text)).at(-1)?.rows ?? [];
      }),
    close,
  };
}
