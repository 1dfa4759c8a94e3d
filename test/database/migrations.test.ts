// Tests migrations: from an empty database to the newest version, once, all or nothing, and compatible with Prisma's own tool.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, openDriver } from '../../src/database/database';
import type { Driver, RunSql } from '../../src/database/driver/driver';
import { applyMigrations, LOCK_KEY, readMigrations } from '../../src/database/migrations';
import { applySqlFiles, readSqlFiles } from '../../src/database/sql-files';
import { createTimeBudget } from '../../src/values/time-budget';
import {
  type DatabaseKind,
  databaseKinds,
  emptyDatabase,
  type FreshDatabase,
  freshDatabase,
} from '../support/databases';
import { has, until, waitsForTable } from '../support/waiting';

const shipped = readMigrations();
const FARM =
  `alert_silences alert_states camera_latest_status camera_status camera_status_earlier camera_status_later camera_status_set_aside
  camera_watches cameras change_feed changes devices external_objects extra_fields filaments idempotency_keys imported_stock_numbers
  job_filming leases materials notification_deliveries notification_outbox notification_target_printers notification_targets notifications
  observed_prints print_job_counts print_job_parts print_job_status_changes print_jobs print_plans print_sightings print_thumbnails
  printer_slots printer_states printers reported_uses skipped_stock_numbers slot_loads spool_adjustments spool_tags spoolman_import_rows
  spoolman_imports spools sql_files status_log_retention
  unanswered_reports unreported_changes vendors`.split(/\s+/);

const tables = async (run: RunSql) =>
  (await run("select table_name from information_schema.tables where table_schema = 'public' order by table_name")).map(
    (row) => row['table_name'],
  );

const records = (run: RunSql) => run('select * from _prisma_migrations order by migration_name');

let fresh: FreshDatabase;
let driver: Driver;
const apply = (migrations = shipped, reportStep = (_text: string) => {}) =>
  driver.withSession((run) => applyMigrations(run, migrations, reportStep));
const inspect = <T>(work: (run: RunSql) => Promise<T>) => driver.withSession(work);
const later = (sql = 'create table later ()') => ({ name: '99990101000000_later', sql });

async function open(made: Promise<FreshDatabase>): Promise<void> {
  fresh = await made;
  driver = await openDriver(fresh.target);
}
const openMigrated = (kind: DatabaseKind = 'server') => open(freshDatabase(kind));

afterEach(async () => {
  await driver.close();
  await fresh.drop();
});

test.each(databaseKinds)(
  '(%s) from an empty database; applied twice counts once, whatever the line endings',
  async (kind) => {
    await open(emptyDatabase(kind));
    expect(await inspect(tables)).toEqual([]);
    const steps: string[] = [];
    const reportStep = (text: string) => void steps.push(text);
    await apply(
      shipped.map(({ name, sql }) => ({ name, sql: sql.replaceAll('\n', '\r\n') })),
      reportStep,
    );
    expect(await inspect(tables)).toEqual(['_prisma_migrations', ...FARM]);
    const before = await inspect(records);
    await apply(shipped, reportStep);
    expect(await inspect(records)).toEqual(before);
    expect(before).toHaveLength(shipped.length);
    // What the start prints: nothing if there is nothing to do.
    expect(steps).toEqual(['Creating the tables …']);
    await apply([...shipped, later()], reportStep);
    expect(steps.slice(1)).toEqual(['Migrating the database: 1 migration …']);
  },
);

test('the records have the format of Prisma: its table, and the sha256 of each file', async () => {
  await openMigrated();
  const columns = await inspect((run) =>
    run(`select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
        pg_get_expr(d.adbin, d.adrelid)) as text
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = '_prisma_migrations'::regclass and a.attnum > 0 order by a.attnum`),
  );
  expect(columns.map(({ text }) => text)).toEqual([
    'id character varying(36) not null',
    'checksum character varying(64) not null',
    'finished_at timestamp with time zone',
    'migration_name character varying(255) not null',
    'logs text',
    'rolled_back_at timestamp with time zone',
    'started_at timestamp with time zone not null now()',
    'applied_steps_count integer not null 0',
  ]);
  expect(await inspect(records)).toEqual(
    shipped.map(({ name, sql }) => ({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      checksum: createHash('sha256').update(sql).digest('hex'),
      finished_at: expect.anything(),
      migration_name: name,
      logs: null,
      rolled_back_at: null,
      started_at: expect.anything(),
      applied_steps_count: 1,
    })),
  );
});

