// Backup and restore: one moment of the whole database, taken while the gateway works, into a new one of either kind.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type App, createApp } from '../../src/app';
import { backUp } from '../../src/database/backup/backup';
import { partsOf, restore } from '../../src/database/backup/restore';
import { openDatabase, openDriver } from '../../src/database/database';
import type { DatabaseTarget, RunSql } from '../../src/database/driver/driver';
import { addresses, doorOf } from '../../src/database/embedded/directory-lock';
import { applyMigrations, readMigrations } from '../../src/database/migrations';
import {
  copyTemplate,
  type DatabaseKind,
  databaseKinds,
  describeOnServer,
  emptyDatabase,
  type FreshDatabase,
} from '../support/databases';
import { PATIENT } from '../support/gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';
import { type Contents, contentsOf, readContents } from './contents';

/** A farm that a gateway has filled: its directory, its contents, and its backup. */
let farm: { directory: string; contents: Contents; backup: string };
/** Of one test: where its backup goes, the directory of its farm, and the gateway there. */
let folder: string;
let file: string;
let source: string;
let app: App | undefined;
const targets: FreshDatabase[] = [];

function setUp(): void {
  folder = temporaryFolder('backup');
  file = join(folder, 'farm.sql');
  source = temporaryFolder('data');
}

async function cleanUp(): Promise<void> {
  await app?.close();
  app = undefined;
  for (const target of targets.splice(0)) await target.drop();
  for (const path of [folder, source]) fs.rmSync(path, { recursive: true, force: true });
}

/** What a farm's backup says, taken once for several tests. */
async function once(take: () => Promise<unknown>): Promise<string> {
  setUp();
  await take();
  const backup = fs.readFileSync(file, 'utf8');
  await cleanUp();
  return backup;
}

beforeAll(async () => {
  const directory = temporaryFolder('farm');
  let contents: Contents = {};
  const backup = await once(async () => {
    await start();
    await fillFarm();
    await giveUpRecords();
    contents = await readContents(sqlOf(app as App));
    const { rows, throughGateway } = await backUp(source, file);
    expect(throughGateway).toBe(true);
    // The start after a restore applies the SQL files and records them.
    const { sql_files: files = [] } = contents;
    expect(rows).toBe(tablesOf(contents).reduce((sum, [, texts]) => sum + texts.length, -files.length));
    expect(await readContents(sqlOf(app as App))).toEqual(contents);
    await app?.close();
    app = undefined;
    fs.cpSync(source, directory, { recursive: true });
  });
  farm = { directory, contents, backup };
});
afterAll(() => fs.rmSync(farm.directory, { recursive: true }));
beforeEach(setUp);
afterEach(cleanUp);

/** A gateway on a new farm, or on a copy of the filled one. */
async function start(directory?: string): Promise<App> {
  copyTemplate(source, directory);
  return reopen({ kind: 'directory', path: source });
}

async function reopen(database: DatabaseTarget): Promise<App> {
  app = await createApp({ ...PATIENT, database });
  return app;
}

async function emptyTarget(kind: DatabaseKind): Promise<FreshDatabase> {
  const target = await emptyDatabase(kind);
  targets.push(target);
  return target;
}

const sqlOf =
  ({ database }: App): RunSql =>
  async (text, values = []) =>
    database.prisma.$queryRawUnsafe(text, ...values);

async function changesIn({ inject }: App, after: string | null | undefined) {
  const query = `query ($after: String) { changes(after: $after) { nodes { cursor ... on CameraChanged { cameraId } } } }`;
  const answer = await inject({ method: 'POST', url: '/graphql', payload: { query, variables: { after } } });
  const { data, errors } = JSON.parse(answer.payload);
  const nodes: { cursor: string; cameraId: string }[] = data?.changes.nodes ?? [];
  return {
    ids: nodes.map(({ cameraId }) => cameraId),
    cursors: nodes.map(({ cursor }) => cursor),
    code: errors?.[0].extensions.code,
  };
}

const execute = (text: string) => (app as App).database.prisma.$executeRawUnsafe(text);

