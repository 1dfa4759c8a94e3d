// What the camera status document leaves open: the shape of its items, the identity of a camera, the order, the times.
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { ago, cameraDetail, cameraItem, makeCamera, recordStatuses, tables, unique } from '../../support/farm';
import { expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../../support/gateway';

const ITEM =
  'camera_id friendly_name battery_pct video_remaining_sec recording_state mode resolution fps online recorded_at';

// A server may have another order and case of texts.
describeOnDatabases('cameras where the document is silent', (kind) => {
  const gateway = useGateway(kind);

  test('a search finds each form of Unicode, in any case; the text is stored unchanged', async () => {
    const run = unique('form');
    const forms = ['NFC', 'NFD'].map((form) => `${run} Küche Å`.normalize(form));
    for (const friendly_name of forms) await makeCamera(gateway, { friendly_name });
    const query = 'query ($search: String) { cameras(filter: { search: $search }) { nodes { friendlyName } } }';
    for (const search of forms.flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()])) {
      const { nodes } = expectData(await gateway.graphql(query, { search })).cameras;
      expect(nodes.map((node: Parsed) => node.friendlyName).sort()).toEqual([...forms].sort());
    }
  });

  test('the order of camera ids is by code point', async () => {
    // By UTF-16 unit 😀 would stand before ﬀ, by a language's collation a before B and _ before the digits.
    const ordered = ['10', '9', 'B', 'Z', '_', 'a', 'ä', 'ﬀ', '😀'];
    const run = unique('order');
    for (const id of ['a', 'B', '😀', 'Z', 'ä', '_', '10', 'ﬀ', '9'])
      await makeCamera(gateway, { camera_id: `${run} ${id}` });
    const list = expectStatus(await gateway.rest('GET', '/cameras'), 200);
    const ids = list.body.map((item: Parsed) => item.camera_id).filter((id: string) => id.startsWith(run));
    expect(ids).toEqual(ordered.map((id) => `${run} ${id}`));
    const query = 'query ($search: String) { cameras(filter: { search: $search }) { nodes { id } } }';
    const graph = await gateway.graphql(query, { search: run });
    expect(expectData(graph).cameras.nodes.map((node: Parsed) => node.id)).toEqual(ids);
  });

  if (isTestedAlready(kind)) return;

  test('a list item is flat, with exactly ten members; the members of the status are null without one', async () => {
    const id = await makeCamera(gateway, { friendly_name: 'Left', mac_address: unique('mac') });
    const item = await cameraItem(gateway, id);
    expect(Object.keys(item)).toEqual(ITEM.split(' '));
    const { camera_id, friendly_name, ...status } = item;
    expect([camera_id, friendly_name]).toEqual([id, 'Left']);
    expect(Object.values(status)).toEqual([null, null, null, null, null, null, null, null]);
    await recordStatuses(gateway, id, [{ online: false }]);
    const withStatus = await cameraItem(gateway, id);
    expect(Object.keys(withStatus)).toEqual(ITEM.split(' '));
    expect(withStatus).toMatchObject({ online: false, battery_pct: null });
  });

  test('a camera_id that is already registered is 409', async () => {
    const camera_id = await makeCamera(gateway, { friendly_name: 'First' });
    const before = await tables(gateway);
    expectError(await gateway.rest('POST', '/cameras', { camera_id, friendly_name: 'Second' }), 409, 'camera_id');
    expect(await tables(gateway)).toEqual(before);
  });

  test('MAC addresses are compared as given', async () => {
    const mac = unique('aa:bb').toLowerCase();
    for (const mac_address of [mac, mac.toUpperCase(), `${mac} `]) {
      const id = await makeCamera(gateway, { mac_address });
      expect((await cameraDetail(gateway, id)).camera.mac_address).toBe(mac_address);
    }
  });

  test('text is never trimmed; only "" is empty', async () => {
    const camera = { camera_id: ` ${unique('cam')} `, friendly_name: ' \t', mac_address: ` ${unique('mac')}\n` };
    expect(expectStatus(await gateway.rest('POST', '/cameras', camera), 201).body).toEqual(camera);
    expect((await cameraDetail(gateway, camera.camera_id)).camera).toMatchObject(camera);
    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(camera.camera_id.trim())}`), 404);
  });

  test('times are sent in UTC with milliseconds and Z', async () => {
    const id = await makeCamera(gateway);
    const written = {
      '2026-06-01T12:00:00Z': '2026-06-01T12:00:00.000Z',
      '2026-06-01T12:00:00.5+05:30': '2026-06-01T06:30:00.500Z',
      '2026-06-01T01:00:00.123456-11:00': '2026-06-01T12:00:00.123Z',
      '2026-06-01t12:00:00.001z': '2026-06-01T12:00:00.001Z',
      '1969-12-31T23:59:59.999Z': '1969-12-31T23:59:59.999Z',
      '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
    };
    for (const [sent, stored] of Object.entries(written)) {
      const camera = await makeCamera(gateway);
      await recordStatuses(gateway, camera, [{ recordedAt: sent }]);
      expect([sent, (await cameraItem(gateway, camera)).recorded_at]).toEqual([sent, stored]);
      expect((await cameraDetail(gateway, camera)).last_status.recorded_at).toBe(stored);
    }
    await gateway.sql(`UPDATE cameras SET created_at = '2026-03-29T02:30:00+05:45' WHERE camera_id = '${id}'`);
    expect((await cameraDetail(gateway, id)).camera.created_at).toBe('2026-03-28T20:45:00.000Z');
  });

  test('a record that is sent again counts once, also beside others whose ids sort differently by UTF-16 unit', async () => {
    const run = unique('again');
    const ids = ['😀', '！'].map((end) => `${run} ${end}`);
    for (const camera_id of ids) await makeCamera(gateway, { camera_id });
    const input = ids.map((cameraId) => ({ cameraId, online: true, recordedAt: ago(30) }));
    const document = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';
    const record = async () => expectData(await gateway.graphql(document, { input }));
    const first = await record();
    for (let again = 0; again < 3; again += 1) expect(await record()).toEqual(first);
  });

  test('different records of one time are all stored, the greater id is the later one, and each may be sent again', async () => {
    const id = await makeCamera(gateway);
    const at = ago(30);
    const members = { cameraId: id, online: true, batteryPct: 33.333333333333336, resolution: null };
    const record = async (...modes: (string | null)[]) => {
      const input = modes.map((mode) => ({ ...members, recordedAt: at, mode }));
      const document = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id mode } }';
      return expectData(await gateway.graphql(document, { input })).recordCameraStatuses as Parsed[];
    };
    const [a, b, repeated] = await record('a', 'b', 'a');
    expect([a.mode, b.mode, repeated]).toEqual(['a', 'b', a]);
    expect(Number(b.id)).toBeGreaterThan(Number(a.id));
    const [bAgain, none, aAgain, empty] = await record('b', null, 'a', '');
    expect([bAgain, aAgain, none.mode, empty.mode]).toEqual([b, a, null, '']);
    expect(await record('a', 'b', null, '')).toEqual([a, b, none, empty]);
    expect(await cameraItem(gateway, id)).toMatchObject({ mode: '', recorded_at: at });
    const detail = await cameraDetail(gateway, id);
    expect(detail.last_status.id).toBe(empty.id);
    expect(detail.history.map(({ mode }: Parsed) => mode)).toEqual(['', null, 'b', 'a']);
  });

  // A camera's history is read together with it where it can be.
  const day = ['c', 'b', 'a'];
  const ever = [...day, 'old'];
  const selections: [selection: string, histories: unknown, variables?: () => object][] = [
    ['h: history { mode }', day],
    ['h: history(from: $from, to: $to, first: $first) { mode }', day],
    ['h: history(to: $to, from: $from) { mode }', ['b', 'a', 'old'], () => ({ from: ago(9e6), to: ago(25) })],
    ['h: history(from: $from, first: $first) { mode }', ['c', 'b'], () => ({ from: ago(9e6), first: 2 })],
    ['h: history(first: 0) { mode }', ['c']],
    ['h: history(from: "2020-01-01T00:00:00+02:00", first: 99999) { mode }', ever],
    ['h: history { id } h: history { mode } i: history(from: "2020-01-01T00:00:00Z") { mode }', day],
    ['...H h: history(from: "2020-01-01T00:00:00Z") { id }', ever],
    ['... @include(if: $yes) { h: history(first: 1) { mode } }', ['c'], () => ({ yes: true })],
    ['i: history(first: 1) @skip(if: $yes) { mode } h: history { mode }', day, () => ({ yes: true })],
    ['lastStatus { camera { history { mode } } } h: history(first: 2) { mode }', ['c', 'b']],
  ];
  test("a camera's history is the same however it is selected", async () => {
    const id = await makeCamera(gateway);
    const at = (seconds: number, mode: string) => ({ recordedAt: ago(seconds), mode });
    await recordStatuses(gateway, id, [at(25 * 3600, 'old'), at(40, 'a'), at(30, 'b'), at(20, 'c')]);
    const fragment = 'fragment H on Camera { h: history(from: "2020-01-01T00:00:00Z") { mode } }';
    const names = { id: 'ID!', from: 'DateTime', to: 'DateTime', first: 'Int', yes: 'Boolean!' };
    for (const [selection, histories, variables = () => ({})] of selections) {
      const used = Object.entries(names).filter(([name]) => name === 'id' || selection.includes(`$${name}`));
      const declared = used.map(([name, type]) => `$${name}: ${type}`).join(', ');
      const document = `query (${declared}) { camera(id: $id) { id ${selection} } } ${selection.includes('...H') ? fragment : ''}`;
      // The first is executed by graphql-js, the next ones perhaps by a compiled function.
      for (let time = 0; time < 3; time += 1) {
        const { camera } = expectData(await gateway.graphql(document, { id, ...variables() }));
        expect([selection, camera.h?.map(({ mode }: Parsed) => mode)]).toEqual([selection, histories]);
        if (selection.includes('lastStatus')) {
          expect(camera.lastStatus.camera.history.map(({ mode }: Parsed) => mode)).toEqual(day);
        }
      }
    }
  });
});
