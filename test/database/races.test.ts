// Many simultaneous requests for one object: the database decides, no accepted decision is lost, and nothing is written twice.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { describeOnDatabases, type FreshDatabase, freshDatabase } from '../support/databases';
import { ago, type Farm, makeCamera, makeFarm, makeJob, readJob, unique } from '../support/farm';
import { expectData, expectError, expectStatus, PATIENT, type Parsed, test, useGateway } from '../support/gateway';
import { makePrint } from '../support/prints';
import { statementsOf } from '../support/statements';
import { atLeast, until, WAITING_SESSIONS } from '../support/waiting';

const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

const RECORD =
  'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id cameraId recordedAt fps mode } }';

describeOnDatabases('racing', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  test('keyed mutations that lock the same printers in different orders all succeed, each once', async () => {
    const printers = [farm.printerId, (await makeFarm(gateway)).printerId];
    const create = (id: unknown, n: number) =>
      `j${n}: createPrintJob(input: { printerId: "${id}", spoolId: "${farm.spoolId}", printName: "raced", dataSource: MANUAL }) { id }
       p${n}: updatePrinter(id: "${id}", input: { name: "${unique('raced')}" }) { id }`;
    let answers: Awaited<ReturnType<typeof gateway.rest>>[] = [];
    const sent = await statementsOf(async () => {
      answers = await times(6, (n) => {
        const order = n % 2 === 0 ? printers : printers.toReversed();
        const query = `mutation { ${[...order, ...order].map(create).join(' ')} }`;
        return gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() });
      });
    });
    for (const answer of answers) {
      expect(Object.keys(expectStatus(answer, 200).body.data ?? {})).toHaveLength(8);
    }
    // A deadlock would take a second, and undo one of them.
    expect(sent.filter((text) => /^rollback$/i.test(text))).toEqual([]);
    const stored = await gateway.sql(`select count(*)::int from print_jobs where print_name = 'raced'`);
    expect(stored).toEqual([{ count: 24 }]);
  });

  const MAC = unique('aa:bb');
  const cases: [what: string, request: (one: string, n: number) => [query: string, input: object]][] = [
    ['registrations of one camera_id', (one) => ['registerCamera(input: $input)', { id: one, friendlyName: 'x' }]],
    [
      'registrations of one MAC address',
      (one, n) => ['registerCamera(input: $input)', { id: `${one} ${n}`, friendlyName: 'x', macAddress: MAC }],
    ],
    [
      'spools of one serial',
      (one) => [
        'createSpool(input: $input)',
        { spoolSerial: one, filamentDiameterMm: '1.75', weightTotalGrams: 1000, materialId: farm.materialId },
      ],
    ],
    ['materials of one name', (one) => ['createMaterial(input: $input)', { name: one, densityGPerCm3: '1.24' }]],
  ];
  for (const [what, request] of cases) {
    test(`${what}: exactly one is created`, async () => {
      const one = unique('one');
      const outcomes = await times(10, async (n) => {
        const [field, input] = request(one, n);
        const type = `${field[0]?.toUpperCase()}${field.slice(1, field.indexOf('('))}Input!`;
        const { errors } = await gateway.graphql(`mutation ($input: ${type}) { ${field} { id } }`, { input });
        return errors[0]?.extensions.code ?? 'made';
      });
      expect(outcomes.sort()).toEqual([...Array(9).fill('CONFLICT'), 'made']);
    });
  }

  test('updates to one MAC address: exactly one camera gets it', async () => {
    const mac = unique('cc:dd');
    const ids = await times(8, () => makeCamera(gateway));
    const update = 'mutation ($id: ID!, $mac: String) { updateCamera(id: $id, input: { macAddress: $mac }) { id } }';
    const outcomes = await times(8, async (n) => {
      const { errors } = await gateway.graphql(update, { id: ids[n], mac });
      return errors[0]?.extensions.code ?? 'made';
    });
    expect(outcomes.sort()).toEqual([...Array(7).fill('CONFLICT'), 'made']);
  });

  test('of two kinds of decisions that exclude each other, all of one kind are accepted and none of the other', async () => {
    // A Completed job cannot be deleted, a Cancelled one cannot become Completed; each may repeat itself.
    const { Id } = await makeJob(gateway, farm, {}, 'Printing');
    const answers = await times(20, (n) =>
      n % 2 === 0
        ? gateway.rest('DELETE', `/api/printjobs/${Id}`)
        : gateway.rest('PATCH', `/api/printjobs/${Id}/status`, { Status: 'Completed' }),
    );
    const final = await readJob(gateway, Id);
    for (const [n, answer] of answers.entries()) {
      const wins = (n % 2 === 0) === (final.Status === 'Cancelled');
      if (wins) expectStatus(answer, n % 2 === 0 ? 204 : 200);
      else expectError(answer, 400);
    }
    expect(['Cancelled', 'Completed']).toContain(final.Status);
  });

  test('a spool is emptied twelve times at the same time: one weighing is written', async () => {
    const { spoolId } = await makeFarm(gateway);
    const empty = 'mutation ($id: ID!) { emptySpool(id: $id) { remainingGrams } }';
    const answers = await times(12, () => gateway.graphql(empty, { id: spoolId }));
    for (const answer of answers) expect(expectData(answer).emptySpool.remainingGrams).toBe('0');
    expect(await gateway.sql(`select kind from spool_adjustments where spool_id = '${spoolId}'`)).toHaveLength(1);
  });

  test('a spool is weighed and corrected at the same time: each weighing states what remains, and the last one counts', async () => {
    const { spoolId } = await makeFarm(gateway);
    const weigh = `mutation ($id: ID!, $grams: Decimal!) { weighSpool(id: $id, input: { netGrams: $grams }) { id spool { remainingGrams } } }`;
    const answers = await times(12, (n) => gateway.graphql(weigh, { id: spoolId, grams: 100 + n }));
    const weighed = answers.map((answer) => expectData(answer).weighSpool);
    const last = weighed.reduce((one, other) => (Number(one.id) > Number(other.id) ? one : other));
    const { spool } = expectData(
      await gateway.graphql('query ($id: ID!) { spool(id: $id) { remainingGrams } }', { id: spoolId }),
    );
    expect(spool.remainingGrams).toBe(String(100 + weighed.indexOf(last)));
  });

  const USED = [{ slot: 'tool:0', mm: null, grams: '10', basis: 'PLANNED' }];
  test('eight prints get one emptied spool at the same time: its weighing notes each of them', async () => {
    const { spoolId } = await makeFarm(gateway);
    await gateway.sql(`insert into spool_adjustments (spool_id, kind, at, net_grams)
      values ('${spoolId}', 'WEIGHED', '${ago(1800)}', 0)`);
    const prints = await times(8, async () => {
      const { printerId } = await makeFarm(gateway);
      return makePrint(gateway, printerId as string, { filament: USED });
    });
    const assign = `mutation ($ids: [ID!]!, $spool: ID!) {
      assignSpoolsToPrints(printIds: $ids, spools: [{ slot: "tool:0", spoolId: $spool }]) { job { gramsDerived } } }`;
    const answers = await times(8, (n) => gateway.graphql(assign, { ids: [prints[n]], spool: spoolId }));
    for (const answer of answers)
      expect(expectData(answer).assignSpoolsToPrints).toEqual([{ job: { gramsDerived: '10' } }]);
    const left = `query ($id: ID!) { spool(id: $id) { usedGrams remainingGrams adjustments { nodes { takenBack { at } printingGrams } } } }`;
    const { spool } = expectData(await gateway.graphql(left, { id: spoolId }));
    const counted = spool.adjustments.nodes.filter(({ takenBack }: Parsed) => takenBack === null);
    expect([spool.usedGrams, spool.remainingGrams, counted]).toEqual([
      '80',
      '0',
      [{ takenBack: null, printingGrams: '80' }],
    ]);
  });

  test('status records whose times the server assigns: no two are equal, none is dropped, and no deadlock occurs', async () => {
    const ids = await times(4, () => makeCamera(gateway));
    const answers = await times(20, (n) => {
      const order = n % 2 === 0 ? ids : ids.toReversed();
      const input = [...order, ...order].map((cameraId, k) => ({ cameraId, online: true, fps: n * 8 + k }));
      return gateway.graphql(RECORD, { input });
    });
    const stored: Parsed[] = [];
    for (const answer of answers) {
      const answered: Parsed[] = expectData(answer).recordCameraStatuses;
      stored.push(...answered);
      // Within one call they have the given order, both in the answer and in time.
      expect(answered.map(({ fps }) => fps - answered[0].fps)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      for (const [k, { cameraId, recordedAt }] of answered.slice(0, 4).entries()) {
        const again = answered.slice(4).find((one) => one.cameraId === cameraId);
        expect([k, recordedAt < again.recordedAt]).toEqual([k, true]);
      }
    }
    expect(new Set(stored.map(({ cameraId, recordedAt }) => cameraId + recordedAt)).size).toBe(160);
    const rows = await gateway.sql(
      `select fps from camera_status where camera_id = any('{${ids.map((id) => `"${id}"`)}}')`,
    );
    expect(new Set(rows.map(({ fps }) => Number(fps))).size).toBe(160);
  });

  test('status records of one given time: each different one is stored once, and repetitions get the stored one', async () => {
    const cameraId = await makeCamera(gateway);
    const recordedAt = new Date(Date.now() - 60_000).toISOString();
    const answers = await times(20, (n) =>
      gateway.graphql(RECORD, { input: [{ cameraId, online: true, recordedAt, fps: n % 4 }] }),
    );
    const answered = answers.map((answer) => expectData(answer).recordCameraStatuses[0].id);
    const rows = await gateway.sql(
      `select id::text, fps from camera_status where camera_id = '${cameraId}' order by fps`,
    );
    expect(rows.map(({ fps }) => Number(fps))).toEqual([0, 1, 2, 3]);
    expect(answered).toEqual(answered.map((_, n) => rows[n % 4].id));
  });

  test('simultaneous updates of one job: the last one is stored whole, not a mixture', async () => {
    const { Id } = await makeJob(gateway, farm);
    const { printerId: PrinterId, spoolId: SpoolId } = farm;
    const version = (n: number) => ({
      PrintName: `version ${n}`,
      GcodeFilePath: `/${n}`,
      MmExtruded: n,
      Notes: `note ${n}`,
    });
    const answers = await times(20, (n) =>
      gateway.rest('PUT', `/api/printjobs/${Id}`, { PrinterId, SpoolId, ...version(n) }),
    );
    for (const [n, answer] of answers.entries()) expect(expectStatus(answer, 200).body).toMatchObject(version(n));
    const final = await readJob(gateway, Id);
    expect(final).toMatchObject(version(final.MmExtruded));
  });
});