/** Whatever is hard to write down: control characters, every column empty, long decimals, the ends of time. */
async function fillFarm(): Promise<void> {
  const text = String.raw`E'\t\\N\\.\n\\.\n"''\\\\ \u00e9\U0001F600 \x7f; COPY cameras FROM stdin;\r\n--'`;
  await execute(`insert into cameras (camera_id, friendly_name, mac_address) values
    ('plain', 'Over the printer', null), (${text}, ${text}, ${text}), ('\\N', '\\.', '')`);
  await execute(`insert into materials (id, name, density_g_per_cm3) values
    (gen_random_uuid(), 'PLA', 1.24), (gen_random_uuid(), ${text}, 0.000000000000000000000000000000000001)`);
  await execute(
    `insert into printers (id, name) select gen_random_uuid(), 'Printer ' || i from generate_series(1, 3) i`,
  );
  await execute(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, purchase_price, material_id)
    select gen_random_uuid(), name, 1.75, 999999999999999999.5000, case when name = 'PLA' then 25.10 end, id from materials`);
  await execute(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
      cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, notes, created_at, completed_at)
    select gen_random_uuid(), p.id, s.id, ${text}, '', i / 7.0, 0.10, i, status, source, 1.75, 1.24,
      case when i % 2 = 0 then ${text} end, '0001-01-01Z', '9999-12-31T23:59:59.999Z'
    from printers p, spools s, unnest(array['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed']) status,
      unnest(array['Mqtt', 'PrinterApi', 'Manual']) source, generate_series(1, 3) i`);
  // A week apart, so that they lie in several partitions.
  await execute(`alter table camera_status detach partition camera_status_earlier`);
  await execute(
    `create table "Status of 1999" partition of camera_status for values from ('1999-01-01Z') to ('2000-01-01Z')`,
  );
  await execute(
    `create table camera_status_old partition of camera_status for values from (minvalue) to ('1999-01-01Z')`,
  );
  await execute(`drop table camera_status_earlier`);
  await execute(`insert into camera_status (camera_id, recorded_at, battery_pct, video_remaining_sec, recording_state, mode,
      resolution, fps, online, raw_battery_pct)
    select camera_id, at, 0.1 + 0.2, 2147483647, ${text}, '', null, 1e-300, i % 2 = 0, -1.7976931348623157e308
    from cameras, generate_series(1, 20) i,
      unnest(array['0001-01-01T00:00:00Z', '1999-06-01T00:00:00.001Z']::timestamptz[]) at`);
  await execute(`insert into camera_status (camera_id, recorded_at) values ('plain', now())`);
  await execute(`delete from print_jobs where id in (select id from print_jobs limit 5)`);
}

/** The latest status of a camera stays when the records of its time are given up. */
async function giveUpRecords(): Promise<void> {
  const { prisma } = (app as App).database;
  await prisma.$transaction([
    prisma.$executeRawUnsafe('alter table camera_status disable trigger user'),
    prisma.$executeRawUnsafe(`delete from camera_status where camera_id = 'plain'`),
    prisma.$executeRawUnsafe('alter table camera_status enable trigger user'),
  ]);
}

test('the farm of these tests has what is hard to restore', () => {
  const rows = Object.fromEntries(Object.entries(farm.contents).map(([name, texts]) => [name, texts.length]));
  expect(rows).toMatchObject({ camera_latest_status: 3, 'Status of 1999': 40, camera_status_old: 40, print_jobs: 265 });
  expect(farm.contents['partitions']).toContainEqual(expect.stringContaining('Status of 1999'));
  expect(farm.contents['triggers']?.length).toBeGreaterThan(8);
});

/** The contents after a start of a gateway, which makes functions and triggers. */
async function contentsAfterStart(target: DatabaseTarget): Promise<Contents> {
  await (await openDatabase(target)).close();
  return contentsOf(target);
}

/** An empty database of the kind, after the backup was restored into it. */
async function restored(kind: DatabaseKind, backup: string): Promise<DatabaseTarget> {
  fs.writeFileSync(file, backup);
  const { target } = await emptyTarget(kind);
  await restore(target, file);
  return target;
}

