// What the documents leave open: casing, bodies, content type and error bodies of every path.
import { randomUUID } from 'node:crypto';
import { camel as camelCase } from '../../../src/doors/rest/casing';
import { anyDatabase, describeOnce } from '../../support/databases';
import {
  type Farm,
  JOB_MEMBERS,
  jobRequest,
  jobUpdate,
  makeCamera,
  makeFarm,
  makeJob,
  unique,
} from '../../support/farm';
import { expectError, expectStatus, type Gateway, type RestResponse, test, useGateway } from '../../support/gateway';

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const renamed = (object: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
const ID = randomUUID();

describeOnce('the wire', () => {
  const gateway = useGateway(anyDatabase);
  const camel = useGateway(anyDatabase, { jobSpelling: camelCase });
  let farm: Farm;
  let job: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    job = (await makeJob(gateway, farm)).Id;
  });

  const answersOfJobs = async (door: Gateway, of: Farm, body: 'Status' | 'status') => {
    const made = await door.rest('POST', '/api/printjobs', jobRequest(of));
    const path = String(made.headers['location']);
    const update = await door.rest('PUT', path, jobUpdate(of));
    const change = await door.rest('PATCH', `${path}/status`, { [body]: 'Printing' });
    return [
      expectStatus(made, 201),
      ...[update, change, await door.rest('GET', path)].map((one) => expectStatus(one, 200)),
    ];
  };

  test('print job members are sent exactly as documented', async () => {
    for (const { body } of await answersOfJobs(gateway, farm, 'Status')) expect(Object.keys(body)).toEqual(JOB_MEMBERS);
    const page = await gateway.rest('GET', '/api/printjobs?PageSize=1');
    expect(Object.keys(page.body)).toEqual(['Items', 'TotalCount', 'PageNumber', 'PageSize']);
    expect(Object.keys(page.body.Items[0])).toEqual(JOB_MEMBERS);
  });

  test('REST_PRINT_JOB_CASING=camel sends id, printerId, totalCount, and does not change the camera document', async () => {
    const members = JOB_MEMBERS.map(lowerFirst);
    const answers = await answersOfJobs(camel, await makeFarm(camel), 'status');
    for (const { body } of answers) expect(Object.keys(body)).toEqual(members);
    const page = expectStatus(await camel.rest('GET', '/api/printjobs?PageSize=1'), 200);
    expect(Object.keys(page.body)).toEqual(['items', 'totalCount', 'pageNumber', 'pageSize']);
    expect(Object.keys(page.body.items[0])).toEqual(members);
    const detail = await camel.rest('GET', `/cameras/${encodeURIComponent(await makeCamera(camel))}`);
    expect(Object.keys(detail.body)).toEqual(['camera', 'last_status', 'history']);
  });

  test('member names are read in any case', async () => {
    for (const rename of [lowerFirst, (name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
      const made = expectStatus(await gateway.rest('POST', '/api/printjobs', renamed(jobRequest(farm), rename)), 201);
      expect(made.body.GcodeFilePath).toMatch(/benchy\.gcode/);
      const path = String(made.headers['location']);
      const updated = await gateway.rest('PUT', path, renamed(jobUpdate(farm), rename));
      expect(expectStatus(updated, 200).body.GcodeFilePath).toMatch(/again\.gcode/);
      const changed = await gateway.rest('PATCH', `${path}/status`, renamed({ Status: 'Printing' }, rename));
      expect(expectStatus(changed, 200).body.Status).toBe('Printing');
    }
    const camera = { camera_id: unique('cam'), friendly_name: 'Door', mac_address: unique('mac') };
    const upper = renamed(camera, (name) => name.toUpperCase());
    expect(expectStatus(await gateway.rest('POST', '/cameras', upper), 201).body).toEqual(camera);
  });

  test('a body is parsed as JSON whatever its content type, and unknown members are ignored', async () => {
    const types = [
      undefined,
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/octet-stream',
    ];
    const extra = { colour: 'red', nested: { deep: [1, 2] }, '': 1 };
    for (const type of types) {
      const headers = type === undefined ? undefined : { 'content-type': type };
      const send = async (method: string, path: string, body: object, status: number) =>
        expectStatus(await gateway.rest(method, path, JSON.stringify({ ...body, ...extra }), headers), status);
      const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
      expect((await send('POST', '/cameras', camera, 201)).body).toEqual(camera);
      await send('POST', '/api/printjobs', jobRequest(farm), 201);
      await send('PUT', `/api/printjobs/${job}`, jobUpdate(farm), 200);
      await send('PATCH', `/api/printjobs/${job}/status`, { Status: 'Queued' }, 200);
      expectError(await gateway.rest('POST', '/cameras', 'camera_id=x&friendly_name=y', headers), 400);
    }
  });

  test('every response with a body is exactly application/json; the 204 of DELETE has no content type', async () => {
    const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
    const jobs = await answersOfJobs(gateway, farm, 'Status');
    const path = String(jobs[0]?.headers['location']);
    const answers: [RestResponse, number][] = [
      [await gateway.rest('POST', '/cameras', camera), 201],
      [await gateway.rest('POST', '/cameras', camera), 409],
      [await gateway.rest('GET', '/cameras'), 200],
      [await gateway.rest('GET', `/cameras/${encodeURIComponent(camera.camera_id)}`), 200],
      [await gateway.rest('GET', '/api/printjobs'), 200],
      [await gateway.rest('GET', '/api/printjobs/17'), 400],
      [await gateway.rest('GET', '/nowhere'), 404],
      [await gateway.rest('DELETE', '/cameras'), 405],
      [await gateway.rest('GET', '/cameras/%zz'), 400],
    ];
    for (const [answer, status] of answers) expectStatus(answer, status);
    for (const { request, headers } of [...answers.map(([answer]) => answer), ...jobs])
      expect([request.path, headers['content-type']]).toEqual([request.path, 'application/json']);
    const deleted = expectStatus(await gateway.rest('DELETE', path), 204);
    expect(deleted.headers).not.toHaveProperty('content-type');
    expect(deleted.text).toBe('');
  });

  test('an unknown path is 404 with an error body', async () => {
    for (const path of [
      '/nowhere',
      '/camera',
      '/cameras/a/b',
      '/api',
      '/api/printjob',
      `/api/printjobs/${ID}/nothing`,
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) expectError(await gateway.rest(method, path), 404);
    }
  });

  test('no method is allowed if the id is empty', async () => {
    for (const path of ['/cameras/', '/api/printjobs//status']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']) {
        const refused = await gateway.rest(method, path, {});
        const message = expectError(refused, refused.status === 404 ? 404 : 400);
        expect(message).toMatch(/nothing at|must (be a GUID|not be empty)/);
        expect(refused.headers).not.toHaveProperty('allow');
      }
    }
  });

  test('a wrong method is 405 with Allow', async () => {
    const methods: Record<string, string[]> = {
      '/cameras': ['GET', 'POST'],
      '/cameras/x': ['GET'],
      '/api/printjobs': ['GET', 'POST'],
      [`/api/printjobs/${ID}`]: ['DELETE', 'GET', 'PUT'],
      [`/api/printjobs/${ID}/status`]: ['PATCH'],
    };
    for (const [path, allowed] of Object.entries(methods)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((verb) => !allowed.includes(verb))) {
        for (const body of [undefined, {}]) {
          const refused = await gateway.rest(method, path, body);
          expectError(refused, 405);
          const named = String(refused.headers['allow']).split(/,\s*/);
          expect(named.filter((verb) => verb !== 'HEAD' && verb !== 'OPTIONS').sort()).toEqual(allowed);
        }
      }
    }
  });
});
