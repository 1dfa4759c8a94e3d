// Storms of writes with idempotency keys, as after an outage: all are written, and reads are answered meanwhile.
import { randomUUID } from 'node:crypto';
import { type App, createApp } from '../../src/app';
import { createTimeBudget } from '../../src/values/time-budget';
import { describeOnDatabases, freshDatabase, onServer } from '../support/databases';
import { type Farm, jobRequest, makeFarm } from '../support/farm';
import { type Exchange, expectStatus, PATIENT, test, useGateway } from '../support/gateway';

const MANY = 300;

describeOnDatabases('a storm of keyed writes', (kind) => {
  // A busy machine needs more than the usual time.
  const gateway = useGateway(kind, { budget: createTimeBudget(30_000) });
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const create = (key: string = randomUUID()) =>
    gateway.rest('POST', '/api/printjobs', jobRequest(farm), { 'idempotency-key': key });
  const count = async () => (await gateway.sql('select count(*)::int as n from print_jobs'))[0].n;

  test('is written completely, and no read waits for the storm', async () => {
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
      const answeredBefore = answered;
      expectStatus(await (READS[waits.length % READS.length] as () => Promise<Exchange>)(), 200);
      waits.push(answered - answeredBefore);
    }
    for (const answer of await Promise.all(storm)) expectStatus(answer, 201);
    expect(await count()).toBe(before + 1 + MANY);
    // Only three of the writes hold a connection. On the embedded database a read waits for the writes that are before it.
    expect(Math.max(...waits)).toBeLessThanOrEqual(100);
  });

  test('that is sent again, every key twice, is answered as before; new keys among them are written once', async () => {
    const keys = Array.from({ length: 100 }, () => randomUUID());
    const first = await Promise.all(keys.map((key) => create(key)));
    const before = await count();
    const newer = Array.from({ length: 50 }, () => randomUUID());
    const again = await Promise.all([...keys, ...newer, ...keys, ...newer].map((key) => create(key)));
    for (const at of [0, 150]) {
      expect(again.slice(at, at + 100).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    }
    for (const answer of again) expectStatus(answer, 201);
    expect(await count()).toBe(before + 50);
  });
});

globalThis.test(
  'keyed writes of two gateways want the same rows: none waits in vain for a row of another, and is undone',
  async () => {
    const fresh = await freshDatabase('server');
    const config = { ...PATIENT, database: fresh.target };
    const replicas = [await createApp(config), await createApp(config)];
    const send = async (n: number, query: string, variables: object) => {
      const headers = { 'idempotency-key': randomUUID() };
      const payload = { query, variables };
      const answer = await (replicas[n % 2] as App).inject({ method: 'POST', url: '/graphql', payload, headers });
      return answer.json();
    };
    const ids = Array.from({ length: 8 }, (_, n) => `camera ${n}`);
    const register = 'mutation ($i: RegisterCameraInput!) { registerCamera(input: $i) { id } }';
    for (const id of ids) await send(0, register, { i: { id, friendlyName: 'x' } });
    const record = 'mutation ($s: [CameraStatusInput!]!) { recordCameraStatuses(input: $s) { id } }';
    const update = 'mutation ($id: ID!, $i: UpdateCameraInput!) { updateCamera(id: $id, input: $i) { id } }';
    const chooseCamera = (n: number) => ids[n % ids.length] as string;
    const answers = await Promise.all(
      Array.from({ length: 48 }, async (_, writer) => {
        const own = [];
        for (let round = 0; round < 12; round += 1) {
          const n = writer * 7 + round * 5;
          const records = [0, 3].map((more) => ({ cameraId: chooseCamera(n + more), online: true }));
          own.push(
            (writer >> 1) % 3 !== round % 3
              ? await send(writer, record, { s: records })
              : await send(writer, update, {
                  id: chooseCamera(n),
                  next: chooseCamera(n + 3),
                  i: { friendlyName: `name ${n}` },
                }),
          );
        }
        return own;
      }),
    );
    expect(answers.flat().filter(({ errors }) => errors !== undefined)).toEqual([]);
    // A session publishes its count of transactions when it ends.
    for (const replica of replicas) await replica.close();
    const undone = 'select xact_rollback::int as undone from pg_stat_database where datname = current_database()';
    expect(await onServer(fresh.url, undone)).toEqual([{ undone: 0 }]);
    await fresh.drop();
  },
);
