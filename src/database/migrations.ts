// Applies the SQL in prisma/migrations, which makes the tables, and records it as `prisma migrate` does.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../values/sha256';
import { inTransaction, type RunSql } from './driver/driver';
import { isDenied, retryAfterDeadlock } from './failures';

/** The folder of package.json, which has the SQL. */
export const PACKAGE_FOLDER = dirname(require.resolve('print-farm-gateway/package.json'));

export interface Migration {
  name: string;
  sql: string;
}

interface Recorded {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** The lock key of `prisma migrate`, so that it and this program wait for each other. */
export const LOCK_KEY = 72707369;

/** Prisma's definition of its table. */
export const RECORDS_TABLE = `
  create table if not exists _prisma_migrations (
    id                  varchar(36) primary key not null,
    checksum            varchar(64) not null,
    finished_at         timestamptz,
    migration_name      varchar(255) not null,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`;

/**
 * Each migration has its own transaction, which holds the lock: this works through a pooler, and a crash releases the
 * lock and undoes the migration. A process that waited for the lock reads the list of pending migrations again. Without
 * pending migrations nothing is written, so a role without the right to create tables can start the program.
 */
export async function applyMigrations(run: RunSql, migrations: Migration[] = readMigrations()): Promise<void> {
  const applyNext = async () => {
    if (pending(migrations, await recorded(run)).length === 0) return false;
    // A migration, and the wait for one of another process, may take longer than a statement of a request.
    await run('set local statement_timeout = 0');
    await run('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const [next] = pending(migrations, await recorded(run));
    if (next) await apply(run, next);
    return true;
  };
  // Another gateway may write meanwhile: its locks and those of a migration may meet in another order.
  while (await retryAfterDeadlock(() => inTransaction(run, applyNext)));
}

/** The migrations that the database has recorded. */
export async function appliedMigrations(run: RunSql): Promise<Migration[]> {
  const migrations = readMigrations();
  const left = pending(migrations, await recorded(run));
  return migrations.filter((migration) => !left.includes(migration));
}

async function apply(run: RunSql, migration: Migration): Promise<void> {
  try {
    await run(RECORDS_TABLE);
    await run(migration.sql);
  } catch (error) {
    throw schemaFailure(`Migration ${migration.name}`, error);
  }
  await record(run, migration);
}

/** Records a migration as applied. */
async function record(run: RunSql, { name, sql }: Migration): Promise<void> {
  await run(
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     values ($1, $2, clock_timestamp(), $3, now(), 1)`,
    [randomUUID(), sha256(sql), name],
  );
}

/** @param what failed: a migration or a file */
export function schemaFailure(what: string, cause: unknown): Error {
  const { message } = cause as Error;
  if (!isDenied(cause)) return new Error(`${what} failed and was rolled back: ${message}`, { cause });
  const lack = `The role of DATABASE_URL may not migrate the database: ${message}`;
  return new Error(`${lack}. It must own the tables, and have the right CREATE on the schema`, { cause });
}

/**
 * Reads the catalogue's tables, because `to_regclass` may answer from the session's cache, which lacks a table that
 * another session made while this session waited for the lock.
 */
async function recorded(run: RunSql): Promise<Recorded[]> {
  const [table] = await run(`select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = '_prisma_migrations' and n.nspname = current_schema()`);
  if (!table) return [];
  const rows = await run(`select migration_name, checksum, finished_at is not null as finished
    from _prisma_migrations where rolled_back_at is null order by started_at`);
  return rows as unknown as Recorded[];
}

function pending(migrations: Migration[], recorded: Recorded[]): Migration[] {
  for (const { migration_name: name, checksum, finished } of recorded) {
    const ours = migrations.find((migration) => migration.name === name);
    if (!ours) {
      throw new Error(
        isOlder(name, migrations)
          ? `The database is of a build before the first release (it has the migration ${name}): start that build, or this one with a new database.`
          : `The database has migration ${name}, which this program does not know: start a newer version of the program.`,
      );
    }
    if (!finished) {
      throw new Error(`Migration ${name} was begun by another tool and not finished: see \`prisma migrate resolve\`.`);
    }
    if (!checksums(ours.sql).includes(checksum)) {
      throw new Error(
        `Migration ${name} was changed after it was applied to this database: its checksum is ${checksums(ours.sql)[0]}, ` +
          `the applied one ${checksum}. Restore the file; changes belong in a new migration.`,
      );
    }
  }
  const applied = new Set(recorded.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

/** Before the first release, the migrations of older builds became one for each room. */
export const isOlder = (name: string, migrations: readonly Migration[]) => name < (migrations[0]?.name ?? '');

/** Git may have changed the line ends of the file; Prisma accepts that as well. */
const checksums = (sql: string) => {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sha256(sql), sha256(unix), sha256(unix.replaceAll('\n', '\r\n'))];
};

export function readMigrations(): Migration[] {
  const directory = join(PACKAGE_FOLDER, 'prisma', 'migrations');
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, sql: readFileSync(join(directory, entry.name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
