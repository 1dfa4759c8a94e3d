// Migrations: from nothing to the newest version, once, all or nothing, and in step with Prisma's own tool.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, openDriver } from '../../src/database/database';
import type { Driver, RunSql } from '../../src/database/driver/driver';
import { applyMigrations, readMigrations } from '../../src/database/migrations';
import { applySqlFiles, readSqlFiles } from '../../src/database/sql-files';
import { timeBudget } from '../../src/values/time-budget';
import { startChild } from '../support/child-process';
import {
  describeOnDatabases,
  describeOnServer,
  emptyDatabase,
  type FreshDatabase,
  freshDatabase,
} from '../support/databases';
import { until, waitsForTable } from '../support/waiting';

const root = join(__dirname, '..', '..');
const shipped = readMigrations();
const FARM = [
  'camera_latest_status',
  'camera_status',
  'camera_status_earlier',
  'camera_status_later',
  'camera_status_set_aside',
  'cameras',
  'change_feed',
  'changes',
  'devices',
  'idempotency_keys',
  'materials',
  'observed_prints',
  'print_job_counts',
  'print_job_status_changes',
  'print_jobs',
  'print_plans',
  'print_sightings',
  'printer_slots',
  'printer_states',
  'printers',
  'spools',
  'sql_files',
];

const tables = async (run: RunSql) =>
  (await run("select table_name from information_schema.tables where table_schema = 'public' order by table_name")).map(
    (row) => row['table_name'],
  );

const records = (run: RunSql) => run('select * from _prisma_migrations order by migration_name');

test('the shipped migrations are those of prisma/migrations, in the order of their names', () => {
  expect(shipped.length).toBeGreaterThan(0);
  expect(shipped.map(({ name }) => name)).toEqual(shipped.map(({ name }) => name).sort());
  for (const { name, sql } of shipped) {
    expect(sql).toBe(readFileSync(join(root, 'prisma', 'migrations', name, 'migration.sql'), 'utf8'));
  }
});