describe('beside other sessions of a server', () => {
  let fresh: FreshDatabase;
  const replicas: App[] = [];
  const clients: Client[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    for (let n = 0; n < 3; n += 1) replicas.push(await createApp({ ...PATIENT, database: fresh.target }));
    for (let n = 0; n < 2; n += 1) clients.push(new Client({ connectionString: fresh.url }));
    for (const client of clients) await client.connect();
  });
  afterAll(async () => {
    for (const client of clients) await client.end();
    for (const replica of replicas) await replica.close();
    await fresh.drop();
  });

  const record = async (input: object[], app = replicas[0] as App) => {
    const payload = { query: RECORD, variables: { input } };
    return (await app.inject({ method: 'POST', url: '/graphql', payload })).json();
  };
  const makeCameras = (ids: string[]) =>
    (clients[0] as Client).query('insert into cameras (camera_id, friendly_name) select unnest($1::text[]), $2', [
      ids,
      'x',
    ]);

  test('status records through three replicas: equal ones are stored once, also the first of a camera', async () => {
    // The last two are ordered differently by code point and by UTF-16 unit.
    const ids = ['a', 'b', 'c！', 'c😀'];
    await makeCameras(ids);
    const answered = new Map<string, Set<string>>();
    const write = async (app: App, input: object[]) => {
      const { data, errors } = await record(input, app);
      expect({ input, errors }).toEqual({ input, errors: undefined });
      for (const { id, cameraId, recordedAt, fps } of data.recordCameraStatuses) {
        const place = `${cameraId} ${recordedAt} ${fps}`;
        answered.set(place, (answered.get(place) ?? new Set()).add(id));
      }
    };
    const ROUNDS = 6;
    for (let round = 0; round < ROUNDS; round += 1) {
      // Later and later, except every third round, which is older than all before.
      const recordedAt = new Date(Date.UTC(2026, 0, 1) + (round % 3 === 2 ? -round : round) * 1000).toISOString();
      await Promise.all(
        replicas.flatMap((app, n) => {
          // Two replicas send the same record, and one sends another.
          const explicit = (n % 2 === 0 ? ids : ids.toReversed()).map((cameraId) => ({
            cameraId,
            recordedAt,
            fps: n % 2,
          }));
          const assigned = Array(2).fill({ cameraId: ids[round % ids.length] });
          return [explicit, assigned].map((input) =>
            write(
              app,
              input.map((one) => ({ ...one, online: true })),
            ),
          );
        }),
      );
    }
    expect(answered.size).toBe(ROUNDS * (2 * ids.length + 2 * replicas.length));
    expect([...answered.values()].every((stored) => stored.size === 1)).toBe(true);
    const { prisma } = (replicas[0] as App).database;
    expect(await prisma.cameraStatus.count()).toBe(answered.size);
    const latest = await prisma.$queryRaw`
      select from camera_latest_status l where not exists (
        select from camera_status s where s.camera_id = l.camera_id and (s.recorded_at, s.id) > (l.recorded_at, l.id))`;
    expect(latest).toHaveLength(ids.length);
  });

  test('a status record waits for a transaction that holds its camera, without a deadlock', async () => {
    const [beside, watching] = clients as [Client, Client];
    await makeCameras(['held']);
    await record([{ cameraId: 'held', online: true }]);
    // So that this statement fails if they wait for each other; the gateway would write its record once more.
    await beside.query("set deadlock_timeout = '10ms'");
    for (const [change, answer] of [
      [
        "insert into camera_status (camera_id, recorded_at, online) values ('held', now() + interval '1 hour', true)",
        { data: { recordCameraStatuses: [{ cameraId: 'held' }] } },
      ],
      ["delete from cameras where camera_id = 'held'", { errors: [{ extensions: { code: 'NOT_FOUND' } }] }],
    ] as const) {
      await beside.query("begin; select from cameras where camera_id = 'held' for update");
      const recording = record([{ cameraId: 'held', online: true, recordedAt: new Date().toISOString() }]);
      await until(
        'the record waits for the camera',
        async () => (await watching.query(WAITING_SESSIONS)).rows,
        atLeast(1),
      );
      await beside.query(change);
      await beside.query('commit');
      expect(await recording).toMatchObject(answer);
    }
  });

  test('a stored record that another program deletes during a call is still answered, in its position', async () => {
    const [beside, watching] = clients as [Client, Client];
    await makeCameras(['first', 'second']);
    const now = Date.now();
    const createRecord = (cameraId: string, mode: string, seconds = 60) => ({
      cameraId,
      online: true,
      mode,
      recordedAt: new Date(now - seconds * 1000).toISOString(),
    });
    await record([createRecord('first', 'known')]);
    await record([createRecord('second', 'before', 120)]);
    // The call has found the record of the first, and waits with the record of the second.
    await beside.query("begin; select from camera_latest_status where camera_id = 'second' for update");
    const recording = record([
      createRecord('first', 'known'),
      createRecord('first', 'known'),
      createRecord('second', 'new'),
    ]);
    // A shorter wait may be that of a group, which ends by itself and looks for the first record again.
    const longWait = `${WAITING_SESSIONS} and state_change < clock_timestamp() - interval '200 ms'`;
    await until(
      'the call waits for the camera of the second record',
      async () => (await watching.query(longWait)).rows,
      atLeast(1),
    );
    await beside.query("delete from camera_status where camera_id = 'first'; commit");
    const answered: Parsed[] = (await recording).data?.recordCameraStatuses;
    expect(answered.map(({ cameraId, mode }) => [cameraId, mode])).toEqual([
      ['first', 'known'],
      ['first', 'known'],
      ['second', 'new'],
    ]);
  });
});
