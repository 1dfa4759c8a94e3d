// Restores a backup into an empty database, on a server or built in. It restores everything or nothing, and reads the file chunk by chunk.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { openDriver } from '../database';
import type { DatabaseTarget, RunSql } from '../driver/driver';
import { appliedMigrations, isBeforeFirstRelease, type Migration, readMigrations } from '../migrations';
import {
  END,
  NO_PARTITIONS,
  OPENING,
  parseStatement,
  type Statement,
  statementsAroundRows,
  writeHead,
} from './backup-form';
import { checkDerivedTables, findJobsBelowParts } from './derived-tables';
import { removeUnlessDone } from './whole-file';

/** The bytes of a chunk. Each chunk is loaded by its own COPY, which limits the memory of this process and of the database. */
const CHUNK_BYTES = 1 << 20;

/** A feed with a greater position would soon reach numbers that are too large for the database. */
const MAX_POSITION = 2 ** 53;

const NOTHING = 'Nothing was restored.';

/** A part of a backup: either statements with the number of their first line, or rows with their COPY statement. */
type Part = { statements: string; line: number } | { copy: string; columns: string; rows: Buffer };

/**
 * @param restored is called with the number of bytes whenever rows were restored
 * @param warn is called with a warning about restored rows that contradict each other
 * @returns the number of rows
 */
export async function restore(
  target: DatabaseTarget,
  file: string,
  restored = (_bytes: number) => {},
  warn = (_sentence: string) => {},
): Promise<number> {
  const rows = await checkFile(file);
  const isNew = target.kind === 'directory' && !existsSync(target.path);
  await removeUnlessDone(isNew ? target.path : null, `The restore was stopped. ${NOTHING}`, () =>
    restoreInto(target, file, restored, warn),
  );
  return rows;
}

/** The statements in the file are never run. This program makes the tables itself, and inserts the values with its own statements. */
async function restoreInto(
  target: DatabaseTarget,
  file: string,
  restored: (bytes: number) => void,
  warn: (sentence: string) => void,
): Promise<void> {
  const driver = await openDriver(target);
  try {
    await driver.withSession(async (run, load) => {
      try {
        if (run.begin) await run(run.begin);
        let loaded: Loaded | undefined;
        for await (const part of splitBackup(createReadStream(file, { highWaterMark: CHUNK_BYTES }))) {
          if ('rows' in part) {
            if (!loaded?.tables.has(part.copy))
              throw new Error(`The backup has rows of an unknown table, ${part.copy}. ${NOTHING}`);
            await load(`COPY ${part.copy} (${part.columns})`, part.rows);
            restored(part.rows.length);
          } else {
            const { migrations, statements } = parseStatements(part);
            if (migrations) loaded = await makeTables(run, migrations, statements);
            else for (const statement of statements) await setSequence(run, statement);
          }
        }
        for (const statement of loaded?.after ?? []) await run(statement);
        await checkDerivedTables(run);
        if (loaded) await prepareForStart(run, loaded);
        const warning = await findJobsBelowParts(run);
        await run('commit');
        if (warning !== null) warn(warning);
      } catch (error) {
        await run('rollback').catch(() => {});
        throw error;
      }
    });
  } finally {
    await driver.close();
  }
}

/** Checks and changes what a gateway reads at its start. Otherwise the rows could be restored, and no gateway could use them. */
async function prepareForStart(run: RunSql, { migrations, tables }: Loaded): Promise<void> {
  const applied = await appliedMigrations(run);
  const missing = migrations.find(({ name }) => applied.every((migration) => migration.name !== name));
  if (missing)
    throw new Error(`The backup is damaged: the row of the migration ${missing.name} is missing. ${NOTHING}`);
  for (const { table, name } of await findTimeColumns(run)) {
    const [infinite] = await run(`select from ${table} where not isfinite(${name}) limit 1`);
    if (infinite) throw new Error(`The backup is damaged: ${table} has an infinite time. ${NOTHING}`);
  }
  // No process uses the new database yet, so no lease is held.
  if (tables.has('leases')) await run('delete from leases');
  if (tables.has('notification_targets')) for (const statement of SILENCING_STATEMENTS) await run(statement);
  if (!tables.has('change_feed')) return;
  // The new database has other transaction ids. At its start, a gateway sees that the cluster is unknown, and moves the feed behind
  // the ids of the new database.
  const [feed] = await run(`update change_feed set cluster = null returning
    greatest(abs(position_offset), abs(forgotten_position), abs(forgotten_id)) < ${MAX_POSITION} as right`);
  if (!feed) throw new Error(`The backup is damaged: change_feed has no row. ${NOTHING}`);
  if (feed['right'] !== true)
    throw new Error(`The backup is damaged: the position in change_feed is impossible. ${NOTHING}`);
}

