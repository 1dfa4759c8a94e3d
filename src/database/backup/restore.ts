// Restores a backup into an empty database of either kind, all of it or nothing, one piece of the file at a time.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { openDriver } from '../database';
import type { DatabaseTarget, RunSql } from '../driver/driver';
import { appliedMigrations, isOlder, type Migration, readMigrations } from '../migrations';
import { aroundRows, END, headOf, NO_PARTITIONS, OPENING, type Statement, statementIn } from './backup-form';
import { checkDerivedTables, jobsBelowTheirParts } from './derived-tables';
import { removedUnlessDone } from './whole-file';

/** Each piece has its own COPY, which limits the memory of this process and of the database. */
const PIECE = 1 << 20;

/** Greater positions would soon be too large for the database. */
const MAX_POSITION = 2 ** 53;

const NOTHING = 'Nothing was restored.';

/** A part of a backup: statements with the number of their first line, or rows with their COPY statement. */
type Part = { statements: string; line: number } | { copy: string; columns: string; rows: Buffer };

/**
 * Returns the number of rows.
 * @param restored is called with the number of bytes of each part of the rows
 * @param doubted is called with a sentence about rows that were restored and make no sense together
 */
export async function restore(
  target: DatabaseTarget,
  file: string,
  restored = (_bytes: number) => {},
  doubted = (_sentence: string) => {},
): Promise<number> {
  const rows = await rowsIn(file);
  const isNew = target.kind === 'directory' && !existsSync(target.path);
  await removedUnlessDone(isNew ? target.path : null, 'The restore was stopped.', () =>
    restoreInto(target, file, restored, doubted),
  );
  return rows;
}

/** Nothing in the file is run as it is: its tables are made by this program, and its values are put into own statements. */
async function restoreInto(
  target: DatabaseTarget,
  file: string,
  restored: (bytes: number) => void,
  doubted: (sentence: string) => void,
): Promise<void> {
  const driver = await openDriver(target);
  try {
    await driver.withSession(async (run, load) => {
      try {
        if (run.begin) await run(run.begin);
        let loaded: Loaded | undefined;
        for await (const part of partsOf(createReadStream(file, { highWaterMark: PIECE }))) {
          if ('rows' in part) {
            if (!loaded?.tables.has(part.copy)) throw new Error(`${part.copy} is no table of a backup.`);
            await load(`COPY ${part.copy} (${part.columns})`, part.rows);
            restored(part.rows.length);
          } else {
            const { migrations, statements } = statementsOf(part);
            if (migrations) loaded = await makeTables(run, migrations, statements);
            else for (const statement of statements) await setSequence(run, statement);
          }
        }
        for (const statement of loaded?.after ?? []) await run(statement);
        await checkDerivedTables(run);
        if (loaded) await readyForStart(run, loaded);
        const doubt = await jobsBelowTheirParts(run);
        await run('commit');
        if (doubt !== null) doubted(doubt);
      } catch (error) {
        await run('rollback').catch(() => {});
        throw error;
      }
    });
  } finally {
    await driver.close();
  }
}

/** What the start of a gateway reads first: without it the rows would be there, and no gateway could use them. */
async function readyForStart(run: RunSql, { migrations, tables }: Loaded): Promise<void> {
  const applied = await appliedMigrations(run);
  const missing = migrations.find(({ name }) => applied.every((one) => one.name !== name));
  if (missing) throw new Error(`The backup is not right: its rows lack the migration ${missing.name}. ${NOTHING}`);
  for (const place of await timesOf(run)) {
    const [found] = await run(`select from ${place.table} where not isfinite(${place.name}) limit 1`);
    if (found) throw new Error(`The backup is not right: ${place.table} has a time without an end. ${NOTHING}`);
  }
  // No process does anything in the new database.
  if (tables.has('leases')) await run('delete from leases');
  if (tables.has('notification_targets')) for (const statement of SILENCED) await run(statement);
  if (!tables.has('change_feed')) return;
  // The transaction ids of this cluster are others. The start of a gateway moves the feed behind them.
  const [feed] = await run(`update change_feed set cluster = null returning
    greatest(abs(position_offset), abs(forgotten_position), abs(forgotten_id)) < ${MAX_POSITION} as right`);
  if (!feed) throw new Error(`The backup is not right: change_feed has no row. ${NOTHING}`);
  if (feed['right'] !== true) throw new Error(`The backup is not right: change_feed has no such position. ${NOTHING}`);
}

/** A copy must not notify real receivers. The triggers are not there yet. */
const SILENCED = [
  `update notification_deliveries set state = 'GIVEN_UP', next_attempt_at = null, fault = 'RESTORED' where state = 'WAITING'`,
  `update notification_targets set enabled = false, state = 'DISABLED', state_since = clock_timestamp(), fault = 'RESTORED' where enabled`,
  'delete from unreported_changes',
];

