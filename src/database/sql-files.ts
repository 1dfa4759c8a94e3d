// Applies the SQL files below src at the start. They make the functions and triggers on the tables of the migrations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../values/sha256';
import { inTransaction, type RunSql } from './driver/driver';
import { retryAfterDeadlock } from './failures';
import { LOCK_KEY, PACKAGE_FOLDER, schemaFailure } from './migrations';

interface SqlFile {
  name: string;
  sql: string;
}

/**
 * Each function keeps the search_path with which it was made (SET search_path FROM CURRENT), whatever the search_path of the
 * program that writes. Otherwise two farms in two schemas of one database would count each other's rows. This costs 4
 * microseconds for each call.
 */
const IN_THIS_SCHEMA = "select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)";

/**
 * Applies, in one transaction, the files that changed since they were last applied to this database. Like a migration, it waits
 * for other processes that migrate. If no file changed, it writes nothing, so that a role without the right to create can
 * start the program.
 */
export async function applySqlFiles(run: RunSql, files: SqlFile[] = readSqlFiles()): Promise<void> {
  const applyChanged = async () => {
    if ((await findChanged(run, files)).length === 0) return;
    await run('set local statement_timeout = 0');
    await run('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    await run(IN_THIS_SCHEMA);
    for (const { name, sql } of await findChanged(run, files)) {
      try {
        await run(sql);
        await run('insert into sql_files values ($1, $2) on conflict (name) do update set hash = excluded.hash', [
          name,
          sha256(sql),
        ]);
      } catch (error) {
        throw schemaFailure(name, error);
      }
    }
  };
  await retryAfterDeadlock(() => inTransaction(run, applyChanged));
}

async function findChanged(run: RunSql, files: SqlFile[]): Promise<SqlFile[]> {
  const rows = await run('select name, hash from sql_files');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  return files.filter(({ name, sql }) => applied.get(name) !== sha256(sql));
}

/**
 * Reads the files with Unix line ends, because Git may have changed the line ends. A `.query.sql` file is left out: it is a statement that a
 * store sends, which query-files.ts reads.
 */
export function readSqlFiles(): SqlFile[] {
  return readdirSync(join(PACKAGE_FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql') && !path.endsWith('.query.sql'))
    .sort()
    .map((path) => ({
      name: `src/${path}`,
      sql: readFileSync(join(PACKAGE_FOLDER, 'src', path), 'utf8').replaceAll('\r\n', '\n'),
    }));
}
