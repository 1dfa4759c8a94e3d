// Cameras in the graph: their interval, their liveness and their last 24 hours, and the columns of their records.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLInputObjectType, type GraphQLObjectType, isScalarType } from 'graphql';
import { RECORD_COLUMNS } from '../../src/farm/cameras/camera.rows';
import { buildGraph } from '../../src/schema';
import { snake } from '../../src/values/spelling';
import { collectChanges, summarizeChange } from '../support/changes';
import { anyDatabase } from '../support/databases';
import { ago, cameraDetail, makeCamera, makeFarm, recordStatuses, unique } from '../support/farm';
import { expectCode, expectData, test, useGateway } from '../support/gateway';
import { has, until } from '../support/waiting';

describe('a camera in the graph', () => {
  const gateway = useGateway(anyDatabase);
  const readFields = async (id: string, fields: string) =>
    expectData(await gateway.graphql(`query ($id: ID!) { camera(id: $id) { ${fields} } }`, { id })).camera;
  const update = (id: string, expectedIntervalSec: unknown) =>
    gateway.graphql(
      'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { expectedIntervalSec liveness } }',
      { id, input: { expectedIntervalSec } },
    );

  test('a camera keeps the interval that it was given, within its range, and null removes it', async () => {
    const id = await makeCamera(gateway);
    await recordStatuses(gateway, id, [{ recordedAt: ago(200) }]);
    expect(await readFields(id, 'expectedIntervalSec liveness')).toEqual({
      expectedIntervalSec: null,
      liveness: 'LIVE',
    });
    expect(expectData(await update(id, 100)).updateCamera).toEqual({ expectedIntervalSec: 100, liveness: 'SILENT' });
    for (const wrong of [0, -1, 86_401]) {
      const message = expectCode(await update(id, wrong), 'BAD_USER_INPUT');
      expect(message).toBe('expectedIntervalSec must be from 1 to 86400');
    }
    expect(await readFields(id, 'expectedIntervalSec')).toEqual({ expectedIntervalSec: 100 });
    expect(expectData(await update(id, undefined)).updateCamera.expectedIntervalSec).toBe(100);
    expect(expectData(await update(id, 86_400)).updateCamera.liveness).toBe('LIVE');
    expect(expectData(await update(id, null)).updateCamera).toEqual({ expectedIntervalSec: null, liveness: 'LIVE' });
    // REST has the members of its document, and no others.
    expect(Object.keys((await cameraDetail(gateway, id)).camera)).toHaveLength(5);
  });

  test('a camera that is set to watch a printer records the prints of that printer from its registration on', async () => {
    const { printerId } = await makeFarm(gateway);
    const register = (members: object) =>
      gateway.graphql(
        'mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id recordsPrints printer { id } } }',
        { input: { id: unique('cam'), friendlyName: 'Door', ...members } },
      );
    const registered = async (members: object) => expectData(await register(members)).registerCamera;
    const camera = await registered({ printerId, recordsPrints: true });
    expect(camera).toEqual({ id: camera.id, recordsPrints: true, printer: { id: printerId } });
    for (const members of [{}, { printerId: null, recordsPrints: null }]) {
      expect(await registered(members)).toMatchObject({ recordsPrints: false, printer: null });
    }
    const unknown = await register({ printerId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' });
    expect(expectCode(unknown, 'BAD_USER_INPUT')).toBe('printerId must be the id of a printer');

    const set = async (recordsPrints: boolean | null) => {
      const input = { id: camera.id, input: { recordsPrints } };
      const document =
        'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { recordsPrints } }';
      return expectData(await gateway.graphql(document, input)).updateCamera.recordsPrints;
    };
    const changes = await collectChanges(gateway, () => set(false));
    expect(changes.map(summarizeChange)).toEqual([`CAMERA UPDATED ${camera.id}`]);
    expect([await set(null), await set(true), await set(null)]).toEqual([false, true, true]);
    // REST has the members of its document, and no others.
    expect(Object.keys((await cameraDetail(gateway, camera.id)).camera)).toHaveLength(5);
    const given = { printer_id: printerId, printerId, recordsPrints: true, records_prints: true };
    const viaRest = await makeCamera(gateway, given);
    expect(await readFields(viaRest, 'recordsPrints printer { id }')).toEqual({ recordsPrints: false, printer: null });
  });

  test('the liveness of a camera changes without a new record, and clients that repeat a query see it', async () => {
    const id = await makeCamera(gateway);
    await recordStatuses(gateway, id, [{ recordedAt: ago(-1) }]);
    expectData(await update(id, 1));
    await until('the camera is silent', () => readFields(id, 'liveness'), has({ liveness: 'SILENT' }));
    expectData(await update(id, 3600));
    expect(await readFields(id, 'liveness')).toEqual({ liveness: 'LIVE' });
  });

  test('an empty list of status records is accepted', async () => {
    const answer = await gateway.graphql('mutation { recordCameraStatuses(input: []) { id } }');
    expect(expectData(answer)).toEqual({ recordCameraStatuses: [] });
  });

  test('without "from" the last 24 hours are shown, and a "from" after "to" is refused', async () => {
    const id = await makeCamera(gateway);
    const hours = [30, 23, 1].map((n) => ago(n * 3600));
    for (const recordedAt of hours) await recordStatuses(gateway, id, [{ recordedAt }]);
    const { series } = await readFields(id, 'series { records online }');
    expect(series).toEqual([1, 1].map((records) => ({ records, online: true })));
    const earlier = await readFields(id, `series(to: "${ago(22 * 3600)}") { records }`);
    expect(earlier.series).toHaveLength(2);
    const { availability } = await readFields(id, 'availability { fraction gaps { from to } }');
    expect(availability.fraction).toBeGreaterThanOrEqual(0);
    expect(availability.fraction).toBeLessThanOrEqual(1);
    // A camera cannot be available before its registration.
    const before = `availability(from: "${ago(40 * 3600)}", to: "${ago(20 * 3600)}")`;
    const past = await readFields(id, `${before} { fraction gaps { from } }`);
    expect(past.availability).toEqual({ fraction: null, gaps: [] });
    for (const field of [
      'series(from: $from, to: $to) { records }',
      'availability(from: $from, to: $to) { fraction }',
    ]) {
      const query = `query ($id: ID!, $from: DateTime, $to: DateTime) { camera(id: $id) { ${field} } }`;
      for (const range of [{ from: ago(10), to: ago(20) }, { from: ago(-60) }]) {
        const message = expectCode(await gateway.graphql(query, { id, ...range }), 'BAD_USER_INPUT');
        expect(message).toBe('from must not be after `to`, which is now if left out');
      }
      const ever = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' };
      expectData(await gateway.graphql(query, { id, ...ever }));
    }
  });
});

describe('the columns of status records: a new column that one of the places lacks fails here', () => {
  const gateway = useGateway(anyDatabase);
  const members = Object.keys(RECORD_COLUMNS);
  const columns = ['id', ...members.map(snake)];

  const readColumns = async (table: string) =>
    (
      await gateway.sql(`select attname::text as name from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`)
    ).map(({ name }) => name);

  test('both tables have the columns of camera.rows.ts, in the same order', async () => {
    for (const table of ['camera_status', 'camera_latest_status']) expect(await readColumns(table)).toEqual(columns);
  });

  test('the function set_latest_status writes every column', () => {
    const source = readFileSync(join(__dirname, '../../src/farm/cameras/status-log.sql'), 'utf8');
    const [, set = ''] = /DO UPDATE SET(.*?)WHERE/s.exec(source) ?? [];
    expect([...set.matchAll(/"(\w+)" = EXCLUDED/g)].map(([, column]) => column)).toEqual(
      columns.filter((column) => column !== 'camera_id'),
    );
  });

  test('the graph types have every member', () => {
    for (const [name, expected] of [
      ['CameraStatus', ['id', 'nodeId', ...members]],
      ['CameraStatusInput', members],
    ] as const) {
      const type = buildGraph().getType(name) as GraphQLObjectType | GraphQLInputObjectType;
      const fields = Object.values(type.getFields()).filter(
        (field) => isScalarType(field.type) || String(field.type).endsWith('!'),
      );
      const names = fields.map((field) => field.name).filter((field) => field !== 'camera');
      expect(names.sort()).toEqual([...expected].sort());
    }
  });

  test('the service checks every member that has a range or a length', () => {
    const source = readFileSync(join(__dirname, '../../src/farm/cameras/camera.service.ts'), 'utf8');
    const [, check = ''] = /^const RECORD_READERS = \{(.*?)^\};/ms.exec(source) ?? [];
    const unchecked = members.filter(
      // The types of GraphQL itself bound these two.
      (member) => !['online', 'recordedAt'].includes(member) && !check.includes(` ${member}: `),
    );
    expect(unchecked).toEqual([]);
  });
});
