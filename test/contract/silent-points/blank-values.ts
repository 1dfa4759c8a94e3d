// What the documents leave open: blank optional values count as missing, and paths of print jobs are read in any case.
import { randomUUID } from 'node:crypto';
import { describeOnce } from '../../support/databases';
import { cameraDetail, jobRequest, jobUpdate, makeCamera, makeFarm, makeJob, unique } from '../../support/farm';
import { expectData, expectError, expectStatus, test, useGateway } from '../../support/gateway';

describeOnce('blank values', (kind) => {
  const gateway = useGateway(kind);

  test('a blank query parameter is ignored, and a repeated parameter is refused', async () => {
    const farm = await makeFarm(gateway);
    await makeJob(gateway, farm);
    const names = (text: string, blank: string) => text.split(' ').map((name) => `${name}=${blank}`);
    const filter = 'printerId spoolId status dataSource createdFrom createdTo search bom separator';
    for (const blank of ['', '%20', '+%20']) {
      const blanks = names('PageNumber PageSize SpoolId Status', blank).join('&');
      const path = `/api/printjobs?PrinterId=${blank}&printerId=${farm.printerId}&${blanks}`;
      const page = expectStatus(await gateway.rest('GET', path), 200).body;
      expect([page.Items.length, page.TotalCount, page.PageNumber, page.PageSize]).toEqual([1, 1, 1, 20]);
      const usage = names(`${filter} from to groupBy timeZone`, blank).join('&');
      expectStatus(await gateway.rest('GET', `/reports/filament-usage.csv?${usage}`), 200);
      const jobs = names(`${filter} orderBy`, blank).join('&');
      const csv = expectStatus(await gateway.rest('GET', `/reports/print-jobs.csv?${jobs}`), 200);
      expect(csv.text).toContain(farm.printerId);
    }
    expectStatus(await gateway.rest('GET', '/api/printjobs?PrinterId&PageSize'), 200);
    const [one, two] = [randomUUID(), randomUUID()];
    expectError(await gateway.rest('GET', `/api/printjobs?PrinterId=${one}&PrinterId=${two}`), 400, 'PrinterId');
  });

  test('the optional texts of a GraphQL request may be blank, by POST and by GET', async () => {
    const query = '{ materials { id } }';
    const answers = [];
    for (const empty of ['', null]) {
      const members = { query, operationName: empty, variables: empty, extensions: empty };
      answers.push(await gateway.rest('POST', '/graphql', members));
    }
    for (const value of ['', '%20', 'null']) {
      const search = `query=${encodeURIComponent(query)}&operationName=&variables=${value}&extensions=${value}`;
      const headers = { 'apollo-require-preflight': 'true' };
      answers.push(await gateway.rest('GET', `/graphql?${search}`, undefined, headers));
    }
    for (const answer of answers)
      expect(expectStatus(answer, 200).body).toEqual({ data: { materials: expect.any(Array) } });
    const accept = { accept: 'text/event-stream' };
    const stream = await gateway.rest('POST', '/graphql', { query, operationName: '' }, accept);
    expect(expectStatus(stream, 200).text).toContain('"data":{"materials"');
  });

  test('an empty MAC address counts as missing, in both interfaces', async () => {
    const update = 'mutation ($id: ID!) { updateCamera(id: $id, input: { macAddress: "" }) { macAddress } }';
    const register = `mutation ($id: ID!) {
      registerCamera(input: { id: $id, friendlyName: "Door", macAddress: "" }) { macAddress } }`;
    // Twice, since the address is unique.
    for (const _ of [1, 2]) {
      const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
      const made = expectStatus(await gateway.rest('POST', '/cameras', { ...camera, mac_address: '' }), 201);
      expect(made.body).toEqual(camera);
      expect((await cameraDetail(gateway, camera.camera_id)).camera.mac_address).toBeNull();
      const registered = expectData(await gateway.graphql(register, { id: unique('cam') })).registerCamera;
      const id = await makeCamera(gateway, { mac_address: unique('mac') });
      const updated = expectData(await gateway.graphql(update, { id })).updateCamera;
      expect([registered, updated]).toEqual([{ macAddress: null }, { macAddress: null }]);
    }
  });

  test('an empty vendor of a spool counts as missing', async () => {
    const { materialId } = await makeFarm(gateway);
    const create = `mutation ($serial: String!, $materialId: ID!) { createSpool(input: { spoolSerial: $serial,
      materialId: $materialId, filamentDiameterMm: "1.75", weightTotalGrams: 1000, vendor: "" }) { id vendor } }`;
    const { createSpool } = expectData(await gateway.graphql(create, { serial: unique('spool'), materialId }));
    expect(createSpool.vendor).toBeNull();
    const update = `mutation ($id: ID!, $vendor: String) { updateSpool(id: $id, input: { vendor: $vendor }) { vendor } }`;
    for (const vendor of ['Maker', '']) {
      const { updateSpool } = expectData(await gateway.graphql(update, { id: createSpool.id, vendor }));
      expect(updateSpool.vendor).toBe(vendor || null);
    }
  });

  test('paths of print jobs are read in any case and with a slash at their end; other paths have one spelling', async () => {
    for (const [root, end] of [
      ['/API/PRINTJOBS', '/'],
      ['/api/PrintJobs', ''],
      ['http://127.0.0.1/Api/printJobs', '/'],
    ] as const) {
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
      expectError(await gateway.rest('POST', path, {}), 405);
      expectError(await gateway.rest('GET', `${root}/17${end}`), 400);
      expectError(await gateway.rest('GET', `${root}/${id}/nothing${end}`), 404);
    }
    for (const path of ['/Cameras', '/api/printjob/', '/api/printjobsx', '/api/printjobs/a/b/status'])
      expectError(await gateway.rest('GET', path), 404);
  });
});
