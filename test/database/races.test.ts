// Many at once on one thing: the database settles it, nobody's accepted decision is lost, and nothing is written twice.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { describeOnDatabases, describeOnServer, freshDatabase } from '../support/databases';
import { type Farm, makeCamera, makeFarm, makeJob, readJob, unique } from '../support/farm';
import {
  expectCode,
  expectData,
  expectError,
  expectStatus,
  PATIENT,
  type RestResponse,
  shownExchange,
  test,
  useGateway,
} from '../support/gateway';
import { until, WAITING_SESSIONS } from '../support/waiting';

const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

describeOnDatabases('racing', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  /** One 201, and 409 for everybody else. */
  function expectOneWinner(answers: RestResponse[]): RestResponse {
    const winners = answers.filter(({ status }) => status === 201);
    if (winners.length !== 1) throw new Error(`${winners.length} winners:\n${answers.map(shownExchange).join('\n')}`);
    for (const answer of answers) if (answer !== winners[0]) expectError(answer, 409);
    return winners[0] as RestResponse;
  }

  test('keyed mutations that want the same printers in different orders all succeed, each once', async () => {
    const printers = (await Promise.all([1, 2].map(() => makeFarm(gateway)))).map(({ printerId }) => printerId);
    const create = (name: string, printerId: string | undefined) =>
      `${name}: createPrintJob(input: { printerId: "${printerId}", spoolId: "${farm.spoolId}", printName: "x", dataSource: MANUAL }) { id }`;
    const mutation = (order: (string | undefined)[]) =>
      `mutation { ${order.map((id, n) => create(`j${n}`, id)).join(' ')} }`;
    const [one, other] = printers;
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [mutation([one, other, one, other]), mutation([other, one, other, one])].map((query) =>
          gateway.rest('POST', '/graphql', { query }, { 'idempotency-key': randomUUID() }),
        ),
      );
      for (const answer of answers) {
        expect(Object.keys(expectStatus(answer, 200).body.data ?? {})).toEqual(['j0', 'j1', 'j2', 'j3']);
      }
    }
    const stored = await gateway.sql(
      `select count(*)::int from print_jobs where printer_id = any('{${printers.join()}}'::uuid[])`,
    );
    expect(stored).toEqual([{ count: 40 }]);
  });

  test('registrations of one camera_id: exactly one is made', async () => {
    const camera_id = unique('cam');
    const answers = await times(20, (n) =>
      gateway.rest('POST', '/cameras', { camera_id, friendly_name: `Attempt ${n}` }),
    );
    const winner = expectOneWinner(answers);
    const list = expectStatus(await gateway.rest('GET', '/cameras'), 200).body;
    expect(list.filter((item: { camera_id: string }) => item.camera_id === camera_id)).toMatchObject([
      { friendly_name: winner.body.friendly_name },
    ]);
  });

  test('registrations of one MAC address: exactly one is made', async () => {
    const mac_address = unique('aa:bb');
    const answers = await times(20, (n) =>
      gateway.rest('POST', '/cameras', { camera_id: unique(`cam ${n}`), friendly_name: 'x', mac_address }),
    );
    expectOneWinner(answers);
    expect(await gateway.sql(`select camera_id from cameras where mac_address = '${mac_address}'`)).toHaveLength(1);
  });

  test('spools of one serial and materials of one name: exactly one is made of each', async () => {
    const [spoolSerial, name] = [unique('serial'), unique('PLA')];
    const spool = { spoolSerial, filamentDiameterMm: '1.75', weightTotalGrams: 1000, materialId: farm.materialId };
    const answers = await times(10, async () => [
      await gateway.graphql('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }', {
        input: spool,
      }),
      await gateway.graphql('mutation ($input: CreateMaterialInput!) { createMaterial(input: $input) { id } }', {
        input: { name, densityGPerCm3: '1.24' },
      }),
    ]);
    for (const door of [0, 1]) {
      const both = answers.map((pair) => pair[door]!);
      expect(both.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
      for (const answer of both) if (answer.errors.length > 0) expectCode(answer, 'CONFLICT');
    }
  });

  test('updates to one MAC address: exactly one camera gets it', async () => {
    const macAddress = unique('cc:dd');
    const ids = await times(8, () => makeCamera(gateway));
    const answers = await Promise.all(
      ids.map((id) =>
        gateway.graphql(
          'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }',
          {
            id,
            input: { macAddress },
          },
        ),
      ),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    for (const answer of answers) if (answer.errors.length > 0) expectCode(answer, 'CONFLICT');
  });

  test('decisions of two kinds that shut each other out: all of one are accepted, none of the other', async () => {
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

  describe('status records of one camera', () => {
    const RECORD =
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id recordedAt fps } }';

    test('whose times the server assigns: no two are equal and none is dropped', async () => {
      const cameraId = await makeCamera(gateway);
      const [calls, each] = [20, 10];
      const answers = await times(calls, (n) =>
        gateway.graphql(RECORD, {
          input: Array.from({ length: each }, (_, k) => ({ cameraId, online: true, fps: n * each + k })),
        }),
      );
      const stored = answers.flatMap((answer) => expectData(answer).recordCameraStatuses);
      expect(stored).toHaveLength(calls * each);
      expect(new Set(stored.map(({ recordedAt }) => recordedAt)).size).toBe(calls * each);
      expect(new Set(stored.map(({ id }) => id)).size).toBe(calls * each);
      // Inside one call they come in the order given, both in the answer and in time.
      for (const answer of answers) {
        const { recordCameraStatuses } = expectData(answer) as {
          recordCameraStatuses: { recordedAt: string; fps: number }[];
        };
        const inTime = [...recordCameraStatuses].sort((a, b) => (a.recordedAt < b.recordedAt ? -1 : 1));
        expect(inTime.map(({ fps }) => fps)).toEqual(recordCameraStatuses.map(({ fps }) => fps));
      }
      const rows = await gateway.sql(`select fps from camera_status where camera_id = '${cameraId}' order by fps`);
      expect(rows.map(({ fps }) => Number(fps))).toEqual(Array.from({ length: calls * each }, (_, n) => n));
    });

    test('of one explicit time: each different one is stored once, and its repetitions are told that one', async () => {
      const cameraId = await makeCamera(gateway);
      const recordedAt = new Date(Date.now() - 60_000).toISOString();
      const answers = await times(20, (n) =>
        gateway.graphql(RECORD, { input: [{ cameraId, online: true, recordedAt, fps: n % 4 }] }),
      );
      const told = answers.map((answer) => JSON.stringify(expectData(answer).recordCameraStatuses));
      expect(new Set(told).size).toBe(4);
      const rows = await gateway.sql(`select id::text, fps from camera_status where camera_id = '${cameraId}'`);
      const stored = rows.map(({ id, fps }) => JSON.stringify([{ id, recordedAt, fps: Number(fps) }]));
      expect(stored.sort()).toEqual([...new Set(told)].sort());
    });

    test('and of others in the opposite order: no call waits for another in a ring', async () => {
      const ids = await times(6, () => makeCamera(gateway));
      const answers = await times(24, (n) => {
        const order = n % 2 === 0 ? ids : [...ids].reverse();
        return gateway.graphql(RECORD, { input: order.map((cameraId) => ({ cameraId, online: true })) });
      });
      for (const answer of answers) expect(expectData(answer).recordCameraStatuses).toHaveLength(ids.length);
    });
  });

  test('updates of one job: the last one is whole, not a mixture', async () => {
    const { Id } = await makeJob(gateway, farm);
    const answers = await times(20, (n) =>
      gateway.rest('PUT', `/api/printjobs/${Id}`, {
        PrinterId: farm.printerId,
        SpoolId: farm.spoolId,
        PrintName: `version ${n}`,
        GcodeFilePath: `/version/${n}`,
        MmExtruded: n,
        Notes: `note ${n}`,
      }),
    );
    for (const [n, answer] of answers.entries()) {
      expect(expectStatus(answer, 200).body).toMatchObject({ PrintName: `version ${n}`, Notes: `note ${n}` });
    }
    const final = await readJob(gateway, Id);
    const n = final.MmExtruded;
    expect(final).toMatchObject({ PrintName: `version ${n}`, GcodeFilePath: `/version/${n}`, Notes: `note ${n}` });
  });
});

