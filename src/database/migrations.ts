// Applies the migrations in prisma/migrations, which make the tables, and records them as `prisma migrate` does.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../values/sha256';
import { inTransaction, type ReportStep, type RunSql } from './driver/driver';
import { isDenied, retryAfterDeadlock } from './failures';

/** The folder of package.json, in which the folders with SQL are. */
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

/** The key of the lock that `prisma migrate` takes, so that it and this program wait for each other. */
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
 * Applies the pending migrations. Each migration has its own transaction, which holds the lock: this works through a pooler,
 * and a crash releases the lock and undoes the migration. A process that waited for the lock reads the list of pending
 * migrations again. If no migration is pending, nothing is written, so that a role without the right to create tables can
 * start the program.
 */
export async function applyMigrations(
  run: RunSql,
  migrations: Migration[] = readMigrations(),
  reportStep: ReportStep = () => {},
): Promise<void> {
  let isReported = false;
  const applyNext = async () => {
    const pending = findPending(migrations, await readRecorded(run)).length;
    if (pending === 0) return false;
    if (!isReported) reportStep(describePending(pending, migrations.length));
    isReported = true;
    // A migration may take longer than a statement of a request, and so may the wait for another process that migrates.
    await run('set local statement_timeout = 0');
    await run('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const [next] = findPending(migrations, await readRecorded(run));
    if (next) await apply(run, next);
    return true;
  };
  // Another gateway may write at the same time and take its locks in another order than the migration: that is a deadlock.
  while (await retryAfterDeadlock(() => inTransaction(run, applyNext)));
}

const describePending = (pending: number, all: number) =>
  pending === all
    ? 'Creating the tables …'
    : `Migrating the database: ${pending} ${pending === 1 ? 'migration' : 'migrations'} …`;

/** The migrations that are recorded in the database as applied. */
export async function appliedMigrations(run: RunSql): Promise<Migration[]> {
  const migrations = readMigrations();
  const missing = findPending(migrations, await readRecorded(run));
  return migrations.filter((migration) => !missing.includes(migration));
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

/** @param subject the migration or the SQL file that failed */
export function schemaFailure(subject: string, cause: unknown): Error {
  const { message } = cause as Error;
  if (!isDenied(cause)) return new Error(`${subject} failed and was rolled back: ${message}`, { cause });
  return new Error(
    `The role in DATABASE_URL may not migrate the database: ${message}. Make it the owner of the tables, and grant it the right CREATE on the schema.`,
    { cause },
  );
}

/**
 * The migrations that are recorded in the database. This reads the tables of the catalogue, because `to_regclass` may answer
 * from the cache of the session, which does not have a table that another session made while this session waited for the lock.
 */
async function readRecorded(run: RunSql): Promise<Recorded[]> {
  const [table] = await run(`select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = '_prisma_migrations' and n.nspname = current_schema()`);
  if (!table) return [];
  const rows = await run(`select migration_name, checksum, finished_at is not null as finished
    from _prisma_migrations where rolled_back_at is null order by started_at`);
  return rows as unknown as Recorded[];
}

function findPending(migrations: Migration[], recorded: Recorded[]): Migration[] {
  for (const { migration_name: name, checksum, finished } of recorded) {
    const shipped = migrations.find((migration) => migration.name === name);
    if (!shipped) {
      throw new Error(
        isBeforeFirstRelease(name, migrations)
          ? `A build before the first release made this database (it has the migration ${name}). Start that build, or start this one with a new database.`
          : `A newer version of the gateway made this database (it has the migration ${name}). Start that version or a newer one.`,
      );
    }
    if (!finished) {
      throw new Error(
        `Another tool started the migration ${name} and did not finish it. Resolve this with \`prisma migrate resolve\`.`,
      );
    }
    if (!checksums(shipped.sql).includes(checksum)) {
      throw new Error(
        `The file of the migration ${name} was changed after it was applied to this database: its checksum is ${checksums(shipped.sql)[0]}, ` +
          `and the applied one had ${checksum}. Restore the file, and write changes as a new migration.`,
      );
    }
  }
  const applied = new Set(recorded.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

/** Whether a build before the first release has this migration. Its migrations were later replaced by one for each room. */
export const isBeforeFirstRelease = (name: string, migrations: readonly Migration[]) =>
  name < (migrations[0]?.name ?? '');

/** The checksums that are accepted for a file. Git may have changed the line ends of the file, which Prisma accepts, too. */
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
