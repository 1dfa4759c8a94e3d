// §4 of the camera status document: GET /cameras and POST /cameras.
import { describeOnDatabases } from '../../support/databases';
import { ago, cameraDetail, cameraItem, makeCamera, recordStatuses, tables, unique } from '../../support/farm';
import { expectError, expectStatus, type Parsed, type RestResponse, test, useGateway } from '../../support/gateway';
import { LEAK, without } from './storage-failure';

describeOnDatabases('camera status document, list and register', (kind) => {
  const gateway = useGateway(kind);

  test('§4 GET /cameras: "The array is empty when no cameras exist."', async () => {
    // Cameras of other tests in this file come later; only this one needs the registry empty.
    await gateway.sql('DELETE FROM cameras');
    const empty = expectStatus(await gateway.rest('GET', '/cameras'), 200);
    expect(empty.text).toBe('[]');
  });

  test('§4 GET /cameras: "Request: no body, no parameters."', async () => {
    const id = await makeCamera(gateway);
    const plain = expectStatus(await gateway.rest('GET', '/cameras'), 200);
    expect(plain.body.map((item: Parsed) => item.camera_id)).toContain(id);
    const asked = expectStatus(await gateway.rest('GET', '/cameras?limit=0&camera_id=nobody'), 200);
    expect(asked.text).toBe(plain.text);
  });

  test('§4 GET /cameras: "Response 200: JSON array of camera status items (see Resources)."', async () => {
    const id = await makeCamera(gateway);
    const list = expectStatus(await gateway.rest('GET', '/cameras'), 200);
    expect(Array.isArray(list.body)).toBe(true);
    expect(Object.keys(list.body.find((item: Parsed) => item.camera_id === id))).toHaveLength(10);
  });

  test('§4 GET /cameras: "Order: ascending by camera_id."', async () => {
    for (const id of ['b', 'a', 'c']) await makeCamera(gateway, { camera_id: `${id} ${unique('cam')}` });
    const list = expectStatus(await gateway.rest('GET', '/cameras'), 200);
    const ids = list.body.map((item: Parsed) => item.camera_id);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    expect(ids).toEqual([...ids].sort());
  });

  test('§4 GET /cameras: "For each camera the status part comes from its latest status record (greatest recorded_at)."', async () => {
    const [one, other] = [await makeCamera(gateway), await makeCamera(gateway)];
    await recordStatuses(gateway, one, [
      { recordedAt: ago(10), mode: 'latest' },
      { recordedAt: ago(30), mode: 'older' },
      { recordedAt: ago(20), mode: 'old' },
    ]);
    await recordStatuses(gateway, other, [{ recordedAt: ago(40 * 24 * 3600), mode: 'long ago' }]);
    expect((await cameraItem(gateway, one)).mode).toBe('latest');
    expect((await cameraItem(gateway, other)).mode).toBe('long ago');
  });

  test('§4 GET /cameras: "Cameras without any status record are included in the query."', async () => {
    const id = await makeCamera(gateway);
    expect(await cameraItem(gateway, id)).toMatchObject({ camera_id: id, recorded_at: null });
  });

  test('§4 GET /cameras: "Response 500 on a storage failure: body `{error: <message>}`."', async () => {
    const [failed] = await without(gateway, 'cameras', () => [gateway.rest('GET', '/cameras')]);
    expect(expectError(failed as RestResponse, 500)).not.toMatch(LEAK);
    expectStatus(await gateway.rest('GET', '/cameras'), 200);
  });

  test('§4 POST /cameras: "camera_id | string | yes, non-empty"', async () => {
    const id = unique('cam');
    const made = expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'Door' }), 201);
    expect(made.body.camera_id).toBe(id);
    expectError(await gateway.rest('POST', '/cameras', { camera_id: '', friendly_name: 'Door' }), 400, 'camera_id');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: 7, friendly_name: 'Door' }), 400, 'camera_id');
  });

  test('§4 POST /cameras: "friendly_name | string | yes, non-empty"', async () => {
    const camera_id = unique('cam');
    for (const friendly_name of ['', 7]) {
      expectError(await gateway.rest('POST', '/cameras', { camera_id, friendly_name }), 400, 'friendly_name');
    }
    const made = expectStatus(await gateway.rest('POST', '/cameras', { camera_id, friendly_name: ' ' }), 201);
    expect(made.body.friendly_name).toBe(' ');
  });

  test('§4 POST /cameras: "mac_address | string or null | no"', async () => {
    for (const members of [{ mac_address: unique('mac') }, { mac_address: null }, {}]) {
      const id = await makeCamera(gateway, members);
      expect((await cameraDetail(gateway, id)).camera.mac_address).toBe(members.mac_address ?? null);
    }
    const body = { camera_id: unique('cam'), friendly_name: 'Door', mac_address: 7 };
    expectError(await gateway.rest('POST', '/cameras', body), 400, 'mac_address');
  });

  test('§4 POST /cameras: "Response 201: JSON object with camera_id, friendly_name, and mac_address. mac_address is present only when it was supplied."', async () => {
    for (const none of [{}, { mac_address: null }]) {
      const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
      expect(expectStatus(await gateway.rest('POST', '/cameras', { ...camera, ...none }), 201).body).toEqual(camera);
    }
    const full = { camera_id: unique('cam'), friendly_name: 'Gate', mac_address: unique('mac') };
    const withMac = expectStatus(await gateway.rest('POST', '/cameras', full), 201);
    expect(withMac.body).toEqual(full);
  });

  test('§4 POST /cameras rule 1: "When the body is not valid JSON, the response is 400."', async () => {
    const before = await tables(gateway);
    for (const body of [undefined, '', '{', '{"camera_id": "x", "friendly_name": "y"', "{'camera_id': 'x'}"]) {
      expectError(await gateway.rest('POST', '/cameras', body), 400);
    }
    expect(await tables(gateway)).toEqual(before);
  });

  test('§4 POST /cameras rule 2: "When camera_id or friendly_name is empty or missing, the response is 400."', async () => {
    const before = await tables(gateway);
    const id = unique('cam');
    const faulty: [body: object, naming: RegExp][] = [
      [{ camera_id: '', friendly_name: 'Door' }, /camera_id/],
      [{ friendly_name: 'Door' }, /camera_id/],
      [{ camera_id: null, friendly_name: 'Door' }, /camera_id/],
      [{ camera_id: id, friendly_name: '' }, /friendly_name/],
      [{ camera_id: id }, /friendly_name/],
      [{ camera_id: id, friendly_name: null }, /friendly_name/],
      [{}, /camera_id|friendly_name/],
    ];
    for (const [body, naming] of faulty) expectError(await gateway.rest('POST', '/cameras', body), 400, naming);
    // Rule 2 comes before rule 3: a taken address does not hide a missing name.
    const mac_address = unique('mac');
    await makeCamera(gateway, { mac_address });
    expectError(await gateway.rest('POST', '/cameras', { camera_id: id, mac_address }), 400, 'friendly_name');
    expect((await tables(gateway)).camera_status).toBe(before.camera_status);
    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 404);
  });

  test('§4 POST /cameras rule 3: "When the mac_address is already registered, the response is 409."', async () => {
    const mac_address = unique('AA:BB');
    await makeCamera(gateway, { mac_address });
    const before = await tables(gateway);
    const again = { camera_id: unique('cam'), friendly_name: 'Door', mac_address };
    expectError(await gateway.rest('POST', '/cameras', again), 409, 'mac_address');
    expect(await tables(gateway)).toEqual(before);
  });

  test('§4 POST /cameras rule 4: "Any other storage failure gives 500."', async () => {
    const body = { camera_id: unique('cam'), friendly_name: 'Door' };
    const [failed] = await without(gateway, 'cameras', () => [gateway.rest('POST', '/cameras', body)]);
    expect(expectError(failed as RestResponse, 500)).not.toMatch(LEAK);
    await makeCamera(gateway);
  });
});
