// Two farms in two schemas of one database: a write into one leaves the other as it is.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../src/database/database';
import { emptyDatabase, type FreshDatabase } from '../support/databases';

let fresh: FreshDatabase;
const farms: Database[] = [];
let other: Client;
beforeAll(async () => {
  fresh = await emptyDatabase('server');
  for (const schema of ['a', 'b']) {
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

test('a program with a search_path of its own writes into the farm that it names alone', async () => {
  const id = randomUUID();
  await other.query('set search_path = b');
  await other.query(`insert into a.cameras (camera_id, friendly_name) values ('one', 'x');
    insert into a.camera_status (camera_id, recorded_at) values ('one', now()), ('one', now() + interval '1 s');
    select from a.record_camera_statuses('[{"camera_id": "one", "online": true}]'::json, now() + interval '2 s');
    delete from a.camera_status where recorded_at > now() + interval '1500 ms';
    insert into a.materials values ('${id}', 'PLA', 1.24);
    insert into a.printers (id, name) values ('${id}', 'x');
    insert into a.spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
      values ('${id}', 'x', 1.75, 1000, '${id}');
    insert into a.print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
      cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print)
      values ('${id}', '${id}', '${id}', 'x', 'x', 1, 1, 1, 'Queued', 'Manual', 1, 1);
    select a.maintain_status_log(7, now())`);
  const { rows } = await other.query(`select s, jobs, latest from
    (select 'a' as s, (select sum(jobs)::int from a.print_job_counts) as jobs,
      (select json_agg(recorded_at > now()) from a.camera_latest_status) as latest
    union all
    select 'b', (select sum(jobs)::int from b.print_job_counts), (select json_agg(1) from b.camera_latest_status)) x`);
  expect(rows).toEqual([
    { s: 'a', jobs: 1, latest: [true] },
    { s: 'b', jobs: null, latest: null },
  ]);
});

test('every function names the schema that it works in, unless its names were looked up when it was made', async () => {
  const { rows } = await other.query(`select n.nspname || '.' || p.proname as function from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('a', 'b')
    and p.prosqlbody is null and not coalesce(p.proconfig, '{}') @> array[format('search_path=%s, pg_temp', n.nspname)]`);
  expect(rows).toEqual([]);
});
