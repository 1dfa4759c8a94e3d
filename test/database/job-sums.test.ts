// The numbers that are added up from print jobs: totals of lists, reports, and the grams of spools. They are exact after
// statements of any program, held against whole numbers that this test adds up itself.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { timeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, describeOnServer, type FreshDatabase, freshDatabase } from '../support/databases';
import { type Farm, jobRequest, jobUpdate, makeFarm, makeJob } from '../support/farm';
import { expectData, type Gateway, type Parsed, test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { until, waitsForTable } from '../support/waiting';

const STATUSES = ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'];
const SOURCES = ['Mqtt', 'PrinterApi', 'Manual'];
/** Ends of jobs around the begins of days and the changes of a clock. */
const ENDS = [
  null,
  '2017-10-14T23:59:59.999Z',
  '2017-10-15T02:59:59.999Z',
  '2017-10-15T03:00:00.000Z',
  '2017-10-15T12:07:00.000Z',
  '2017-10-16T01:59:59.999Z',
  '2017-10-16T02:00:00.000Z',
];
const ZONES = ['UTC', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Europe/Berlin'];
const UPDATED = '2017-10-15T04:30:00.000Z';

const values = fc.record({
  printer: fc.nat(1),
  spool: fc.nat(1),
  status: fc.constantFrom(...STATUSES),
  source: fc.constantFrom(...SOURCES),
  started: fc.boolean(),
  end: fc.constantFrom(...ENDS),
  grams: fc.nat(10_000),
  cost: fc.nat(10_000),
});
type Values = typeof values extends fc.Arbitrary<infer V> ? V : never;
const write = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), jobs: fc.array(values, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('update' as const), some: fc.nat(4), to: values }),
  fc.record({ kind: fc.constant('delete' as const), some: fc.nat(4) }),
  fc.record({ kind: fc.constant('truncate' as const) }),
);
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;
/** Some statements are undone. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ write, isUndone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant('fold' as const) },
);

const quoted = (text: string | null) => (text === null ? 'null' : `'${text}'`);

function sqlOf(one: Write, farms: Farm[]): string {
  const started = ({ started }: Values) => quoted(started ? UPDATED : null);
  switch (one.kind) {
    case 'insert':
      return `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
        cost_per_print, started_at, completed_at, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
        created_at, updated_at) values ${one.jobs
          .map(
            (j) => `('${randomUUID()}', '${farms[j.printer]?.printerId}', '${farms[j.spool]?.spoolId}', '', '', 0,
              ${j.grams / 100}, ${j.cost / 10_000}, ${started(j)}, ${quoted(j.end)}, '${j.status}', '${j.source}', 0, 0,
              '${UPDATED}', '${UPDATED}')`,
          )
          .join()}`;
    case 'update':
      return `update print_jobs set printer_id = '${farms[one.to.printer]?.printerId}', spool_id = '${farms[one.to.spool]?.spoolId}',
        status = '${one.to.status}', data_source = '${one.to.source}', started_at = ${started(one.to)},
        completed_at = ${quoted(one.to.end)}, grams_derived = ${one.to.grams / 100} where hashtext(id::text) % 5 = ${one.some}`;
    case 'delete':
      return `delete from print_jobs where hashtext(id::text) % 5 = ${one.some}`;
    case 'truncate':
      return 'truncate print_jobs';
  }
}

const undone = (text: string) =>
  `do $$ begin ${text}; raise division_by_zero; exception when division_by_zero then null; end $$`;

/** As the maintenance does it. */
const FOLD = `with removed as (delete from print_job_counts returning *)
  insert into print_job_counts (printer_id, status, data_source, jobs)
  select printer_id, status, data_source, sum(jobs) from removed group by 1, 2, 3 having sum(jobs) <> 0`;

type Job = Record<'printer' | 'spool' | 'status' | 'source' | 'at' | 'grams' | 'cost', string> & { started: boolean };

const countsAs = ({ status, started }: Job) =>
  status === 'Completed'
    ? 'completed'
    : status === 'Failed' || (status === 'Cancelled' && started)
      ? 'wasted'
      : status === 'Cancelled'
        ? null
        : 'planned';

const units = (text: string) => BigInt(Math.round(Number(text) * 10_000));

