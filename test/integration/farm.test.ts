// Tests the counts of the farm, and node ids: each leads to its object, and no other text leads anywhere.
import { describeOnDatabases } from '../support/databases';
import { ago, makeCamera, makeDevice, makeFarm, makeJob, recordStatuses, STATUSES } from '../support/farm';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';
import { makePrint } from '../support/prints';

// Covers all types that the driver answers: counts, times, lists and nulls.
describeOnDatabases('the summary of the farm', (kind) => {
  const gateway = useGateway(kind);
  const FARM = `{ farm { cameras camerasLive printers printersBusy spools filaments materials jobs jobsByStatus { status jobs } } }`;
  const summary = async () => expectData(await gateway.graphql(FARM)).farm;
  const byStatus = (counts: number[]) =>
    STATUSES.map((status, n) => ({ status: status.toUpperCase(), jobs: counts[n] ?? 0 }));

  test('counts the objects of each kind, and names every status', async () => {
    expect(await summary()).toEqual({
      cameras: 0,
      camerasLive: 0,
      printers: 0,
      printersBusy: 0,
      spools: 0,
      filaments: 0,
      materials: 0,
      jobs: 0,
      jobsByStatus: byStatus([]),
    });
    const [one, other] = [await makeFarm(gateway), await makeFarm(gateway)];
    for (const status of [...STATUSES, 'Printing', 'Queued'] as const) await makeJob(gateway, one, {}, status);
    await makeJob(gateway, other, {}, 'Completed');
    const records = [
      [],
      [{ recordedAt: ago(10) }],
      [{ recordedAt: ago(10), online: false }],
      [{ recordedAt: ago(400) }],
    ];
    for (const statuses of records) {
      const id = await makeCamera(gateway);
      if (statuses.length > 0) await recordStatuses(gateway, id, statuses);
    }
    expect(await summary()).toEqual({
      cameras: 4,
      camerasLive: 1,
      printers: 2,
      printersBusy: 1,
      spools: 2,
      filaments: 0,
      materials: 2,
      jobs: 8,
      jobsByStatus: byStatus([2, 2, 2, 1, 1]),
    });
  });

  test('the viewer has no name and every scope if no credentials are needed', async () => {
    const { viewer } = expectData(await gateway.graphql('{ viewer { name mayRead mayWrite cameraId } }'));
    expect(viewer).toEqual({ name: null, mayRead: true, mayWrite: true, cameraId: null });
  });
});

const NODE = 'query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId } }';
const written = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

// The queries of every type answer on both.
describeOnDatabases('a nodeId', (kind) => {
  const gateway = useGateway(kind);
  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  /** The nodes of one farm, by type, each with its id. */
  const ids: Record<string, { nodeId: string; id: string }> = {};
  let cameraId = '';

  beforeAll(async () => {
    const farm = await makeFarm(gateway);
    const job = await makeJob(gateway, farm);
    cameraId = await makeCamera(gateway, { camera_id: '43😀"2' });
    await recordStatuses(gateway, cameraId, [
      { recordedAt: ago(60), mode: 'old' },
      { recordedAt: ago(5), mode: 'new' },
    ]);
    const print = await makePrint(gateway, farm.printerId);
    const deviceId = await makeDevice(gateway, farm.printerId);
    const { camera, printJob, observedPrint, device } = await run(
      `query ($camera: ID!, $job: ID!, $print: ID!, $device: ID!) {
         observedPrint(id: $print) { nodeId id }
         device(id: $device) { nodeId id }
         camera(id: $camera) { nodeId id history { nodeId id } }
         printJob(id: $job) { nodeId id printer { nodeId id } spool { nodeId id material { nodeId id } } } }`,
      { camera: cameraId, job: job.Id, print, device: deviceId },
    );
    const { history, ...itself } = camera;
    const { printer, spool, ...alone } = printJob;
    const { material, ...reel } = spool;
    Object.assign(ids, {
      Camera: itself,
      CameraStatus: history[1],
      PrintJob: alone,
      ObservedPrint: observedPrint,
      Printer: printer,
      Spool: reel,
      Material: material,
      Device: device,
    });
  });

  test('a node id leads to its object, whichever type it has', async () => {
    expect(Object.keys(ids)).toHaveLength(8);
    expect(new Set(Object.values(ids).map(({ nodeId }) => nodeId)).size).toBe(8);
    for (const [type, { nodeId, id }] of Object.entries(ids)) {
      const document = `query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId ... on ${type} { id } } }`;
      // Only the later executions of a document are compiled.
      for (let time = 0; time < 3; time += 1) {
        expect(await run(document, { nodeId })).toEqual({ node: { __typename: type, nodeId, id } });
      }
    }
  });

  test('a node answers every field of the object, as the queries of its type do', async () => {
    const { node, camera } = await run(
      `query ($nodeId: ID!, $id: ID!) { node(nodeId: $nodeId) { ...C } camera(id: $id) { ...C } }
       fragment C on Camera { id friendlyName createdAt lastStatus { mode camera { id } } history { mode } printer { id } }`,
      { nodeId: ids['Camera']?.nodeId, id: cameraId },
    );
    expect(node).toEqual(camera);
    const status = await run(
      'query ($nodeId: ID!) { node(nodeId: $nodeId) { ... on CameraStatus { mode camera { id } } } }',
      {
        nodeId: ids['CameraStatus']?.nodeId,
      },
    );
    expect(status).toEqual({ node: { mode: 'old', camera: { id: cameraId } } });
  });

  test('the node of a latest status is found after its partition is deleted', async () => {
    const id = await makeCamera(gateway);
    await recordStatuses(gateway, id, [{ recordedAt: ago(60) }]);
    const { camera } = await run('query ($id: ID!) { camera(id: $id) { lastStatus { nodeId } } }', { id });
    await gateway.sql('alter table camera_status disable trigger user');
    await gateway.sql(`delete from camera_status where camera_id = '${id}'`);
    await gateway.sql('alter table camera_status enable trigger user');
    const { nodeId } = camera.lastStatus;
    expect(await run(NODE, { nodeId })).toEqual({ node: { __typename: 'CameraStatus', nodeId } });
  });

  test('a malformed node id, or one of no object, leads to null', async () => {
    const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const { Camera, Printer, CameraStatus } = ids as Record<string, { nodeId: string; id: string }>;
    const recordedAt = '2026-01-01T00:00:00.000Z';
    const wrong = [
      '',
      '%%%',
      cameraId,
      Printer?.id,
      `${Camera?.nodeId}=`,
      ` ${Camera?.nodeId}`,
      `${Camera?.nodeId}AA`,
      [],
      ['Camera'],
      ['Camera', 1],
      ['Camera', cameraId, cameraId],
      ['Camera', 'nobody'],
      ['Camera', 'a\u0000b'],
      ['Printer', 'x'],
      ['Printer', Printer?.id.toUpperCase()],
      ['ObservedPrint', guid],
      ['Query', guid],
      null,
      ['toString'],
      ['__proto__', guid],
      [['Printer'], Printer?.id],
      { 0: 'Printer', 1: Printer?.id },
      ['CameraStatus', cameraId],
      ['CameraStatus', cameraId, recordedAt, CameraStatus?.id],
      ...['x', '-1', '9'.repeat(19)].map((id) => ['CameraStatus', cameraId, recordedAt, id]),
      ['CameraStatus', cameraId, 'yesterday', '1'],
    ];
    for (const one of wrong) {
      const nodeId = typeof one === 'string' ? one : written(one);
      expect([nodeId, await run(NODE, { nodeId })]).toEqual([nodeId, { node: null }]);
    }
  });
});
