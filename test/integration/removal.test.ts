// Objects that were made by mistake are removed: the objects that keep them, those that go with them, and the changes for watchers.

import { randomUUID } from 'node:crypto';
import { forgetRemovedCameras } from '../../src/cameras/status-log.maintenance';
import { openDriver } from '../../src/database/database';
import { changesAfter, changesOf, cursorOfNow, short } from '../support/changes';
import { describeOnDatabases, freshDatabase } from '../support/databases';
import { ago, type Farm, makeCamera, makeFarm, makeJob, recordStatuses, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../support/gateway';
import { makePrint } from '../support/prints';

const RECORDS = 'camera_status camera_latest_status camera_status_set_aside cameras'.split(' ');

describeOnDatabases('removing', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });

  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const remove = (type: string, id: string) =>
    gateway.graphql(`mutation ($id: ID!) { remove${type}(id: $id) }`, { id });
  const cameraWatching = async (printerId: string) => {
    const id = await makeCamera(gateway);
    await run('mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }', {
      id,
      input: { printerId },
    });
    return id;
  };
  const rowsOf = async (id: string) => {
    const counts: Record<string, number> = {};
    for (const table of RECORDS) {
      counts[table] = (await gateway.sql(`select from ${table} where camera_id = '${id}'`)).length;
    }
    return counts;
  };
  const NOTHING = Object.fromEntries(RECORDS.map((table) => [table, 0]));

  test('a printer, a spool or a material answers its id, and there is none any more', async () => {
    for (const [type, id] of [
      ['Spool', farm.spoolId],
      ['Printer', farm.printerId],
      ['Material', farm.materialId],
    ] as const) {
      expect(expectData(await remove(type, id.toUpperCase()))).toEqual({ [`remove${type}`]: id });
      expect(await run(`query ($id: ID!) { it: ${type.toLowerCase()}(id: $id) { id } }`, { id })).toEqual({ it: null });
      expectCode(await remove(type, id), 'NOT_FOUND');
      expectCode(await remove(type, 'x'), 'BAD_USER_INPUT');
    }
  });

  test('a spool fails no reader: its sums are those of a spool without jobs', async () => {
    const sums = 'id weightTotalGrams usedGrams plannedGrams remainingGrams';
    for (let round = 0; round < 15; round += 1) {
      const { spoolId: id } = await makeFarm(gateway);
      const [list, one, renamed] = await Promise.all([
        gateway.graphql(`{ spools(first: 1000) { nodes { ${sums} } } }`),
        gateway.graphql(`query ($id: ID!) { spool(id: $id) { ${sums} } }`, { id }),
        gateway.graphql(`mutation ($id: ID!) { updateSpool(id: $id, input: { vendor: "x" }) { ${sums} } }`, { id }),
        remove('Spool', id),
      ]);
      const seen = [...expectData(list).spools.nodes.filter((spool: Parsed) => spool.id === id), expectData(one).spool];
      if (renamed.errors.length === 0) seen.push(renamed.data.updateSpool);
      else expect(renamed.errors).toMatchObject([{ path: ['updateSpool'], extensions: { code: 'NOT_FOUND' } }]);
      for (const spool of seen.filter(Boolean)) {
        const remainingGrams = String(Number(spool.weightTotalGrams));
        expect(spool).toMatchObject({ usedGrams: '0', plannedGrams: '0', remainingGrams });
      }
    }
  });

  test('a camera leaves readers all other cameras, and a record that is read without it is NOT_FOUND', async () => {
    const stays = await makeCamera(gateway);
    await recordStatuses(gateway, stays, [{}]);
    for (let round = 0; round < 15; round += 1) {
      const id = await makeCamera(gateway);
      await recordStatuses(gateway, id, [{}]);
      const [list] = await Promise.all([
        gateway.graphql('{ cameras(first: 1000) { nodes { id lastStatus { camera { id } } } } }'),
        remove('Camera', id),
      ]);
      expect(list.data.cameras.nodes).toContainEqual({ id: stays, lastStatus: { camera: { id: stays } } });
      for (const error of list.errors) {
        expect(error).toMatchObject({
          message: `There is no camera ${id}`,
          path: ['cameras', 'nodes', expect.any(Number), 'lastStatus', 'camera'],
          extensions: { code: 'NOT_FOUND' },
        });
      }
    }
  });

  test('is CONFLICT while a job or a spool refers to it', async () => {
    const job = await makeJob(gateway, farm);
    const user = { Printer: 'Print jobs', Spool: 'Print jobs', Material: 'Spools' };
    const id = { Printer: farm.printerId, Spool: farm.spoolId, Material: farm.materialId };
    for (const type of ['Printer', 'Spool', 'Material'] as const) {
      const answer = await remove(type, id[type]);
      expectCode(answer, 'CONFLICT');
      const message = `${user[type]} refer to this ${type.toLowerCase()}: archive it instead`;
      expect(answer.errors).toMatchObject([{ message, extensions: { issues: [{ path: ['id'], message }] } }]);
    }
    expectStatus(await gateway.rest('GET', `/api/printjobs/${job.Id}`), 200);
  });

  test('of a printer is CONFLICT while an observed print refers to it', async () => {
    const printer = (await makeFarm(gateway)).printerId;
    await makePrint(gateway, printer);
    const answer = await remove('Printer', printer);
    expectCode(answer, 'CONFLICT');
    expect(answer.errors[0]?.message).toBe('Observed prints refer to this printer: archive it instead');
  });

  test('a printer leaves its cameras without one, and watchers are told both', async () => {
    const id = await cameraWatching(farm.printerId);
    const changes = await changesOf(gateway, async () => expectData(await remove('Printer', farm.printerId)));
    expect(await run('query ($id: ID!) { camera(id: $id) { printer { id } } }', { id })).toEqual({
      camera: { printer: null },
    });
    expect(changes.map(short).sort()).toEqual([`CAMERA UPDATED ${id}`, `PRINTER DELETED ${farm.printerId}`]);
  });

  test('a camera takes its log, its latest status and its records set aside with it, and nothing of others', async () => {
    const id = await cameraWatching(farm.printerId);
    const other = await makeCamera(gateway);
    for (const camera of [id, other]) {
      await recordStatuses(gateway, camera, [{ recordedAt: ago(5) }, { recordedAt: ago(90 * 24 * 3600) }]);
      await gateway.sql(`insert into camera_status_set_aside values ('${camera}', now(), 1, '{}')`);
    }
    const before = await rowsOf(other);
    const changes = await changesOf(
      gateway,
      async () => expect(expectData(await remove('Camera', id))).toEqual({ removeCamera: id }),
      '... on CameraChanged { object: camera { id } }',
    );
    expect(await rowsOf(id)).toEqual(NOTHING);
    expect(await rowsOf(other)).toEqual(before);
    expectCode(await remove('Camera', id), 'NOT_FOUND');
    expectCode(await remove('Camera', ''), 'NOT_FOUND');
    expect(changes).toMatchObject([{ kind: 'DELETED', id, object: null }]);
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'again' }), 201);
    expect(await run('query ($id: ID!) { camera(id: $id) { lastStatus { id } } }', { id })).toEqual({
      camera: { lastStatus: null },
    });
  });

  test('a camera with a long log is gone for everybody at once, and the maintenance deletes the rest', async () => {
    const id = await cameraWatching(farm.printerId);
    const mac_address = unique('mac');
    await gateway.sql(`update cameras set mac_address = '${mac_address}' where camera_id = '${id}'`);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select '${id}', now() - n * interval '1 minute', true from generate_series(1, 70000) n`);
    const [record] = await recordStatuses(gateway, id, [{}]);
    const { camera } = await run('query ($id: ID!) { camera(id: $id) { nodeId lastStatus { nodeId } } }', { id });
    const after = await cursorOfNow(gateway);
    expectData(await remove('Camera', id));
    const left = (await rowsOf(id))['camera_status'] as number;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(70_000);

    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 404);
    expect(expectStatus(await gateway.rest('GET', '/cameras'), 200).text).not.toContain(id);
    const seen = await run(
      `query ($id: ID!, $printer: ID!, $node: ID!, $status: ID!) {
         camera(id: $id) { id } cameras(filter: { search: $id }) { totalCount } printer(id: $printer) { cameras { id } }
         node(nodeId: $node) { nodeId } status: node(nodeId: $status) { nodeId } }`.replace(
        'search: $id',
        `search: "${id}"`,
      ),
      { id, printer: farm.printerId, node: camera.nodeId, status: camera.lastStatus.nodeId },
    );
    expect(seen).toEqual({
      camera: null,
      cameras: { totalCount: 0 },
      printer: { cameras: [] },
      node: null,
      status: null,
    });
    const status = { cameraId: id, online: true };
    const writes: [string, unknown][] = [
      ['recordCameraStatuses(input: $input) { id }', [status]],
      ['recordCameraStatuses(input: $input) { id }', [{ ...status, recordedAt: ago(86_400) }]],
      ['recordCameraStatuses(input: $input) { id }', [{ ...status, recordedAt: record?.recordedAt }]],
    ];
    for (const [field, input] of writes) {
      expectCode(
        await gateway.graphql(`mutation ($input: [CameraStatusInput!]!) { ${field} }`, { input }),
        'NOT_FOUND',
      );
    }
    const update = 'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }';
    expectCode(await gateway.graphql(update, { id, input: { friendlyName: 'x' } }), 'NOT_FOUND');
    expectCode(await remove('Camera', id), 'NOT_FOUND');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'x' }), 409);
    // Its MAC address is free.
    await makeCamera(gateway, { mac_address });

    // The start does not wait for the deletion.
    await gateway.restart();
    expect((await rowsOf(id))['camera_status']).toBe(left);
    // What the maintenance does every hour.
    for (let more = true; more; ) [{ more }] = await gateway.sql('select forget_removed_camera() is not null as more');
    expect(await rowsOf(id)).toEqual(NOTHING);
    // All earlier changes can be read with this one.
    await cursorOfNow(gateway);
    const changes = await changesAfter(gateway, after, { filter: { cameraIds: [id] } });
    expect(changes.map(short)).toEqual([`CAMERA DELETED ${id}`]);
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'again' }), 201);
  });

  test('a page of changes with records of a removed camera leaves them out', async () => {
    const id = await makeCamera(gateway);
    const changes = await changesOf(gateway, async () => {
      await recordStatuses(gateway, id, [{}]);
      await gateway.sql(`update cameras set removed_at = now() where camera_id = '${id}'`);
    });
    expect(changes.map(({ __typename }) => __typename)).toEqual(['CameraChanged']);
  });

  test('and using at the same moment: a printer that is removed has no job', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await makeFarm(gateway);
      const [job, removed] = await Promise.all([
        gateway.rest('POST', '/api/printjobs', {
          PrinterId: own.printerId,
          SpoolId: own.spoolId,
          DataSource: 'Manual',
        }),
        remove('Printer', own.printerId),
      ]);
      if (removed.errors.length === 0) expectError(job, 400, 'PrinterId must be the id of a printer');
      else expectStatus(job, 201);
    }
  });
});

describeOnDatabases('the printer of a camera', (kind) => {
  const gateway = useGateway(kind);
  const UPDATE = `mutation ($id: ID!, $input: UpdateCameraInput!) {
    updateCamera(id: $id, input: $input) { friendlyName printer { id name } } }`;

  test('is set, kept when it is left out, and taken away by null', async () => {
    const [id, { printerId, printerName }] = [await makeCamera(gateway), await makeFarm(gateway)];
    const update = async (input: unknown) =>
      expectData(await gateway.graphql(UPDATE, { id, input })).updateCamera.printer;
    expect(await update({ friendlyName: 'x' })).toBeNull();
    expect(await update({ printerId: printerId.toUpperCase() })).toEqual({ id: printerId, name: printerName });
    expect(await update({ friendlyName: 'y' })).toEqual({ id: printerId, name: printerName });
    for (const [wrong, message] of [
      [randomUUID(), 'must be the id of a printer'],
      ['x', 'must be a GUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ]) {
      const answer = await gateway.graphql(UPDATE, { id, input: { printerId: wrong, friendlyName: 'z' } });
      expectCode(answer, 'BAD_USER_INPUT');
      expect(answer.errors[0]?.extensions['issues']).toEqual([{ path: ['input', 'printerId'], message }]);
    }
    expect(expectData(await gateway.graphql('query ($id: ID!) { camera(id: $id) { friendlyName } }', { id }))).toEqual({
      camera: { friendlyName: 'y' },
    });
    expect(await update({ printerId: null })).toBeNull();
    expectCode(await gateway.graphql(UPDATE, { id: 'nobody', input: { printerId } }), 'NOT_FOUND');
  });

  test('has them by id, in code point order', async () => {
    const { printerId } = await makeFarm(gateway);
    const ids = ['b', 'Z', 'a', 'é'].map((letter) => `${letter} ${randomUUID()}`);
    for (const camera_id of ids) {
      await makeCamera(gateway, { camera_id });
      expectData(await gateway.graphql(UPDATE, { id: camera_id, input: { printerId } }));
    }
    const { printer } = expectData(
      await gateway.graphql('query ($id: ID!) { printer(id: $id) { cameras { id printer { cameras { id } } } } }', {
        id: printerId,
      }),
    );
    expect(printer.cameras.map(({ id }: { id: string }) => id)).toEqual([...ids].sort());
    expect(printer.cameras[0].printer.cameras).toHaveLength(4);
  });
});

describeOnDatabases('a spool', (kind) => {
  const gateway = useGateway(kind);
  const CREATE = 'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id colorHex vendor } }';
  const UPDATE =
    'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { colorHex vendor } }';

  test('has a colour in upper case and a vendor, each of which can be changed, kept and taken away', async () => {
    const { materialId } = await makeFarm(gateway);
    const spool = () => ({ spoolSerial: unique('s'), filamentDiameterMm: 1.75, weightTotalGrams: 1, materialId });
    const made = async (input: object) =>
      expectData(await gateway.graphql(CREATE, { input: { ...spool(), ...input } })).createSpool;
    expect(await made({})).toMatchObject({ colorHex: null, vendor: null });
    const { id, ...looks } = await made({ colorHex: '#1e90fF', vendor: 'Prusament' });
    expect(looks).toEqual({ colorHex: '#1E90FF', vendor: 'Prusament' });
    const changed = async (input: object) => expectData(await gateway.graphql(UPDATE, { id, input })).updateSpool;
    expect(await changed({ weightTotalGrams: 2 })).toEqual(looks);
    expect(await changed({ colorHex: null })).toEqual({ colorHex: null, vendor: 'Prusament' });
    expect(await changed({ colorHex: '#000000', vendor: null })).toEqual({ colorHex: '#000000', vendor: null });
    for (const colorHex of ['#', '1E90FF', '#1E90F', '#1E90FFF', '#1E90FG', 'red', '#1E90FF\n']) {
      const answer = await gateway.graphql(UPDATE, { id, input: { colorHex, vendor: 'x'.repeat(256) } });
      expectCode(answer, 'BAD_USER_INPUT');
      expect(answer.errors[0]?.extensions['issues']).toEqual([
        { path: ['input', 'colorHex'], message: 'must be # and six hexadecimal digits such as #1E90FF' },
        { path: ['input', 'vendor'], message: 'must have at most 255 characters' },
      ]);
    }
    expect(await changed({})).toEqual({ colorHex: '#000000', vendor: null });
  });
});

describeOnDatabases('the maintenance', (kind) => {
  globalThis.test('deletes removed cameras in bounded steps, and no others', async () => {
    const fresh = await freshDatabase(kind);
    const driver = await openDriver(fresh.target);
    try {
      await driver.withSession(async (run) => {
        await run(`insert into cameras (camera_id, friendly_name, removed_at)
          values ('long', 'c', now()), ('short', 'c', now()), ('kept', 'c', null)`);
        await run(`set local statement_timeout = 0; insert into camera_status (camera_id, recorded_at)
          select 'long', now() - n * interval '1 hour' from generate_series(1, 25000) n
          union all select id, now() from (values ('short'), ('kept')) v (id)`);
        const [step] = await run(`select forget_removed_camera('long') as text`);
        expect(step?.['text']).toBe('10000 records of the removed camera long were deleted');
        const [left] = await run(`select count(*)::int as n from camera_status where camera_id = 'long'`);
        expect(left?.['n']).toBe(15_000);
      });
      await forgetRemovedCameras(driver);
      await driver.withSession(async (run) => {
        const rows = await run('select camera_id from cameras union all select camera_id from camera_status');
        expect(rows.map((row) => row['camera_id'])).toEqual(['kept', 'kept']);
      });
    } finally {
      await driver.close();
      await fresh.drop();
    }
  });
});
