// Tests backup and restore: a snapshot of the whole database, taken while the gateway runs, into a new database of either kind.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type App, createApp } from '../../src/app';
import { backUp } from '../../src/database/backup/backup';
import { restore, splitBackup } from '../../src/database/backup/restore';
import { openDatabase, openDriver } from '../../src/database/database';
import type { DatabaseTarget, RunSql } from '../../src/database/driver/driver';
import { lockAddresses, requestAddress } from '../../src/database/embedded/directory-lock';
import { copyTemplate, emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { waitForClose } from '../support/raw-socket';
import { temporaryFolder } from '../support/temporary-folder';
import { atLeast, inTime, is, until } from '../support/waiting';
import { type Contents, contentsOf, readContents } from './contents';

/** The gateway of a farm, and the contents of the farm when its backup was taken. */
const path = temporaryFolder('farm');
let app: App;
let isOpen = true;
let contents: Contents;
let backup: string;
/** The cursors of the first two changes, of the last change in the backup, and of one after it. */
let cursors: { first: string[]; last: string; lost: string };
/** Of one test. */
let folder: string;
let file: string;
const targets: FreshDatabase[] = [];

beforeEach(() => {
  folder = temporaryFolder('backup');
  file = join(folder, 'farm.sql');
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop();
  fs.rmSync(folder, { recursive: true });
});

const execute = (statement: string) => app.database.prisma.$executeRawUnsafe(statement);
const read: RunSql = async (statement, values = []) => app.database.prisma.$queryRawUnsafe(statement, ...values);
const addCameras = (...ids: string[]) =>
  execute(`insert into cameras (camera_id, friendly_name) values ${ids.map((id) => `('${id}', 'x')`).join()}`);

async function graphql({ inject }: App, query: string, variables: object = {}) {
  return (await inject({ method: 'POST', url: '/graphql', payload: { query, variables } })).json();
}
async function changesIn(gateway: App, after: string | null, first = 2) {
  const query = `query ($after: String, $first: Int) {
    changes(after: $after, first: $first) { nodes { cursor ... on CameraChanged { cameraId } } } }`;
  const { data } = await graphql(gateway, query, { after, first });
  const nodes: { cursor: string; cameraId: string }[] = data.changes.nodes;
  return { ids: nodes.map(({ cameraId }) => cameraId), cursors: nodes.map(({ cursor }) => cursor) };
}
const latestCursor = async (): Promise<string> =>
  (await graphql(app, '{ latestChangeCursor }')).data.latestChangeCursor;

beforeAll(async () => {
  copyTemplate(path);
  app = await createApp({ ...PATIENT, database: { kind: 'directory', path } });
  // More transactions than the new database has had.
  await execute('update change_feed set position_offset = position_offset + 1000000000');
  await addCameras('seen');
  await addCameras('missed');
  const first = (await changesIn(app, null)).cursors;
  await fillFarm();
  contents = await readContents(read);
  const last = await latestCursor();
  const whole = join(temporaryFolder('whole'), 'farm.sql');
  const { rows, throughGateway } = await backUp(path, whole);
  expect(throughGateway).toBe(true);
  // The start after a restore applies the SQL files and records them.
  expect(rows).toBe(
    listTables(contents).reduce((sum, [, texts]) => sum + texts.length, -contents['sql_files']!.length),
  );
  backup = fs.readFileSync(whole, 'utf8');
  // More than the new database will have written.
  for (let n = 0; n < 9; n += 1) await addCameras(`lost ${n}`);
  cursors = { first, last, lost: await latestCursor() };
  const counts = Object.fromEntries(Object.entries(contents).map(([name, texts]) => [name, texts.length]));
  expect(counts).toMatchObject({
    camera_latest_status: 3,
    'Status of 1999': 5,
    camera_status_old: 5,
    print_jobs: 85,
    slot_loads: 3,
    camera_watches: 2,
    job_filming: 1,
    filaments: 2,
    spool_adjustments: 4,
    spool_tags: 2,
    vendors: 1,
    extra_fields: 1,
    external_objects: 3,
  });
});
afterAll(async () => {
  if (isOpen) await app.close();
  fs.rmSync(path, { recursive: true });
});

/** Values that are hard to write down: control characters, every column empty, long decimals, the ends of time. */
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
  await execute(`insert into filaments (id, name, vendor, material_id, filament_diameter_mm, weight_total_grams, tare_grams)
    select gen_random_uuid(), name, null, id, 1.75, 1000, 0.10 from materials`);
  // A removed object had the greatest number.
  await execute(`insert into filaments (id, name, material_id, filament_diameter_mm, weight_total_grams)
    select gen_random_uuid(), 'gone', id, 1.75, 1000 from materials where name = 'PLA'`);
  await execute(`delete from filaments where name = 'gone'`);
  await execute(
    `update spools set tare_grams = 210.5000, place = ${text}, filament_id = f.id from filaments f where f.material_id = spools.material_id`,
  );
  await execute(`update spools set vendor = ${text}, lot_number = ${text}, comment = ${text}, first_used_at = '0001-01-01Z',
    extra = jsonb_build_object('key', ${text})`);
  await execute(`update filaments set color_hexes = '{#FF0000,#00FF0080}', color_arrangement = 'COAXIAL', extruder_temp_c = 1000,
    comment = ${text}, external_id = ${text}`);
  await execute(
    `insert into spool_tags (uid, spool_id, format) select upper(md5(id::text)), id, case when spool_serial = 'PLA' then left(${text}, 32) end from spools`,
  );
  await execute(`insert into extra_fields (entity_type, key, name, field_type, choices) values ('spool', 'key', ${text}, 'choice',
    jsonb_build_array(${text}))`);
  await execute(`insert into external_objects (source, kind, external_id, registered, spool_id, imported)
    select 'spoolman', 'SPOOL', number, '0001-01-01Z', id, jsonb_build_object('name', ${text}) from spools`);
  await execute(`insert into external_objects (source, kind, external_id, registered, vendor_id, imported)
    select 'spoolman', 'VENDOR', id, '0001-01-01Z', id, '{}' from vendors`);
  await execute(`insert into spool_adjustments (spool_id, kind, net_grams, note)
    select id, 'WEIGHED', 0.0000000000000000000000000001, ${text} from spools`);
  await execute(
    `insert into spool_adjustments (spool_id, kind, grams, printing) select id, 'LOST', -1.50, '{"00000000-0000-4000-8000-000000000001": null}' from spools`,
  );
  await execute('update spool_adjustments set taken_back_at = clock_timestamp() where grams < 0');
  // The rows of the ledger have the price as it was.
  await execute('update spools set purchase_price = 30');
  await execute(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
      cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, notes, created_at, completed_at)
    select gen_random_uuid(), p.id, s.id, ${text}, '', 1 / 7.0, 0.10, 1, status, source, 1.75, 1.24,
      case when source = 'Mqtt' then ${text} end, '0001-01-01Z', '9999-12-31T23:59:59.999Z'
    from printers p, spools s, unnest(array['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed']) status,
      unnest(array['Mqtt', 'PrinterApi', 'Manual']) source`);
  await execute('delete from print_jobs where id in (select id from print_jobs limit 5)');
  await execute(`insert into observed_prints (id, printer_id, name, started_at_estimated, outcome, seen_at, measured)
    select gen_random_uuid(), id, ${text}, false, 'COMPLETED', now(), '[]' from printers`);
  // All bytes, among them line feeds, backslashes and 0.
  await execute(`insert into print_thumbnails select id, decode(
    (select string_agg(lpad(to_hex(i), 2, '0'), '' order by i) from generate_series(0, 255) i), 'hex') from observed_prints`);
  await execute(`insert into slot_loads select p.id, 'ams:0:3', s.id, l.since::timestamptz, l.until::timestamptz
    from (select id from printers where name = 'Printer 1') p, (select id from spools where spool_serial = 'PLA') s,
      (values ('0001-01-01Z', '1999-06-01T00:00:00.001Z'), ('1999-06-01T00:00:00.001Z', '2020-01-01Z'), ('2020-01-02Z', null)) l (since, until)`);
  for (const printer of ['Printer 1', 'Printer 2'])
    await execute(
      `update cameras set printer_id = (select id from printers where name = '${printer}') where camera_id = ${text}`,
    );
  await execute(`insert into job_filming select id, ${text}, printer_id, '0001-01-01Z', '9999-12-31T23:59:59.999Z', '0001-01-01Z',
    '1999-06-01T00:00:00.001Z', 9223372036854775807, 0, null, '[[0, 1, "SILENT"]]', 1 from print_jobs limit 1`);
  await execute(`update status_log_retention set deleted_until = '1999-06-01T00:00:00.001Z'`);
  // The job's own part, and another one. One job has less than its other part.
  await execute(`insert into print_job_parts
    select j.id, 0, 'ams:0:3', 0, 89, null, null, null, null, null, null, 'MEASURED' from print_jobs j where data_source = 'Mqtt'`);
  await execute(`insert into print_job_parts
    select p.job_id, 1, null, null, null, s.id, 1 / 9.0, 0.01, 0.5, 1.75, 1.27, 'UNKNOWN' from print_job_parts p, spools s
    where s.spool_serial = 'PLA'`);
  await execute(`update print_jobs set grams_derived = 0.009 where id = (select job_id from print_job_parts limit 1)`);
  for (const statement of [
    'alter table camera_status detach partition camera_status_earlier',
    `create table "Status of 1999" partition of camera_status for values from ('1999-01-01Z') to ('2000-01-01Z')`,
    `create table camera_status_old partition of camera_status for values from (minvalue) to ('1999-01-01Z')`,
    'drop table camera_status_earlier',
  ])
    await execute(statement);
  await execute(`insert into camera_status (camera_id, recorded_at, battery_pct, video_remaining_sec, recording_state, mode,
      resolution, fps, online, raw_battery_pct)
    select camera_id, at, 0.1 + 0.2, 2147483647, ${text}, '', null, 1e-300, i % 2 = 0, -1.7976931348623157e308
    from cameras, generate_series(1, 5) i, unnest(array['0001-01-01T00:00:00Z', '1999-06-01T00:00:00.001Z']::timestamptz[]) at
    where camera_id in ('\\N', ${text}) and (i % 2 = 0) = (camera_id = '\\N')`);
  // The latest status of a camera stays when the records of its time are given up.
  await execute(`insert into camera_status (camera_id, recorded_at) values ('plain', now())`);
  await execute('alter table camera_status disable trigger user');
  await execute(`delete from camera_status where camera_id = 'plain'`);
  await execute('alter table camera_status enable trigger user');
  // A removed camera, while the records of its long log are deleted step by step.
  await execute(`insert into cameras (camera_id, friendly_name, removed_at) values ('going', 'x', now())`);
  await execute(`insert into camera_status (camera_id, recorded_at) values ('going', now())`);
  await execute(`delete from camera_latest_status where camera_id = 'going'`);
}

/** An empty database of the kind, after the text was restored into it. */
async function restored(kind: 'embedded' | 'server', dump: string): Promise<DatabaseTarget> {
  fs.writeFileSync(file, dump);
  const target = await emptyDatabase(kind);
  targets.push(target);
  const doubts: string[] = [];
  await restore(target.target, file, undefined, (doubt) => doubts.push(doubt));
  expect(doubts).toEqual([
    expect.stringMatching(/^These jobs have lower totals than their parts together, .*: [0-9a-f-]{36} "\\t/),
  ]);
  return target.target;
}

/** The contents after a start of a gateway, which makes functions and triggers, and may move the feed. */
async function expectEverything(target: DatabaseTarget, left: string[] = []): Promise<void> {
  await (await openDatabase(target)).close();
  const withoutFeed = (all: Contents) =>
    Object.entries(all).filter(([name]) => !['change_feed', ...left].includes(name));
  expect(withoutFeed(await contentsOf(target))).toEqual(withoutFeed(contents));
}

describe('into a new database', () => {
  test.each(['embedded', 'server'] as const)('(%s) every row arrives, and the feed continues', async (kind) => {
    const target = await restored(kind, backup);
    if (kind === 'server') {
      // The new database will use the same transaction id next; the changes can be read immediately anyway.
      const driver = await openDriver(target);
      await driver.withSession((run) =>
        run(`update changes set position = (select position_offset from change_feed)
          + (pg_current_xact_id()::text::bigint + 1) where position >= (select max(position) from changes)`),
      );
      await driver.close();
    }
    await expectEverything(target, kind === 'server' ? ['changes'] : []);
    const gateway = await createApp({ ...PATIENT, database: target });
    try {
      // Other databases of the test server have transactions too, which delay the feed for a moment.
      await until(
        'both changes can be read',
        () => changesIn(gateway, null),
        ({ ids }) => ids.length === 2,
      );
      expect(await changesIn(gateway, null)).toEqual({ ids: ['seen', 'missed'], cursors: cursors.first });
      await gateway.database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('new', 'x')`;
      const [seen] = cursors.first as [string];
      const readNewChanges = async () => (await changesIn(gateway, seen, 1000)).ids;
      await until('the watcher receives the new camera', readNewChanges, (ids) => ids.includes('new'));
      const ids = await readNewChanges();
      expect([ids[0], ids.at(-1)]).toEqual(['missed', 'new']);
      if (kind === 'embedded') expect((await changesIn(gateway, cursors.last)).ids).toEqual(['new']);
      const { errors } = await graphql(gateway, `{ changes(after: "${cursors.lost}") { nodes { cursor } } }`);
      expect(errors[0].extensions.code).toBe('CURSOR_EXPIRED');
      // Two spools, two filaments and the removed one had the numbers before.
      await gateway.database.prisma
        .$executeRaw`insert into filaments (id, name, material_id, filament_diameter_mm, weight_total_grams)
        select gen_random_uuid(), 'new', id, 1.75, 1000 from materials where name = 'PLA'`;
      expect((await graphql(gateway, '{ byNumber(number: 5) { __typename } }')).data.byNumber).toBeNull();
      expect((await graphql(gateway, '{ byNumber(number: 6) { __typename } }')).data.byNumber).not.toBeNull();
    } finally {
      await gateway.close();
    }
  });

  test('psql loads the same file into an empty database, and refuses another', async () => {
    fs.writeFileSync(file, backup);
    const target = await emptyDatabase('server');
    targets.push(target);
    await load(target.url);
    await expectEverything(target.target);
    await expect(load(target.url)).rejects.toThrow('The database is not empty');
    await expectEverything(target.target);
  });
});

