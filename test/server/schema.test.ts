// schema.prisma and the database that the migrations create must match: neither can change without the other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDriver } from '../../src/database/database';
import { type Driver, type RunSql } from '../../src/database/driver/driver';
import { applyMigrations } from '../../src/database/migrations';
import { emptyDatabase, type FreshDatabase } from '../support/databases';
import { readPrismaSchema, type Tables } from './prisma-schema';

const schemaText = readFileSync(join(__dirname, '..', '..', 'prisma', 'schema.prisma'), 'utf8');

describe('schema.prisma and the migrated database', () => {
  let fresh: FreshDatabase;
  let driver: Driver;
  beforeAll(async () => {
    fresh = await emptyDatabase('server');
    driver = await openDriver(fresh.target);
    await driver.withSession((run) => applyMigrations(run));
  });
  afterAll(async () => {
    await driver?.close();
    await fresh?.drop();
  });

  test('have the same tables, columns, keys, references and indexes', async () => {
    const inPrisma = readPrismaSchema(schemaText);
    expect(Object.keys(inPrisma)).toHaveLength(47);
    expect(await driver.withSession(readTables)).toEqual(inPrisma);
  });

  // The test changes the database itself, and rolls each change back, because a comparison that misses a change proves nothing.
  test.each([
    'alter table cameras drop column mac_address',
    'alter table cameras alter column mac_address set not null',
    'alter table print_jobs alter column created_at type timestamptz(6)',
    'alter table camera_status alter column online drop default',
    'alter sequence camera_status_id_seq owned by none',
    'drop index spools_spool_serial_key; create index spools_spool_serial_key on spools (spool_serial)',
    'alter table camera_status drop constraint camera_status_pkey; alter table camera_status add primary key (camera_id, id, recorded_at)',
    'create index more on printers (created_at)',
    `alter table spools drop constraint spools_material_id_fkey; alter table spools add constraint spools_material_id_fkey
      foreign key (material_id) references materials (id) on delete cascade on update cascade`,
    'create table more ()',
  ])('a difference is noticed: %s', async (change) => {
    const seen = await driver.withSession(async (run) => {
      await run('begin');
      await run(change);
      const tables = await readTables(run);
      await run('rollback');
      return tables;
    });
    expect(seen).not.toEqual(readPrismaSchema(schemaText));
  });
});

async function readTables(run: RunSql): Promise<Tables> {
  const tables: Tables = {};
  const names = await run(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p') and not relispartition and relname <> '_prisma_migrations'`);
  for (const { name } of names) tables[String(name)] = { columns: {}, indexes: {}, references: {} };

  const columns = await run(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, pg_get_serial_sequence(c.relname, a.attname) is not null as numbered, pg_get_expr(d.adbin, d.adrelid) as default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relname = any($1) and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
    [Object.keys(tables)],
  );
  for (const column of columns) {
    // created_at and updated_at have a default for other programs that write rows, which this one never uses; the triggers
    // alone write changes.
    const forOthers = /^(created_at|updated_at) now\(\)$|^at clock_timestamp\(\)$/.test(
      `${column['name']} ${column['default']}`,
    );
    const byDefault = column['numbered'] ? 'autoincrement()' : forOthers ? null : column['default'];
    tables[String(column['table'])]!.columns[String(column['name'])] = [
      column['type'],
      column['required'] ? 'not null' : 'null',
      ...(byDefault ? [`default ${byDefault}`] : []),
    ].join(' ');
  }

  const indexes = await run(
    `select t.relname as table, i.relname as name, x.indisunique as unique,
      x.indisprimary as primary, pg_get_expr(x.indpred, x.indrelid) as predicate,
      (select string_agg(pg_get_indexdef(x.indexrelid, n, true) || case when x.indoption[n - 1] & 1 = 1 then ' desc' else '' end,
        ', ' order by n) from generate_series(1, x.indnkeyatts) n) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relname = any($1) and t.relnamespace = 'public'::regnamespace
      -- schema.prisma has no word for exclusion constraints.
      and not x.indisexclusion`,
    [Object.keys(tables)],
  );
  for (const index of indexes) {
    const how = index['primary'] ? 'primary key' : index['unique'] ? 'unique' : 'index';
    // PostgreSQL writes it in parentheses, and each text with its type.
    const rows = (index['predicate'] as string | null)?.replace(/^\((.*)\)$/, '$1').replaceAll('::text', '');
    tables[String(index['table'])]!.indexes[String(index['name'])] =
      `${how} (${String(index['columns']).replaceAll('"', '')})${rows ? ` where ${rows}` : ''}`;
  }

  const references = await run(
    `select t.relname as table, conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where contype = 'f' and t.relname = any($1) and t.relnamespace = 'public'::regnamespace`,
    [Object.keys(tables)],
  );
  for (const reference of references) {
    tables[String(reference['table'])]!.references[String(reference['name'])] = String(reference['definition']);
  }
  return tables;
}