describe('into a new database', () => {
  test.each(databaseKinds)(
    '(%s) every row of every table, and all that belongs to the tables, arrives',
    async (kind) => {
      expect(await contentsAfterStart(await restored(kind, farm.backup))).toEqual(farm.contents);
    },
  );

  test.each(databaseKinds)('(%s) with tables: it is refused, and stays as it is', async (kind) => {
    fs.writeFileSync(file, farm.backup);
    const { target } = await emptyTarget(kind);
    const driver = await openDriver(target);
    const before = await driver.withSession(async (run) => {
      await run('create table mine (a int); insert into mine values (1)');
      return readContents(run);
    });
    await driver.close();
    await expect(restore(target, file)).rejects.toThrow('The database is not empty');
    expect(await contentsOf(target)).toEqual(before);
  });
});

describe('the feed of changes', () => {
  let backup: string;
  let before: Awaited<ReturnType<typeof changesIn>>;
  /** A cursor of a change after the backup. */
  let lost: string | undefined;
  beforeAll(async () => {
    backup = await once(async () => {
      const gateway = await start();
      // More transactions than the new database has had.
      await execute('update change_feed set position_offset = position_offset + 1000000000');
      await execute(`insert into cameras (camera_id, friendly_name) values ('seen', 'x')`);
      await execute(`insert into cameras (camera_id, friendly_name) values ('missed', 'x')`);
      before = await changesIn(gateway, null);
      // A removed camera, while the records of its long log are deleted step by step.
      await execute(`insert into cameras (camera_id, friendly_name, removed_at) values ('going', 'x', now())`);
      await execute(`insert into camera_status (camera_id, recorded_at) values ('going', now())`);
      await execute(`delete from camera_latest_status where camera_id = 'going'`);
      await backUp(source, file);
      // More than the new database will have written.
      await execute(
        `insert into cameras (camera_id, friendly_name) select 'lost ' || n, 'x' from generate_series(1, 9) n`,
      );
      lost = (await changesIn(gateway, before.cursors.at(-1))).cursors.at(-1);
    });
    expect(before.ids).toEqual(['seen', 'missed']);
    expect(lost).toBeDefined();
  });

  test.each(databaseKinds)('(%s) is read at once, however many transactions the new database has had', async (kind) => {
    const target = await restored(kind, backup);
    const driver = await openDriver(target);
    // The changes are of the transaction that the new database will make next.
    await driver.withSession((run) =>
      run(`update changes set position = (select position_offset from change_feed)
        + (pg_current_xact_id()::text::bigint + 1)`),
    );
    await driver.close();
    const gateway = await reopen(target);
    // Other databases of the test server have transactions too, which delay the feed for a moment.
    await until(async () => (await changesIn(gateway, null)).ids.length > 0);
    expect((await changesIn(gateway, null)).ids).toEqual(before.ids);
  });

  test.each(databaseKinds)('(%s) goes on: cursors stay valid, and new changes come after them', async (kind) => {
    const gateway = await reopen(await restored(kind, backup));
    await until(async () => (await changesIn(gateway, null)).ids.length === 2);
    expect((await changesIn(gateway, null)).cursors).toEqual(before.cursors);
    await execute(`insert into cameras (camera_id, friendly_name) values ('new', 'x')`);
    const [seen] = before.cursors;
    await until(async () => (await changesIn(gateway, seen)).ids.length === 2);
    expect((await changesIn(gateway, seen)).ids).toEqual(['missed', 'new']);
    expect((await changesIn(gateway, before.cursors.at(-1))).ids).toEqual(['new']);
    expect((await changesIn(gateway, lost)).code).toBe('CURSOR_EXPIRED');
  });
});

describe('an older database', () => {
  let backup: string;
  let before: Contents;
  beforeAll(async () => {
    backup = await once(async () => {
      const { target } = await emptyTarget('embedded');
      const old = await openDriver(target);
      await old.withSession(async (run) => {
        await applyMigrations(run, readMigrations().slice(0, 2));
        await run(`insert into cameras (camera_id, friendly_name) values ('old', 'x')`);
        before = await readContents(run);
      });
      await old.close();
      expect(await backUp((target as { path: string }).path, file)).toEqual({ rows: 3, throughGateway: false });
    });
  });

  test.each(databaseKinds)('(%s) stays as old as it is, and the gateway brings it up to date', async (kind) => {
    const target = await restored(kind, backup);
    expect(await contentsOf(target)).toEqual(before);
    await (await reopen(target)).close();
    app = undefined;
    expect((await contentsOf(target))['_prisma_migrations']?.length).toBe(readMigrations().length);
  });
});

