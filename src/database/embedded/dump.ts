// A consistent dump of an embedded database as one SQL text, in pieces: schema, rows and sequences.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunSql } from '../driver';
import { appliedMigrations, RECORDS_TABLE } from '../migrations';
import type { EmbeddedPostgres } from './postgres';

/**
 * The first and the last lines of a dump. A text without the last line is incomplete. The hash is of all lines before it;
 * dumps of older versions have none.
 */
export const DUMP_OPENING = '-- Print Farm Gateway: a backup';
export const DUMP_END = /\nCOMMIT;\n(-- The end of the backup: (\d+) rows(?:, SHA-256 ([0-9a-f]{64}))?\.\n)$/;

/** Pages of 8 kB per statement: about 30 ms for a copy, 5 ms for writing text. */
const PAGES_COPIED = 500;
const PAGES_WRITTEN = 32;

interface Table {
  name: string;
  columns: string;
  /** The temporary table with the copy of its rows. */
  kept: string;
}

interface Snapshot {
  opening: string;
  tables: Table[];
  ending: string;
}

let dumps = 0;

/**
 * The database has one connection, and the reader of the dump may be slow. So a transaction copies all rows into
 * temporary tables (0.8 s for a million rows), and their text is made between the statements of other requests. The
 * copies are dropped when the reading ends, also when it ends early.
 */
export async function* dump(postgres: EmbeddedPostgres): AsyncGenerator<string | Buffer> {
  const { opening, tables, ending } = await snapshot(postgres, `backup_${++dumps}`);
  const hash = createHash('sha256');
  const hashed = (piece: string | Buffer) => {
    hash.update(piece);
    return piece;
  };
  try {
    yield hashed(opening);
    let rows = 0;
    for (const { name, columns, kept } of tables) {
      yield hashed(`\nCOPY ${name} (${columns}) FROM stdin;\n`);
      const pages = await pagesOf(
        kept,
        async (...query) => (await postgres.query<Record<string, unknown>>(...query)).rows,
      );
      for (let page = 0; page < pages; page += PAGES_WRITTEN) {
        const { blob, affectedRows = 0 } = await postgres.query(
          `copy (select * from ${kept} where ${pagesFrom(page, PAGES_WRITTEN)}) to '/dev/blob'`,
        );
        rows += affectedRows;
        if (blob) yield hashed(Buffer.from(await blob.arrayBuffer()));
        await nextTurn();
      }
      yield hashed('\\.\n');
    }
    yield hashed(`${ending}\n`);
    yield `-- The end of the backup: ${rows} rows, SHA-256 ${hash.digest('hex')}.\n`;
  } finally {
    await postgres.exec(`drop table ${tables.map(({ kept }) => kept).join(', ')}`);
  }
}

function snapshot(postgres: EmbeddedPostgres, prefix: string): Promise<Snapshot> {
  return postgres.transaction(async (transaction) => {
    const run: RunSql = async (text, values) => (await transaction.query<Record<string, unknown>>(text, values)).rows;
    await run('set transaction isolation level repeatable read');
    const { tables, opening, ending } = await describe(run, prefix);
    for (const { name, columns, kept } of tables) {
      await run(`create temporary table ${kept} as select ${columns} from ${name} with no data`);
      const pages = await pagesOf(name, run);
      for (let page = 0; page < pages; page += PAGES_COPIED) {
        await run(`insert into ${kept} select ${columns} from ${name} where ${pagesFrom(page, PAGES_COPIED)}`);
        await nextTurn();
      }
    }
    return { tables, opening, ending };
  });
}

const pagesFrom = (page: number, count: number) => `ctid >= '(${page},0)' and ctid < '(${page + count},0)'`;

async function pagesOf(table: string, run: RunSql): Promise<number> {
  const [size] = await run('select pg_relation_size($1::regclass) / 8192 as pages', [table]);
  return Number(size?.['pages']);
}

/**
 * Reads partitions and the values of sequences from the catalogue; the migrations do not have them. The triggers that
 * make latest statuses and counts are disabled, because the dump has these rows: a latest status may outlive its
 * record and could not be made again. Foreign keys are checked at the end, for all rows at once.
 */
async function describe(run: RunSql, prefix: string): Promise<Snapshot> {
  const migrations = await appliedMigrations(run);
  if (migrations.length === 0) throw new Error('There is nothing to back up: no gateway has used this database yet.');
  const texts = async (statement: string) => (await run(statement)).map((row) => String(row['text']));
  const ours = 'current_schema()::regnamespace';

  const tables = (
    await run(`
      select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and c.relnamespace = ${ours} group by c.relname order by c.relname`)
  ).map((row, at) => ({ ...(row as unknown as Omit<Table, 'kept'>), kept: `${prefix}_${at}` }));
  const partitions = await texts(`
    select format('CREATE TABLE %I PARTITION OF %I %s;', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)) as text
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relispartition and c.relnamespace = ${ours} order by c.relname`);
  const withTriggers = await texts(`
    select distinct format('%I', c.relname) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = ${ours} order by 1`);
  const foreignKeys = `from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and k.connamespace = ${ours} order by c.relname, k.conname`;
  const sequences = await texts(`
    select format('SELECT setval(%L, %s, %L);', format('%I', sequencename), coalesce(last_value, start_value),
      last_value is not null) as text
    from pg_sequences where schemaname = current_schema() order by sequencename`);

  const opening = [
    `${DUMP_OPENING} of ${new Date().toISOString()}. It goes into a new database, whole or not at all:`,
    '-- npm run restore -- FILE, or psql -v ON_ERROR_STOP=1 -f FILE',
    'BEGIN;',
    "SET LOCAL client_encoding = 'UTF8';",
    "SET LOCAL timezone = 'UTC';",
    "SET LOCAL datestyle = 'ISO';",
    'SET LOCAL client_min_messages = warning;',
    'SET LOCAL statement_timeout = 0;',
    ONLY_INTO_NOTHING,
    `${RECORDS_TABLE};`,
    ...migrations.map(({ name, sql }) => `\n-- Migration ${name}\n${sql.trimEnd()}\n`),
    NO_PARTITIONS,
    ...partitions,
    ...withTriggers.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`),
    ...(await texts(
      `select format('ALTER TABLE %I DROP CONSTRAINT %I;', c.relname, k.conname) as text ${foreignKeys}`,
    )),
    // The migrations have made rows too.
    `TRUNCATE ${tables.map(({ name }) => name).join(', ')};`,
  ];
  const ending = [
    '',
    ...(await texts(
      `select format('ALTER TABLE %I ADD CONSTRAINT %I %s;', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text ${foreignKeys}`,
    )),
    ...withTriggers.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER;`),
    ...sequences,
    `ANALYZE ${tables.map(({ name }) => name).join(', ')};`,
    'COMMIT;',
  ];
  return { tables, opening: `${opening.join('\n')}\n`, ending: ending.join('\n') };
}

/** Tables of extensions do not count. */
const ONLY_INTO_NOTHING = `
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')) THEN
    RAISE EXCEPTION 'The database is not empty: a backup goes into a new one only.';
  END IF;
END
$$;
`;

/** The migrations have made the partitions of the current week; the dump has its own. */
const NO_PARTITIONS = `
DO $$
DECLARE
  "statement" TEXT;
BEGIN
  FOR "statement" IN SELECT format('DROP TABLE %I', c.relname) FROM pg_class c
    WHERE c.relkind = 'r' AND c.relispartition AND c.relnamespace = current_schema()::regnamespace
  LOOP
    EXECUTE "statement";
  END LOOP;
END
$$;
`;
