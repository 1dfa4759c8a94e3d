// Archiving and removing printers, spools, materials and cameras: the objects that keep them, what is deleted with them, and races.
import { randomUUID } from 'node:crypto';
import { openDriver } from '../../src/database/database';
import { forgetRemovedCameras } from '../../src/farm/cameras/status-log.maintenance';
import { collectChanges, readChangesAfter, readCurrentCursor, summarizeChange } from '../support/changes';
import { describeOnce, describeOnDatabases, describeOnServer, freshDatabase } from '../support/databases';
import {
  ago,
  type Farm,
  jobRequest,
  jobUpdate,
  makeCamera,
  makeFarm,
  makeJob,
  readJob,
  recordStatuses,
  tables,
  unique,
} from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, type Parsed, test, useGateway } from '../support/gateway';
import { makePrint } from '../support/prints';

const KINDS = ['Printer', 'Spool', 'Material'] as const;
type Kind = (typeof KINDS)[number];

describeOnce('an archived object', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });

  const findId = (type: Kind, of = farm) =>
    ({ Printer: of.printerId, Spool: of.spoolId, Material: of.materialId })[type];
  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const archive = async (type: Kind, archived?: boolean, id = findId(type)): Promise<string | null> => {
    const document = `mutation ($id: ID!, $archived: Boolean! = true) { archive${type}(id: $id, archived: $archived) { archivedAt } }`;
    return (await run(document, { id, archived }))[`archive${type}`].archivedAt;
  };
  const readIssues = async (document: string, variables: unknown) => {
    const answer = await gateway.graphql(document, variables);
    expectCode(answer, 'BAD_USER_INPUT');
    return answer.errors.flatMap(({ extensions }) => extensions['issues']);
  };
  const refusal = (link: 'printer' | 'spool' | 'material') => ({
    path: ['input', `${link}Id`],
    message: `must be the id of a ${link} that is not archived`,
  });

  const CREATE = 'mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id } }';
  const UPDATE = 'mutation ($id: ID!, $input: UpdatePrintJobInput!) { updatePrintJob(id: $id, input: $input) { id } }';
  const createJobInput = ({ printerId, spoolId }: Farm) => ({ printerId, spoolId, printName: 'x' });

  test('keeps its time when it is archived again, and is in use again without one', async () => {
    for (const type of KINDS) {
      expect(await archive(type, false)).toBeNull();
      const at = await archive(type);
      expect(Date.parse(at as string)).toBeGreaterThan(Date.now() - 60_000);
      const before = await tables(gateway);
      expect(await archive(type)).toBe(at);
      expect(await tables(gateway)).toEqual(before);
      expect(await archive(type, false)).toBeNull();
      expect(await archive(type)).not.toBeNull();
      const document = `mutation ($id: ID!) { archive${type}(id: $id) { id } }`;
      expectCode(await gateway.graphql(document, { id: randomUUID() }), 'NOT_FOUND');
    }
  });

  test('is in the list of its kind and in the list of archived objects, and not in the list of those in use', async () => {
    const other = await makeFarm(gateway);
    for (const type of KINDS) await archive(type);
    const [mine, theirs] = [farm, other].map((of) => KINDS.map((type) => findId(type, of))) as [string[], string[]];
    for (const [archived, expected] of [
      ['null', [...mine, ...theirs]],
      ['true', mine],
      ['false', theirs],
    ] as const) {
      const { printers, spools, materials } = await run(`{
        printers(archived: ${archived}, first: 1000) { totalCount nodes { id } }
        spools(archived: ${archived}, first: 1000) { totalCount nodes { id } } materials(archived: ${archived}) { id } }`);
      for (const list of [printers, spools]) expect(list.totalCount).toBe(list.nodes.length);
      const listed = [...printers.nodes, ...spools.nodes, ...materials].map(({ id }) => id);
      expect([...mine, ...theirs].filter((id) => listed.includes(id))).toEqual(expected);
    }
  });

  test('is refused for new jobs, through REST and GraphQL, and nothing is written', async () => {
    for (const type of ['Printer', 'Spool'] as const) {
      await archive(type);
      const before = await tables(gateway);
      const link = type.toLowerCase() as 'printer' | 'spool';
      expect(await readIssues(CREATE, { input: { ...createJobInput(farm), dataSource: 'MANUAL' } })).toEqual([
        refusal(link),
      ]);
      expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 400, `${type}Id`);
      expect(await tables(gateway)).toEqual(before);
      await archive(type, false);
    }
    await makeJob(gateway, farm);
  });

  test('is kept by its jobs, which can be replaced and change their status, but no other job can change to it', async () => {
    const job = await makeJob(gateway, farm);
    const other = await makeFarm(gateway);
    const theirs = await makeJob(gateway, other);
    await archive('Printer');
    await archive('Spool');
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(farm)), 200);
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${job.Id}/status`, { Status: 'Printing' }), 200);
    for (const link of ['printer', 'spool'] as const) {
      const input = { ...createJobInput(other), [`${link}Id`]: link === 'printer' ? farm.printerId : farm.spoolId };
      expect(await readIssues(UPDATE, { id: theirs.Id, input })).toEqual([refusal(link)]);
      const body = { PrinterId: input.printerId, SpoolId: input.spoolId, PrintName: 'x' };
      expectError(await gateway.rest('PUT', `/api/printjobs/${theirs.Id}`, body), 400, 'archived');
    }
    expect(await readJob(gateway, theirs.Id)).toEqual(theirs);
    // The object loses its last job.
    expectStatus(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(other)), 200);
    expectError(await gateway.rest('PUT', `/api/printjobs/${job.Id}`, jobUpdate(farm)), 400, 'PrinterId');
    expectStatus(await gateway.rest('DELETE', `/api/printjobs/${theirs.Id}`), 204);
  });

  test('(Material) is kept by its spools, and refused for others', async () => {
    await archive('Material');
    const spool = { spoolSerial: unique('s'), filamentDiameterMm: 1.75, weightTotalGrams: 1000 };
    const create = 'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }';
    expect(await readIssues(create, { input: { ...spool, materialId: farm.materialId } })).toEqual([
      refusal('material'),
    ]);
    const update =
      'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { weightTotalGrams } }';
    const own = { materialId: farm.materialId, weightTotalGrams: '900' };
    expect(await run(update, { id: farm.spoolId, input: own })).toEqual({ updateSpool: { weightTotalGrams: '900' } });
    const { spoolId } = await makeFarm(gateway);
    expect(await readIssues(update, { id: spoolId, input: own })).toEqual([refusal('material')]);
  });

  test('gets no job after the answer that it is archived, however many are created at that moment', async () => {
    for (const type of ['Printer', 'Spool'] as const) {
      const own = await makeFarm(gateway);
      const link = type.toLowerCase();
      const jobs = async () => {
        const query = `query ($id: ID!) { ${link}(id: $id) { jobs { totalCount } } }`;
        return (await run(query, { id: findId(type, own) }))[link].jobs.totalCount;
      };
      const answers = Array.from({ length: 20 }, () => gateway.rest('POST', '/api/printjobs', jobRequest(own)));
      const known = archive(type, true, findId(type, own)).then(jobs);
      const made = (await Promise.all(answers)).filter(({ status }) => status === 201).length;
      expect([await jobs(), await known]).toEqual([made, made]);
    }
  });
});

const RECORDS = 'camera_status camera_latest_status camera_status_set_aside cameras'.split(' ');

describeOnce('removing', (kind) => {
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
  const countRows = async (id: string) => {
    const counts: Record<string, number> = {};
    for (const table of RECORDS) {
      counts[table] = (await gateway.sql(`select from ${table} where camera_id = '${id}'`)).length;
    }
    return counts;
  };
  const NOTHING = Object.fromEntries(RECORDS.map((table) => [table, 0]));

  test('removing a printer, a spool or a material answers its id, and the object is gone', async () => {
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
    const { printerId } = await makeFarm(gateway);
    await makePrint(gateway, printerId);
    const message = expectCode(await remove('Printer', printerId), 'CONFLICT');
    expect(message).toBe('Observed prints refer to this printer: archive it instead');
  });

  test('removing a printer leaves its cameras without one, and watchers receive both changes', async () => {
    const id = await cameraWatching(farm.printerId);
    const changes = await collectChanges(gateway, async () => expectData(await remove('Printer', farm.printerId)));
    expect(await run('query ($id: ID!) { camera(id: $id) { printer { id } } }', { id })).toEqual({
      camera: { printer: null },
    });
    expect(changes.map(summarizeChange).sort()).toEqual([`CAMERA UPDATED ${id}`, `PRINTER DELETED ${farm.printerId}`]);
  });

  test('removing a camera deletes its log, its latest status and its records set aside, and nothing of other cameras', async () => {
    const id = await cameraWatching(farm.printerId);
    const other = await makeCamera(gateway);
    for (const camera of [id, other]) {
      await recordStatuses(gateway, camera, [{ recordedAt: ago(5) }, { recordedAt: ago(90 * 24 * 3600) }]);
      await gateway.sql(`insert into camera_status_set_aside values ('${camera}', now(), 1, '{}')`);
    }
    const before = await countRows(other);
    const changes = await collectChanges(
      gateway,
      async () => expect(expectData(await remove('Camera', id))).toEqual({ removeCamera: id }),
      '... on CameraChanged { object: camera { id } }',
    );
    expect(await countRows(id)).toEqual(NOTHING);
    expect(await countRows(other)).toEqual(before);
    expectCode(await remove('Camera', id), 'NOT_FOUND');
    expect(changes).toMatchObject([{ kind: 'DELETED', id, object: null }]);
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'again' }), 201);
    expect(await run('query ($id: ID!) { camera(id: $id) { lastStatus { id } } }', { id })).toEqual({
      camera: { lastStatus: null },
    });
  });

  test('a camera with a long log is gone for every reader immediately, and the maintenance deletes the rest', async () => {
    const id = await cameraWatching(farm.printerId);
    const mac_address = unique('mac');
    await gateway.sql(`update cameras set mac_address = '${mac_address}' where camera_id = '${id}'`);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select '${id}', now() - n * interval '1 minute', true from generate_series(1, 51000) n`);
    const [record] = await recordStatuses(gateway, id, [{}]);
    const { camera } = await run('query ($id: ID!) { camera(id: $id) { nodeId lastStatus { nodeId } } }', { id });
    const after = await readCurrentCursor(gateway);
    expectData(await remove('Camera', id));
    const left = (await countRows(id))['camera_status'] as number;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(51_000);

    expectError(await gateway.rest('GET', `/cameras/${encodeURIComponent(id)}`), 404);
    expect(expectStatus(await gateway.rest('GET', '/cameras'), 200).text).not.toContain(id);
    const seen = await run(
      `query ($id: ID!, $printer: ID!, $node: ID!, $status: ID!, $filter: CameraFilter) {
         camera(id: $id) { id } cameras(filter: $filter) { totalCount } printer(id: $printer) { cameras { id } }
         node(nodeId: $node) { nodeId } status: node(nodeId: $status) { nodeId } }`,
      {
        id,
        printer: farm.printerId,
        filter: { search: id },
        node: camera.nodeId,
        status: camera.lastStatus.nodeId,
      },
    );
    const gone = { camera: null, node: null, status: null };
    expect(seen).toEqual({ ...gone, cameras: { totalCount: 0 }, printer: { cameras: [] } });
    const status = { cameraId: id, online: true };
    const write = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';
    for (const recordedAt of [undefined, ago(86_400), record?.recordedAt])
      expectCode(await gateway.graphql(write, { input: [{ ...status, recordedAt }] }), 'NOT_FOUND');
    const update = 'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }';
    expectCode(await gateway.graphql(update, { id, input: { friendlyName: 'x' } }), 'NOT_FOUND');
    expectCode(await remove('Camera', id), 'NOT_FOUND');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'x' }), 409);
    // The MAC address is free again.
    await makeCamera(gateway, { mac_address });

    // The start does not wait for the deletion.
    await gateway.restart();
    expect((await countRows(id))['camera_status']).toBe(left);
    // All earlier changes can be read with this one.
    await readCurrentCursor(gateway);
    const changes = await readChangesAfter(gateway, after, { filter: { cameraIds: [id] } });
    expect(changes.map(summarizeChange)).toEqual([`CAMERA DELETED ${id}`]);
  });

  test('a page of changes leaves out the records of a removed camera', async () => {
    const id = await makeCamera(gateway);
    const changes = await collectChanges(gateway, async () => {
      await recordStatuses(gateway, id, [{}]);
      await gateway.sql(`update cameras set removed_at = now() where camera_id = '${id}'`);
    });
    expect(changes.map(({ __typename }) => __typename)).toEqual(['CameraChanged']);
  });

  test('when a printer is removed and used at the same moment, no job has the removed printer', async () => {
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

describeOnce('the printer of a camera', (kind) => {
  const gateway = useGateway(kind);
  const UPDATE = `mutation ($id: ID!, $input: UpdateCameraInput!) {
    updateCamera(id: $id, input: $input) { friendlyName printer { id name } } }`;

  test('is set, kept when it is left out, and removed by null', async () => {
    const [id, { printerId, printerName }] = [await makeCamera(gateway), await makeFarm(gateway)];
    const update = async (input: unknown) =>
      expectData(await gateway.graphql(UPDATE, { id, input })).updateCamera.printer;
    expect(await update({ friendlyName: 'x' })).toBeNull();
    expect(await update({ printerId: printerId.toUpperCase() })).toEqual({ id: printerId, name: printerName });
    expect(await update({ friendlyName: 'y' })).toEqual({ id: printerId, name: printerName });
    const answer = await gateway.graphql(UPDATE, { id, input: { printerId: randomUUID(), friendlyName: 'z' } });
    expectCode(answer, 'BAD_USER_INPUT');
    const issue = { path: ['input', 'printerId'], message: 'must be the id of a printer' };
    expect(answer.errors[0]?.extensions['issues']).toEqual([issue]);
    const { camera } = expectData(
      await gateway.graphql('query ($id: ID!) { camera(id: $id) { friendlyName } }', { id }),
    );
    expect(camera).toEqual({ friendlyName: 'y' });
    expect(await update({ printerId: null })).toBeNull();
    expectCode(await gateway.graphql(UPDATE, { id: 'nobody', input: { printerId } }), 'NOT_FOUND');
  });

  test('lists them by id, in code point order', async () => {
    const { printerId } = await makeFarm(gateway);
    const ids = ['b', 'Z', 'a', 'é'].map((letter) => `${letter} ${randomUUID()}`);
    for (const camera_id of ids) {
      await makeCamera(gateway, { camera_id });
      expectData(await gateway.graphql(UPDATE, { id: camera_id, input: { printerId } }));
    }
    const query = 'query ($id: ID!) { printer(id: $id) { cameras { id } } }';
    const { printer } = expectData(await gateway.graphql(query, { id: printerId }));
    expect(printer.cameras.map(({ id }: { id: string }) => id)).toEqual([...ids].sort());
  });
});

describeOnce('a spool', (kind) => {
  const gateway = useGateway(kind);
  const CREATE = 'mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id colorHex vendor } }';
  const UPDATE =
    'mutation ($id: ID!, $input: UpdateSpoolInput!) { updateSpool(id: $id, input: $input) { colorHex vendor } }';

  test('has a colour in upper case and a vendor, each of which can be changed, kept and removed', async () => {
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
    for (const colorHex of ['1E90FF', '#1E90F', '#1E90FG', '#1E90FF\n']) {
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

// Maintenance uses a session of the driver, without Prisma.
describeOnDatabases('the maintenance', (kind) => {
  test('deletes removed cameras in bounded steps, and no others', async () => {
    const fresh = await freshDatabase(kind);
    const driver = await openDriver(fresh.target);
    try {
      const [step] = await driver.withSession(async (run) => {
        await run(`insert into cameras (camera_id, friendly_name, removed_at)
          values ('long', 'c', now()), ('short', 'c', now()), ('kept', 'c', null)`);
        await run(`insert into camera_status (camera_id, recorded_at)
          select 'long', now() - n * interval '1 hour' from generate_series(1, 12000) n
          union all select id, now() from (values ('short'), ('kept')) v (id)`);
        return run(`select forget_removed_camera('long') as text`);
      });
      expect(step?.['text']).toBe('10000 records of the removed camera long were deleted.');
      await forgetRemovedCameras(driver);
      const rows = await driver.withSession((run) =>
        run('select camera_id from cameras union all select camera_id from camera_status'),
      );
      expect(rows.map((row) => row['camera_id'])).toEqual(['kept', 'kept']);
    } finally {
      await driver.close();
      await fresh.drop();
    }
  });
});

describeOnServer('on a server', () => {
  const gateway = useGateway('server');

  test('a job that waits for the archiving of its printer or spool is refused, and a job of other objects is stored', async () => {
    const [one, other] = [await makeFarm(gateway), await makeFarm(gateway)];
    const unpriced = jobRequest(other);
    for (const [table, id, member] of [
      ['printers', one.printerId, 'PrinterId'],
      ['spools', one.spoolId, 'SpoolId'],
    ] as const) {
      const theirs = await makeJob(gateway, other);
      await gateway.sql(`begin`);
      await gateway.sql(`update ${table} set archived_at = now() where id = '${id}'`);
      const waiting = gateway.rest('POST', '/api/printjobs', jobRequest(one));
      const changing = gateway.rest('PUT', `/api/printjobs/${theirs.Id}`, { ...jobUpdate(other), [member]: id });
      const free = await gateway.rest('POST', '/api/printjobs', unpriced);
      expectStatus(free, 201);
      await gateway.sql('commit');
      expectError(await waiting, 400, `${member} must be the id of a`);
      expectError(await changing, 400, `${member} must be the id of a`);
      await gateway.sql(`update ${table} set archived_at = null where id = '${id}'`);
    }
  });
});
