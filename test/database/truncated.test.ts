// Other programs truncate tables, one or several at once.
import { randomUUID } from 'node:crypto';
import { finalizeFilming } from '../../src/farm/filming/filming.maintenance';
import { makeFarm } from '../support/farm';
import { createRecords, storeCamera, storeJob, storePrinters } from '../support/films';
import { test, useGateway } from '../support/gateway';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

// By triggers, which are the same in the built-in database.
describe('tables that another program truncates', () => {
  const gateway = useGateway('server');

  test('are empty together with everything derived from them, in every pair', async () => {
    const [farm, printer] = [await makeFarm(gateway), randomUUID()];
    await storePrinters(gateway, [printer]);
    const job = await storeJob(gateway, farm, printer, [BEGIN, BEGIN + HOUR]);
    await storeCamera(gateway, printer, createRecords('recording', BEGIN, BEGIN + HOUR));
    await finalizeFilming(gateway.database(), ['recording']);
    await gateway.sql(`insert into print_job_parts (job_id, number, spool_id, mm_extruded, grams_derived, cost,
      filament_diameter_at_print_mm, material_density_at_print, filament_basis)
      select id, 0, null, null, null, null, null, null, 'MEASURED' from print_jobs where id = '${job}'
      union all select id, 1, spool_id, 0, 0, 0, 0, 0, 'MEASURED' from print_jobs where id = '${job}'`);
    const tables: string[] = (
      await gateway.sql(`select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like '\\_prisma%'
        -- It is refused but together with its spools.
        and c.relname <> 'spool_adjustments' order by 1`)
    ).map(({ name }: { name: string }) => name);
    expect(tables).toEqual(expect.arrayContaining(['job_filming', 'print_job_parts', 'print_jobs', 'spools']));
    /** What the database contains after the truncate. An error that is raised on purpose rolls it back. */
    const truncated = async (...names: string[]) => {
      const text = `do $$ begin truncate ${[...new Set(names)].join()} cascade;
          if exists (select from print_jobs) then raise 'jobs are left'; end if;
          if exists (select from print_job_parts) or exists (select from job_filming)
            or exists (select from print_job_counts) or exists (select from print_job_status_changes)
          then raise 'rests'; end if; raise 'undone'; end $$`;
      const error = await gateway.sql(text).catch((cause: Error) => cause.message);
      return `${names}: ${/jobs are left|undone/.exec(String(error))?.[0] ?? error}`;
    };
    const alone: string[] = [];
    for (const name of tables) alone.push(await truncated(name));
    const leading = tables.filter((name) => alone.includes(`${name}: undone`));
    expect(leading).toEqual(expect.arrayContaining(['materials', 'print_jobs', 'printers', 'spools']));
    expect(alone).toEqual(tables.map((name) => `${name}: ${leading.includes(name) ? 'undone' : 'jobs are left'}`));
    for (const one of leading)
      for (const other of tables) expect(await truncated(one, other)).toBe(`${one},${other}: undone`);
  });
});
