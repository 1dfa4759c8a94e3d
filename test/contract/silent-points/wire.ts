// Where the documents are silent: casing, bodies, content type and error bodies of every path.
import { randomUUID } from 'node:crypto';
import { camel as camelCase } from '../../../src/values/spelling';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, jobRequest, jobUpdate, makeCamera, makeFarm, makeJob, unique } from '../../support/farm';
import { expectError, expectStatus, type RestResponse, test, useGateway } from '../../support/gateway';

const JOB_MEMBERS =
  'Id PrinterId PrinterName SpoolId SpoolSerial PrintName GcodeFilePath MmExtruded GramsDerived CostPerPrint StartedAt ' +
  'CompletedAt Status DataSource FilamentDiameterAtPrintMm MaterialDensityAtPrint Notes CreatedAt UpdatedAt';

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const renamed = (object: Record<string, unknown>, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));

describeOnDatabases('the wire', (kind) => {
  const gateway = useGateway(kind);
  const camel = useGateway(kind, { jobSpelling: camelCase });

  test('print job members go out exactly as documented', async () => {
    const farm = await makeFarm(gateway);
    const job = await makeJob(gateway, farm);
    expect(Object.keys(job)).toEqual(JOB_MEMBERS.split(' '));
    const page = await gateway.rest('GET', '/api/printjobs?PageSize=1');
    expect(Object.keys(page.body)).toEqual(['Items', 'TotalCount', 'PageNumber', 'PageSize']);
    expect(Object.keys(page.body.Items[0])).toEqual(JOB_MEMBERS.split(' '));
  });

  test('REST_PRINT_JOB_CASING=camel sends id, printerId, totalCount, and leaves the camera document alone', async () => {
    const farm = await makeFarm(camel);
    const members = JOB_MEMBERS.split(' ').map(lowerFirst);
    const made = expectStatus(await camel.rest('POST', '/api/printjobs', jobRequest(farm)), 201);
    const path = `/api/printjobs/${made.body.id}`;
    expect(made.headers['location']).toBe(path);
    const answers = [
      made,
      expectStatus(await camel.rest('GET', path), 200),
      expectStatus(await camel.rest('PUT', path, jobUpdate(farm)), 200),
      expectStatus(await camel.rest('PATCH', `${path}/status`, { Status: 'Printing' }), 200),
    ];
    for (const answer of answers) expect(Object.keys(answer.body)).toEqual(members);
    const page = expectStatus(await camel.rest('GET', '/api/printjobs?PageSize=1'), 200);
    expect(Object.keys(page.body)).toEqual(['items', 'totalCount', 'pageNumber', 'pageSize']);
    expect(Object.keys(page.body.items[0])).toEqual(members);
    expectError(await camel.rest('GET', `/api/printjobs/${randomUUID()}`), 404);

    const camera = await makeCamera(camel);
    const detail = await camel.rest('GET', `/cameras/${encodeURIComponent(camera)}`);
    expect(Object.keys(detail.body)).toEqual(['camera', 'last_status', 'history']);
  });

  test('member names are read whatever their case', async () => {
    for (const [door, statusMember] of [
      [gateway, 'Status'],
      [camel, 'status'],
    ] as const) {
      const farm = await makeFarm(door);
      for (const rename of [lowerFirst, (name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
        const made = expectStatus(await door.rest('POST', '/api/printjobs', renamed(jobRequest(farm), rename)), 201);
        expect(made.text).toMatch(/benchy\.gcode/);
        const path = `/api/printjobs/${made.body.Id ?? made.body.id}`;
        const updated = await door.rest('PUT', path, renamed(jobUpdate(farm), rename));
        expect(expectStatus(updated, 200).text).toMatch(/again\.gcode/);
        const changed = await door.rest('PATCH', `${path}/status`, renamed({ Status: 'Printing' }, rename));
        expect(expectStatus(changed, 200).body[statusMember]).toBe('Printing');
        const camera = { camera_id: unique('cam'), friendly_name: 'Door', mac_address: unique('mac') };
        const upper = renamed(camera, (name) => name.toUpperCase());
        expect(expectStatus(await door.rest('POST', '/cameras', upper), 201).body).toEqual(camera);
      }
    }
  });

  test('query parameter names are read whatever their case', async () => {
    const farm = await makeFarm(gateway);
    for (const _ of [1, 2, 3]) await makeJob(gateway, farm);
    await makeJob(gateway, farm, {}, 'Failed');
    for (const rename of [lowerFirst, (name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
      const query = new URLSearchParams(
        renamed(
          { PrinterId: farm.printerId, SpoolId: farm.spoolId, Status: 'queued', PageNumber: 2, PageSize: 2 },
          rename,
        ) as Record<string, string>,
      );
      const page = expectStatus(await gateway.rest('GET', `/api/printjobs?${query}`), 200).body;
      expect([page.Items.length, page.TotalCount, page.PageNumber, page.PageSize]).toEqual([1, 3, 2, 2]);
    }
  });

  let farm: Farm;
  let job: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    job = (await makeJob(gateway, farm)).Id;
  });

  const TYPES = [
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'nonsense',
  ];
  for (const type of TYPES) {
    test(`a body is parsed as JSON when its content type is ${type}`, async () => {
      const headers = type === undefined ? undefined : { 'content-type': type };
      const send = (method: string, path: string, body: object) =>
        gateway.rest(method, path, JSON.stringify(body), headers);
      expectStatus(await send('POST', '/cameras', { camera_id: unique('cam'), friendly_name: 'Door' }), 201);
      expectStatus(await send('POST', '/api/printjobs', jobRequest(farm)), 201);
      expectStatus(await send('PUT', `/api/printjobs/${job}`, jobUpdate(farm)), 200);
      expectStatus(await send('PATCH', `/api/printjobs/${job}/status`, { Status: 'Queued' }), 200);
      expectError(await gateway.rest('POST', '/cameras', 'camera_id=x&friendly_name=y', headers), 400);
    });
  }

  test('unknown members are ignored', async () => {
    const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
    const extra = { colour: 'red', nested: { deep: [1, 2] }, '': 1 };
    expect(expectStatus(await gateway.rest('POST', '/cameras', { ...camera, ...extra }), 201).body).toEqual(camera);
    expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, extra)), 201);
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${job}`, jobUpdate(farm, extra)), 200);
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${job}/status`, { Status: 'Queued', ...extra }), 200);
  });

  test('a numeric text is read as the number', async () => {
    const made = await makeJob(gateway, farm, { MmExtruded: '12.5', CostPerPrint: '1e2' });
    expect([made.MmExtruded, made.CostPerPrint]).toEqual([12.5, 100]);
  });

  test('every response with a body is exactly application/json; the 204 of DELETE has no content type', async () => {
    const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
    const path = `/api/printjobs/${(await makeJob(gateway, farm)).Id}`;
    const answers: [RestResponse, number][] = [
      [await gateway.rest('POST', '/cameras', camera), 201],
      [await gateway.rest('POST', '/cameras', camera), 409],
      [await gateway.rest('GET', '/cameras'), 200],
      [await gateway.rest('GET', `/cameras/${encodeURIComponent(camera.camera_id)}`), 200],
      [await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 201],
      [await gateway.rest('GET', '/api/printjobs'), 200],
      [await gateway.rest('GET', path), 200],
      [await gateway.rest('PUT', path, jobUpdate(farm)), 200],
      [await gateway.rest('PATCH', `${path}/status`, { Status: 'Printing' }), 200],
      [await gateway.rest('GET', '/api/printjobs/17'), 400],
      [await gateway.rest('GET', `/api/printjobs/${randomUUID()}`), 404],
      [await gateway.rest('GET', '/nowhere'), 404],
      [await gateway.rest('DELETE', '/cameras'), 405],
      [await gateway.rest('GET', '/cameras/%zz'), 400],
    ];
    for (const [answer, status] of answers) {
      expectStatus(answer, status);
      expect([answer.request.path, answer.headers['content-type']]).toEqual([answer.request.path, 'application/json']);
    }
    const deleted = expectStatus(await gateway.rest('DELETE', path), 204);
    expect(deleted.headers).not.toHaveProperty('content-type');
    expect(deleted.text).toBe('');
  });

  for (const path of [
    '/nowhere',
    '/camera',
    '/cameras/a/b',
    '/api',
    '/api/printjob',
    `/api/printjobs/${randomUUID()}/nothing`,
  ]) {
    test(`an unknown path is 404 with an error body: ${path.replace(/[0-9a-f-]{36}/, '{id}')}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) expectError(await gateway.rest(method, path), 404);
    });
  }

  for (const path of ['/cameras/', '/api/printjobs//status']) {
    test(`no method is allowed where the id is empty: ${path}`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
        const refused = await gateway.rest(method, path, {});
        expect(expectError(refused, refused.status === 404 ? 404 : 400)).toMatch(
          /nothing at|must (be a GUID|not be empty)/,
        );
        expect(refused.headers).not.toHaveProperty('allow');
      }
    });
  }

  const METHODS: [path: string, allowed: string[]][] = [
    ['/cameras', ['GET', 'POST']],
    ['/cameras/x', ['GET']],
    ['/api/printjobs', ['GET', 'POST']],
    [`/api/printjobs/${randomUUID()}`, ['DELETE', 'GET', 'PUT']],
    [`/api/printjobs/${randomUUID()}/status`, ['PATCH']],
  ];
  for (const [path, allowed] of METHODS) {
    test(`a wrong method is 405 with Allow: ${path.replace(/[0-9a-f-]{36}/, '{id}')}`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((verb) => !allowed.includes(verb))) {
        for (const body of [undefined, {}]) {
          const refused = await gateway.rest(method, path, body);
          expectError(refused, 405);
          const named = String(refused.headers['allow'])
            .split(/,\s*/)
            .filter((verb) => verb !== 'HEAD' && verb !== 'OPTIONS');
          expect(named.sort()).toEqual(allowed);
        }
      }
    });
  }

  test('a body beyond the limit is 413 with an error body, whatever is in it', async () => {
    const long = 'x'.repeat(1_048_577);
    const path = `/api/printjobs/${job}`;
    for (const [method, at] of [
      ['POST', '/cameras'],
      ['POST', '/api/printjobs'],
      ['PUT', path],
      ['PATCH', `${path}/status`],
    ] as const) {
      expectError(await gateway.rest(method, at, { friendly_name: long }), 413);
      expectError(await gateway.rest(method, at, long), 413);
    }
  });
});
