// Work that simultaneous requests share: how often a read is executed and a write committed, and that nobody sees the past.
import { randomUUID } from 'node:crypto';
import { describeOnBothDatabases } from '../support/databases';
import { type Farm, jobRequest, makeCamera, makeFarm, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';

const MANY = 50;
const times = <Result>(run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => run(n)));

describe('simultaneous requests on a server', () => {
  const gateway = useGateway('server');
  let farm: Farm;
  const cameras: string[] = [];
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    for (let n = 0; n < 3; n += 1) cameras.push(await makeCamera(gateway));
  });

  test('identical reads of the graph are executed at most twice: for the first ones, and for all who came meanwhile', async () => {
    const sent = await statementsOf(() =>
      times(async () => expectData(await gateway.graphql('{ cameras { nodes { id lastStatus { online } } } }'))),
    );
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  test('identical reads over REST too', async () => {
    const sent = await statementsOf(() => times(async () => expectStatus(await gateway.rest('GET', '/cameras'), 200)));
    expect(sent.length).toBeLessThanOrEqual(2);
    const pages = await statementsOf(() =>
      times(async () => expectStatus(await gateway.rest('GET', '/api/printjobs?PageSize=5'), 200)),
    );
    expect(pages.length).toBeLessThanOrEqual(2);
  });

  test('reads with different variables do not share an execution, but their ids share statements', async () => {
    const sent = await statementsOf(() =>
      times(async (n) => {
        const id = cameras[n % cameras.length] as string;
        const { camera } = expectData(await gateway.graphql('query ($id: ID!) { camera(id: $id) { id } }', { id }));
        expect(camera).toEqual({ id });
      }),
    );
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  test('what is refused to one of them is refused to nobody else', async () => {
    const jobs =
      'query ($id: ID!, $after: String) { printer(id: $id) { jobs(first: 1, after: $after) { totalCount } } }';
    await times(async (n) => {
      const after = n % 2 === 0 ? 'garbage' : null;
      const answer = await gateway.graphql(jobs, { id: farm.printerId, after });
      if (after === null) expect(expectData(answer).printer.jobs.totalCount).toBeGreaterThanOrEqual(0);
      else expectCode(answer, 'BAD_USER_INPUT');
    });
  });

  test('status records and new jobs are committed in groups, and each gets its own answer', async () => {
    const document =
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { cameraId batteryPct online } }';
    const recorded = await statementsOf(() =>
      times(async (n) => {
        const record = { cameraId: cameras[n % cameras.length], batteryPct: n, online: true };
        // One among them is of a camera that does not exist.
        const input = n === 7 ? [{ ...record, cameraId: 'nobody' }] : [record];
        const answer = await gateway.graphql(document, { input });
        if (n === 7) return expectCode(answer, 'NOT_FOUND');
        return expect(expectData(answer).recordCameraStatuses).toEqual([record]);
      }),
    );
    expect(recorded.length).toBeLessThanOrEqual(4);
    const created = await statementsOf(() =>
      times(async (n) => {
        const body = jobRequest(farm, { PrintName: `job ${n}`, ...(n === 7 && { PrinterId: randomUUID() }) });
        const answer = await gateway.rest('POST', '/api/printjobs', body);
        if (n === 7) return expectError(answer, 400, 'PrinterId');
        return expect(expectStatus(answer, 201).body.PrintName).toBe(`job ${n}`);
      }),
    );
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

describeOnBothDatabases('freshness', (kind) => {
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
