// Writes a consistent dump of the built-in database as one SQL text, chunk by chunk: tables, rows and sequences.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunSql } from '../driver/driver';
import type { EmbeddedPostgres } from '../embedded/pglite';
import { appliedMigrations } from '../migrations';
import { OPENING, statementsAroundRows, writeHead } from './backup-form';

/** How many pages of 8 kB one statement reads. Copying them takes about 30 ms, writing them as text about 5 ms. */
const PAGES_COPIED = 500;
const PAGES_WRITTEN = 32;

interface Table {
  name: string;
  columns: string;
  /** The temporary table with the copied rows. */
  copy: string;
}

interface Snapshot {
  opening: string;
  tables: Table[];
  ending: string;
}

let dumps = 0;

/**
 * The built-in database has only one connection, and the reader of the dump may be slow. So a transaction copies all rows into
 * temporary tables (0.8 s for a million rows), and the text is made from these copies between the statements of other requests.
 * The copies are dropped when the reader is done or stops early.
 */
export async function* dump(postgres: EmbeddedPostgres): AsyncGenerator<string | Buffer> {
  const { opening, tables, ending } = await takeSnapshot(postgres, `backup_${++dumps}`);
  const hash = createHash('sha256');
  const addToHash = (chunk: string | Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  try {
    yield addToHash(opening);
    let rows = 0;
    for (const { name, columns, copy } of tables) {
      yield addToHash(`\nCOPY ${name} (${columns}) FROM stdin;\n`);
      const pages = await countPages(
        copy,
        async (...query) => (await postgres.query<Record<string, unknown>>(...query)).rows,
      );
      for (let page = 0; page < pages; page += PAGES_WRITTEN) {
        const { blob, affectedRows = 0 } = await postgres.query(
          `copy (select * from ${copy} where ${selectPages(page, PAGES_WRITTEN)}) to '/dev/blob'`,
        );
        rows += affectedRows;
        if (blob) yield addToHash(Buffer.from(await blob.arrayBuffer()));
        await nextTurn();
      }
      yield addToHash('\\.\n');
    }
    yield addToHash(`${ending}\n`);
    yield `-- The end of the backup: ${rows} rows, SHA-256 ${hash.digest('hex')}.\n`;
  } finally {
    await postgres.exec(`drop table ${tables.map(({ copy }) => copy).join(', ')}`);
  }
}

function takeSnapshot(postgres: EmbeddedPostgres, prefix: string): Promise<Snapshot> {
  return postgres.transaction(async (transaction) => {
    const run: RunSql = async (text, values) => (await transaction.query<Record<string, unknown>>(text, values)).rows;
    await run('set transaction isolation level repeatable read');
    const { tables, opening, ending } = await describeDatabase(run, prefix);
    for (const { name, columns, copy } of tables) {
      await run(`create temporary table ${copy} as select ${columns} from ${name} with no data`);
      const pages = await countPages(name, run);
      for (let page = 0; page < pages; page += PAGES_COPIED) {
        await run(`insert into ${copy} select ${columns} from ${name} where ${selectPages(page, PAGES_COPIED)}`);
        await nextTurn();
      }
    }
    return { tables, opening, ending };
  });
}

const selectPages = (page: number, count: number) => `ctid >= '(${page},0)' and ctid < '(${page + count},0)'`;

async function countPages(table: string, run: RunSql): Promise<number> {
  const [size] = await run('select pg_relation_size($1::regclass) / 8192 as pages', [table]);
  return Number(size?.['pages']);
}

/**
 * Lists the tables, and writes the text before and after the rows. Partitions and the values of sequences come from the catalogue,
 * because the migrations do not have them. A backup has no functions and triggers: the next start makes them, because the table
 * sql_files is empty then. It does have the rows that triggers wrote, because a latest status may be newer than all records of
 * its camera and could not be derived again.
 */
async function describeDatabase(run: RunSql, prefix: string): Promise<Snapshot> {
  const migrations = await appliedMigrations(run);
  if (migrations.length === 0)
    throw new Error('There is nothing to back up, because no gateway has used this database yet.');
  const texts = async (statement: string) => (await run(statement)).map((row) => String(row['text']));
  const schema = 'current_schema()::regnamespace';

  const tables = (
    await run(`
      select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and c.relnamespace = ${schema} and c.relname <> 'sql_files' group by c.relname order by c.relname`)
  ).map((row, index) => ({ ...(row as unknown as Omit<Table, 'copy'>), copy: `${prefix}_${index}` }));
  const partitions = await texts(`
    select format('CREATE TABLE %I PARTITION OF %I %s;', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)) as text
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relispartition and c.relnamespace = ${schema} order by c.relname`);
  const sequences = await texts(`
    select format('SELECT setval(%L, %s, %L);', format('%I', sequencename), coalesce(last_value, start_value),
      last_value is not null) as text
    from pg_sequences where schemaname = current_schema() order by sequencename`);
  const { before, after } = await statementsAroundRows(run);

  const opening = [
    `${OPENING} of ${new Date().toISOString()}. Restore it into a new database, in one transaction:`,
    writeHead(migrations),
    ...partitions,
    ...before,
  ];
  const ending = ['', ...after, ...sequences, 'COMMIT;'];
  return { tables, opening: `${opening.join('\n')}\n`, ending: ending.join('\n') };
}
