// Storms of writes with idempotency keys, as after an outage: all are done, in groups, and reads go on meanwhile.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type App, createApp } from '../../src/app';
import { timeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { type Farm, jobRequest, makeFarm } from '../support/farm';
import { type Exchange, expectError, expectStatus, type Gateway, PATIENT, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';

const MANY = 1000;

describeOnDatabases('a storm of keyed writes', (kind) => {
  // A busy machine needs more than the usual time.
  const gateway: Gateway = useGateway(kind, { budget: timeBudget(30_000) });
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const create = (key: string = randomUUID(), members = {}) =>
    gateway.rest('POST', '/api/printjobs', jobRequest(farm, members), { 'idempotency-key': key });
  const count = async (table = 'print_jobs') =>
    (
      await gateway.sql(
        `select count(*)::int as n from ${table} where ${table === 'print_jobs' ? `spool_id = '${farm.spoolId}'` : 'true'}`,
      )
    )[0].n;

  test('is done altogether, and reads go on meanwhile: none of them waits for the storm', async () => {
    const before = await count();
    const job = expectStatus(await create(), 201).body.Id;
    const READS = [
      () => gateway.rest('GET', `/api/printjobs/${job}`),
      () => gateway.rest('GET', '/api/printjobs?PageSize=50'),
      () => gateway.rest('GET', '/cameras'),
      () => gateway.graphql('{ printers { nodes { id name } } }'),
    ];
    let answered = 0;
    const storm = Array.from({ length: MANY }, () => create().finally(() => (answered += 1)));
    /** The writes of the storm that were answered while each read waited. */
    const waits: number[] = [];
    while (answered < MANY) {
      const begun = answered;
      expectStatus(await (READS[waits.length % READS.length] as () => Promise<Exchange>)(), 200);
      waits.push(answered - begun);
    }
    for (const answer of await Promise.all(storm)) expectStatus(answer, 201);
    expect(await count()).toBe(before + 1 + MANY);
    expect(waits.length).toBeGreaterThan(READS.length);
    // The writes come in groups of 100: a read waits for the group that is written, and for the next one.
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
  });

  test('that comes again, every key twice at once, is answered as before and writes nothing', async () => {
    const keys = Array.from({ length: 100 }, () => randomUUID());
    const first = await Promise.all(keys.map((key) => create(key)));
    const before = await count();
    const again = await Promise.all([...keys, ...keys].map((key) => create(key)));
    expect(again.map(({ text }) => text)).toEqual([...first, ...first].map(({ text }) => text));
    expect(await count()).toBe(before);
  });

  test('of which some were done before is answered as before, and the others are done once', async () => {
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const camera = randomUUID();
    const register = () =>
      gateway.rest('POST', '/cameras', { camera_id: camera, friendly_name: 'x' }, { 'idempotency-key': camera });
    const registered = expectStatus(await register(), 201);
    const first = await Promise.all(keys.slice(0, 10).map((key) => create(key)));
    // Then the gateway expects new writes again.
    await Promise.all([create(), create()]);
    const before = await count();
    const [again, ...answers] = await Promise.all([register(), ...keys.map((key) => create(key))]);
    // Done once more, it would be refused: the camera is there.
    expect([again.status, again.text]).toEqual([registered.status, registered.text]);
    expect(answers.slice(0, 10).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    for (const answer of answers) expectStatus(answer, 201);
    expect(await count()).toBe(before + 50);
  });

  test('has refusals of its own for those that are refused, and no write suffers for another', async () => {
    await gateway.sql(`create function fail_some() returns trigger language plpgsql as $$
      begin if new.print_name = 'broken' then raise exception 'broken'; end if; return new; end $$`);
    await gateway.sql('create trigger fail_some before insert on print_jobs for each row execute function fail_some()');
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const nameOf = (n: number) => (n % 20 === 7 ? 'broken' : 'whole');
    const before = await count();
    const answers = await Promise.all(
      keys.map((key, n) => create(key, { PrintName: nameOf(n), ...(n % 20 === 3 && { PrinterId: randomUUID() }) })),
    );
    answers.forEach((answer, n) => {
      if (n % 20 === 7) expectError(answer, 500);
      else if (n % 20 === 3) expectError(answer, 400, 'PrinterId');
      else expectStatus(answer, 201);
    });
    await gateway.sql('drop trigger fail_some on print_jobs');
    expect(await count()).toBe(before + 54);
    // The failed writes left their keys free.
    for (const n of [7, 27, 47]) expectStatus(await create(keys[n], { PrintName: nameOf(n) }), 201);
    await gateway.sql('drop function fail_some');
  });
});

describe('on a server', () => {
  const gateway: Gateway = useGateway('server');

  test('fifty keyed writes at once take few statements', async () => {
    const farm = await makeFarm(gateway);
    const sent = await statementsOf(() =>
      Promise.all(
        Array.from({ length: 50 }, async () =>
          expectStatus(
            await gateway.rest('POST', '/api/printjobs', jobRequest(farm), { 'idempotency-key': randomUUID() }),
            201,
          ),
        ),
      ),
    );
    // Two groups of at most: begin, keys taken, printers, spools, savepoint, insert, release, answers kept, commit.
    expect(sent.length).toBeLessThanOrEqual(24);
  });
});

globalThis.test.each([
  ['of known length', {}, (body: string) => body],
  ['in chunks', { 'transfer-encoding': 'chunked' }, (body: string) => Readable.from([body])],
])('long keyed requests, %s, share transactions of bounded length', async (_name, encoding, payload) => {
  const fresh = await freshDatabase('server');
  // A busy machine needs more than the usual time.
  const budget = timeBudget(30_000);
  const app = await createApp({ ...PATIENT, database: fresh.target, budget });
  // Two such requests are longer than a transaction takes.
  const length = 400_000;
  const register = async (camera_id: string) => {
    const headers = { ...encoding, 'content-type': 'application/json', 'idempotency-key': camera_id };
    const body = JSON.stringify({ camera_id, friendly_name: 'x' }).padEnd(length);
    return (await app.inject({ method: 'POST', url: '/cameras', headers, payload: payload(body) })).statusCode;
  };
  try {
    const sent = await statementsOf(async () =>
      expect(await Promise.all(['a', 'b', 'c'].map(register))).toEqual([201, 201, 201]),
    );
    expect(sent.filter((text) => text === 'COMMIT')).toHaveLength(3);
  } finally {
    await app.close();
    await fresh.drop();
  }
});

describe('on two gateways', () => {
  const ids = Array.from({ length: 8 }, (_, n) => `camera ${n}`);
  let fresh: FreshDatabase;
  let replicas: App[];
  beforeEach(async () => {
    fresh = await freshDatabase('server');
    const config = { ...PATIENT, database: fresh.target };
    replicas = [await createApp(config), await createApp(config)];
    const register = 'mutation ($i: RegisterCameraInput!) { registerCamera(input: $i) { id } }';
    for (const id of ids) await send(0, register, { i: { id, friendlyName: 'x' } });
  });
  afterEach(async () => {
    for (const replica of replicas ?? []) await replica.close();
    await fresh?.drop();
  });

  const send = async (n: number, query: string, variables: object) => {
    const answer = await (replicas[n % 2] as App).inject({
      method: 'POST',
      url: '/graphql',
      payload: { query, variables },
      headers: { 'idempotency-key': randomUUID() },
    });
    return answer.json();
  };
  const update = 'mutation ($id: ID!, $i: UpdateCameraInput!) { updateCamera(id: $id, input: $i) { id } }';

  globalThis.test('keyed writes that want the same rows in different orders are all done', async () => {
    const answers = await Promise.all(
      Array.from({ length: 96 }, (_, n) => {
        const id = ids[(n % 2 === 0 ? n : 96 - n) % ids.length];
        return send(n, update, { id, i: { friendlyName: `name ${n}` } });
      }),
    );
    expect(answers.filter(({ errors }) => errors !== undefined)).toEqual([]);
  });

  globalThis.test(
    'groups of keyed writes take turns: none waits in vain for a row of another, and is undone',
    async () => {
      const record = 'mutation ($s: [CameraStatusInput!]!) { recordCameraStatuses(input: $s) { id } }';
      const cameraOf = (n: number) => ids[n % ids.length] as string;
      const answers = await Promise.all(
        Array.from({ length: 48 }, async (_, writer) => {
          const own = [];
          for (let round = 0; round < 12; round += 1) {
            const n = writer * 7 + round * 5;
            const isRecord = (writer >> 1) % 3 !== round % 3;
            own.push(
              isRecord
                ? await send(writer, record, {
                    s: [0, 3].map((more) => ({ cameraId: cameraOf(n + more), online: true })),
                  })
                : await send(writer, update, { id: cameraOf(n + 1), i: { friendlyName: `name ${n}` } }),
            );
          }
          return own;
        }),
      );
      expect(answers.flat().filter(({ errors }) => errors !== undefined)).toEqual([]);
      // A session counts its transactions for others at its end.
      for (const replica of replicas.splice(0)) await replica.close();
      const undone = 'select xact_rollback::int as undone from pg_stat_database where datname = current_database()';
      expect(await onServer(fresh.url as string, undone)).toEqual([{ undone: 0 }]);
    },
  );
});
