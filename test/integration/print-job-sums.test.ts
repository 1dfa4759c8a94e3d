// The counts of jobs and the sums of spools, which a transaction changes at its commit: its rows stay free until then.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { timeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, describeOnServer, type FreshDatabase, freshDatabase } from '../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob } from '../support/farm';
import { expectData, type Gateway, type Parsed, test, useGateway } from '../support/gateway';

const sumsOf = async (gateway: Gateway, { printerId, spoolId }: Farm) => {
  const [counted] = await gateway.sql(`
    select (select json_object_agg(status, jobs order by status) from print_job_counts
        where printer_id = '${printerId}' and jobs <> 0) as jobs,
      (select concat(trim_scale(used_grams), ' used, ', trim_scale(planned_grams), ' planned') from filament_by_spool
        where spool_id = '${spoolId}') as grams,
      (select count(*)::int from print_job_sums_to_add) as waiting`);
  return counted;
};

const insertJob = ({ printerId, spoolId }: Farm, grams: string, status = 'Queued') => `
  insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived, cost_per_print,
    status, data_source, filament_diameter_at_print_mm, material_density_at_print, created_at, updated_at)
  values ('${randomUUID()}', '${printerId}', '${spoolId}', 'x', '', 0, ${grams}, 0, '${status}', 'Manual', 0, 0, now(), now())`;

describeOnDatabases('the sums of print jobs', (kind) => {
  const gateway: Gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });

  test('have all statements of a transaction once, without what a savepoint undid', async () => {
    await gateway.sql(`do $$ begin
      ${insertJob(farm, '1.25')}; ${insertJob(farm, '2', 'Completed')};
      begin ${insertJob(farm, '100')}; raise division_by_zero; exception when division_by_zero then null; end;
      update print_jobs set status = 'Printing' where spool_id = '${farm.spoolId}' and status = 'Queued';
      ${insertJob(farm, '0.5')};
      delete from print_jobs where spool_id = '${farm.spoolId}' and status = 'Completed';
    end $$`);
    expect(await sumsOf(gateway, farm)).toEqual({
      jobs: { Printing: 1, Queued: 1 },
      grams: '0 used, 1.75 planned',
      waiting: 0,
    });
  });

  test('forget the jobs that a transaction wrote before it emptied the table', async () => {
    await gateway.sql(`do $$ begin
      ${insertJob(farm, '1.25')};
      truncate print_jobs cascade;
      ${insertJob(farm, '0.5')};
    end $$`);
    expect(await sumsOf(gateway, farm)).toEqual({ jobs: { Queued: 1 }, grams: '0 used, 0.5 planned', waiting: 0 });
  });

  test('have the own jobs of a keyed write in its answer, before its commit', async () => {
    await makeJob(gateway, farm);
    const query = `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) {
      printer { jobs { totalCount } } spool { plannedGrams jobs { totalCount } } } }`;
    const variables = {
      input: {
        ...{
          printerId: farm.printerId,
          spoolId: farm.spoolId,
          printName: 'x',
          gcodeFilePath: '',
          dataSource: 'MANUAL',
        },
        ...{ gramsDerived: '1.5', mmExtruded: '0', costPerPrint: '0' },
      },
    };
    const answer = await gateway.rest('POST', '/graphql', { query, variables }, { 'idempotency-key': randomUUID() });
    const { createPrintJob } = expectData({ ...answer, data: answer.body.data, errors: answer.body.errors ?? [] });
    expect(createPrintJob).toEqual({
      printer: { jobs: { totalCount: 2 } },
      spool: { plannedGrams: '5', jobs: { totalCount: 2 } },
    });
    const after = expectData(
      await gateway.graphql(
        `{ printer(id: "${farm.printerId}") { jobs { totalCount } } spool(id: "${farm.spoolId}") { plannedGrams } }`,
      ),
    );
    expect(after).toEqual({ printer: { jobs: { totalCount: 2 } }, spool: { plannedGrams: '5' } });
  });
});

