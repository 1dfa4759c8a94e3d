// When the time of a request is over, it sends no further statement, and leaves the database to others.
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config';
import { timeBudget } from '../../src/values/time-budget';
import {
  type Farm,
  jobRequest,
  jobUpdate,
  makeCamera,
  makeFarm,
  makeJob,
  readJob,
  recordStatuses,
} from '../support/farm';
import { expectCode, expectData, expectStatus, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { until, waitsForTable } from '../support/waiting';

describe('many slow reads in one operation, in the built-in database', () => {
  const gateway = useGateway('embedded', {
    budget: timeBudget(2000),
    graph: readConfig({ GRAPHQL_MAX_COST: '1000000000' }).graph,
  });

  test('end with the time of their request', async () => {
    // 300 of these hold the database for some 10 s.
    await gateway.sql(
      "insert into cameras select 'cam ' || n, repeat('printer ', 100), null, now(), now() from generate_series(1, 10000) n",
    );
    const searches = Array.from(
      { length: 300 },
      (_, n) => `a${n}: cameras(filter: { search: "z${n}" }) { totalCount }`,
    );
    const read = gateway.graphql(`{ ${searches.join(' ')} }`);
    let isAnswered = false;
    const probes: string[] = [];
    const probing = (async () => {
      while (!isAnswered) {
        probes.push(String((await gateway.rest('GET', '/healthz')).status));
        await new Promise(setImmediate);
      }
    })();
    expectCode(await read, 'INTERNAL_SERVER_ERROR');
    isAnswered = true;
    await probing;
    expect(probes.length).toBeGreaterThan(2);
    expectStatus(await gateway.rest('GET', '/cameras/cam%201'), 200);
  });
});

describe('while another program has locked what a request needs', () => {
  const budget = { ...timeBudget(1000), connectionMs: 60_000, statementMs: 60_000, silenceMs: 60_000 };
  const gateway = useGateway('server', { budget });
  let farm: Farm;
  let id: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    id = await makeCamera(gateway);
  });

  /** Node counts a timer from the begin of a turn of its loop, so the answer may come before the time is over. */
  const timeIsOver = () => setTimeout(100);

  /** How often each statement was sent by requests that waited longer for a lock than they may, and after them. */
  const sentFor = async (lock: string, ask: () => Promise<unknown>, afterwards: () => Promise<unknown>) => {
    const statements = await statementsOf(async () => {
      await gateway.sql(`begin; ${lock}`);
      try {
        await ask();
        await timeIsOver();
      } finally {
        await gateway.sql('rollback');
      }
      // These wait behind what is left of the requests above.
      for (let n = 0; n < 3; n += 1) await afterwards();
    });
    return (name: string) => statements.filter((text) => text.includes(`/* ${name} */`)).length;
  };
  const LOCKED_LOG = 'lock table camera_status in access exclusive mode';
  const readCamera = async () => expectStatus(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 200);

  test('a read whose request is over reads nothing behind it', async () => {
    const query = '{ cameras { nodes { id history { id } } } }';
    const ask = async () => expectCode(await gateway.graphql(query), 'INTERNAL_SERVER_ERROR');
    const sent = await sentFor('lock table cameras in access exclusive mode', ask, readCamera);
    expect([sent('cameras.page'), sent('cameras.byId'), sent('statusLog.history')]).toEqual([1, 3, 3]);
  });

  const doors: [name: string, read: () => Promise<unknown>][] = [
    [
      'GraphQL',
      async () => expectCode(await gateway.graphql('{ cameras { nodes { friendlyName } } }'), 'INTERNAL_SERVER_ERROR'),
    ],
    ['REST', async () => expectStatus(await gateway.rest('GET', '/cameras'), 500)],
  ];
  for (const [door, read] of doors) {
    test(`a read over ${door} that waits for the same one is not executed when its request is over`, async () => {
      const ask = async () => {
        const first = read();
        await until(async () => (await gateway.sql(waitsForTable('cameras'))).length > 0);
        await Promise.all([first, read()]);
      };
      expect((await sentFor('lock table cameras in access exclusive mode', ask, readCamera))('cameras.page')).toBe(1);
    });
  }

  test('a page of changes is not searched on', async () => {
    const query = '{ changes(first: 1, filter: { types: [CAMERA_STATUS] }) { nodes { cursor } } }';
    const ask = async () => expectCode(await gateway.graphql(query), 'INTERNAL_SERVER_ERROR');
    expect((await sentFor('lock table changes in access exclusive mode', ask, readCamera))('changes.after')).toBe(1);
  });

  test('of the long stretches of a log, those that still wait are not read', async () => {
    const stretches = Array.from(
      { length: 30 },
      (_, n) => `a${n}: history(from: "2026-01-01T00:00:00.0${10 + n}Z", first: 1000) { id }`,
    );
    const query = `query ($id: ID!) { camera(id: $id) { ${stretches.join(' ')} } }`;
    const ask = async () => expectCode(await gateway.graphql(query, { id }), 'INTERNAL_SERVER_ERROR');
    expect((await sentFor(LOCKED_LOG, ask, readCamera))('statusLog.history')).toBe(1 + 3);
  });

  for (const [field, selected] of [
    ['series', '{ records }'],
    ['availability', '{ fraction }'],
  ]) {
    test(`nor is the ${field} of a long time that still waits`, async () => {
      await gateway.sql(`update cameras set created_at = '2020-01-01' where camera_id = '${id}'`);
      const times = Array.from(
        { length: 8 },
        (_, n) => `a${n}: ${field}(from: "2020-01-01T00:00:00.00${n}Z", to: "2026-01-01T00:00:00Z") ${selected}`,
      );
      const query = `query ($id: ID!) { camera(id: $id) { ${times.join(' ')} } }`;
      const ask = async () => expectCode(await gateway.graphql(query, { id }), 'INTERNAL_SERVER_ERROR');
      const sent = await sentFor(LOCKED_LOG, ask, readCamera);
      expect(sent(`health.${field}`)).toBe(1);
    });
  }

  const writes: [method: string, path: string, body: () => object | undefined][] = [
    ['PUT', '', () => jobUpdate(farm)],
    ['PATCH', '/status', () => ({ Status: 'Printing' })],
    ['DELETE', '', () => undefined],
  ];
  for (const [method, path, body] of writes) {
    const change = (job: string) => gateway.rest(method, `/api/printjobs/${job}${path}`, body());
    test(`${method} of a job that was read too late changes nothing`, async () => {
      const before = await makeJob(gateway, farm);
      const ask = async () => expectStatus(await change(before.Id), 503);
      const changeAnother = async () =>
        expect((await change((await makeJob(gateway, farm)).Id)).status).toBeLessThan(300);
      await sentFor('lock table print_jobs in access exclusive mode', ask, changeAnother);
      expect(await readJob(gateway, before.Id)).toEqual(before);
    });

    test(`${method} of a job that changes again and again is not tried for ever`, async () => {
      const before = await makeJob(gateway, farm);
      await gateway.sql(`create function as_if_changed() returns trigger language plpgsql as 'begin return null; end';
        create trigger as_if_changed before update on print_jobs for each row execute function as_if_changed()`);
      try {
        expectStatus(await change(before.Id), 503);
        await timeIsOver();
      } finally {
        await gateway.sql('drop function as_if_changed cascade');
      }
      for (let n = 0; n < 3; n += 1) expect(await readJob(gateway, before.Id)).toEqual(before);
    });
  }

  test('the rest of a removed log is left to the maintenance', async () => {
    const removed = await makeCamera(gateway);
    await recordStatuses(gateway, removed, [{}]);
    const remove = () => gateway.graphql('mutation ($id: ID!) { removeCamera(id: $id) }', { id: removed });
    const ask = async () => expectCode(await remove(), 'INTERNAL_SERVER_ERROR');
    expect((await sentFor(LOCKED_LOG, ask, readCamera))('cameras.forgetRemoved')).toBe(1);
  });

  /** Each item that is locked is tried alone for 20 ms: some 45 in the time of a request. */
  const MANY = 200;
  test('writes that still wait when their requests are over are not written', async () => {
    const create = () => gateway.rest('POST', '/api/printjobs', jobRequest(farm));
    const ask = async () => {
      for (const answer of await Promise.all(Array.from({ length: MANY }, create))) expectStatus(answer, 503);
    };
    const sent = await sentFor(`select from printers where id = '${farm.printerId}' for update`, ask, async () =>
      expectStatus(await create(), 201),
    );
    expect(sent('printJobs.create')).toBeLessThan(MANY / 2);
  });

  test('nor are records', async () => {
    const mutation = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';
    const record = () => gateway.graphql(mutation, { input: [{ cameraId: id, online: true }] });
    const ask = async () => {
      const answers = await Promise.all(Array.from({ length: MANY }, record));
      for (const answer of answers) expectCode(answer, 'INTERNAL_SERVER_ERROR');
    };
    const sent = await sentFor(`select from cameras where camera_id = '${id}' for update`, ask, async () =>
      expectData(await record()),
    );
    expect(sent('statusLog.record')).toBeLessThan(MANY / 2);
  });
});