describeOnDatabases('migrations', (kind) => {
  let fresh: FreshDatabase;
  let driver: Driver;
  const apply = (migrations = shipped) => driver.withSession((run) => applyMigrations(run, migrations));
  const inspect = <T>(work: (run: RunSql) => Promise<T>) => driver.withSession(work);

  async function open(made: Promise<FreshDatabase>): Promise<void> {
    fresh = await made;
    driver = await openDriver(fresh.target);
  }

  afterEach(async () => {
    await driver.close();
    await fresh.drop();
  });

  test('from an empty database; applied twice is applied once', async () => {
    await open(emptyDatabase(kind));
    expect(await inspect(tables)).toEqual([]);
    await apply();
    expect(await inspect(tables)).toEqual(['_prisma_migrations', ...FARM]);
    const before = await inspect(records);
    await apply();
    expect(await inspect(records)).toEqual(before);
    expect(before).toHaveLength(shipped.length);
  });

  test("the records are Prisma's: its table, and the sha256 of each file", async () => {
    await open(freshDatabase(kind));
    const columns = await inspect((run) =>
      run(`select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
          pg_get_expr(d.adbin, d.adrelid) as default
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = '_prisma_migrations'::regclass and a.attnum > 0 order by a.attnum`),
    );
    expect(columns).toEqual([
      { name: 'id', type: 'character varying(36)', required: true, default: null },
      { name: 'checksum', type: 'character varying(64)', required: true, default: null },
      { name: 'finished_at', type: 'timestamp with time zone', required: false, default: null },
      { name: 'migration_name', type: 'character varying(255)', required: true, default: null },
      { name: 'logs', type: 'text', required: false, default: null },
      { name: 'rolled_back_at', type: 'timestamp with time zone', required: false, default: null },
      { name: 'started_at', type: 'timestamp with time zone', required: true, default: 'now()' },
      { name: 'applied_steps_count', type: 'integer', required: true, default: '0' },
    ]);
    const key = await inspect((run) =>
      run(`select conname, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = '_prisma_migrations'::regclass and contype = 'p'`),
    );
    expect(key).toEqual([{ conname: '_prisma_migrations_pkey', definition: 'PRIMARY KEY (id)' }]);
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

  test('a later migration is applied on top, after those before it', async () => {
    await open(freshDatabase(kind));
    await apply([
      ...shipped,
      { name: '99990101000000_later', sql: 'create table later (); alter table later add a int' },
    ]);
    expect(await inspect(tables)).toContain('later');
    expect((await inspect(records)).map((row) => row['migration_name']).at(-1)).toBe('99990101000000_later');
  });

  test('a migration that fails leaves nothing of itself, and what was before it stays', async () => {
    await open(freshDatabase(kind));
    const failing = { name: '99990101000000_failing', sql: 'create table half (); select 1 / 0; create table rest ()' };
    await expect(apply([...shipped, failing])).rejects.toThrow(
      'Migration 99990101000000_failing failed and was rolled back: division by zero',
    );
    expect(await inspect(tables)).toEqual(['_prisma_migrations', ...FARM]);
    expect(await inspect(records)).toHaveLength(shipped.length);
    await apply([...shipped, { ...failing, sql: 'create table half ()' }]);
    expect(await inspect(tables)).toContain('half');
  });

  test('a migration that was changed after it was applied is refused', async () => {
    await open(freshDatabase(kind));
    const [first, ...others] = shipped;
    await expect(apply([{ ...first!, sql: `${first!.sql}-- changed` }, ...others])).rejects.toThrow(
      `Migration ${first!.name} was changed after it was applied to this database`,
    );
  });

  test('other line ends are no change', async () => {
    await open(emptyDatabase(kind));
    await apply(shipped.map(({ name, sql }) => ({ name, sql: sql.replaceAll('\n', '\r\n') })));
    await apply();
    expect(await inspect(records)).toHaveLength(shipped.length);
  });

  test('a database with a migration that the program lacks is refused, and the whole opening with it', async () => {
    await open(freshDatabase(kind));
    await apply([...shipped, { name: '99990101000000_newer', sql: 'create table newer ()' }]);
    const message = 'The database has migration 99990101000000_newer, which this program does not know';
    await expect(apply()).rejects.toThrow(message);
    await driver.close();
    await expect(openDatabase(fresh.target)).rejects.toThrow(message);
    driver = await openDriver(fresh.target);
  });

  test('a database of an older build is refused with the next step', async () => {
    await open(emptyDatabase(kind));
    await apply([{ name: '20261120000000_farm', sql: 'create table cameras ()' }]);
    await expect(apply()).rejects.toThrow(
      'The database is of an older build (it has the migration 20261120000000_farm): back it up with that build, and restore the backup with this one.',
    );
  });

  test("what Prisma's tool left unfinished is refused, what it rolled back is applied", async () => {
    await open(freshDatabase(kind));
    await inspect((run) =>
      run(`insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'y', '99990101000000_later')`),
    );
    const later = [...shipped, { name: '99990101000000_later', sql: 'create table later ()' }];
    await expect(apply(later)).rejects.toThrow('Migration 99990101000000_later was begun by another tool');
    await inspect((run) => run(`update _prisma_migrations set rolled_back_at = now() where id = 'x'`));
    await apply(later);
    expect(await inspect(tables)).toContain('later');
  });

  test('a file of functions is applied when its text differs from the one that was applied, whole or not at all', async () => {
    await open(freshDatabase(kind));
    const files = (answer: string, rest = '') => [
      {
        name: 'src/x.sql',
        sql: `create or replace function answer() returns text language sql as $$ select '${answer}' $$;${rest}`,
      },
    ];
    const applyFiles = (given: ReturnType<typeof files>) => driver.withSession((run) => applySqlFiles(run, given));
    const answer = async () => (await inspect((run) => run('select answer() as answer')))[0]?.['answer'];
    await applyFiles(files('one'));
    expect(await answer()).toBe('one');
    await inspect((run) =>
      run(`create or replace function answer() returns text language sql as $$ select 'by hand' $$`),
    );
    await applyFiles(files('one'));
    expect(await answer()).toBe('by hand');
    await expect(applyFiles(files('two', 'select 1 / 0'))).rejects.toThrow(
      'src/x.sql failed and was rolled back: division',
    );
    expect(await answer()).toBe('by hand');
    await applyFiles(files('two'));
    expect(await answer()).toBe('two');
  });

  test('a process killed in the middle of a migration leaves the version before', async () => {
    await open(freshDatabase(kind));
    await driver.close();
    const child = startChild(join(__dirname, 'migrate-and-wait.ts'), [JSON.stringify(fresh.target)]);
    await child.says('waiting inside the migration');
    child.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    driver = await openDriver(fresh.target);
    await apply([...shipped, { name: '99990101000000_interrupted', sql: 'create table whole ()' }]);
    expect(await inspect(tables)).toEqual(['_prisma_migrations', ...FARM, 'whole'].sort());
  });
});

describeOnServer('migrations on a server', () => {
  let fresh: FreshDatabase;
  afterEach(() => fresh.drop());

  test('ten sessions and three processes at once apply each migration once', async () => {
    fresh = await emptyDatabase('server');
    const children = [1, 2, 3].map(() =>
      startChild(join(__dirname, 'open-and-hold.ts'), [JSON.stringify(fresh.target), 'once']),
    );
    const driver = await openDriver(fresh.target);
    const openAndApply = (run: RunSql) => applyMigrations(run).then(() => applySqlFiles(run));
    await Promise.all(Array.from({ length: 10 }, () => driver.withSession(openAndApply)));
    for (const child of children) expect({ code: await child.ended, output: child.output }).toMatchObject({ code: 0 });
    expect(await driver.withSession(records)).toHaveLength(shipped.length);
    const files = await driver.withSession((run) => run('select name from sql_files order by name'));
    expect(files).toEqual(readSqlFiles().map(({ name }) => ({ name })));
    await driver.close();
  });

  test('a process waits for another that migrates, longer than for anything else', async () => {
    fresh = await emptyDatabase('server');
    // Its transaction is idle for longer than the usual time of a request.
    const owner = await openDriver(fresh.target, timeBudget(60_000));
    const other = openDriver(fresh.target);
    try {
      await owner.withSession(async (run) => {
        await run('begin');
        await run('select pg_advisory_xact_lock(72707369)');
        const waiting = (await other).withSession((later) => applyMigrations(later));
        await Promise.all([waiting, sleep(3500).then(() => run('rollback'))]);
      });
      expect(await owner.withSession(records)).toHaveLength(shipped.length);
    } finally {
      await owner.close();
      await (await other).close();
    }
  });

  test('a migration that deadlocks with a writer is done again', async () => {
    fresh = await freshDatabase('server');
    const owner = await openDriver(fresh.target);
    const other = await openDriver(fresh.target);
    try {
      await other.withSession(async (run) => {
        await run('begin');
        // The migration is the one that PostgreSQL undoes.
        await run("set local deadlock_timeout = '1h'");
        await run('lock table printers in row exclusive mode');
        const migrating = owner.withSession((later) =>
          applyMigrations(later, [
            ...shipped,
            { name: '99999999999999_locks', sql: 'lock table spools; lock table printers' },
          ]),
        );
        await until(async () => (await run(waitsForTable('printers'))).length === 1);
        await run('lock table spools in row exclusive mode');
        await run('commit');
        await migrating;
      });
      expect(await owner.withSession(records)).toHaveLength(shipped.length + 1);
    } finally {
      await owner.close();
      await other.close();
    }
  });

  test('a role that may only read and write rows can start the program on a migrated database', async () => {
    fresh = await freshDatabase('server');
    const owner = await openDriver(fresh.target);
    const role = `rows_only_${process.pid}`;
    await owner.withSession((run) =>
      run(`create role ${role} login; grant select on all tables in schema public to ${role}`),
    );
    const url = new URL(fresh.url);
    url.username = role;
    const database = await openDatabase({ kind: 'server', url: url.toString(), poolSize: 1 });
    expect(await database.prisma.camera.count()).toBe(0);
    await database.close();
    await owner.withSession((run) => run(`drop owned by ${role}; drop role ${role}`));
    await owner.close();
  });
});
