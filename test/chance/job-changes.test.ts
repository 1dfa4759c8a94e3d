// Watchers of jobs and the list of jobs must select the same jobs for the same generated filter.

import { openDatabase } from '../../src/database/database';
import { createJobMatcher } from '../../src/farm/changes/change.filter';
import { ChangeStore } from '../../src/farm/changes/change.store';
import { PrintJobPages } from '../../src/farm/print-jobs/print-job.pages';
import { freshDatabase } from '../support/databases';
import fc from '../support/generated';
import { until } from '../support/waiting';

const STATUSES = ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'];
const SOURCES = ['Mqtt', 'PrinterApi', 'Manual'];
const IDS = ['0a000000-0000-4000-8000-00000000000a', '0b000000-0000-4000-8000-00000000000b'];
const TIMES = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-06-01T12:00:00.000Z'];
const NAMES = ['Benchy 100%', 'benchy_2', 'Be\\nchy', 'ÉCLAIR 😀', '', 'cube'];
const SEARCHES = ['', 'B', 'enchY', '%', '_', '\\', 'é', '😀', 'cube ', 'x'];

const or = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: null });
const filters = fc.record(
  {
    printerId: or([...IDS, ...IDS.map((id) => id.toUpperCase())]),
    spoolId: or(IDS),
    status: fc.option(fc.subarray(STATUSES), { nil: null }),
    dataSource: or(SOURCES),
    createdFrom: or(TIMES),
    createdTo: or(TIMES),
    search: or(SEARCHES),
  },
  { requiredKeys: [] },
);
const listed = (values: string[]) => values.map((value) => `('${value}')`).join();

test('a filter keeps the same jobs for watchers as in the list', async () => {
  const fresh = await freshDatabase('server');
  const database = await openDatabase(fresh.target);
  const run = (text: string) => database.prisma.$executeRawUnsafe(text);
  await run(`insert into materials (id, name, density_g_per_cm3) values ('${IDS[0]}', 'm', 1)`);
  await run(`insert into printers (id, name) select id::uuid, 'p' from (values ${listed(IDS)}) v (id)`);
  await run(`insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
    select id::uuid, id, 1, 1, '${IDS[0]}' from (values ${listed(IDS)}) v (id)`);
  await run(`insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
      cost_per_print, status, data_source, filament_diameter_at_print_mm, material_density_at_print, created_at)
    select gen_random_uuid(), p.id::uuid, s.id::uuid, name, '', 0, 0, 0, status, source, 0, 0, at::timestamptz
    from (values ${listed(IDS)}) p (id), (values ${listed(IDS)}) s (id), (values ${listed(NAMES)}) n (name),
      (values ${listed(SOURCES)}) d (source), (values ${listed(TIMES)}) t (at), (values ${listed(STATUSES)}) u (status)`);
  const made = NAMES.length * SOURCES.length * TIMES.length * STATUSES.length * IDS.length ** 2;
  const store = new ChangeStore(database);
  const jobs = new PrintJobPages(database);
  const changesOfJobs = async () => (await store.after(null, 10_000)).filter(({ type }) => type === 'PRINT_JOB');
  const changes = await until(
    `the changes of ${made} jobs can be read`,
    changesOfJobs,
    (found) => found.length === made && found,
  );
  const kept = new Set<number>();
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const range = { first: made, after: null, offset: 0, selected: { rows: true, total: false } };
      const inList = (await jobs.page(filter, 'CREATED_AT_DESC', range)).nodes.map(({ id }) => id);
      const watched = changes.filter(createJobMatcher({ filter })).map(({ entity }) => entity);
      expect(watched.sort()).toEqual(inList.sort());
      kept.add(inList.length);
    }),
    { numRuns: 300 },
  );
  expect(kept.size).toBeGreaterThan(5);
  await database.close();
  await fresh.drop();
});