/** The columns of times of all tables, partitions among them. */
async function timesOf(run: RunSql): Promise<{ table: string; name: string }[]> {
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

/** Begins the transaction, because the head of a backup does. */
async function makeTables(run: RunSql, migrations: Migration[], statements: Statement[]): Promise<Loaded> {
  await run(headOf(migrations));
  for (const statement of statements) {
    if ('partition' in statement)
      await run(`CREATE TABLE ${statement.partition} PARTITION OF camera_status ${statement.bounds}`);
  }
  const { before, after } = await aroundRows(run);
  for (const statement of before) await run(statement);
  const made = await run(`select format('%I', relname) as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  // The functions of a backup are made at the next start. Rows that say that they are there would leave them out.
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

/** The statements of a part, each checked by its form; of the first part also the migrations that make the tables for its rows. */
function statementsOf({ statements: text, line }: { statements: string; line: number }) {
  const isFirst = line === 1;
  const migrations = isFirst ? migrationsIn(text) : undefined;
  const begin = isFirst ? text.indexOf(NO_PARTITIONS) + NO_PARTITIONS.length : 0;
  const end = text.search(END);
  const lines = text.slice(begin, end < 0 ? undefined : end).split('\n');
  const firstLine = line + linesIn(Buffer.from(text.slice(0, begin)));
  const statements = lines.map((each, index) => {
    const statement = statementIn(each);
    return statement === undefined ? refuse(firstLine + index) : statement;
  });
  return { migrations, statements: statements.filter((statement) => statement !== null) };
}

/** The head is not run: it must be that of these migrations. */
function migrationsIn(text: string): Migration[] {
  const shipped = readMigrations();
  const names = [...text.matchAll(/^-- Migration (\S+)$/gm)].map(([, name]) => String(name));
  const unknown = names.find((name) => shipped.every((migration) => migration.name !== name));
  if (unknown !== undefined)
    throw new Error(
      `The backup is of ${isOlder(unknown, shipped) ? 'an older' : 'a newer'} build: restore it with that.`,
    );
  const [opening] = text.split('\n', 1) as [string];
  const migrations = shipped.filter(({ name }) => names.includes(name));
  const expected = `${opening}\n${headOf(migrations)}`;
  if (text.startsWith(expected)) return migrations;
  const lines = text.split('\n');
  return refuse(1 + expected.split('\n').findIndex((line, index) => line !== lines[index]));
}

function refuse(line: number): never {
  throw new Error(`Line ${line} is not what the command backup writes there. ${NOTHING}`);
}

/** Read first, so that nothing is made for a file that is no backup, or of which a part is missing or changed. */
async function rowsIn(file: string): Promise<number> {
  const { end, rows, hash } = await endOf(file);
  const found = createHash('sha256');
  let lines = 0;
  const hashed = async function* () {
    let offset = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
      found.update(chunk.subarray(0, Math.max(0, end - offset)));
      offset += chunk.length;
      yield chunk as Buffer;
    }
  };
  for await (const part of partsOf(hashed())) {
    if ('rows' in part) lines += linesIn(part.rows);
    else statementsOf(part);
  }
  if (lines !== rows) throw new Error(`${file} is not a whole backup: it has ${lines} rows, and had ${rows}.`);
  if (hash !== undefined && hash !== found.digest('hex')) {
    throw new Error(`${file} is not the backup that was written: lines are missing or changed.`);
  }
  return rows;
}

/** The begin of the last line, and the figures in it. */
async function endOf(file: string): Promise<{ end: number; rows: number; hash: string | undefined }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const text = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const changed = changeOf(await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0));
    if (changed !== undefined) throw new Error(`${file} ${changed}`);
    if ((await text(0, OPENING.length)) !== OPENING) throw new Error(`${file} is not a backup of a gateway.`);
    const [, line, rows, hash] = END.exec(await text(Math.max(0, size - 200), 200)) ?? [];
    if (line === undefined) throw new Error(`${file} is not a whole backup: its end is missing.`);
    return { end: size - line.length, rows: Number(rows), hash };
  } finally {
    await handle.close();
  }
}

/** The first line of a backup is shorter. */
const HEAD_BYTES = 200;
const AS_WRITTEN = 'take the file as the command backup wrote it';

/** What another program made of a backup; undefined where nothing is seen of it. */
function changeOf({ buffer, bytesRead }: { buffer: Buffer; bytesRead: number }): string | undefined {
  const head = buffer.toString('latin1', 0, bytesRead);
  if (head.startsWith('\x1f\x8b')) return 'is compressed: unpack it with gunzip first.';
  if (head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff')) {
    return `is in UTF-16, as PowerShell writes what > is given: ${AS_WRITTEN}.`;
  }
  if (head.startsWith('\xef\xbb\xbf')) return `begins with a mark of UTF-8, as editors write it: ${AS_WRITTEN}.`;
  if (/^[^\n]*\r\n/.test(head)) return `has the line ends of Windows (CRLF): ${AS_WRITTEN}, and send it as binary.`;
  return undefined;
}

/** COPY's text format writes a line break inside of a value as two characters. */
function linesIn(rows: Buffer): number {
  let lines = 0;
  for (let index = rows.indexOf(10); index >= 0; index = rows.indexOf(10, index + 1)) lines += 1;
  return lines;
}

/** The rows of a table are between a line of COPY and a line of `\.`, as in a dump by pg_dump. */
export async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let statements = '';
  let first = 1;
  let line = 1;
  let copy: Extract<Statement, { copy: string }> | undefined;
  for await (let lines of wholeLines(chunks)) {
    while (lines.length > 0) {
      if (copy !== undefined) {
        const end = endOfRows(lines);
        const rows = lines.subarray(0, end ?? lines.length);
        if (rows.length > 0) yield { ...copy, rows };
        line += linesIn(rows);
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
        const statement = statementIn(text.trimEnd());
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

function endOfRows(lines: Buffer): number | undefined {
  if (lines.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) return 0;
  const before = lines.indexOf(`\n${END_OF_ROWS}`);
  return before < 0 ? undefined : before + 1;
}

/** The same bytes, cut after the last line of each chunk. A line may be longer than a chunk. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) yield Buffer.concat([...begun, chunk.subarray(0, end)]);
    begun = end > 0 ? [chunk.subarray(end)] : [...begun, chunk];
  }
  yield Buffer.concat(begun);
}