test.each(databaseKinds)(
  '(%s) a migration that fails is rolled back completely, and everything before it stays',
  async (kind) => {
    await openMigrated(kind);
    await expect(
      apply([...shipped, later('create table half (); select 1 / 0; create table rest ()')]),
    ).rejects.toThrow('Migration 99990101000000_later failed and was rolled back: division by zero');
    expect(await inspect(tables)).toEqual(['_prisma_migrations', ...FARM]);
    expect(await inspect(records)).toHaveLength(shipped.length);
    await apply([...shipped, later('create table half (); alter table half add a int')]);
    expect(await inspect(tables)).toContain('half');
    expect((await inspect(records)).map((row) => row['migration_name']).at(-1)).toBe('99990101000000_later');
  },
);

test('a migration that was changed after it was applied is refused, and so is one that the program lacks', async () => {
  await openMigrated();
  await expect(apply(shipped.map(({ name, sql }) => ({ name, sql: `${sql}-- changed` })))).rejects.toThrow(
    `The file of the migration ${shipped[0]?.name} was changed after it was applied to this database`,
  );
  await apply([...shipped, later()]);
  await expect(openDatabase(fresh.target)).rejects.toThrow(
    'A newer version of the gateway made this database (it has the migration 99990101000000_later).',
  );
});

test('a database of an older build is refused with the next step', async () => {
  await open(emptyDatabase('server'));
  await apply([{ name: '20261120000000_farm', sql: 'create table cameras ()' }]);
  await expect(apply()).rejects.toThrow(
    'A build before the first release made this database (it has the migration 20261120000000_farm). Start that build, or start this one with a new database.',
  );
});

describe.each(databaseKinds)('(%s) a database with spools in slots and cameras at printers', (kind) => {
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

  test('keeps them: loads and watches become the start of their history; functions are replaced at the start', async () => {
    await open(emptyDatabase(kind));
    await apply(shipped.filter(({ name }) => name < '20261126000100_slot_loads'));
    await inspect((run) =>
      run(`insert into printers (id, name) values ('${id(1)}', 'p');
        insert into materials values ('${id(1)}', 'PLA', 1.24);
        insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
          select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n, 1.75, 1000, '${id(1)}' from generate_series(1, 4) n;
        insert into printer_slots (printer_id, slot, spool_id, loaded_at, reported) values
          ('${id(1)}', 'tool:0', '${id(1)}', '2026-01-01T00:00:00.001Z', 'PLA'), ('${id(1)}', 'tool:1', '${id(2)}', null, null),
          ('${id(1)}', 'tool:2', null, null, 'PETG'), ('${id(1)}', 'tool:3', '${id(3)}', 'infinity', null),
          ('${id(1)}', 'tool:4', '${id(4)}', '2099-01-01Z', null);
        insert into cameras (camera_id, friendly_name, printer_id, created_at) values
          ('seen', 'x', '${id(1)}', '2026-01-01T00:00:00.001Z'), ('ahead', 'x', '${id(1)}', '2099-01-01Z'), ('none', 'x', null, '2026-01-01Z');
        drop table camera_status_earlier, camera_status_later;
        create table camera_status_earlier partition of camera_status for values from (minvalue) to ('2026-01-05Z');
        create table camera_status_20260202 partition of camera_status for values from ('2026-02-02Z') to ('2026-02-09Z');
        create table camera_status_later partition of camera_status for values from ('2026-02-09Z') to (maxvalue)`),
    );
    await driver.close();
    const database = await openDatabase(fresh.target);
    const read = (text: string): Promise<Record<string, unknown>[]> => database.prisma.$queryRawUnsafe(text);
    const SINCE = `case when abs(extract(epoch from "from" - now())) < 3600 then 'now'
      else to_char("from" at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') end as since`;
    const loads = `select slot, right(spool_id::text, 1) as spool, "to", ${SINCE} from slot_loads order by slot`;
    expect(await read(loads)).toEqual([
      { slot: 'tool:0', spool: '1', to: null, since: '2026-01-01 00:00:00.001' },
      { slot: 'tool:1', spool: '2', to: null, since: 'now' },
      { slot: 'tool:3', spool: '3', to: null, since: 'now' },
      { slot: 'tool:4', spool: '4', to: null, since: '2099-01-01 00:00:00.000' },
    ]);
    const slots = await read('select slot, reported from printer_slots order by slot');
    expect(slots.map(({ slot, reported }) => `${slot} ${reported}`)).toEqual([
      'tool:0 PLA',
      'tool:1 null',
      'tool:2 PETG',
      'tool:3 null',
      'tool:4 null',
    ]);
    const watches = `select camera_id, printer_id is not null as known, "to", ${SINCE} from camera_watches order by 1`;
    expect(await read(watches)).toEqual([
      { camera_id: 'ahead', known: true, to: null, since: 'now' },
      { camera_id: 'seen', known: true, to: null, since: '2026-01-01 00:00:00.001' },
    ]);
    // What retention deleted before.
    const log = `select deleted_until = '2026-02-02Z' as known from status_log_retention`;
    expect(await read(log)).toEqual([{ known: true }]);
    await database.prisma.$executeRaw`truncate changes`;
    await database.prisma.slotLoad.updateMany({ where: { slot: 'tool:0' }, data: { to: '2026-01-02T00:00:00Z' } });
    const changes = await read('select type, entity from changes order by type');
    expect(changes).toEqual(['PRINTER', 'SPOOL'].map((type) => ({ type, entity: id(1) })));
    await database.close();
    driver = await openDriver(fresh.target);
  });
});

