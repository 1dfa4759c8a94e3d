// After its time limit a request sends no further statement, and leaves the database to other requests.
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { createTimeBudget } from '../../src/values/time-budget';
import { type Farm, jobRequest, jobUpdate, makeCamera, makeFarm, makeJob, readJob } from '../support/farm';
import { expectCode, expectData, expectStatus, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { atLeast, has, until, waitsForTable } from '../support/waiting';

describe('many slow reads in one operation, in the embedded database', () => {
  const gateway = useGateway('embedded', {
    budget: createTimeBudget(2000),
    graph: readConfig({ GRAPHQL_MAX_COST: '1000000000' }).graph,
  });

  test('end with the time limit of their request, and let other requests in', async () => {
    // 300 of these hold the database for some 10 s.
    await gateway.sql(
      "insert into cameras select 'cam ' || n, repeat('printer ', 100), null, now(), now() from generate_series(1, 10000) n",
    );
    const searches = Array.from(
      { length: 300 },
      (_, n) => `a${n}: cameras(filter: { search: "z${n}" }) { totalCount }`,
    );
    let isAnswered = false;
    const read = gateway.graphql(`{ ${searches.join(' ')} }`).finally(() => (isAnswered = true));
    let probes = 0;
    while (!isAnswered) {
      expectStatus(await gateway.rest('GET', '/healthz'), 200);
      probes += 1;
      await new Promise(setImmediate);
    }
    expectCode(await read, 'INTERNAL_SERVER_ERROR');
    expect(probes).toBeGreaterThan(2);
    // On a busy machine this request may also be too late.
    await until('other requests are let in', () => gateway.rest('GET', '/cameras/cam%201'), has({ status: 200 }));
    // The waiting searches are not executed. Each would read the whole table.
    await gateway.sql('select pg_stat_force_next_flush()::text');
    const [cameras] = await gateway.sql(`select seq_scan::int from pg_stat_user_tables where relname = 'cameras'`);
    expect(cameras.seq_scan).toBeGreaterThan(0);
    expect(cameras.seq_scan).toBeLessThan(searches.length);
  });
});

describe('while another program has locked what a request needs', () => {
  const budget = { ...createTimeBudget(1000), connectionMs: 60_000, statementMs: 60_000, silenceMs: 60_000 };
  const gateway = useGateway('server', { budget });
  let farm: Farm;
  let id: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    id = await makeCamera(gateway);
    await gateway.sql(`update cameras set created_at = '2020-01-01' where camera_id = '${id}'`);
  });

  /** Node counts a timer from the start of a turn of its loop, so the answer may come before the time has passed. */
  const timeIsOver = () => setTimeout(100);
  const readCamera = async () => expectStatus(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 200);
  const LOCKED_CAMERAS = 'lock table cameras in access exclusive mode';
  const LOCKED_LOG = 'lock table camera_status in access exclusive mode';

  /** How often each statement was sent by requests that waited longer for a lock than they may, and by three after them. */
  const sentFor = async (
    lock: string,
    ask: () => Promise<unknown>,
    afterwards: () => Promise<unknown> = readCamera,
  ) => {
    const statements = await statementsOf(async () => {
      await gateway.sql(`begin; ${lock}`);
      try {
        await ask();
        await timeIsOver();
      } finally {
        await gateway.sql('rollback');
      }
      // These wait behind the rest of the requests above.
      for (let n = 0; n < 3; n += 1) await afterwards();
    });
    return (name: string) => statements.filter((text) => text.includes(`/* ${name} */`)).length;
  };
  const tooLate = async (query: string) => expectCode(await gateway.graphql(query, { id }), 'INTERNAL_SERVER_ERROR');

  test('reads stop at the time limit, and those that wait for the same read are not executed', async () => {
    const query = '{ cameras { nodes { id history { id } } } }';
    const sent = await sentFor(LOCKED_CAMERAS, async () => {
      const first = tooLate(query);
      await until('the first request waits for the table', () => gateway.sql(waitsForTable('cameras')), atLeast(1));
      await Promise.all([first, tooLate(query)]);
    });
    expect([sent('cameras.page'), sent('cameras.byId'), sent('statusLog.history')]).toEqual([1, 3, 3]);
  });

  const LONG = 'from: "2020-01-01T00:00:00Z", to: "2026-01-01T00:00:00';
  for (const [field, stretch, count] of [
    ['history', (n: number) => `a${n}: history(from: "2026-01-01T00:00:00.0${10 + n}Z", first: 1000) { id }`, 1 + 3],
    ['series', (n: number) => `a${n}: series(${LONG}.0${10 + n}Z") { records }`, 1],
    ['availability', (n: number) => `a${n}: availability(${LONG}.0${10 + n}Z") { fraction }`, 1],
  ] as const) {
    test(`of many long ranges of a ${field}, those that still wait are not read`, async () => {
      const stretches = Array.from({ length: 8 }, (_, n) => stretch(n));
      const query = `query ($id: ID!) { camera(id: $id) { ${stretches.join(' ')} } }`;
      const sent = await sentFor(LOCKED_LOG, () => tooLate(query));
      expect(sent(`${field === 'history' ? 'statusLog' : 'health'}.${field}`)).toBe(count);
    });
  }

  const changes: [method: string, path: string, body: () => object | undefined][] = [
    ['PUT', '', () => jobUpdate(farm)],
    ['PATCH', '/status', () => ({ Status: 'Printing' })],
    ['DELETE', '', () => undefined],
  ];
  for (const [method, path, body] of changes) {
    test(`${method} of a job that was read too late, or that changes again and again, changes nothing`, async () => {
      const before = await makeJob(gateway, farm);
      const change = (job: string) => gateway.rest(method, `/api/printjobs/${job}${path}`, body());
      const ask = async () => expectStatus(await change(before.Id), 503);
      await sentFor('lock table print_jobs in access exclusive mode', ask, async () =>
        expect((await change((await makeJob(gateway, farm)).Id)).status).toBeLessThan(300),
      );
      expect(await readJob(gateway, before.Id)).toEqual(before);
      await gateway.sql(`create function as_if_changed() returns trigger language plpgsql as 'begin return null; end';
      create trigger as_if_changed before update on print_jobs for each row execute function as_if_changed()`);
      try {
        await ask();
        await timeIsOver();
      } finally {
        await gateway.sql('drop function as_if_changed cascade');
      }
      expect(await readJob(gateway, before.Id)).toEqual(before);
    });
  }

  test('the rest of a removed log is left to the maintenance', async () => {
    await gateway.sql(`insert into cameras values ('removed', 'x', null, now(), now());
      insert into camera_status (camera_id, recorded_at) values ('removed', now())`);
    const ask = () => tooLate('mutation { removeCamera(id: "removed") }');
    expect((await sentFor(LOCKED_LOG, ask))('cameras.forgetRemoved')).toBe(1);
  });

  /** Each locked item is tried alone for 20 ms: some 45 attempts in the time limit of a request. */
  const MANY = 200;
  test('writes that still wait when their requests have ended are not written', async () => {
    const create = () => gateway.rest('POST', '/api/printjobs', jobRequest(farm));
    const record = () =>
      gateway.graphql('mutation ($id: ID!) { recordCameraStatuses(input: [{ cameraId: $id, online: true }]) { id } }', {
        id,
      });
    const ask = async () => {
      const [jobs, records] = await Promise.all([
        Promise.all(Array.from({ length: MANY }, create)),
        Promise.all(Array.from({ length: MANY }, record)),
      ]);
      for (const answer of jobs) expectStatus(answer, 503);
      for (const answer of records) expectCode(answer, 'INTERNAL_SERVER_ERROR');
    };
    const locks = `select from printers where id = '${farm.printerId}' for update;
      select from cameras where camera_id = '${id}' for update`;
    const sent = await sentFor(locks, ask, async () => {
      expectStatus(await create(), 201);
      expectData(await record());
    });
    expect(sent('printJobs.create')).toBeLessThan(MANY / 2);
    expect(sent('statusLog.record')).toBeLessThan(MANY / 2);
  });
});
