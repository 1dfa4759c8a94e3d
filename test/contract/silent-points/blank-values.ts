// Where the documents are silent: blank optional values are left out, and paths of print jobs are read in any case.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../../support/databases';
import { cameraDetail, jobRequest, jobUpdate, makeCamera, makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, expectError, expectStatus, test, useGateway } from '../../support/gateway';

const PREFLIGHT = { 'apollo-require-preflight': 'true' };

describeOnDatabases('blank values', (kind) => {
  const gateway = useGateway(kind);

  for (const blank of ['', '%20', '+%20']) {
    test(`a query parameter is left out: "${blank}"`, async () => {
      const farm = await makeFarm(gateway);
      await makeJob(gateway, farm);
      const blanks = ['PageNumber', 'PageSize', 'SpoolId', 'Status'].map((name) => `${name}=${blank}`).join('&');
      const path = `/api/printjobs?PrinterId=${blank}&printerId=${farm.printerId}&${blanks}`;
      const page = expectStatus(await gateway.rest('GET', path), 200).body;
      expect([page.Items.length, page.TotalCount, page.PageNumber, page.PageSize]).toEqual([1, 1, 1, 20]);

      const filter = [
        'printerId',
        'spoolId',
        'status',
        'dataSource',
        'createdFrom',
        'createdTo',
        'search',
        'bom',
        'separator',
      ];
      const query = (names: string[]) => names.map((name) => `${name}=${blank}`).join('&');
      const usage = query([...filter, 'from', 'to', 'groupBy', 'timeZone']);
      expectStatus(await gateway.rest('GET', `/reports/filament-usage.csv?${usage}`), 200);
      const jobs = expectStatus(
        await gateway.rest('GET', `/reports/print-jobs.csv?${query([...filter, 'orderBy'])}`),
        200,
      );
      expect(jobs.text).toContain(farm.printerId);
    });
  }

  test('a parameter without a value is left out, and two values of one are refused', async () => {
    expectStatus(await gateway.rest('GET', '/api/printjobs?PrinterId&PageSize'), 200);
    const [one, two] = [randomUUID(), randomUUID()];
    expectError(await gateway.rest('GET', `/api/printjobs?PrinterId=${one}&PrinterId=${two}`), 400, 'PrinterId');
  });

  test('the optional texts of a GraphQL request are left out, by POST and by GET', async () => {
    const query = '{ materials { id } }';
    for (const empty of ['', null]) {
      const members = { query, operationName: empty, variables: empty, extensions: empty };
      expectData(await gateway.rest('POST', '/graphql', members).then(asGraphql));
    }
    for (const value of ['', '%20']) {
      const search = `query=${encodeURIComponent(query)}&operationName=&variables=${value}&extensions=${value}`;
      expectData(await gateway.rest('GET', `/graphql?${search}`, undefined, PREFLIGHT).then(asGraphql));
    }
    const nulls = `query=${encodeURIComponent(query)}&variables=null&extensions=null`;
    expectData(await gateway.rest('GET', `/graphql?${nulls}`, undefined, PREFLIGHT).then(asGraphql));
    const stream = await gateway.rest(
      'POST',
      '/graphql',
      { query, operationName: '' },
      { accept: 'text/event-stream' },
    );
    expect(expectStatus(stream, 200).text).toContain('"data":{"materials"');
  });

  test('an empty mac_address is none, on REST', async () => {
    for (const _ of [1, 2]) {
      const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
      const made = expectStatus(await gateway.rest('POST', '/cameras', { ...camera, mac_address: '' }), 201);
      expect(made.body).toEqual(camera);
      expect((await cameraDetail(gateway, camera.camera_id)).camera.mac_address).toBeNull();
    }
  });

  test('an empty macAddress is none, in the graph', async () => {
    const register =
      'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "Door", macAddress: "" }) { macAddress } }';
    for (const id of [unique('cam'), unique('cam')])
      expect(expectData(await gateway.graphql(register, { id })).registerCamera.macAddress).toBeNull();
    const update = 'mutation ($id: ID!) { updateCamera(id: $id, input: { macAddress: "" }) { macAddress } }';
    for (const _ of [1, 2]) {
      const id = await makeCamera(gateway, { mac_address: unique('mac') });
      expect(expectData(await gateway.graphql(update, { id })).updateCamera.macAddress).toBeNull();
    }
  });

  test('an empty vendor of a spool is none', async () => {
    const { materialId } = await makeFarm(gateway);
    const create = `mutation ($serial: String!, $materialId: ID!) { createSpool(input: { spoolSerial: $serial,
      materialId: $materialId, filamentDiameterMm: "1.75", weightTotalGrams: 1000, vendor: "" }) { id vendor } }`;
    const { createSpool } = expectData(await gateway.graphql(create, { serial: unique('spool'), materialId }));
    expect(createSpool.vendor).toBeNull();
    const update =
      'mutation ($id: ID!, $vendor: String) { updateSpool(id: $id, input: { vendor: $vendor }) { vendor } }';
    for (const [vendor, stored] of [
      ['Maker', 'Maker'],
      ['', null],
    ]) {
      const answer = await gateway.graphql(update, { id: createSpool.id, vendor });
      expect(expectData(answer).updateSpool).toEqual({ vendor: stored });
    }
  });

  for (const [root, end] of [
    ['/api/PrintJobs', ''],
    ['/API/PRINTJOBS', '/'],
    ['/api/printjobs', '/'],
    ['http://127.0.0.1/Api/printJobs', '/'],
  ] as const) {
    test(`print jobs are at ${root}${end} too`, async () => {
      const farm = await makeFarm(gateway);
      const made = expectStatus(await gateway.rest('POST', root + end, jobRequest(farm)), 201);
      const id = made.body.Id;
      expect(made.headers['location']).toBe(`/api/printjobs/${id}`);
      const path = `${root}/${id.toUpperCase()}${end}`;
      const page = expectStatus(await gateway.rest('GET', `${root}${end}?PrinterId=${farm.printerId}`), 200);
      expect(page.body.Items.map((job: { Id: string }) => job.Id)).toEqual([id]);
      expectStatus(await gateway.rest('GET', path), 200);
      expectStatus(await gateway.rest('PUT', path, jobUpdate(farm)), 200);
      expectStatus(await gateway.rest('PATCH', `${root}/${id}/Status${end}`, { Status: 'Printing' }), 200);
      expectStatus(await gateway.rest('DELETE', path), 204);
      const refused = await gateway.rest('POST', path, {});
      expectError(refused, 405);
      expect(refused.headers['allow']).toBe((await gateway.rest('POST', `/api/printjobs/${id}`, {})).headers['allow']);
      expectError(await gateway.rest('GET', `${root}/17${end}`), 400);
      expectError(await gateway.rest('GET', `${root}/${id}/nothing${end}`), 404);
    });
  }

  test('other paths have one spelling', async () => {
    for (const path of ['/Cameras', '/api/printjob/', '/api/printjobsx', '/api/printjobs/a/b/status'])
      expectError(await gateway.rest('GET', path), 404);
  });
});

const asGraphql = (answer: Awaited<ReturnType<ReturnType<typeof useGateway>['rest']>>) => ({
  ...answer,
  data: answer.body?.data,
  errors: answer.body?.errors ?? [],
});
