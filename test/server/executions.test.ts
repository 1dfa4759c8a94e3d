// Work that simultaneous requests share: how often a read is executed and a write committed, and that nobody gets an outdated answer.
import { randomUUID } from 'node:crypto';
import { type Farm, jobRequest, makeCamera, makeFarm, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { atLeast, until, waitsForTable } from '../support/waiting';
import { compressionsOf } from './compressions';

const MANY = 50;
const times = <Result>(run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => run(n)));

describe('on a server', () => {
  const gateway = useGateway('server');
  let farm: Farm;
  const cameras: string[] = [];
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    for (let n = 0; n < 3; n += 1) cameras.push(await makeCamera(gateway));
  });

  /** The statements of many requests, the first of which waits for a lock until the others have arrived. */
  async function sentBehind(table: string, run: (n: number) => Promise<unknown>): Promise<string[]> {
    const sent = await statementsOf(async () => {
      await gateway.sql(`begin; lock table ${table} in access exclusive mode`);
      const first = run(0);
      await until('the first request waits for the table', () => gateway.sql(waitsForTable(table)), atLeast(1));
      const others = Array.from({ length: MANY - 1 }, (_, n) => run(n + 1));
      // Until its statement a request waits for nothing but the event loop.
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
      await gateway.sql('rollback');
      await Promise.all([first, ...others]);
    });
    // Statements of the gateway name their source in a comment; those of this test do not.
    return sent.filter((text) => text.includes('/*'));
  }

  test('identical reads are executed twice, for the first and for all that arrive meanwhile, and compressed as often', async () => {
    const query = { query: '{ cameras { nodes { id lastStatus { online } } } }' };
    await gateway.sql(`insert into cameras
      select 'cam-' || n, md5(n::text) || md5(n::text || 'x'), null, now(), now() from generate_series(1, 100) n`);
    for (const [method, path, body, table, compressed] of [
      ['POST', '/graphql', query, 'cameras', 2],
      ['GET', '/cameras', undefined, 'cameras', 2],
      ['GET', '/api/printjobs?PageSize=5', undefined, 'print_jobs', 0],
    ] as const) {
      let sent: string[] = [];
      const count = await compressionsOf(async () => {
        sent = await sentBehind(table, async () =>
          expectStatus(await gateway.rest(method, path, body, { 'accept-encoding': 'br' }), 200),
        );
      });
      expect([path, sent.length, count]).toEqual([path, 2, compressed]);
    }
  });

  test('a page is compressed once for all requests, also for later ones, and never for a client that does not ask for it', async () => {
    const pages = (headers: Record<string, string>) => times(() => gateway.rest('GET', '/', undefined, headers));
    const br = { 'accept-encoding': 'br' };
    const count = await compressionsOf(async () => [await pages({}), await pages(br), await pages(br)]);
    // Another test file in this process may have sent it before.
    expect(count).toBeLessThanOrEqual(1);
  });

  test('reads with different variables do not share an execution, but their ids share statements', async () => {
    const sent = await sentBehind('cameras', async (n) => {
      const id = cameras[n % cameras.length] as string;
      const { camera } = expectData(await gateway.graphql('query ($id: ID!) { camera(id: $id) { id } }', { id }));
      expect(camera).toEqual({ id });
    });
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  test('a refusal of one caller affects no other caller', async () => {
    const jobs =
      'query ($id: ID!, $after: String) { printer(id: $id) { jobs(first: 1, after: $after) { totalCount } } }';
    await times(async (n) => {
      const after = n % 2 === 0 ? 'garbage' : null;
      const answer = await gateway.graphql(jobs, { id: farm.printerId, after });
      if (after === null) expect(expectData(answer).printer.jobs.totalCount).toBe(0);
      else expectCode(answer, 'BAD_USER_INPUT');
    });
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
    const recorded = await sentBehind('camera_status', async (n) => {
      const record = { cameraId: cameras[n % cameras.length], batteryPct: n, online: true };
      // One among them is of a camera that does not exist.
      const input = n === 7 ? [{ ...record, cameraId: 'nobody' }] : [record];
      const answer = await gateway.graphql(document, { input });
      if (n === 7) return expectCode(answer, 'NOT_FOUND');
      return expect(expectData(answer).recordCameraStatuses).toEqual([record]);
    });
    expect(recorded.length).toBeLessThanOrEqual(4);
    const created = await sentBehind('print_jobs', async (n) => {
      const body = jobRequest(farm, { PrintName: `job ${n}`, ...(n === 7 && { PrinterId: randomUUID() }) });
      const answer = await gateway.rest('POST', '/api/printjobs', body);
      if (n === 7) return expectError(answer, 400, 'PrinterId');
      return expect(expectStatus(answer, 201).body.PrintName).toBe(`job ${n}`);
    });
    expect(created.length).toBeLessThanOrEqual(12);
  });

  test('a job that a constraint refuses does not affect the others', async () => {
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

  test('a read that starts after a write was acknowledged sees it, while others are executed all the time', async () => {
    let reading = true;
    const readers = Array.from({ length: 8 }, async () => {
      while (reading) {
        await gateway.graphql('{ cameras { nodes { id } } }');
        await gateway.rest('GET', '/cameras');
      }
    });
    try {
      for (let n = 0; n < 10; n += 1) {
        const id = `0 ${unique('first of all')}`;
        if (n % 2 === 0) await gateway.sql(`insert into cameras values ('${id}', 'x', null, now(), now())`);
        else expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'x' }), 201);
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

  describe('a new job has the current values of its printer and its spool', () => {
    const JOB = `printer { name } spool { spoolSerial filamentDiameterMm weightTotalGrams purchasePrice material { name densityGPerCm3 } }
      gramsDerived filamentDiameterAtPrintMm materialDensityAtPrint`;
    let own: Farm;
    const input = () =>
      `{ printerId: "${own.printerId}", spoolId: "${own.spoolId}", printName: "x", dataSource: MANUAL, mmExtruded: 1000, autoDeriveGrams: true }`;

    /** The answer, which must equal the job as another statement reads it afterwards. */
    async function created(): Promise<Parsed> {
      const made = await gateway.graphql(`mutation { createPrintJob(input: ${input()}) { id ${JOB} } }`);
      const { id, ...answer } = expectData(made).createPrintJob;
      expect(expectData(await gateway.graphql(`{ printJob(id: "${id}") { ${JOB} } }`)).printJob).toEqual(answer);
      return answer;
    }

    beforeEach(async () => {
      own = await makeFarm(gateway);
      expect(await created()).toMatchObject({ gramsDerived: '2.98' });
    });

    test('whatever another program changed in them', async () => {
      const other = await makeFarm(gateway, { density: '2.00' });
      const change = (table: string, set: string, id: string) => `update ${table} set ${set} where id = '${id}'`;
      for (const [statement, expected] of [
        [change('printers', "name = 'renamed'", own.printerId), { printer: { name: 'renamed' } }],
        [change('spools', 'filament_diameter_mm = 2.85', own.spoolId), { gramsDerived: '7.91' }],
        [change('materials', 'density_g_per_cm3 = 1.04', own.materialId), { gramsDerived: '6.63' }],
        [change('spools', `material_id = '${other.materialId}'`, own.spoolId), { gramsDerived: '12.76' }],
        [change('spools', 'purchase_price = null', own.spoolId), { spool: { purchasePrice: null } }],
      ] as const) {
        await gateway.sql(statement);
        expect(await created()).toMatchObject(expected);
      }
    });

    test('also among the jobs of one keyed mutation with changes between them', async () => {
      const create = (name: string) => `${name}: createPrintJob(input: ${input()}) { gramsDerived }`;
      const change = `b: updateSpool(id: "${own.spoolId}", input: { filamentDiameterMm: "2.85" }) { id }`;
      const query = `mutation { ${create('a')} ${change} ${create('c')} }`;
      const answer = await gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() });
      expect(expectStatus(answer, 200).body.data).toMatchObject({
        a: { gramsDerived: '2.98' },
        c: { gramsDerived: '7.91' },
      });
    });
  });
});