describeOnServer('beside other sessions of a server', () => {
  globalThis.test('status records through three replicas: equal ones are kept once, the first of all too', async () => {
    const fresh = await freshDatabase('server');
    const config = { ...PATIENT, database: fresh.target };
    const replicas = [await createApp(config), await createApp(config), await createApp(config)];
    // The last two are ordered differently by code point and by UTF-16 unit.
    const ids = ['a', 'b', 'c！', 'c😀'];
    const query =
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id cameraId recordedAt fps } }';
    type Stored = { id: string; cameraId: string; recordedAt: string; fps: number | null };
    try {
      for (const camera_id of ids) {
        const camera = { camera_id, friendly_name: 'Door' };
        expect((await replicas[0]?.inject({ method: 'POST', url: '/cameras', payload: camera }))?.statusCode).toBe(201);
      }
      const told = new Map<string, Set<string>>();
      const write = async (app: App, input: object[]) => {
        const answer = await app.inject({
          method: 'POST',
          url: '/graphql',
          payload: { query, variables: { input } },
        });
        const { data, errors } = answer.json<{ data: { recordCameraStatuses: Stored[] }; errors?: object[] }>();
        if (errors !== undefined) throw new Error(`${JSON.stringify(input)}\n${answer.payload}`);
        for (const { id, cameraId, recordedAt, fps } of data.recordCameraStatuses) {
          const place = `${cameraId} ${recordedAt} ${fps}`;
          told.set(place, (told.get(place) ?? new Set()).add(id));
        }
      };
      const rounds = 20;
      for (let round = 0; round < rounds; round += 1) {
        // Later and later, but for every third round, which is older than all before.
        const recordedAt = new Date(Date.UTC(2026, 0, 1) + (round % 3 === 2 ? -round : round) * 1000).toISOString();
        await Promise.all(
          replicas.flatMap((app, n) => [
            write(
              app,
              (n % 2 === 0 ? ids : [...ids].reverse()).map((cameraId) => ({
                cameraId,
                recordedAt,
                online: true,
                // Two replicas say the same, and one says another thing.
                fps: n % 2,
              })),
            ),
            write(app, Array(2).fill({ cameraId: ids[round % ids.length], online: true })),
          ]),
        );
      }
      expect(told.size).toBe(rounds * (2 * ids.length + 2 * replicas.length));
      expect([...told.values()].every((stored) => stored.size === 1)).toBe(true);
      const { prisma } = (replicas[0] as App).database;
      expect(await prisma.cameraStatus.count()).toBe(told.size);
      const latest = await prisma.$queryRaw`
      select from camera_latest_status l where not exists (
        select from camera_status s where s.camera_id = l.camera_id and (s.recorded_at, s.id) > (l.recorded_at, l.id))`;
      expect(latest).toHaveLength(ids.length);
    } finally {
      for (const replica of replicas) await replica.close();
      await fresh.drop();
    }
  });

  globalThis.test(
    'a status record waits for a transaction beside that holds its camera, and not in a ring',
    async () => {
      const fresh = await freshDatabase('server');
      const app = await createApp({ ...PATIENT, database: fresh.target });
      const beside = new Client({ connectionString: fresh.url });
      await beside.connect();
      // So that it is the one that fails if they wait for each other: the gateway would write its record once more.
      await beside.query("set deadlock_timeout = '10ms'");
      const record = (recordedAt?: string) => {
        const query = `mutation ($at: DateTime) { recordCameraStatuses(input: [{ cameraId: "a", online: true, recordedAt: $at }]) { id } }`;
        return app.inject({ method: 'POST', url: '/graphql', payload: { query, variables: { at: recordedAt } } });
      };
      try {
        await app.inject({ method: 'POST', url: '/cameras', payload: { camera_id: 'a', friendly_name: 'Door' } });
        await record();
        for (const change of [
          "insert into camera_status (camera_id, recorded_at, online) values ('a', now() + interval '1 hour', true)",
          "delete from cameras where camera_id = 'a'",
        ]) {
          await beside.query("begin; select from cameras where camera_id = 'a' for update");
          const recording = record(new Date().toISOString());
          await new Promise((resolve) => setTimeout(resolve, 200));
          await beside.query(change);
          await beside.query('commit');
          const { data, errors } = (await recording).json();
          if (change.startsWith('insert')) expect(data.recordCameraStatuses).toHaveLength(1);
          else expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
        }
      } finally {
        await beside.end();
        await app.close();
        await fresh.drop();
      }
    },
  );

  globalThis.test(
    'a stored record that another program deletes in the middle of a call is still answered, in its place',
    async () => {
      const fresh = await freshDatabase('server');
      const app = await createApp({ ...PATIENT, database: fresh.target });
      const beside = new Client({ connectionString: fresh.url });
      const watching = new Client({ connectionString: fresh.url });
      await Promise.all([beside.connect(), watching.connect()]);
      const recordedAt = new Date(Date.now() - 60_000).toISOString();
      const record = async (input: object[]) => {
        const query =
          'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { cameraId mode } }';
        return (await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables: { input } } })).json();
      };
      const of = (cameraId: string, mode: string) => ({ cameraId, online: true, recordedAt, mode });
      try {
        for (const camera_id of ['a', 'b']) {
          await app.inject({ method: 'POST', url: '/cameras', payload: { camera_id, friendly_name: 'Door' } });
        }
        await record([of('a', 'first')]);
        await record([{ ...of('b', 'before'), recordedAt: new Date(Date.now() - 120_000).toISOString() }]);
        // The call has found the record of a, and waits with the record of b.
        await beside.query("begin; select from camera_latest_status where camera_id = 'b' for update");
        const recording = record([of('a', 'first'), of('a', 'first'), of('b', 'new')]);
        await until(async () => {
          // A shorter wait may be that of a group, which ends by itself and looks for the record of a again.
          const { rows } = await watching.query(
            `${WAITING_SESSIONS} and state_change < clock_timestamp() - interval '200 ms'`,
          );
          return rows.length > 0;
        });
        await beside.query("delete from camera_status where camera_id = 'a'; commit");
        expect((await recording).data?.recordCameraStatuses).toEqual([
          { cameraId: 'a', mode: 'first' },
          { cameraId: 'a', mode: 'first' },
          { cameraId: 'b', mode: 'new' },
        ]);
      } finally {
        await Promise.all([beside.end(), watching.end()]);
        await app.close();
        await fresh.drop();
      }
    },
  );
});