test("a migration that Prisma's tool left unfinished is refused, one that it rolled back is applied", async () => {
  await openMigrated();
  await inspect((run) =>
    run(`insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'y', '99990101000000_later')`),
  );
  await expect(apply([...shipped, later()])).rejects.toThrow('Another tool started the migration 99990101000000_later');
  await inspect((run) => run(`update _prisma_migrations set rolled_back_at = now() where id = 'x'`));
  await apply([...shipped, later()]);
  expect(await inspect(tables)).toContain('later');
});

test('a file of functions is applied if its text differs from the applied one, completely or not at all', async () => {
  await openMigrated();
  const createSql = (answer: string) =>
    `create or replace function answer() returns text language sql as $$ select '${answer}' $$;`;
  const applyFile = (sql: string) => driver.withSession((run) => applySqlFiles(run, [{ name: 'src/x.sql', sql }]));
  const answer = async () => (await inspect((run) => run('select answer() as answer')))[0]?.['answer'];
  await applyFile(createSql('one'));
  expect(await answer()).toBe('one');
  await inspect((run) => run(createSql('by hand')));
  await applyFile(createSql('one'));
  expect(await answer()).toBe('by hand');
  const failed = applyFile(`${createSql('two')} select 1 / 0`);
  await expect(failed).rejects.toThrow('src/x.sql failed and was rolled back: division');
  expect(await answer()).toBe('by hand');
  await applyFile(createSql('two'));
  expect(await answer()).toBe('two');
});

test('ten sessions together apply each migration and each file of functions once', async () => {
  await open(emptyDatabase('server'));
  const openAndApply = (run: RunSql) => applyMigrations(run).then(() => applySqlFiles(run));
  await Promise.all(Array.from({ length: 10 }, () => driver.withSession(openAndApply)));
  expect(await inspect(records)).toHaveLength(shipped.length);
  const files = await inspect((run) => run('select name from sql_files order by name'));
  expect(files).toEqual(readSqlFiles().map(({ name }) => ({ name })));
});

test('a process waits longer for another that migrates than for any other lock', async () => {
  await open(emptyDatabase('server'));
  const impatient = await openDriver(fresh.target, { ...createTimeBudget(900), connectionMs: 60_000 });
  await driver.withSession(async (run) => {
    await run('begin');
    await run(`select pg_advisory_xact_lock(${LOCK_KEY})`);
    const waiting = impatient.withSession((other) => applyMigrations(other));
    await Promise.all([waiting, sleep(1500).then(() => run('rollback'))]);
  });
  await impatient.close();
  expect(await inspect(records)).toHaveLength(shipped.length);
});

test('a migration that deadlocks with a writer is tried again', async () => {
  await openMigrated();
  const other = await openDriver(fresh.target);
  await other.withSession(async (run) => {
    await run('begin');
    // PostgreSQL rolls back the migration, not the writer.
    await run("set local deadlock_timeout = '1h'");
    await run('lock table printers in row exclusive mode');
    const migrating = apply([...shipped, later('lock table spools; lock table printers')]);
    await until('the migration waits for the table', () => run(waitsForTable('printers')), has({ length: 1 }));
    await run('lock table spools in row exclusive mode');
    await run('commit');
    await migrating;
  });
  await other.close();
  expect(await inspect(records)).toHaveLength(shipped.length + 1);
});
