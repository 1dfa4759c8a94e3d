// §4 GET /cameras/{id} of the camera status document, and its §7 and §8.
import { describeOnDatabases } from '../../support/databases';
import { ago, cameraDetail, makeCamera, recordStatuses, unique } from '../../support/farm';
import { expectError, expectStatus, type Parsed, type RestResponse, test, useGateway } from '../../support/gateway';
import { RECORD, RECORD_MEMBERS, SHOWN } from './record';
import { LEAK, without } from './storage-failure';

const DAY = 24 * 3600;
const at = (times: string[]) => times.map((recordedAt) => ({ recordedAt }));

describeOnDatabases('camera status document, detail and errors', (kind) => {
  const gateway = useGateway(kind);

  test('§4 GET /cameras/{id}: "Path parameter id: the camera_id text."', async () => {
    const [id, other] = [`Kamera ${unique('a/b?c#d%')}`, await makeCamera(gateway)];
    await makeCamera(gateway, { camera_id: id });
    expect((await cameraDetail(gateway, id)).camera.camera_id).toBe(id);
    expect((await cameraDetail(gateway, other)).camera.camera_id).toBe(other);
    // A text, compared as it is: neither case nor a space is lost.
    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(other.toUpperCase())}`), 404);
    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(`${other} `)}`), 404);
  });

  test('§4 GET /cameras/{id}: "Response 200: a JSON object with three members:"', async () => {
    const detail = await cameraDetail(gateway, await makeCamera(gateway));
    expect(Object.keys(detail)).toEqual(['camera', 'last_status', 'history']);
  });

  test('§4 GET /cameras/{id}: "camera: object with camera_id, friendly_name, mac_address, created_at, updated_at."', async () => {
    const mac = unique('mac');
    const id = await makeCamera(gateway, { friendly_name: 'Left', mac_address: mac });
    const { camera } = await cameraDetail(gateway, id);
    expect(Object.keys(camera)).toEqual(['camera_id', 'friendly_name', 'mac_address', 'created_at', 'updated_at']);
    expect(camera).toMatchObject({ camera_id: id, friendly_name: 'Left', mac_address: mac });
  });

  test('§4 GET /cameras/{id}: "last_status: the latest status record with id, camera_id, recorded_at, battery_pct, video_remaining_sec, recording_state, mode, resolution, fps, online and raw_battery_pct."', async () => {
    const id = await makeCamera(gateway);
    const recordedAt = ago(5);
    await recordStatuses(gateway, id, [
      { ...RECORD, recordedAt },
      { recordedAt: ago(6), mode: 'older' },
    ]);
    const { last_status } = await cameraDetail(gateway, id);
    expect(Object.keys(last_status)).toEqual(RECORD_MEMBERS);
    expect(last_status).toMatchObject({ ...SHOWN, camera_id: id, recorded_at: recordedAt });
  });

  test('§4 GET /cameras/{id}: "history: JSON array of status records of the same shape as last_status, recorded within the last 24 hours, newest first, at most 100 entries."', async () => {
    const id = await makeCamera(gateway);
    const times = [ago(30), ago(10), ago(20), ago(DAY - 60), ago(DAY + 60), ago(3 * DAY)];
    await recordStatuses(gateway, id, at(times));
    const { history, last_status } = await cameraDetail(gateway, id);
    expect(history.map((record: Parsed) => record.recorded_at)).toEqual([times[1], times[2], times[0], times[3]]);
    expect(history[0]).toEqual(last_status);
    for (const record of history) expect(Object.keys(record)).toEqual(RECORD_MEMBERS);
  });

  test('§4 GET /cameras/{id}: "The array is empty when there are none."', async () => {
    const id = await makeCamera(gateway);
    expect((await cameraDetail(gateway, id)).history).toEqual([]);
    await recordStatuses(gateway, id, [{ recordedAt: ago(2 * DAY) }]);
    const { history, last_status } = await cameraDetail(gateway, id);
    expect(history).toEqual([]);
    expect(last_status).not.toBeNull();
  });

  test('§4 GET /cameras/{id}: "When the camera has no status record, last_status is still present; its content in that case is not shown."', async () => {
    const detail = await cameraDetail(gateway, await makeCamera(gateway));
    expect(detail).toHaveProperty('last_status', null);
  });

  test('§4 GET /cameras/{id}: "Response 404 when the camera does not exist."', async () => {
    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(unique('nobody'))}`), 404);
  });

  test('§4 GET /cameras/{id}: "Response 400 when id is empty."', async () => {
    expectError(await gateway.rest('GET', '/cameras/'), 400);
  });

  test('§4 GET /cameras/{id}: "Response 500 on a storage failure."', async () => {
    const id = await makeCamera(gateway);
    const [failed] = await without(gateway, 'camera_status', () => [
      gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`),
    ]);
    expect(expectError(failed as RestResponse, 500)).not.toMatch(LEAK);
    expect((await cameraDetail(gateway, id)).history).toEqual([]);
  });

  test('§7: "Every error response has a JSON body with one member, error, holding a message string." "There is no separate machine-readable code member."', async () => {
    const taken = { camera_id: unique('cam'), friendly_name: 'Door', mac_address: unique('mac') };
    await makeCamera(gateway, taken);
    const failures = [
      await gateway.rest('POST', '/cameras', '{'),
      await gateway.rest('POST', '/cameras', {}),
      await gateway.rest('GET', '/cameras/'),
      await gateway.rest('GET', '/cameras/nobody'),
      await gateway.rest('POST', '/cameras', { ...taken, camera_id: unique('cam') }),
      await gateway.rest('DELETE', '/cameras'),
      await gateway.rest('GET', '/camera'),
    ];
    expect(failures.map((failure) => failure.status)).toEqual([400, 400, 400, 404, 409, 405, 404]);
    for (const failure of failures) expectError(failure, failure.status);
  });

  test('§7: "400 | Body is not valid JSON; camera_id or friendly_name empty; empty id on detail."', async () => {
    expectError(await gateway.rest('POST', '/cameras', '{"camera_id":'), 400);
    expectError(await gateway.rest('POST', '/cameras', { camera_id: '', friendly_name: 'x' }), 400, 'camera_id');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: 'x', friendly_name: '' }), 400, 'friendly_name');
    expectError(await gateway.rest('GET', '/cameras/'), 400);
  });

  test('§7: "404 | Detail requested for an unknown camera."', async () => {
    expectError(await gateway.rest('GET', '/cameras/unknown'), 404);
  });

  test('§7: "409 | POST with a mac_address that is already registered."', async () => {
    const mac_address = unique('mac');
    await makeCamera(gateway, { mac_address });
    const body = { camera_id: unique('cam'), friendly_name: 'Door', mac_address };
    expectError(await gateway.rest('POST', '/cameras', body), 409, 'mac_address');
  });

  test('§7: "500 | Storage failure."', async () => {
    const failures = await without(gateway, 'cameras', () => [
      gateway.rest('GET', '/cameras'),
      gateway.rest('GET', '/cameras/any'),
      gateway.rest('POST', '/cameras', { camera_id: unique('cam'), friendly_name: 'Door' }),
    ]);
    for (const failure of failures) expect(expectError(failure, 500)).not.toMatch(LEAK);
    expectStatus(await gateway.rest('GET', '/cameras'), 200);
  });

  test('§8: "History window on the detail operation | 24 hours"', async () => {
    const id = await makeCamera(gateway);
    const [inside, outside] = [ago(DAY - 5), ago(DAY + 5)];
    await recordStatuses(gateway, id, at([inside, outside]));
    const { history } = await cameraDetail(gateway, id);
    expect(history.map((record: Parsed) => record.recorded_at)).toEqual([inside]);
  });

  test('§8: "Maximum history entries | 100"', async () => {
    const id = await makeCamera(gateway);
    const times = Array.from({ length: 102 }, (_, index) => ago(index + 1));
    await recordStatuses(gateway, id, at(times));
    const { history } = await cameraDetail(gateway, id);
    expect(history.map((record: Parsed) => record.recorded_at)).toEqual(times.slice(0, 100));
  });
});
