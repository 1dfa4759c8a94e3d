// Work that simultaneous requests share: how often a read is executed and a write committed, and that nobody sees the past.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases, describeOnServer } from '../support/databases';
import { type Farm, jobRequest, makeCamera, makeFarm, unique } from '../support/farm';
import {
  expectCode,
  expectData,
  expectError,
  expectStatus,
  type Gateway,
  type Parsed,
  test,
  useGateway,
} from '../support/gateway';
import { statementsOf } from '../support/statements';
import { until, waitsForTable } from '../support/waiting';
import { compressionsOf } from './compressions';

const MANY = 50;
const times = <Result>(run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => run(n)));

/** The statements that many requests send, the first of which waits for a lock until the others have come. */
async function sentBehind(gateway: Gateway, table: string, run: (n: number) => Promise<unknown>): Promise<string[]> {
  const sent = await statementsOf(async () => {
    await gateway.sql(`begin; lock table ${table} in access exclusive mode`);
    const first = run(0);
    await until(async () => (await gateway.sql(waitsForTable(table))).length > 0);
    const others = Array.from({ length: MANY - 1 }, (_, n) => run(n + 1));
    // Until its statement a request waits for nothing but the event loop.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    await gateway.sql('rollback');
    await Promise.all([first, ...others]);
  });
  // Those of the gateway name themselves in a comment; those of this test do not.
  return sent.filter((text) => text.includes('/*'));
}

