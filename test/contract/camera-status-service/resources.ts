// §1 to §3 of the camera status document, and the sentences of its opening about every path.
import { snake } from '../../../src/values/spelling';
import { describeOnDatabases } from '../../support/databases';
import { ago, cameraDetail, cameraItem, INSTANT, makeCamera, recordStatuses, unique } from '../../support/farm';
import { expectError, expectStatus, test, useGateway } from '../../support/gateway';
import { RECORD, SHOWN } from './record';

describeOnDatabases('camera status document, resources', (kind) => {
  const gateway = useGateway(kind);

  test('Opening: "All paths are relative to {base_url}."', async () => {
    const id = await makeCamera(gateway);
    for (const path of ['/cameras', `/cameras/${encodeURIComponent(id)}`]) {
      expectStatus(await gateway.rest('GET', path), 200);
    }
  });

  test('Opening: "Bodies are JSON, and every response carries the header Content-Type: application/json."', async () => {
    const id = unique('cam');
    const answers = [
      await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'Door' }),
      await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'Door' }),
      await gateway.rest('POST', '/cameras', 'not JSON'),
      await gateway.rest('GET', '/cameras'),
      await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`),
      await gateway.rest('GET', '/cameras/nobody'),
      await gateway.rest('GET', '/cameras/'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 409, 400, 200, 200, 404, 400]);
    for (const answer of answers) {
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body).toEqual(expect.any(Object));
    }
  });

  test('§1: "The service keeps a registry of cameras and a log of status records for each camera."', async () => {
    const [one, other] = [await makeCamera(gateway), await makeCamera(gateway)];
    await recordStatuses(gateway, one, [{ recordedAt: ago(20) }, { recordedAt: ago(10) }]);
    await recordStatuses(gateway, other, [{ recordedAt: ago(5) }]);
    expect((await cameraDetail(gateway, one)).history).toHaveLength(2);
    expect((await cameraDetail(gateway, other)).history).toHaveLength(1);
  });

  test('§1: "It exposes three operations: list all cameras with the latest status of each, register a camera, and read one camera with its latest status and a 24-hour history."', async () => {
    const id = unique('cam');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'Door' }), 201);
    await recordStatuses(gateway, id, [RECORD]);
    const item = await cameraItem(gateway, id);
    expect(item.recording_state).toBe('recording');
    const detail = await cameraDetail(gateway, id);
    expect(detail.last_status.recording_state).toBe('recording');
    expect(detail.history).toEqual([detail.last_status]);
  });

  test('§2 Camera: "camera_id | Client-supplied text identifier, required. Cameras are looked up by it."', async () => {
    const odd = ['a/b', 'a b', 'ä', '100%', '?', '#1', '😀', '1+1', "o'clock", '../up', 'x'.repeat(255)];
    for (const text of odd) {
      const id = text.length === 255 ? text : `${text} ${unique('cam')}`;
      expect(await makeCamera(gateway, { camera_id: id })).toBe(id);
      expect((await cameraDetail(gateway, id)).camera.camera_id).toBe(id);
    }
    expectError(await gateway.rest('POST', '/cameras', { friendly_name: 'Door' }), 400, 'camera_id');
  });

  test('§2 Camera: "friendly_name | Text, required."', async () => {
    const id = await makeCamera(gateway, { friendly_name: 'Über Drucker 1 "left" 😀' });
    expect((await cameraDetail(gateway, id)).camera.friendly_name).toBe('Über Drucker 1 "left" 😀');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: unique('cam') }), 400, 'friendly_name');
  });

  test('§2 Camera: "mac_address | Optional text, may be null. Unique across cameras."', async () => {
    const mac = unique('AA:BB');
    const withMac = await makeCamera(gateway, { mac_address: mac });
    expect((await cameraDetail(gateway, withMac)).camera.mac_address).toBe(mac);
    // Any number of cameras may be without one.
    for (const without of [{ mac_address: null }, { mac_address: null }, {}, {}]) {
      const id = await makeCamera(gateway, without);
      expect((await cameraDetail(gateway, id)).camera.mac_address).toBeNull();
    }
    const again = { camera_id: unique('cam'), friendly_name: 'Door', mac_address: mac };
    expectError(await gateway.rest('POST', '/cameras', again), 409, 'mac_address');
  });

  for (const member of ['created_at', 'updated_at']) {
    test(`§2 Camera: "${member} | Timestamp. Returned by the detail operation."`, async () => {
      const before = Date.now();
      const { camera } = await cameraDetail(gateway, await makeCamera(gateway));
      expect(camera[member]).toMatch(INSTANT);
      expect(Math.abs(Date.parse(camera[member]) - before)).toBeLessThan(10_000);
    });
  }

  test('§2 Status record: "id | Record identifier."', async () => {
    const camera = await makeCamera(gateway);
    const [older, newer] = await recordStatuses(gateway, camera, [{ recordedAt: ago(2) }, { recordedAt: ago(1) }]);
    const { last_status, history } = await cameraDetail(gateway, camera);
    expect(String(last_status.id)).toBe(newer?.id);
    expect(history.map((record: { id: unknown }) => String(record.id))).toEqual([newer?.id, older?.id]);
  });

  test('§2 Status record: "camera_id | Owning camera."', async () => {
    const camera = await makeCamera(gateway);
    await recordStatuses(gateway, camera, [{}]);
    const { last_status, history } = await cameraDetail(gateway, camera);
    expect(last_status.camera_id).toBe(camera);
    expect(history[0].camera_id).toBe(camera);
  });

  test('§2 Status record: "recorded_at | Timestamp of the record. Determines which record is the latest."', async () => {
    const camera = await makeCamera(gateway);
    const [latest, earlier] = [ago(10), ago(20)];
    await recordStatuses(gateway, camera, [{ recordedAt: latest }]);
    await recordStatuses(gateway, camera, [{ recordedAt: earlier }]);
    expect((await cameraDetail(gateway, camera)).last_status.recorded_at).toBe(latest);
    expect((await cameraItem(gateway, camera)).recorded_at).toBe(latest);
  });

  const members: [row: string, values: unknown[]][] = [
    ['battery_pct | Battery level as a percentage.', [0, 87.5, 100, null]],
    ['video_remaining_sec | Remaining recording time in seconds.', [0, 3600, null]],
    ['recording_state | Text.', ['recording', 'läuft', null]],
    ['mode | Text.', ['video', '', null]],
    ['resolution | Text.', ['3840x2160', null]],
    ['fps | Frames per second.', [0, 59.94, 240, null]],
    ['online | Whether the camera is online.', [true, false]],
  ];
  for (const [row, values] of members) {
    test(`§2 Status record: "${row}"`, async () => {
      const camera = await makeCamera(gateway);
      const [member = ''] = row.split(' | ');
      const sent = Object.keys(RECORD).find((name) => snake(name) === member) as string;
      for (const [index, value] of values.entries()) {
        await recordStatuses(gateway, camera, [{ recordedAt: ago(60 - index), [sent]: value }]);
        const { last_status, history } = await cameraDetail(gateway, camera);
        const shown = [last_status, history[0], await cameraItem(gateway, camera)].map((one) => one[member]);
        expect(shown).toEqual([value, value, value]);
      }
    });
  }

  test('§2 Status record: "raw_battery_pct | Unprocessed battery value. Present in detail responses only."', async () => {
    const camera = await makeCamera(gateway);
    await recordStatuses(gateway, camera, [RECORD]);
    const { last_status, history } = await cameraDetail(gateway, camera);
    expect(last_status.raw_battery_pct).toBe(871.25);
    expect(history[0].raw_battery_pct).toBe(871.25);
    expect(await cameraItem(gateway, camera)).not.toHaveProperty('raw_battery_pct');
  });

  test('§2 Camera status: "An item is built from a camera and its latest status record." "The values carried are camera_id, friendly_name, battery_pct, video_remaining_sec, recording_state, mode, resolution, fps, online and recorded_at."', async () => {
    const camera = await makeCamera(gateway, { friendly_name: 'Left' });
    const recordedAt = ago(1);
    await recordStatuses(gateway, camera, [
      { recordedAt: ago(2), mode: 'older' },
      { ...RECORD, recordedAt },
    ]);
    const { raw_battery_pct: _, ...carried } = SHOWN;
    const of = { camera_id: camera, friendly_name: 'Left', recorded_at: recordedAt };
    expect(await cameraItem(gateway, camera)).toEqual({ ...of, ...carried });
  });

  test('§3: "The only state-like field is recording_state on a status record."', async () => {
    const camera = await makeCamera(gateway);
    // There is no status machine: any text may follow any other.
    for (const state of ['recording', 'idle', 'recording', 'whatever the maker calls it']) {
      await recordStatuses(gateway, camera, [{ recordingState: state }]);
      expect((await cameraDetail(gateway, camera)).last_status.recording_state).toBe(state);
    }
  });
});