describeOnServer('beside other programs', () => {
  const gateway: Gateway = useGateway('server');

  test('a transaction that wrote a job keeps no other job of its printer and spool waiting', async () => {
    const farm = await makeFarm(gateway);
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await makeJob(gateway, farm)).Id);
    await gateway.sql(`begin; ${insertJob(farm, '7', 'Completed')}`);
    try {
      const writes = [{}, { 'idempotency-key': randomUUID() }].flatMap((key, n) => {
        const path = (place: number) => `/api/printjobs/${ids[3 * n + place]}`;
        const headers = key as Record<string, string>;
        return [
          gateway.rest('POST', '/api/printjobs', jobRequest(farm), headers),
          gateway.rest('PUT', path(0), jobUpdate(farm, { GramsDerived: 4 }), withOwnKey(headers)),
          gateway.rest('PATCH', `${path(1)}/status`, { Status: 'Printing' }, withOwnKey(headers)),
          gateway.rest('DELETE', path(2), undefined, withOwnKey(headers)),
        ];
      });
      expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 200, 200, 204, 201, 200, 200, 204]);
      expect((await sumsOf(gateway, farm)).jobs).toEqual({ Cancelled: 2, Printing: 2, Queued: 4 });
    } finally {
      await gateway.sql('commit');
    }
    const { jobs, grams } = await sumsOf(gateway, farm);
    expect(jobs).toEqual({ Cancelled: 2, Completed: 1, Printing: 2, Queued: 4 });
    // Six jobs of 3.5 grams are planned still, two of them with 4 grams now; the other program's 7 grams are used.
    expect(grams).toBe('7 used, 22 planned');
  });

  test('sums that a program has locked keep new jobs waiting, and lose none', async () => {
    const farm = await makeFarm(gateway);
    await makeJob(gateway, farm);
    await gateway.sql('begin; select from print_job_counts for update');
    let waiting: Promise<{ status: number }>[];
    try {
      waiting = [{}, {}, {}, { 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }].map((headers) =>
        gateway.rest('POST', '/api/printjobs', jobRequest(farm), headers as Record<string, string>),
      );
      // Longer than the groups wait for a lock.
      await gateway.sql('select pg_sleep(0.5)');
    } finally {
      await gateway.sql('rollback');
    }
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect((await sumsOf(gateway, farm)).jobs).toEqual({ Queued: 6 });
  });
});

const withOwnKey = (headers: Record<string, string>): Record<string, string> =>
  'idempotency-key' in headers ? { 'idempotency-key': randomUUID() } : {};

describeOnServer('on two gateways', () => {
  let fresh: FreshDatabase;
  let replicas: App[];
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    const config = { ...readConfig({ LOG_LEVEL: 'silent' }), database: fresh.target };
    // The sums must be right; how long a write takes is not the question here.
    const patient = { ...config, budget: timeBudget(30_000) };
    replicas = [await createApp(patient), await createApp(patient)];
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) await replica.close();
    await fresh?.drop();
  });

  globalThis.test('writes with and without keys to three printers are all done', async () => {
    const WRITERS = 48;
    const ROUNDS = 6;
    const server = new Client({ connectionString: fresh.url });
    await server.connect();
    const odd: string[] = [];
    let turn = 0;
    const send = async (method: string, url: string, payload?: object): Promise<Parsed> => {
      const n = turn++;
      const headers = n % 5 < 2 ? { 'idempotency-key': randomUUID() } : {};
      const answer = await (replicas[n % 2] as App).inject({ method: method as 'POST', url, payload, headers });
      if (answer.statusCode >= 500)
        odd.push(`${method} ${url} ${JSON.stringify(payload)}: ${answer.statusCode} ${answer.payload}`);
      return answer.payload === '' ? undefined : answer.json();
    };
    try {
      const graphql = async (query: string) => (await send('POST', '/graphql', { query })).data;
      const material = (
        await graphql('mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }')
      ).createMaterial.id;
      const farms: Farm[] = [];
      for (const name of ['a', 'b', 'c']) {
        const made = await graphql(`mutation {
          createPrinter(input: { name: "${name}" }) { id }
          createSpool(input: { spoolSerial: "${name}", filamentDiameterMm: "1.75", weightTotalGrams: "1000", materialId: "${material}" }) { id }
        }`);
        farms.push({ printerId: made.createPrinter.id, spoolId: made.createSpool.id } as Farm);
      }
      const anyFarm = () => {
        turn += 1;
        return { ...farms[turn % 3], spoolId: (farms[(turn >> 2) % 3] as Farm).spoolId } as Farm;
      };
      await Promise.all(
        Array.from({ length: WRITERS }, async () => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const { Id } = await send('POST', '/api/printjobs', jobRequest(anyFarm()));
            await send('PUT', `/api/printjobs/${Id}`, jobUpdate(anyFarm(), { GramsDerived: round + 0.25 }));
            await send('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Printing' });
            await send('PATCH', `/api/printjobs/${Id}/status`, { Status: round % 2 ? 'Completed' : 'Failed' });
          }
        }),
      );
      expect(odd).toEqual([]);
      const { rows } = await server.query(`
        (select printer_id, status, data_source, jobs from print_job_counts where jobs <> 0
          except select printer_id, status, data_source, count(*) from print_jobs group by 1, 2, 3)
        union all select null, 'jobs', null, sum(jobs) from print_job_counts`);
      expect(rows).toEqual([{ printer_id: null, status: 'jobs', data_source: null, jobs: `${WRITERS * ROUNDS}` }]);
    } finally {
      await server.end();
    }
  });
});
