// Unpacks the first release that test/first-release keeps: its program, a data directory and a backup that it wrote, and its answers.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, constants } from 'node:zlib';
import type { RunSql } from '../../src/database/driver/driver';
import { PATHS, QUERIES } from '../first-release/questions';
import { type Child, startChild } from './child-process';
import { ROOT } from './running-gateway';
import { temporaryFolder } from './temporary-folder';

const FOLDER = join(ROOT, 'test', 'first-release');

/** The settings with which the first release wrote the fixtures. It connected to no machine and no receiver. */
export const SETTINGS = {
  DEVICE_KEY: '0123456789abcdef'.repeat(4),
  COLLECT: 'false',
  NOTIFY: 'false',
  // The changes are from November 2026, and a gateway deletes old ones.
  CHANGES_RETENTION_HOURS: '876000',
  LOG_LEVEL: 'silent',
  REQUEST_TIMEOUT_MS: '100000',
  PORT: '0',
};

function unpacked(name: string): Buffer {
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  return brotliDecompressSync(fs.readFileSync(join(FOLDER, name)), { params });
}

function unpackFolder(name: string, folder: string): string {
  execFileSync('tar', ['-xf', '-', '--no-same-owner', '-C', folder], { input: unpacked(name) });
  return folder;
}

/** The data directory as the first release left it when it was stopped. The caller removes it. */
export const unpackDirectory = (): string => unpackFolder('directory.tar.br', temporaryFolder('first-data'));

/** The backup of that directory, taken by the first release. */
export const readBackup = (): Buffer => unpacked('backup.sql.br');

export interface FirstRelease {
  /** Runs a command of its command line. */
  run(args: string[], env: Record<string, string>): Child;
  remove(): void;
}

/** Its compiled server without the dashboard, on the packages that are installed now and those that were removed since. */
export function unpackProgram(): FirstRelease {
  const folder = unpackFolder('program.tar.br', temporaryFolder('first-program'));
  fs.symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return {
    run: (args, env) =>
      startChild(join(folder, 'dist', 'src', 'commands', 'cli.js'), args, { ...SETTINGS, ...env }, folder),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** The answers of the first release to the questions about its farm, in their order. */
export const readFirstAnswers = (): string[] => JSON.parse(unpacked('answers.json.br').toString());

/** @param ask answers the text of a body: of a GET of a path, or of a POST to /graphql */
export async function collectAnswers(ask: (path: string, body?: unknown) => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  for (const path of PATHS) answers.push(await ask(path));
  for (const query of QUERIES) answers.push(await ask('/graphql', { query }));
  return answers;
}

export interface Table {
  name: string;
  columns: string[];
}

/** The tables of a database that no newer build has opened, each partition separately. */
export async function readTables(run: RunSql): Promise<Table[]> {
  const rows = await run(`
    select c.relname::text as name, string_agg(a.attname, ',' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by c.relname order by c.relname`);
  return rows.map(({ name, columns }) => ({ name: String(name), columns: String(columns).split(',') }));
}

/** Every value of every row as PostgreSQL writes it, by table. */
export async function readRows(run: RunSql, tables: Table[]): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name, columns } of tables) {
    const found = await run(
      `select row(${columns.map((column) => `"${column}"`).join()})::text as text from "${name}"`,
    );
    rows[name] = found.map(({ text }) => String(text)).sort();
  }
  return rows;
}