test.each(databaseKinds)('a backup that an older build wrote arrives (%s), in the tables of this one', async (kind) => {
  const whole = withoutHash(farm.backup);
  const rows = Number(/(\d+) rows\.\n$/.exec(whole)?.[1]);
  const head = whole.slice(0, whole.search(/^CREATE TABLE .* PARTITION OF/m));
  const migrations = head.slice(head.indexOf('\n-- Migration'), head.lastIndexOf('\nDO $$'));
  const old = head.split(migrations).join('\n-- Migration 20261120000000_farm\nCREATE TABLE "cameras" ();\n');
  fs.writeFileSync(
    file,
    `${old}${whole.slice(head.length)}`
      .replace(/^TRUNCATE /m, 'ALTER TABLE cameras DISABLE TRIGGER USER;\nTRUNCATE filament_by_spool, ')
      .replace(/^COPY idempotency_keys/m, 'COPY filament_by_spool (spool_id, used_grams) FROM stdin;\nx\t1\n\\.\n\n$&')
      .replace(
        /^ANALYZE/m,
        "ALTER TABLE cameras ENABLE TRIGGER USER;\nSELECT setval('filament_to_fold_id_seq', 7, 't');\n$&",
      )
      .replace(/\d+ rows\.\n$/, `${rows + 1} rows.\n`),
  );
  const { target } = await emptyTarget(kind);
  expect(await restore(target, file)).toBe(rows + 1);
  const { _prisma_migrations: records, ...contents } = await contentsAfterStart(target);
  const { _prisma_migrations: before, ...others } = farm.contents;
  expect(contents).toEqual(others);
  expect(records?.length).toBe(before?.length);
});