/** If psql is missing, the driver of this program sends its two kinds of input. */
async function load(url: string): Promise<void> {
  const psql = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, url];
  const failed = await promisify(execFile)('psql', psql).then(
    () => undefined,
    (error) => error,
  );
  if (failed === undefined) return;
  if (failed.code !== 'ENOENT') throw failed;
  const driver = await openDriver({ kind: 'server', url, poolSize: 1 });
  try {
    await driver.withSession(async (run, rows) => {
      for await (const part of splitBackup(fs.createReadStream(file))) {
        await ('rows' in part ? rows(`COPY ${part.copy} (${part.columns})`, part.rows) : run(part.statements));
      }
    });
  } finally {
    await driver.close();
  }
}

/** The dump without the last column of one camera. */
const withoutColumn = (dump: string) => dump.replace(/^(.*\tOver the printer\t.*)\t.*$/m, '$1');

describe('a file that is not a complete backup', () => {
  /** With another first row of a table. */
  const spoilt = (dump: string, table: string, change: (row: string) => string) =>
    dump.replace(new RegExp(`(?<=^COPY ${table} \\(.*\\) FROM stdin;\n)(?!\\\\\\.).*`, 'm'), change);
  const withRows = (dump: string, more: number) =>
    dump.replace(/\d+(?= rows\.\n$)/, (rows) => String(Number(rows) + more));
  const spoils: [what: string, spoil: (dump: string) => string | Buffer, message: RegExp][] = [
    ['a column is missing', withoutColumn, /missing data for column/],
    ['a check fails', (dump) => dump.replaceAll('\t1.75\t1.24\t', '\t-1\t1.24\t'), /print_jobs_amounts/],
    [
      'a spool is in two slots at once',
      (dump) =>
        spoilt(dump, 'slot_loads', (row) =>
          row.replace('\t1999-06-01 00:00:00.001+00', '\t1999-06-01 00:00:00.002+00'),
        ),
      /slot_loads_spool_once/,
    ],
    ['a reference leads nowhere', (dump) => dump.replace('plain\tOver', 'other\tOver'), /_camera_id_fkey/],
    ['the end is missing', (dump) => dump.slice(0, dump.length * 0.9), /is not a complete backup/],
    ['the commit is missing', (dump) => dump.replace('COMMIT;\n-- The', '-- The'), /is not a complete backup/],
    [
      'a row is missing',
      (dump) => dump.replace(/^.*\tOver the printer\t.*\n/m, ''),
      /is not a complete backup: it has \d+ rows instead of \d+\./,
    ],
    ['it starts with other text', (dump) => dump.replace('-- Print', '-- print'), /is not a backup/],
    ['it is empty', () => '', /is not a backup/],
    ['it is compressed', (dump) => gzipSync(dump), /is compressed\. Unpack it with gunzip first/],
    [
      'it is in UTF-16',
      (dump) => Buffer.from(`\ufeff${dump}`, 'utf16le'),
      /is in UTF-16, because > in PowerShell changes/,
    ],
    ['it has a mark of UTF-8', (dump) => `\ufeff${dump}`, /starts with a byte order mark/],
    ['it has the line ends of Windows', (dump) => dump.replaceAll('\n', '\r\n'), /has Windows line ends/],
    [
      'a count differs from its rows',
      (dump) => spoilt(dump, 'print_job_counts', (row) => row.replace(/\d+$/, '17')),
      /The backup is inconsistent: print_job_counts differs from the rows of print_jobs/,
    ],
    [
      'a job lacks its first part',
      (dump) =>
        withRows(spoilt(dump, 'print_job_parts', () => '').replace(/^(COPY print_job_parts .*\n)\n/m, '$1'), -1),
      /The backup is inconsistent: print_job_parts differs from the rows of print_jobs \(differences: 1\)/,
    ],
    [
      'a latest status differs from its record',
      (dump) => spoilt(dump, 'camera_latest_status', (row) => row.replace(/\t(1999|20\d\d)-/, '\t1998-')),
      /The backup is inconsistent: camera_latest_status differs from the rows of camera_status \(differences: 1\)/,
    ],
    [
      'a camera watches what its history does not contain',
      (dump) => dump.replace(/^(COPY camera_watches .*?\t)\\N\t/ms, '$12099-01-01 00:00:00+00\t'),
      /The backup is inconsistent: camera_watches differs from the rows of cameras \(differences: 1\)/,
    ],
    [
      'a table is not of a gateway',
      (dump) => dump.replace(/^COPY spools /m, 'COPY pg_authid '),
      /has rows of an unknown table, pg_authid\./,
    ],
    [
      'it claims to have functions, which no backup has',
      (dump) => withRows(dump.replace(/^COPY spools /m, 'COPY sql_files (name, hash) FROM stdin;\nx\ty\n\\.\n\n$&'), 1),
      /has rows of an unknown table, sql_files\./,
    ],
    [
      'it has a migration that no build has',
      (dump) => spoilt(dump, '_prisma_migrations', (row) => row.replace(/\t2026\d+_/, '\t2099_')),
      /it has the migration 2099_\w+/,
    ],
    [
      'its tables are of an older build',
      (dump) => dump.replace(/^-- Migration \S+$/m, '-- Migration 20261120000000_farm'),
      /An older version of the gateway made this backup\. Restore it with that version\./,
    ],
    [
      'it lacks a migration of its tables',
      (dump) =>
        withRows(spoilt(dump, '_prisma_migrations', () => '').replace(/^(COPY _prisma_migrations .*\n)\n/m, '$1'), -1),
      /The backup is damaged: the row of the migration \d+_\w+ is missing\. Nothing was restored\./,
    ],
    [
      'a position of the feed is the greatest number',
      (dump) => spoilt(dump, 'change_feed', (row) => row.replace(/^t\t\d+/, 't\t9223372036854775807')),
      /The backup is damaged: the position in change_feed is impossible\. Nothing was restored\./,
    ],
    [
      'a time has no end',
      (dump) => spoilt(dump, 'changes', (row) => row.replace(/\d{4}-\d\d-\d\d [\d:.]+\+00/, 'infinity')),
      /The backup is damaged: changes has an infinite time\. Nothing was restored\./,
    ],
    [
      'the feed of changes is missing',
      (dump) => withRows(spoilt(dump, 'change_feed', () => '').replace(/^(COPY change_feed .*\n)\n/m, '$1'), -1),
      /The backup is damaged: change_feed has no row\. Nothing was restored\./,
    ],
  ];
  /** For all cases, because each leaves the database empty. */
  let empty: FreshDatabase;
  beforeAll(async () => {
    empty = await emptyDatabase('server');
  });
  afterAll(() => empty.drop());

  test.each(spoils)('%s: it is refused, and nothing of its rows is left', async (_what, spoil, message) => {
    const whole = withoutHash(backup);
    const dump = spoil(whole);
    expect(dump).not.toBe(whole);
    fs.writeFileSync(file, dump);
    await expect(restore(empty.target, file)).rejects.toThrow(message);
    expect(await onServer(empty.url, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  });

  // A restore that a signal stops is in test/e2e/backup.test.ts.
  test('leaves no directory if there was none', async () => {
    const target = { kind: 'directory', path: join(folder, 'new') } as const;
    fs.writeFileSync(file, withoutColumn(withoutHash(backup)));
    await expect(restore(target, file)).rejects.toThrow('missing data for column');
    expect(fs.existsSync(target.path)).toBe(false);
  });

  test('is refused before anything is created, whichever line is missing, doubled or not of a backup', async () => {
    const target = { kind: 'directory', path: join(folder, 'new') } as const;
    const expectRefused = async (dump: string, message: RegExp) => {
      fs.writeFileSync(file, dump);
      await expect(restore(target, file)).rejects.toThrow(message);
    };
    const lines = backup.split('\n');
    const some = lines.map((_, at) => at).filter((at) => at % 29 === 0 || at < 3 || at > lines.length - 4);
    for (const at of some.filter((at) => lines[at] !== '')) {
      await expectRefused(
        lines.toSpliced(at, 1).join('\n'),
        / is not a (complete )?backup| was changed after the backup|^Line \d+ of the file was changed/,
      );
    }
    await expectRefused(lines.toSpliced(100, 0, '').join('\n'), /Line 101 of the file was changed/);
    for (const [statement, before] of [
      ["COPY cameras TO PROGRAM 'true';", /^COPY cameras \(/m],
      ["COPY cameras FROM PROGRAM 'true';", /^COPY cameras \(/m],
      ['COMMIT;', /^COPY cameras \(/m],
      ['COMMIT;', /^SET LOCAL timezone/m],
      ['TRUNCATE cameras; DROP TABLE spools;', /^TRUNCATE/m],
      ["SELECT setval('x', 1, 't'), pg_sleep(100);", /^SELECT setval/m],
      [
        'CREATE TABLE x PARTITION OF camera_status FOR VALUES FROM (f()) TO (MAXVALUE);',
        /^CREATE TABLE camera_status_old/m,
      ],
      ['ALTER TABLE cameras ADD CONSTRAINT x CHECK (f());', /^ALTER TABLE \S+ ADD/m],
      ['\\! true', /^ANALYZE/m],
    ] as const) {
      const whole = withoutHash(backup);
      const at = whole.search(before);
      expect(at).toBeGreaterThan(0);
      const line = whole.slice(0, at).split('\n').length;
      await expectRefused(
        `${whole.slice(0, at)}${statement}\n${whole.slice(at)}`,
        new RegExp(`Line ${line} of the file was changed`),
      );
    }
    expect(fs.existsSync(target.path)).toBe(false);
  });
});

describe('taking a backup', () => {
  const copies = async () => (await read(`select from pg_class where relpersistence = 't'`)).length;

  test('writes to a device or a pipe, and through a link, and each of them stays', async () => {
    const [link, early, pipe, device] = ['link', 'early', 'pipe', 'device'].map((name) => join(folder, name)) as [
      ...[string, string, string, string],
    ];
    fs.writeFileSync(file, 'the one before');
    fs.symlinkSync('farm.sql', link);
    fs.symlinkSync('later.sql', early);
    fs.symlinkSync('/dev/null', device);
    await promisify(execFile)('mkfifo', [pipe]);
    const [piped] = await Promise.all([
      fs.promises.readFile(pipe, 'utf8'),
      ...[link, early, pipe, device].map((name) => backUp(path, name)),
    ]);
    for (const dump of [file, join(folder, 'later.sql')])
      expect(readRows(fs.readFileSync(dump, 'utf8'))).toBe(readRows(piped));
    expect(piped).toContain('COPY');
    for (const name of [link, early, device]) expect(fs.lstatSync(name).isSymbolicLink()).toBe(true);
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
    expect(fs.statSync(device).isCharacterDevice()).toBe(true);
    expect(fs.readdirSync(folder).sort()).toEqual(['device', 'early', 'farm.sql', 'later.sql', 'link', 'pipe']);
    expect(await copies()).toBe(0);
  });

  test('makes a file for the account of the gateway alone, and only the one who asks is answered', async () => {
    await backUp(path, file);
    const door = requestAddress(path);
    expect([door, file].map((name) => fs.statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
    const sendWords = async (address: string, words: string) => {
      const socket = connect(address);
      let bytes = 0;
      socket.on('error', () => {}).on('data', (data) => (bytes += data.length));
      socket.write(words);
      await waitForClose(socket, () => ({ bytes }));
      return bytes;
    };
    expect(await sendWords(door, 'GET / HTTP/1.1\r\n\r\n')).toBe(0);
    // The name that every account of the machine can reach is only that of the directory.
    for (const address of lockAddresses(path).filter((address) => address !== door)) {
      expect(await sendWords(address, 'backup\n')).toBe(0);
    }
    expect(await sendWords(door, 'backup\n')).toBe(fs.statSync(file).size);
  });

  test('is a snapshot: a slow reader blocks nobody, gets no later write, and its copies are deleted with it', async () => {
    await makeLarge();
    const ask = () => {
      const socket = connect(requestAddress(path)).pause();
      socket.write('backup\n');
      return socket;
    };
    const slow = ask();
    await until('the gateway has copies of tables', copies, atLeast(1));
    for (let n = 0; n < 20; n += 1) expect((await app.inject({ url: '/cameras/plain' })).statusCode).toBe(200);
    await addCameras('written meanwhile');
    expect(await copies()).toBeGreaterThan(0);
    const next = ask();
    const [before, after] = await inTime('both backups come', Promise.all([text(slow), text(next)]));
    expect([before, after].map((dump) => dump.includes('written meanwhile'))).toEqual([false, true]);
    const left = ask();
    await until('the gateway has copies of tables', copies, atLeast(1));
    left.destroy();
    await until('the copies are gone', copies, is(0));
  });

  test('replaces the previous backup only when the new one is complete, also without a gateway', async () => {
    await backUp(path, file);
    const whole = fs.readFileSync(file, 'utf8');
    const broken = expect(backUp(path, file)).rejects.toThrow(
      /^The (backup is incomplete|gateway could not finish the backup)/,
    );
    await until(
      'the new backup has started',
      () => fs.statSync(`${file}.unfinished`, { throwIfNoEntry: false })?.size ?? 0,
      atLeast(1),
    );
    isOpen = false;
    await app.close();
    await broken;
    expect(fs.readFileSync(file, 'utf8')).toBe(whole);
    expect(fs.readdirSync(folder)).toEqual(['farm.sql']);
    expect((await backUp(path, file)).throughGateway).toBe(false);
    expect(readRows(fs.readFileSync(file, 'utf8'))).toBe(readRows(whole));
  });

  test('creates no database if there is none', async () => {
    await expect(backUp(join(folder, 'nowhere'), file)).rejects.toThrow(`There is no database in ${folder}/nowhere.`);
    const empty = await emptyDatabase('embedded');
    targets.push(empty);
    await expect(backUp((empty.target as { path: string }).path, file)).rejects.toThrow('There is nothing to back up');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

/** More than sockets hold: some 20 MB. */
const makeLarge = () =>
  execute(`insert into idempotency_keys (caller, key, fingerprint, answer, created_at)
    select '', 'key ' || n, 'f', to_json(repeat('x', 100000)), now() from generate_series(1, 200) n`);

/** The first line has the time, and the last line the hash of all lines. */
const readRows = (dump: string) => dump.split('\n').slice(1, -2).join('\n');

/** As older versions wrote it. */
const withoutHash = (dump: string) => dump.replace(/, SHA-256 [0-9a-f]{64}\.\n$/, '.\n');

const CATALOGUE = ['columns', 'constraints', 'indexes', 'partitions', 'triggers', 'functions', 'sequences'];
const listTables = (all: Contents) => Object.entries(all).filter(([name]) => !CATALOGUE.includes(name));
