// The totals of lists of print jobs, which are counted as jobs are written: exact after statements of any program. Reports and
// the grams of spools are added up from the jobs themselves (test/integration/reports.test.ts).
import { randomUUID } from 'node:crypto';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob } from '../support/farm';
import { expectData, expectStatus, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { useSessions } from '../support/sessions';
import { has, until, waitsForTable } from '../support/waiting';

/** As the maintenance does it. */
const FOLD = `with removed as (delete from print_job_counts returning *)
  insert into print_job_counts (printer_id, status, data_source, jobs)
  select printer_id, status, data_source, sum(jobs) from removed group by 1, 2, 3 having sum(jobs) <> 0`;
const DIFFERENCES = `select printer_id, status, data_source, sum(jobs)::int as too_many from (
    select printer_id, status, data_source, jobs from print_job_counts
    union all select printer_id, status, data_source, -1 from print_jobs
  ) c group by 1, 2, 3 having sum(jobs) <> 0`;

describe('the counts of print jobs', () => {
  const gateway = useGateway('server');
  const session = useSessions(gateway);
  let farms: [Farm, Farm];
  let farm: Farm;
  beforeEach(async () => {
    farms = [await makeFarm(gateway), await makeFarm(gateway)];
    [farm] = farms;
  });

  const insert = ({ printerId, spoolId }: Farm, status = 'Completed', source = 'Manual', count = 1) => `
    insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived, cost_per_print,
      status, data_source, filament_diameter_at_print_mm, material_density_at_print)
    select gen_random_uuid(), '${printerId}', '${spoolId}', 'x', '', 0, 7, 0, '${status}', '${source}', 0, 0
    from generate_series(1, ${count})`;

  const kinds = fc.record({
    farm: fc.nat(1),
    status: fc.constantFrom('Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'),
    source: fc.constantFrom('Mqtt', 'PrinterApi', 'Manual'),
  });
  const some = fc.nat(4).map((n) => `where hashtext(id::text) % 5 = ${n}`);
  const write = fc.oneof(
    fc.tuple(kinds, fc.nat(5)).map(([to, count]) => insert(farms[to.farm] as Farm, to.status, to.source, count)),
    fc.tuple(kinds, some).map(
      ([to, where]) => `update print_jobs set printer_id = '${farms[to.farm]?.printerId}', status = '${to.status}',
        data_source = '${to.source}' ${where}`,
    ),
    some.map((where) => `delete from print_jobs ${where}`),
    fc.constant('truncate print_jobs'),
  );
  const undone = write.map(
    (text) => `do $$ begin ${text}; raise division_by_zero; exception when division_by_zero then null; end $$`,
  );

  test('match the jobs after any statements, and after a start, which merges the rows of each count', async () => {
    const steps = fc.array(fc.oneof(write, write, undone, fc.constant(FOLD)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (statements) => {
        for (const statement of statements) await gateway.sql(statement);
        expect(await gateway.sql(DIFFERENCES)).toEqual([]);
      }),
      { numRuns: 40, endOnFailure: true },
    );
    await gateway.sql('truncate print_jobs');
    for (let n = 0; n < 3; n += 1) await gateway.sql(insert(farm));
    await gateway.restart();
    expect(await gateway.sql('select jobs::int from print_job_counts')).toEqual([{ jobs: 3 }]);
  });

  test('include the jobs of a keyed write in its answer, before its commit', async () => {
    await makeJob(gateway, farm);
    const members = 'printer { jobs { totalCount } } spool { plannedGrams jobs { totalCount } }';
    const query = `mutation { createPrintJob(input: { printerId: "${farm.printerId}", spoolId: "${farm.spoolId}",
      printName: "x", dataSource: MANUAL, gramsDerived: "1.5" }) { id ${members} } }`;
    const answer = await gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() });
    const { id, ...told } = expectStatus(answer, 200).body.data.createPrintJob;
    const expected = { printer: { jobs: { totalCount: 2 } }, spool: { plannedGrams: '5', jobs: { totalCount: 2 } } };
    expect(told).toEqual(expected);
    expect(expectData(await gateway.graphql(`{ printJob(id: "${id}") { ${members} } }`)).printJob).toEqual(expected);
  });

  test('a transaction that wrote a job blocks no other job of its printer and spool', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await makeJob(gateway, farm)).Id);
    await gateway.sql(`begin; ${insert(farm)}`);
    try {
      const writes = [false, true].flatMap((isKeyed) => {
        const send = (method: string, path: string, body?: object) =>
          gateway.rest(method, `/api/printjobs${path}`, body, isKeyed ? { 'idempotency-key': randomUUID() } : {});
        const [put, patched, deleted] = ids.splice(0, 3);
        return [
          send('POST', '', jobRequest(farm)),
          send('PUT', `/${put}`, jobUpdate(farm, { GramsDerived: 4 })),
          send('PATCH', `/${patched}/status`, { Status: 'Printing' }),
          send('DELETE', `/${deleted}`),
        ];
      });
      expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 200, 200, 204, 201, 200, 200, 204]);
    } finally {
      await gateway.sql('commit');
    }
    expect(await gateway.sql(DIFFERENCES)).toEqual([]);
  });

  test('a program that truncates the table waits for another that merges the rows of each count', async () => {
    const [folding, emptying] = [await session(), await session()];
    await makeJob(gateway, farm);
    await folding.query('begin');
    await folding.query(FOLD);
    const emptied = emptying.query('truncate print_jobs');
    await until(
      'the other program waits',
      () => folding.query(waitsForTable('print_job_counts')),
      has({ rowCount: 1 }),
    );
    await folding.query('commit');
    await emptied;
    expect(await gateway.sql('select from print_job_counts')).toEqual([]);
  });
});
