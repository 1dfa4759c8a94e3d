// Ownership of tables: two farms in two schemas of one database, and roles that own no table.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createApp } from '../../src/app';
import { type Database, openDatabase, openDriver } from '../../src/database/database';
import { maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { emptyDatabase, type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { PATIENT } from '../support/gateway';

describe('two farms', () => {
  let fresh: FreshDatabase;
  const farms: Database[] = [];
  let other: Client;
  beforeAll(async () => {
    fresh = await emptyDatabase('server');
    for (const schema of ['a', 'Farm of Ann']) {
      const url = new URL(fresh.url);
      url.searchParams.set('schema', schema);
      farms.push(await openDatabase({ kind: 'server', url: url.toString(), poolSize: 2 }));
    }
    other = new Client({ connectionString: fresh.url });
    await other.connect();
  });
  afterAll(async () => {
    await other?.end();
    for (const farm of farms) await farm.close();
    await fresh?.drop();
  });

  test('a program with its own search_path writes only into the farm that it names', async () => {
    const id = randomUUID();
    await other.query('set search_path = "Farm of Ann"');
    await other.query(`insert into a.cameras (camera_id, friendly_name) values ('one', 'x');
      insert into a.camera_status (camera_id, recorded_at) values ('one', now()), ('one', now() + interval '1 s');
      select from a.record_camera_statuses('[{"camera_id": "one", "online": true}]'::json, now() + interval '2 s');
      delete from a.camera_status where recorded_at > now() + interval '1500 ms';
      insert into a.materials values ('${id}', 'PLA', 1.24);
      insert into a.printers (id, name) values ('${id}', 'x');
      insert into a.spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        values ('${id}', 'x', 1.75, 1000, '${id}');
      insert into a.slot_loads values ('${id}', 'tool:0', '${id}', now());
      insert into a.print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
        cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print)
        values ('${id}', '${id}', '${id}', 'x', 'x', 1, 1, 1, 'Queued', 'Manual', 1, 1);
      select a.maintain_status_log(7, now())`);
    const found = farms.map(async ({ prisma }) => ({
      jobs: await prisma.printJobCount.aggregate({ _sum: { jobs: true } }),
      latest: await prisma.cameraLatestStatus.count(),
      slots: await prisma.printerSlot.count(),
    }));
    expect(await Promise.all(found)).toEqual([
      { jobs: { _sum: { jobs: 1n } }, latest: 1, slots: 1 },
      { jobs: { _sum: { jobs: null } }, latest: 0, slots: 0 },
    ]);
  });

  test('every function names the schema that it works in, unless its names were resolved when it was created', async () => {
    const { rows } = await other.query(`select n.nspname || '.' || p.proname as function from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
      -- The functions of a type are PostgreSQL's own.
      where n.nspname in ('a', 'Farm of Ann') and p.prosqlbody is null and l.lanname <> 'internal'
      and not coalesce(p.proconfig, '{}') @> array[format('search_path=%I, pg_temp', n.nspname)]`);
    expect(rows).toEqual([]);
  });
});

test('a role that may only write rows deletes expired keys, and learns why it cannot create partitions', async () => {
  const fresh = await freshDatabase('server');
  const role = `no_owner_${process.pid}`;
  await onServer(
    fresh.url,
    `create role ${role} login; grant select, insert, update, delete on all tables in schema public to ${role};
     insert into idempotency_keys values ('', 'old', 'x', '{}', now() - interval '25 hours'), ('', 'new', 'x', '{}', now()),
       ('', 'ahead', 'x', '{}', now() + interval '10 years')`,
  );
  const database = {
    kind: 'server' as const,
    url: Object.assign(new URL(fresh.url), { username: role }).href,
    poolSize: 2,
  };
  const driver = await openDriver(database);
  const inTwoMonths = new Date(Date.now() + 60 * 24 * 60 * 60 * 1000);
  await expect(maintainStatusLog(driver, null, inTwoMonths)).rejects.toThrow(
    'Only the owner of camera_status can create and drop its partitions. Run the gateway with the role that owns the table',
  );
  await driver.close();
  // From now on the maintenance of partitions fails at each start.
  await onServer(fresh.url, 'revoke execute on function maintain_status_log from public');
  const app = await createApp({ ...PATIENT, database });
  const keys = await app.database.prisma
    .$queryRaw`select key, created_at > now() as is_ahead from idempotency_keys order by key desc`;
  await app.close();
  // A clock that was ahead wrote the key, which counts as written now.
  expect(keys).toEqual(['new', 'ahead'].map((key) => ({ key, is_ahead: false })));
  await onServer(fresh.url, `drop owned by ${role}; drop role ${role}`);
  await fresh.drop();
});
