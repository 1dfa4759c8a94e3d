// The sums of filament after generated statements of any program, and after many at once, against the jobs and against
// whole numbers computed here.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describeOnDatabases } from '../support/databases';
import { type Farm, makeFarm } from '../support/farm';
import { expectData, type Gateway, test, useGateway } from '../support/gateway';
import { holds } from './watch';

const STATUSES = ['Queued', 'Printing', 'Completed', 'Cancelled', 'Failed'];
/** Ends of jobs around the begins of days, quarters and the changes of a clock. */
const ENDS = [
  null,
  '2017-10-14T23:59:59.999Z',
  '2017-10-15T02:59:59.999Z',
  '2017-10-15T03:00:00.000Z',
  '2017-10-15T12:07:00.000Z',
  '2017-10-16T01:59:59.999Z',
  '2017-10-16T02:00:00.000Z',
];
const ZONES = ['UTC', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Europe/Berlin', 'Asia/Kolkata', 'CET'];

const job = fc.record({
  spool: fc.nat(1),
  status: fc.constantFrom(...STATUSES),
  started: fc.boolean(),
  end: fc.constantFrom(...ENDS),
  grams: fc.nat(10_000),
  cost: fc.nat(10_000),
});
const statement = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), jobs: fc.array(job, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('update' as const), some: fc.nat(4), to: job }),
  fc.record({ kind: fc.constant('delete' as const), some: fc.nat(4) }),
  fc.record({ kind: fc.constant('truncate' as const) }),
  fc.record({ kind: fc.constant('fold' as const), rows: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('fill' as const) }),
);

const UPDATED = '2017-10-15T04:30:00.000Z';

function sqlOf(one: typeof statement extends fc.Arbitrary<infer S> ? S : never, farms: Farm[]): string {
  const end = (at: string | null) => (at === null ? 'null' : `'${at}'`);
  switch (one.kind) {
    case 'insert':
      return `insert into print_jobs (id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived,
        cost_per_print, started_at, completed_at, status, data_source, filament_diameter_at_print_mm, material_density_at_print,
        created_at, updated_at) values ${one.jobs
          .map(
            (
              j,
            ) => `('${randomUUID()}', '${farms[j.spool]?.printerId}', '${farms[j.spool]?.spoolId}', '', '', 0, ${j.grams / 100},
              ${j.cost / 10_000}, ${j.started ? `'${UPDATED}'` : 'null'}, ${end(j.end)}, '${j.status}', 'Manual', 0, 0,
              '${UPDATED}', '${UPDATED}')`,
          )
          .join()}`;
    case 'update':
      return `update print_jobs set spool_id = '${farms[one.to.spool]?.spoolId}', status = '${one.to.status}',
        started_at = ${one.to.started ? `'${UPDATED}'` : 'null'}, completed_at = ${end(one.to.end)},
        grams_derived = ${one.to.grams / 100} where hashtext(id::text) % 5 = ${one.some}`;
    case 'delete':
      return `delete from print_jobs where hashtext(id::text) % 5 = ${one.some}`;
    case 'truncate':
      return 'truncate print_jobs';
    case 'fold':
      return `select fold_filament(${one.rows})`;
    case 'fill':
      return 'select fill_filament()::text';
  }
}

interface Job {
  spool: string;
  status: string;
  started: boolean;
  at: string;
  grams: string;
  cost: string;
}

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
  const rows = await gateway.sql(`select spool_id::text as spool, status, started_at is not null as started,
    coalesce(completed_at, updated_at) as at, grams_derived::text as grams, cost_per_print::text as cost from print_jobs`);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