describeOnServer('simultaneous requests on a server', () => {
  const gateway = useGateway('server');
  let farm: Farm;
  const cameras: string[] = [];
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    for (let n = 0; n < 3; n += 1) cameras.push(await makeCamera(gateway));
  });

  test('identical reads are executed twice: for the first one, and for all that come meanwhile', async () => {
    const query = '{ cameras { nodes { id lastStatus { online } } } }';
    const sent = await sentBehind(gateway, 'cameras', async () => expectData(await gateway.graphql(query)));
    expect(sent).toHaveLength(2);
    for (const [path, table] of [
      ['/cameras', 'cameras'],
      ['/api/printjobs?PageSize=5', 'print_jobs'],
    ] as const) {
      const pages = await sentBehind(gateway, table, async () => expectStatus(await gateway.rest('GET', path), 200));
      expect(pages).toHaveLength(2);
    }
  });

  test('reads with different variables do not share an execution, but their ids share statements', async () => {
    const sent = await sentBehind(gateway, 'cameras', async (n) => {
      const id = cameras[n % cameras.length] as string;
      const { camera } = expectData(await gateway.graphql('query ($id: ID!) { camera(id: $id) { id } }', { id }));
      expect(camera).toEqual({ id });
    });
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  test('logs are added up by one statement, but for those with many records, which have one each', async () => {
    const MANY_RECORDS = 3001;
    const [dense, ...sparse] = cameras as [string, ...string[]];
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select '${dense}', '2026-01-01'::timestamptz + n * interval '1 s', true from generate_series(1, ${MANY_RECORDS}) n
      union all select c, '2026-01-01T12:00:00Z', false from unnest(array['${sparse.join("', '")}']) c`);
    await gateway.sql(`update cameras set created_at = '2020-01-01'`);
    const day = '(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z")';
    const fields = `series${day} { records } availability${day} { fraction }`;
    const names = cameras.map((id, n) => `c${n}: camera(id: ${JSON.stringify(id)}) { ${fields} }`);
    let data: Parsed;
    const sent = await statementsOf(async () => {
      data = expectData(await gateway.graphql(`{ ${names.join(' ')} }`));
    });
    const named = (name: string) => sent.filter((text) => text.includes(`/* ${name} */`)).length;
    expect([named('health.series'), named('health.availability')]).toEqual([2, 2]);
    const records = cameras.map((_, n) =>
      data[`c${n}`].series.reduce((sum: number, stretch: Parsed) => sum + stretch.records, 0),
    );
    expect(records).toEqual([MANY_RECORDS, ...sparse.map(() => 1)]);
    // The last record vouches for 300 s.
    expect(data['c0'].availability.fraction).toBeCloseTo((MANY_RECORDS - 1 + 300) / 86_400, 12);
  });

  test('what is refused to one of them is refused to nobody else', async () => {
    const jobs =
      'query ($id: ID!, $after: String) { printer(id: $id) { jobs(first: 1, after: $after) { totalCount } } }';
    const [{ n: count }] = await gateway.sql(
      `select count(*)::int as n from print_jobs where printer_id = '${farm.printerId}'`,
    );
    await times(async (n) => {
      const after = n % 2 === 0 ? 'garbage' : null;
      const answer = await gateway.graphql(jobs, { id: farm.printerId, after });
      if (after === null) expect(expectData(answer).printer.jobs.totalCount).toBe(count);
      else expectCode(answer, 'BAD_USER_INPUT');
    });
  });

  test('a query that fails in several fields is executed once, also when it is compiled', async () => {
    const query = `query Failing($p: ID!, $after: String) { printer(id: $p) {
      x: jobs(after: $after) { totalCount } y: jobs(after: $after) { totalCount } } cameras { nodes { id } } }`;
    const counts: number[] = [];
    const answers = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const sent = await statementsOf(async () => {
        const answer = await gateway.graphql(query, { p: farm.printerId, after: 'garbage' });
        expectCode(answer, 'BAD_USER_INPUT');
        expect(answer.errors).toHaveLength(1);
        expect(answer.data.cameras.nodes.length).toBeGreaterThan(0);
        answers.add(answer.text);
      });
      counts.push(sent.length);
    }
    expect(counts).toEqual([2, 2, 2]);
    expect(answers.size).toBe(1);
  });

  test('mutations of one operation are stored one by one: a failure keeps those before it and runs none after it', async () => {
    const [before, after] = [unique('before'), unique('after')];
    const document = `mutation ($before: String!, $after: String!) {
      one: createPrinter(input: { name: $before }) { name }
      two: createPrinter(input: { name: "" }) { name }
      three: createPrinter(input: { name: $after }) { name }
    }`;
    const answer = await gateway.graphql(document, { before, after });
    expect(answer).toMatchObject({ data: null, errors: [{ path: ['two'], extensions: { code: 'BAD_USER_INPUT' } }] });
    const stored = await gateway.sql(`select name from printers where name in ('${before}', '${after}')`);
    expect(stored).toEqual([{ name: before }]);
  });

  test('status records and new jobs are committed in groups, and each gets its own answer', async () => {
    const document =
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { cameraId batteryPct online } }';
    const recorded = await sentBehind(gateway, 'camera_status', async (n) => {
      const record = { cameraId: cameras[n % cameras.length], batteryPct: n, online: true };
      // One among them is of a camera that does not exist.
      const input = n === 7 ? [{ ...record, cameraId: 'nobody' }] : [record];
      const answer = await gateway.graphql(document, { input });
      if (n === 7) return expectCode(answer, 'NOT_FOUND');
      return expect(expectData(answer).recordCameraStatuses).toEqual([record]);
    });
    expect(recorded.length).toBeLessThanOrEqual(4);
    const created = await sentBehind(gateway, 'print_jobs', async (n) => {
      const body = jobRequest(farm, { PrintName: `job ${n}`, ...(n === 7 && { PrinterId: randomUUID() }) });
      const answer = await gateway.rest('POST', '/api/printjobs', body);
      if (n === 7) return expectError(answer, 400, 'PrinterId');
      return expect(expectStatus(answer, 201).body.PrintName).toBe(`job ${n}`);
    });
    expect(created.length).toBeLessThanOrEqual(12);
  });

  test('one that a constraint refuses does not take the others with it', async () => {
    await gateway.sql(`alter table print_jobs add constraint no_thirteen check (print_name <> 'job 13') not valid`);
    const answers = await times((n) =>
      gateway.rest('POST', '/api/printjobs', jobRequest(farm, { PrintName: `job ${n}` })),
    );
    await gateway.sql('alter table print_jobs drop constraint no_thirteen');
    for (const [n, answer] of answers.entries()) {
      if (n === 13) expectError(answer, 500);
      else expectStatus(answer, 201);
    }
  });
});

describeOnServer('compression', () => {
  const gateway = useGateway('server');
  const QUERY = { query: '{ cameras(first: 1000) { nodes { id friendlyName createdAt updatedAt macAddress } } }' };
  beforeAll(async () => {
    await gateway.sql(`insert into cameras
      select 'cam-' || n, md5(n::text) || md5(n::text || 'x'), null, now(), now() from generate_series(1, 1000) n`);
  });

  for (const [method, path, body] of [
    ['POST', '/graphql', QUERY],
    ['GET', '/cameras', undefined],
  ] as const) {
    test(`identical reads of ${path} are compressed once for each execution`, async () => {
      for (const coding of ['br', 'gzip']) {
        const answers: Parsed[] = [];
        const count = await compressionsOf(() =>
          sentBehind(gateway, 'cameras', async () =>
            answers.push(await gateway.rest(method, path, body, { 'accept-encoding': coding })),
          ),
        );
        for (const answer of answers) expect(answer.headers).toMatchObject({ 'content-encoding': coding });
        expect(answers).toHaveLength(MANY);
        expect(count).toBe(2);
      }
    });
  }

  test('a page is compressed once for all requests, also for those that come later', async () => {
    const pages = () => times(() => gateway.rest('GET', '/', undefined, { 'accept-encoding': 'br' }));
    expect(await compressionsOf(async () => [await pages(), await pages()])).toBe(1);
  });

  test('nothing is compressed for clients that do not ask', async () => {
    expect(await compressionsOf(() => times(() => gateway.rest('GET', '/cameras')))).toBe(0);
  });
});

describeOnDatabases('freshness', (kind) => {
  const gateway = useGateway(kind);

  test('a read that begins after a write was acknowledged sees it, while others are being executed all the time', async () => {
    let reading = true;
    const readers = Array.from({ length: 8 }, async () => {
      while (reading) {
        await gateway.graphql('{ cameras { nodes { id } } }');
        await gateway.rest('GET', '/cameras');
      }
    });
    try {
      for (let n = 0; n < 40; n += 1) {
        const id = unique('cam');
        expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'x' }), 201);
        const [graph, rest] = await Promise.all([
          gateway.graphql('{ cameras { nodes { id } } }'),
          gateway.rest('GET', '/cameras'),
        ]);
        expect(expectData(graph).cameras.nodes).toContainEqual({ id });
        expect(expectStatus(rest, 200).body).toContainEqual(expect.objectContaining({ camera_id: id }));
      }
    } finally {
      reading = false;
      await Promise.all(readers);
    }
  });

  test('what another program writes is seen by the next read', async () => {
    for (let n = 0; n < 10; n += 1) {
      const id = unique('cam');
      await gateway.sql(`insert into cameras values ('${id}', 'x', null, now(), now())`);
      await gateway.sql(
        `insert into camera_status (camera_id, recorded_at, online, battery_pct) values ('${id}', now(), true, ${n})`,
      );
      expect(expectData(await gateway.graphql(`{ camera(id: "${id}") { lastStatus { batteryPct } } }`))).toEqual({
        camera: { lastStatus: { batteryPct: n } },
      });
    }
  });

  describe('a new job has its printer and its spool as they are', () => {
    const JOB = `printer { name } spool { spoolSerial filamentDiameterMm weightTotalGrams purchasePrice material { name densityGPerCm3 } }
      gramsDerived filamentDiameterAtPrintMm materialDensityAtPrint`;
    const CREATE = `mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id ${JOB} } }`;
    let farm: Farm;

    const create = () =>
      gateway.graphql(CREATE, {
        input: {
          printerId: farm.printerId,
          spoolId: farm.spoolId,
          printName: 'x',
          dataSource: 'MANUAL',
          mmExtruded: '1000',
          autoDeriveGrams: true,
        },
      });

    /** The answer, which must equal the job as another statement reads it afterwards. */
    async function created(): Promise<Parsed> {
      const { id, ...answer } = expectData(await create()).createPrintJob;
      expect(expectData(await gateway.graphql(`{ printJob(id: "${id}") { ${JOB} } }`)).printJob).toEqual(answer);
      return answer;
    }

    beforeEach(async () => {
      farm = await makeFarm(gateway);
      expect(await created()).toMatchObject({ gramsDerived: '2.98' });
    });

    test('whatever another program changed of them', async () => {
      await gateway.sql(`update printers set name = 'renamed' where id = '${farm.printerId}'`);
      expect(await created()).toMatchObject({ printer: { name: 'renamed' } });
      await gateway.sql(`update spools set filament_diameter_mm = 2.85 where id = '${farm.spoolId}'`);
      expect(await created()).toMatchObject({ filamentDiameterAtPrintMm: '2.85', gramsDerived: '7.91' });
      await gateway.sql(`update materials set density_g_per_cm3 = 1.04 where id = '${farm.materialId}'`);
      expect(await created()).toMatchObject({ materialDensityAtPrint: '1.04', gramsDerived: '6.63' });
      const other = await makeFarm(gateway, { density: '2.00' });
      await gateway.sql(`update spools set material_id = '${other.materialId}' where id = '${farm.spoolId}'`);
      expect(await created()).toMatchObject({ materialDensityAtPrint: '2.00', gramsDerived: '12.76' });
      await gateway.sql(`update spools set purchase_price = null, weight_total_grams = 5 where id = '${farm.spoolId}'`);
      expect(await created()).toMatchObject({ spool: { purchasePrice: null, weightTotalGrams: '5' } });
    });

    test('of the jobs of one keyed mutation with changes between them', async () => {
      const field = (name: string) =>
        `${name}: createPrintJob(input: { printerId: "${farm.printerId}", spoolId: "${farm.spoolId}", printName: "x", dataSource: MANUAL, mmExtruded: 1000, autoDeriveGrams: true }) { gramsDerived }`;
      const change = (name: string, mm: string) =>
        `${name}: updateSpool(id: "${farm.spoolId}", input: { filamentDiameterMm: "${mm}" }) { id }`;
      const query = `mutation { ${field('a')} ${change('b', '2.85')} ${field('c')} ${change('d', '1')} ${field('e')} }`;
      const answer = await gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() });
      expect(expectStatus(answer, 200).body.data).toMatchObject({
        a: { gramsDerived: '2.98' },
        c: { gramsDerived: '7.91' },
        e: { gramsDerived: '0.97' },
      });
      expect(await created()).toMatchObject({ gramsDerived: '0.97' });
    });
  });

  test('an execution that fails fails for those who shared it, and the next one is as if nothing had been', async () => {
    await gateway.sql('alter table cameras rename to cameras_away');
    const failed = await times(() => gateway.rest('GET', '/cameras'));
    const alsoFailed = await times(() => gateway.graphql('{ cameras { nodes { id } } }'));
    await gateway.sql('alter table cameras_away rename to cameras');
    for (const answer of failed) expectError(answer, 500);
    for (const answer of alsoFailed) expectCode(answer, 'INTERNAL_SERVER_ERROR');
    expectStatus(await gateway.rest('GET', '/cameras'), 200);
    expectData(await gateway.graphql('{ cameras { nodes { id } } }'));
  });
});