describe('a file that is not a whole backup', () => {
  test.each(databaseKinds)('leaves nothing where its rows were to go (%s)', async (kind) => {
    const whole = withoutHash(farm.backup);
    const { target } = await emptyTarget(kind);
    for (const [spoil, message] of [
      [(dump: string) => dump.replace('\tOver the printer\t', '\t'), 'missing data for column'],
      [(dump: string) => dump.replaceAll('\t1.75\t1.24\t', '\t-1\t1.24\t'), 'print_jobs_amounts'],
      [(dump: string) => dump.replace('plain\tOver', 'other\tOver'), '_camera_id_fkey'],
      [(dump: string) => dump.slice(0, dump.length * 0.9), 'is not a whole backup'],
      [(dump: string) => dump.replace('COMMIT;\n-- The', '-- The'), 'is not a whole backup'],
      [(dump: string) => dump.replace('-- Print', '-- print'), 'is not a backup'],
      [() => '', 'is not a backup'],
    ] as const) {
      fs.writeFileSync(file, spoil(whole));
      await expect(restore(target, file)).rejects.toThrow(message);
    }
    expect(tablesOf(await contentsOf(target))).toEqual([]);
    fs.writeFileSync(file, whole);
    await restore(target, file);
    expect(tablesOf(await contentsOf(target))).not.toEqual([]);
  });

  test.each(databaseKinds)('whose counts or latest statuses differ from its rows is refused (%s)', async (kind) => {
    const whole = withoutHash(farm.backup);
    const { target } = await emptyTarget(kind);
    const rowsOf = (table: string) =>
      new RegExp(`(?<=^COPY ${table} \\(.*\\) FROM stdin;\n)(?:.*\n)*?(?=\\\\\\.\n)`, 'm');
    const spoilt = (table: string, change: (row: string) => string) =>
      whole.replace(rowsOf(table), (rows) => rows.replace(/.*/, change));
    for (const [dump, message] of [
      [
        spoilt('print_job_counts', (row) => row.replace(/\d+$/, '17')),
        'print_job_counts differs from the rows of print_jobs',
      ],
      [
        spoilt('camera_latest_status', (row) =>
          row.replace(/[tf](?=\t[^\t]*$)/, (online) => (online === 't' ? 'f' : 't')),
        ),
        'camera_latest_status differs from the rows of camera_status (differences: 1)',
      ],
      [
        spoilt('camera_latest_status', (row) => row.replace(/\t(1999|20\d\d)-/, '\t1998-')),
        'camera_latest_status differs from the rows of camera_status (differences: 1)',
      ],
    ] as const) {
      expect(dump).not.toBe(whole);
      fs.writeFileSync(file, dump);
      await expect(restore(target, file)).rejects.toThrow(`The backup is not right: ${message}`);
    }
    expect(tablesOf(await contentsOf(target))).toEqual([]);
  });

  test('whatever line is missing or doubled, it is refused before anything is made', async () => {
    const lines = farm.backup.split('\n');
    const target = { kind: 'directory', path: join(folder, 'new') } as const;
    const few = [0, 1, 2, lines.length - 2, lines.length - 3];
    // A few hundred of the lines: of the schema, of every table, and of the end.
    for (let at = 3; at < lines.length - 3; at += 7) few.push(at);
    for (const at of few) {
      fs.writeFileSync(file, lines.toSpliced(at, 1).join('\n'));
      await expect(restore(target, file)).rejects.toThrow(
        / is not (a|the) (whole )?backup|^Line \d+ is not what the command backup writes/,
      );
    }
    fs.writeFileSync(file, lines.toSpliced(100, 0, '').join('\n'));
    await expect(restore(target, file)).rejects.toThrow('Line 101 is not what the command backup writes there');
    expect(fs.existsSync(target.path)).toBe(false);
  });

  test('is known by the number of its rows where a version without hashes has written it', async () => {
    const whole = withoutHash(farm.backup);
    const { target } = await emptyTarget('embedded');
    fs.writeFileSync(file, whole.replace(/^.*\tOver the printer\t.*\n/m, ''));
    await expect(restore(target, file)).rejects.toThrow(/is not a whole backup: it has \d+ rows, and had \d+\./);
    fs.writeFileSync(file, whole);
    await restore(target, file);
    expect(await contentsAfterStart(target)).toEqual(farm.contents);
  });

  test.each([
    ["COPY cameras TO PROGRAM 'true';", /^COPY cameras \(/m],
    ["COPY cameras FROM PROGRAM 'true';", /^COPY cameras \(/m],
    ['COMMIT;', /^COPY cameras \(/m],
    ['COMMIT;', /^ALTER TABLE \S+ ADD/m],
    ['COMMIT;', /^SET LOCAL timezone/m],
    ['COMMIT;', /^-- Migration 20261125000200/m],
    ['DROP TABLE cameras;', /^ANALYZE/m],
    ['TRUNCATE cameras; DROP TABLE spools;', /^TRUNCATE/m],
    ['SELECT pg_sleep(100);', /^SELECT setval/m],
    ["SELECT setval('x', 1, 't'), pg_sleep(100);", /^SELECT setval/m],
    [
      'CREATE TABLE x PARTITION OF camera_status FOR VALUES FROM (f()) TO (MAXVALUE);',
      /^CREATE TABLE camera_status_old/m,
    ],
    ['ALTER TABLE cameras ADD CONSTRAINT x CHECK (f());', /^ALTER TABLE \S+ ADD/m],
    ['\\! true', /^ANALYZE/m],
  ])('%s before %s is refused by its line, before anything is made', async (statement, before) => {
    const whole = withoutHash(farm.backup);
    const at = whole.search(before);
    expect(at).toBeGreaterThan(0);
    fs.writeFileSync(file, `${whole.slice(0, at)}${statement}\n${whole.slice(at)}`);
    const target = { kind: 'directory', path: join(folder, 'new') } as const;
    await expect(restore(target, file)).rejects.toThrow(
      `Line ${whole.slice(0, at).split('\n').length} is not what the command backup writes there.`,
    );
    expect(fs.existsSync(target.path)).toBe(false);
  });

  test.each(databaseKinds)('has no rows for tables that are none of a gateway (%s)', async (kind) => {
    const { target } = await emptyTarget(kind);
    fs.writeFileSync(file, withoutHash(farm.backup).replace(/^COPY spools /m, 'COPY pg_authid '));
    await expect(restore(target, file)).rejects.toThrow('pg_authid is no table of a gateway');
    expect(tablesOf(await contentsOf(target))).toEqual([]);
  });

  test('leaves no directory where there was none', async () => {
    const whole = withoutHash(farm.backup);
    const target = { kind: 'directory', path: join(folder, 'new') } as const;
    fs.writeFileSync(file, whole.replace('\tOver the printer\t', '\t'));
    await expect(restore(target, file)).rejects.toThrow('missing data for column');
    expect(fs.existsSync(target.path)).toBe(false);
  });
});

describeOnServer('psql', () => {
  test('psql loads the same file into an empty database, and refuses another', async () => {
    fs.writeFileSync(file, farm.backup);
    const { target, url } = await emptyTarget('server');
    await load(url);
    expect(await contentsAfterStart(target)).toEqual(farm.contents);
    await expect(load(url)).rejects.toThrow('The database is not empty');
    expect(await contentsOf(target)).toEqual(farm.contents);
  });
});

/** Where there is no psql, its two kinds of input are sent by this program's driver. */
async function load(url: string): Promise<void> {
  const psql = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, url];
  const failed = await promisify(execFile)('psql', psql).then(
    () => undefined,
    (error) => error,
  );
  if (failed?.code !== 'ENOENT') {
    if (failed) throw failed;
    return;
  }
  const driver = await openDriver({ kind: 'server', url, poolSize: 1 });
  try {
    await driver.withSession(async (run, rows) => {
      for await (const part of partsOf(fs.createReadStream(file))) {
        await ('rows' in part ? rows(`COPY ${part.copy} (${part.columns})`, part.rows) : run(part.statements));
      }
    });
  } finally {
    await driver.close();
  }
}

describe('taking it', () => {
  test('needs no gateway, and leaves the directory as it was', async () => {
    copyTemplate(source, farm.directory);
    expect((await backUp(source, file)).throughGateway).toBe(false);
    expect(rowsOf(fs.readFileSync(file, 'utf8'))).toBe(rowsOf(farm.backup));
    expect(await contentsOf({ kind: 'directory', path: source })).toEqual(farm.contents);
  });

  test('twice at once gives the same twice, and leaves nothing behind in the database', async () => {
    const gateway = await start(farm.directory);
    await Promise.all([backUp(source, file), backUp(source, `${file}-2`)]);
    const [first, second] = [file, `${file}-2`].map((name) => rowsOf(fs.readFileSync(name, 'utf8')));
    expect(first).toBe(second);
    expect(await sqlOf(gateway)(`select relname from pg_class where relpersistence = 't'`)).toEqual([]);
  });

  test('is one moment: a slow reader keeps nobody waiting, gets nothing that was written meanwhile, and its copies go with it', async () => {
    const gateway = await start(farm.directory);
    await execute(`insert into camera_status (camera_id, recorded_at, mode) select 'plain', now() - i * interval '1 microsecond', repeat('x', 100)
      from generate_series(1, 20000) i`);
    const socket = connect(doorOf(source));
    socket.pause();
    socket.write('backup\n');
    const copies = async () => (await sqlOf(gateway)(`select from pg_class where relpersistence = 't'`)).length;
    await until(async () => (await copies()) > 0);
    for (let read = 0; read < 100; read += 1) {
      expect((await gateway.inject({ url: '/cameras/plain' })).statusCode).toBe(200);
    }
    await execute(`insert into cameras (camera_id, friendly_name) values ('written meanwhile', 'x')`);
    expect(await copies()).toBeGreaterThan(0);
    const other = connect(doorOf(source));
    const [slow, next] = [readAll(socket), readAll(other)];
    other.write('backup\n');
    expect(await slow).not.toContain('written meanwhile');
    expect(await next).toContain('written meanwhile');
    const left = connect(doorOf(source));
    left.pause();
    left.write('backup\n');
    await until(async () => (await copies()) > 0);
    left.destroy();
    await until(async () => (await copies()) === 0);
  });

  test('replaces the backup before only when the new one is whole', async () => {
    const gateway = await start(farm.directory);
    fs.writeFileSync(file, farm.backup);
    await execute(`insert into camera_status (camera_id, recorded_at) select 'plain', now() - i * interval '1 microsecond'
      from generate_series(1, 60000) i`);
    const broken = backUp(source, file).then(
      () => 'done',
      (error: Error) => error.message,
    );
    await until(() => (fs.statSync(`${file}.unfinished`, { throwIfNoEntry: false })?.size ?? 0) > 0);
    await gateway.close();
    app = undefined;
    expect(await broken).toMatch(/^The backup broke off/);
    expect(fs.readFileSync(file, 'utf8')).toBe(farm.backup);
    expect(fs.readdirSync(folder)).toEqual(['farm.sql']);
    await backUp(source, file);
    expect(fs.statSync(file).size).toBeGreaterThan(farm.backup.length);
  });

  test('is written to a device or a pipe, and through a link, and each of them stays', async () => {
    await start(farm.directory);
    const [link, early, pipe, device] = ['link', 'early', 'pipe', 'device'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    fs.symlinkSync('farm.sql', link);
    fs.writeFileSync(file, 'the one before');
    await backUp(source, link);
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(file, 'utf8')).toContain('COPY');
    fs.symlinkSync('later.sql', early);
    await backUp(source, early);
    expect(fs.lstatSync(early).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(join(folder, 'later.sql'), 'utf8')).toContain('COPY');
    await promisify(execFile)('mkfifo', [pipe]);
    const [read] = await Promise.all([fs.promises.readFile(pipe, 'utf8'), backUp(source, pipe)]);
    expect(read).toContain('COPY');
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
    fs.symlinkSync('/dev/null', device);
    await backUp(source, device);
    expect(fs.readlinkSync(device)).toBe('/dev/null');
    expect(fs.statSync(device).isCharacterDevice()).toBe(true);
    expect(fs.readdirSync(folder).sort()).toEqual(['device', 'early', 'farm.sql', 'later.sql', 'link', 'pipe']);
  });

  test('makes no database where there is none', async () => {
    const nowhere = join(folder, 'nowhere');
    await expect(backUp(nowhere, file)).rejects.toThrow(`There is no database in ${nowhere}.`);
    expect(fs.readdirSync(folder)).toEqual([]);
    const { target } = await emptyTarget('embedded');
    await expect(backUp((target as { path: string }).path, file)).rejects.toThrow('There is nothing to back up');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('is for the account of the gateway alone, and only who asks is answered', async () => {
    await start(farm.directory);
    await backUp(source, file);
    if (process.platform !== 'win32') {
      expect(fs.statSync(doorOf(source)).mode & 0o777).toBe(0o600);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    }
    const said = async (address: string, words: string) => {
      const socket = connect(address);
      socket.on('error', () => {});
      socket.write(words);
      let bytes = 0;
      socket.on('data', (data) => {
        bytes += data.length;
      });
      await new Promise((resolve) => socket.once('close', resolve));
      return bytes;
    };
    const door = doorOf(source);
    expect(await said(door, 'GET / HTTP/1.1\r\n\r\n')).toBe(0);
    // The name that every account of the machine can reach only holds the directory.
    for (const address of addresses(source).filter((address) => address !== door)) {
      expect(await said(address, 'backup\n')).toBe(0);
    }
    expect(await said(door, 'backup\n')).toBe(fs.statSync(file).size);
  });
});

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

/** The first line has the time, and the last one the hash of all lines. */
const rowsOf = (backup: string) => backup.split('\n').slice(1, -2).join('\n');

/** As older versions wrote it. */
const withoutHash = (dump: string) => dump.replace(/, SHA-256 [0-9a-f]{64}\.\n$/, '.\n');

const tablesOf = (contents: Contents) =>
  Object.entries(contents).filter(
    ([name]) =>
      !['columns', 'constraints', 'indexes', 'partitions', 'triggers', 'functions', 'sequences'].includes(name),
  );