async function expectExact(gateway: Gateway, farms: Farm[], from: string | null, to: string | null, zone: string) {
  const jobs = await jobsIn(gateway);
  const expected: Record<string, bigint[]> = {};
  for (const one of jobs) {
    const use = countsAs(one);
    if (use === null || use === 'planned' || (from !== null && one.at < from) || (to !== null && one.at >= to))
      continue;
    const day = dayIn(zone === 'CET' ? 'Europe/Brussels' : zone, one.at);
    const sums = expected[day] ?? [0n, 0n, 0n, 0n, 0n, 0n];
    expected[day] = sums;
    [1n, units(one.grams), units(one.cost)].forEach((amount, n) => {
      sums[(use === 'completed' ? 0 : 3) + n]! += amount;
    });
  }
  const { filamentUsage, ...spools } = expectData(
    await gateway.graphql(
      `query ($from: DateTime, $to: DateTime, $zone: String!) {
        filamentUsage(from: $from, to: $to, groupBy: [DAY], timeZone: $zone) {
          from completedJobs completedGrams completedCost wastedJobs wastedGrams wastedCost }
        ${farms.map(({ spoolId }, n) => `s${n}: spool(id: "${spoolId}") { usedGrams plannedGrams remainingGrams }`).join(' ')}
      }`,
      { from, to, zone },
    ),
  );
  const found = filamentUsage.map((row: Record<string, string | number>) => [
    dayIn(zone === 'CET' ? 'Europe/Brussels' : zone, String(row['from'])),
    [
      BigInt(Number(row['completedJobs'])),
      units(String(row['completedGrams'])),
      units(String(row['completedCost'])),
      BigInt(Number(row['wastedJobs'])),
      units(String(row['wastedGrams'])),
      units(String(row['wastedCost'])),
    ],
  ]);
  expect(found).toEqual(Object.entries(expected).sort(([a], [b]) => (a < b ? -1 : 1)));
  farms.forEach(({ spoolId }, n) => {
    const sum = (...uses: (string | null)[]) =>
      jobs
        .filter((one) => one.spool === spoolId && uses.includes(countsAs(one)))
        .reduce((all, { grams }) => all + units(grams), 0n);
    const spool = spools[`s${n}`];
    expect([units(spool.usedGrams), units(spool.plannedGrams), units(spool.remainingGrams)]).toEqual([
      sum('completed', 'wasted'),
      sum('planned'),
      units('1000') - sum('completed', 'wasted'),
    ]);
  });
}

describeOnDatabases('sums of filament', (kind) => {
  const gateway = useGateway(kind);
  let farms: Farm[];
  beforeAll(async () => {
    farms = [await makeFarm(gateway), await makeFarm(gateway)];
  });

  test('are those of the jobs after any statements', async () => {
    const bound = fc.option(fc.constantFrom(...(ENDS.slice(1) as string[])));
    await holds(
      fc.asyncProperty(
        fc.array(statement, { minLength: 1, maxLength: 8 }),
        bound,
        bound,
        fc.constantFrom(...ZONES),
        async (statements, one, other, zone) => {
          for (const each of statements) await gateway.sql(sqlOf(each, farms));
          const [from, to] = one !== null && other !== null && other < one ? [other, one] : [one, other];
          await expectExact(gateway, farms, from, to, zone);
        },
      ),
    );
  });

  test('are those of the jobs after many writers at once, while others fold', async () => {
    const inserts = Array.from({ length: 20 }, (_, n) =>
      sqlOf(
        {
          kind: 'insert',
          jobs: [0, 1, 2].map((m) => ({
            spool: (n + m) % 2,
            status: STATUSES[(n + m) % 5]!,
            started: true,
            end: ENDS[(n * m) % 7] ?? null,
            grams: n * 100 + m,
            cost: m,
          })),
        },
        farms,
      ),
    );
    const others = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? 'select fold_filament(3)'
        : sqlOf(
            {
              kind: 'update',
              some: n % 5,
              to: {
                spool: n % 2,
                status: STATUSES[n % 5]!,
                started: true,
                end: ENDS[n % 7] ?? null,
                grams: n,
                cost: n,
              },
            },
            farms,
          ),
    );
    await gateway.sql('truncate print_jobs');
    const mutations = Array.from({ length: 20 }, (_, n) =>
      gateway.graphql('mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id } }', {
        input: {
          printerId: farms[n % 2]?.printerId,
          spoolId: farms[n % 2]?.spoolId,
          printName: 'x',
          gramsDerived: `${n}.25`,
          dataSource: 'MQTT',
        },
      }),
    );
    await Promise.all([...inserts.map((text) => gateway.sql(text)), ...mutations]);
    const created = (await Promise.all(mutations)).map((answer) => expectData(answer).createPrintJob.id);
    const ended = created.map((id) =>
      gateway.graphql('mutation ($id: ID!) { changePrintJobStatus(id: $id, status: FAILED) { status } }', { id }),
    );
    await Promise.all([...others.map((text) => gateway.sql(text)), ...ended]);
    // The last job to end, so that there is something left to fold.
    const last = { spool: 0, status: 'Failed', started: true, end: null, grams: 1, cost: 1 };
    await gateway.sql(sqlOf({ kind: 'insert', jobs: [last] }, farms));
    expect((await gateway.sql('select from filament_to_fold')).length).toBeGreaterThan(0);
    await expectExact(gateway, farms, null, null, 'America/Sao_Paulo');
    await gateway.restart();
    expect(await gateway.sql('select from filament_to_fold')).toEqual([]);
    await expectExact(gateway, farms, null, null, 'America/Sao_Paulo');
  });
});