/** A copy of a farm must not notify real receivers. The triggers do not exist yet, so these statements write all columns. */
const SILENCING_STATEMENTS = [
  `update notification_deliveries set state = 'GIVEN_UP', next_attempt_at = null, fault = 'RESTORED' where state = 'WAITING'`,
  `update notification_targets set enabled = false, state = 'DISABLED', state_since = clock_timestamp(), fault = 'RESTORED' where enabled`,
  'delete from unreported_changes',
];

/** The columns with times in all tables and partitions. */
async function findTimeColumns(run: RunSql): Promise<{ table: string; name: string }[]> {
  const rows = await run(`select format('%I', c.relname) as table, format('%I', a.attname) as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
      and a.atttypid = 'timestamptz'::regtype`);
  return rows as unknown as { table: string; name: string }[];
}

interface Loaded {
  migrations: readonly Migration[];
  tables: ReadonlySet<string>;
  /** The statements after the rows. */
  after: string[];
}

/** Also starts the transaction, because the head of a backup starts with BEGIN. */
async function makeTables(run: RunSql, migrations: Migration[], statements: Statement[]): Promise<Loaded> {
  await run(writeHead(migrations));
  for (const statement of statements) {
    if ('partition' in statement)
      await run(`CREATE TABLE ${statement.partition} PARTITION OF camera_status ${statement.bounds}`);
  }
  const { before, after } = await statementsAroundRows(run);
  for (const statement of before) await run(statement);
  const made = await run(`select format('%I', relname) as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  // Rows of sql_files are not restored: they would make the next start believe that the functions already exist.
  const tables = new Set(made.map(({ name }) => String(name)).filter((name) => name !== 'sql_files'));
  return { migrations, tables, after };
}

async function setSequence(run: RunSql, statement: Statement): Promise<void> {
  if (!('sequence' in statement)) return;
  await run(
    `select setval(oid, $2::bigint, $3::boolean) from pg_class
     where relkind = 'S' and format('%I', relname) = $1 and relnamespace = current_schema()::regnamespace`,
    [statement.sequence, statement.value, statement.isCalled],
  );
}

/** The statements of a part, after a check of their form. The first part also names the migrations that make the tables. */
function parseStatements({ statements: text, line }: { statements: string; line: number }) {
  const isFirst = line === 1;
  const migrations = isFirst ? parseMigrations(text) : undefined;
  const start = isFirst ? text.indexOf(NO_PARTITIONS) + NO_PARTITIONS.length : 0;
  const end = text.search(END);
  const lines = text.slice(start, end < 0 ? undefined : end).split('\n');
  const firstLine = line + countLines(Buffer.from(text.slice(0, start)));
  const statements = lines.map((each, index) => {
    const statement = parseStatement(each);
    return statement === undefined ? refuse(firstLine + index) : statement;
  });
  return { migrations, statements: statements.filter((statement) => statement !== null) };
}

/** The migrations that the head of a backup names. The head is not run, but it must be exactly the head for these migrations. */
function parseMigrations(text: string): Migration[] {
  const shipped = readMigrations();
  const names = [...text.matchAll(/^-- Migration (\S+)$/gm)].map(([, name]) => String(name));
  const unknown = names.find((name) => shipped.every((migration) => migration.name !== name));
  if (unknown !== undefined)
    throw new Error(
      `${isBeforeFirstRelease(unknown, shipped) ? 'An older' : 'A newer'} version of the gateway made this backup. Restore it with that version.`,
    );
  const [opening] = text.split('\n', 1) as [string];
  const migrations = shipped.filter(({ name }) => names.includes(name));
  const expected = `${opening}\n${writeHead(migrations)}`;
  if (text.startsWith(expected)) return migrations;
  const lines = text.split('\n');
  return refuse(1 + expected.split('\n').findIndex((line, index) => line !== lines[index]));
}

function refuse(line: number): never {
  throw new Error(`Line ${line} of the file was changed: the command backup never writes such a line. ${NOTHING}`);
}

/**
 * Reads the whole file before the restore starts, so that nothing is made for a file that is not a backup, or that is incomplete
 * or changed.
 * @returns the number of rows
 */
async function checkFile(file: string): Promise<number> {
  const { end, rows, hash } = await readEnd(file);
  const found = createHash('sha256');
  let lines = 0;
  const hashed = async function* () {
    let offset = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      found.update(chunk.subarray(0, Math.max(0, end - offset)));
      offset += chunk.length;
      yield chunk as Buffer;
    }
  };
  for await (const part of splitBackup(hashed())) {
    if ('rows' in part) lines += countLines(part.rows);
    else parseStatements(part);
  }
  if (lines !== rows) {
    throw new Error(`${file} is not a complete backup: it has ${lines} rows instead of ${rows}. ${NOTHING}`);
  }
  if (hash !== undefined && hash !== found.digest('hex')) {
    throw new Error(`${file} was changed after the backup: lines are missing or different. ${NOTHING}`);
  }
  return rows;
}

/** Where the last line starts, and the figures in it. */
async function readEnd(file: string): Promise<{ end: number; rows: number; hash: string | undefined }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const text = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const fault = findEncodingFault(await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0));
    if (fault !== undefined) throw new Error(`${file} ${fault}`);
    if ((await text(0, OPENING.length)) !== OPENING) {
      throw new Error(`${file} is not a backup of a gateway. Give a file that the command backup wrote.`);
    }
    const [, line, rows, hash] = END.exec(await text(Math.max(0, size - 200), 200)) ?? [];
    if (line === undefined) {
      throw new Error(
        `${file} is not a complete backup: its end is missing. Copy the file again, or use another backup.`,
      );
    }
    return { end: size - line.length, rows: Number(rows), hash };
  } finally {
    await handle.close();
  }
}

/** More bytes than the first line of a backup has. */
const HEAD_BYTES = 200;
const UNCHANGED = 'Use the file as the command backup wrote it';

/** A sentence about what another program did to the whole file; undefined if the start of the file shows nothing of that. */
function findEncodingFault({ buffer, bytesRead }: { buffer: Buffer; bytesRead: number }): string | undefined {
  const head = buffer.toString('latin1', 0, bytesRead);
  if (head.startsWith('\x1f\x8b')) return 'is compressed. Unpack it with gunzip first.';
  if (head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff')) {
    return `is in UTF-16, because > in PowerShell changes the encoding. ${UNCHANGED}.`;
  }
  if (head.startsWith('\xef\xbb\xbf'))
    return `starts with a byte order mark, because an editor saved it. ${UNCHANGED}.`;
  if (/^[^\n]*\r\n/.test(head)) {
    return `has Windows line ends (CRLF), because another program changed it. ${UNCHANGED}, and transfer it in binary mode.`;
  }
  return undefined;
}

/** Counts the rows. A line feed always ends a row, because COPY writes a line break inside of a value as two other characters. */
function countLines(rows: Buffer): number {
  let lines = 0;
  for (let index = rows.indexOf(10); index >= 0; index = rows.indexOf(10, index + 1)) lines += 1;
  return lines;
}

/** Splits a backup into its parts. The rows of a table are between a line with COPY and a line with `\.`, as in a dump by pg_dump. */
export async function* splitBackup(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let statements = '';
  let first = 1;
  let line = 1;
  let copy: Extract<Statement, { copy: string }> | undefined;
  for await (let lines of cutAfterLines(chunks)) {
    while (lines.length > 0) {
      if (copy !== undefined) {
        const end = findEndOfRows(lines);
        const rows = lines.subarray(0, end ?? lines.length);
        if (rows.length > 0) yield { ...copy, rows };
        line += countLines(rows);
        lines = lines.subarray(end === undefined ? lines.length : end + END_OF_ROWS.length);
        if (end === undefined) continue;
        copy = undefined;
        line += 1;
        first = line;
      } else {
        const end = lines.indexOf(10) + 1 || lines.length;
        const text = lines.toString('utf8', 0, end);
        lines = lines.subarray(end);
        line += 1;
        const statement = parseStatement(text.trimEnd());
        if (statement && 'copy' in statement) {
          if (statements !== '') yield { statements, line: first };
          statements = '';
          copy = statement;
        } else statements += text;
      }
    }
  }
  if (statements !== '') yield { statements, line: first };
}

const END_OF_ROWS = '\\.\n';

function findEndOfRows(lines: Buffer): number | undefined {
  if (lines.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) return 0;
  const before = lines.indexOf(`\n${END_OF_ROWS}`);
  return before < 0 ? undefined : before + 1;
}

/** The same bytes, cut only after line ends. A line may be longer than a chunk. */
async function* cutAfterLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) yield Buffer.concat([...unfinished, chunk.subarray(0, end)]);
    unfinished = end > 0 ? [chunk.subarray(end)] : [...unfinished, chunk];
  }
  yield Buffer.concat(unfinished);
}