/** The local day of an instant by the zones of this program, not by those of the database. */
const dayIn = (zone: string, at: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(new Date(at));

async function jobsIn(gateway: Gateway): Promise<Job[]> {
  const rows =
    await gateway.sql(`select printer_id::text as printer, spool_id::text as spool, status, data_source as source,
    started_at is not null as started, coalesce(completed_at, updated_at) as at, grams_derived::text as grams,
    cost_per_print::text as cost from print_jobs`);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

const FIGURES = 'completedJobs completedGrams completedCost wastedJobs wastedGrams wastedCost';

async function expectExact(gateway: Gateway, farms: Farm[], from: string | null, to: string | null, zone: string) {
  const jobs = await jobsIn(gateway);
  const byDay: Record<string, bigint[]> = {};
  for (const one of jobs) {
    const use = countsAs(one);
    if (use === null || use === 'planned') continue;
    if ((from !== null && one.at < from) || (to !== null && one.at >= to)) continue;
    const day = dayIn(zone, one.at);
    const sums = byDay[day] ?? [0n, 0n, 0n, 0n, 0n, 0n];
    byDay[day] = sums;
    [10_000n, units(one.grams), units(one.cost)].forEach((amount, n) => {
      sums[(use === 'completed' ? 0 : 3) + n]! += amount;
    });
  }
  const totals = farms.flatMap(({ printerId }) => SOURCES.map((source) => ({ printerId, source })));
  const found = expectData(
    await gateway.graphql(
      `query ($from: DateTime, $to: DateTime, $zone: String!) {
        filamentUsage(from: $from, to: $to, groupBy: [DAY], timeZone: $zone) { from ${FIGURES} }
        ${farms.map(({ spoolId }, n) => `s${n}: spool(id: "${spoolId}") { usedGrams plannedGrams remainingGrams }`).join(' ')}
        ${totals
          .map(
            ({ printerId, source }, n) =>
              `t${n}: printJobs(first: 1, filter: { printerId: "${printerId}", dataSource: ${source.replace(/(?<=.)[A-Z]/, '_$&').toUpperCase()} }) { totalCount }`,
          )
          .join(' ')}
      }`,
      { from, to, zone },
    ),
  );
  expect(
    found.filamentUsage.map((row: Record<string, string | number>) => [
      dayIn(zone, String(row['from'])),
      FIGURES.split(' ').map((figure) => units(String(row[figure]))),
    ]),
  ).toEqual(Object.entries(byDay).sort(([a], [b]) => (a < b ? -1 : 1)));
  farms.forEach(({ spoolId }, n) => {
    const sum = (...uses: (string | null)[]) =>
      jobs
        .filter((one) => one.spool === spoolId && uses.includes(countsAs(one)))
        .reduce((all, { grams }) => all + units(grams), 0n);
    const { usedGrams, plannedGrams, remainingGrams } = found[`s${n}`];
    expect([usedGrams, plannedGrams, remainingGrams].map(units)).toEqual([
      sum('completed', 'wasted'),
      sum('planned'),
      units('1000') - sum('completed', 'wasted'),
    ]);
  });
  expect(totals.map((_, n) => found[`t${n}`].totalCount)).toEqual(
    totals.map(
      ({ printerId, source }) => jobs.filter((one) => one.printer === printerId && one.source === source).length,
    ),
  );
}

describeOnDatabases('the sums of print jobs', (kind) => {
  const gateway: Gateway = useGateway(kind);
  let farms: Farm[];
  let farm: Farm;
  beforeEach(async () => {
    farms = [await makeFarm(gateway), await makeFarm(gateway)];
    farm = farms[0] as Farm;
  });

  test('are those of the jobs after any statements', async () => {
    const bound = fc.option(fc.constantFrom(...(ENDS.slice(1) as string[])));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        bound,
        bound,
        fc.constantFrom(...ZONES),
        async (steps, one, other, zone) => {
          for (const each of steps) {
            if (each === 'fold') await gateway.sql(FOLD);
            else if (each.isUndone) await gateway.sql(undone(sqlOf(each.write, farms)));
            else await gateway.sql(sqlOf(each.write, farms));
          }
          const [from, to] = one !== null && other !== null && other < one ? [other, one] : [one, other];
          await expectExact(gateway, farms, from, to, zone);
        },
      ),
      { seed: 20_261_125, numRuns: 40, endOnFailure: true },
    );
  });

  test('are those of the jobs when a start has made one row of each count', async () => {
    const job = {
      printer: 0,
      spool: 0,
      status: 'Failed',
      source: 'Mqtt',
      started: true,
      end: null,
      grams: 25,
      cost: 1,
    };
    for (let n = 0; n < 3; n += 1)
      await gateway.sql(sqlOf({ kind: 'insert', jobs: [job, { ...job, printer: 1 }] }, farms));
    const countsOf = () =>
      gateway.sql(`select jobs::int as jobs from print_job_counts where printer_id = '${farm.printerId}'`);
    expect(await countsOf()).toEqual([{ jobs: 1 }, { jobs: 1 }, { jobs: 1 }]);
    await gateway.restart();
    expect(await countsOf()).toEqual([{ jobs: 3 }]);
    await expectExact(gateway, farms, null, null, 'UTC');
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

const countsOf = async (gateway: Gateway, { printerId }: Farm) =>
  Object.fromEntries(
    (
      await gateway.sql(`select status, sum(jobs)::int as jobs from print_job_counts where printer_id = '${printerId}'
        group by status having sum(jobs) <> 0`)
    ).map(({ status, jobs }) => [status, jobs]),
  );

const insertJob = ({ printerId, spoolId }: Farm, grams: string, status = 'Queued') => `
  insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived, cost_per_print,
    status, data_source, filament_diameter_at_print_mm, material_density_at_print, created_at, updated_at)
  values ('${randomUUID()}', '${printerId}', '${spoolId}', 'x', '', 0, ${grams}, 0, '${status}', 'Manual', 0, 0, now(), now())`;

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
    } finally {
      await gateway.sql('commit');
    }
    expect(await countsOf(gateway, farm)).toEqual({ Cancelled: 2, Completed: 1, Printing: 2, Queued: 4 });
    // Six jobs of 3.5 grams are planned still, two of them with 4 grams now; the other program's 7 grams are used.
    const { spool } = expectData(await gateway.graphql(`{ spool(id: "${farm.spoolId}") { usedGrams plannedGrams } }`));
    expect(spool).toEqual({ usedGrams: '7', plannedGrams: '22' });
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
      await Promise.all([
        ...Array.from({ length: WRITERS }, async () => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const { Id } = await send('POST', '/api/printjobs', jobRequest(anyFarm()));
            await send('PUT', `/api/printjobs/${Id}`, jobUpdate(anyFarm(), { GramsDerived: round + 0.25 }));
            await send('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Printing' });
            await send('PATCH', `/api/printjobs/${Id}/status`, { Status: round % 2 ? 'Completed' : 'Failed' });
          }
        }),
        // As the maintenance of both gateways may do it meanwhile.
        (async () => {
          for (let round = 0; round < ROUNDS; round += 1) await server.query(FOLD);
        })(),
      ]);
      expect(odd).toEqual([]);
      const { rows } = await server.query(`
        select printer_id::text, status, data_source, sum(jobs)::int as jobs from (
          select printer_id, status, data_source, jobs from print_job_counts
          union all select printer_id, status, data_source, -1 from print_jobs
        ) c group by 1, 2, 3 having sum(jobs) <> 0
        union all select 'all', null, null, sum(jobs)::int from print_job_counts`);
      expect(rows).toEqual([{ printer_id: 'all', status: null, data_source: null, jobs: WRITERS * ROUNDS }]);
    } finally {
      await server.end();
    }
  });

  globalThis.test('a program that empties the table waits for another that makes one row of each count', async () => {
    const [folding, emptying] = [1, 2].map(() => new Client({ connectionString: fresh.url })) as [Client, Client];
    await Promise.all([folding.connect(), emptying.connect()]);
    try {
      expect((await folding.query('select from print_job_counts')).rowCount).toBeGreaterThan(0);
      await folding.query('begin');
      await folding.query(FOLD);
      const emptied = emptying.query('truncate print_jobs');
      await until(async () => (await folding.query(waitsForTable('print_job_counts'))).rowCount === 1);
      await folding.query('commit');
      await emptied;
      expect((await folding.query('select from print_job_counts')).rowCount).toBe(0);
    } finally {
      await Promise.all([folding.end(), emptying.end()]);
    }
  });
});
