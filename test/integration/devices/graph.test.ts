// Tests devices in GraphQL: adding, changing, testing and removing them, and their secrets, which nobody can read again.
import { createHash, randomUUID } from 'node:crypto';
import { readConfig } from '../../../src/config';
import { FakeBambu } from '../../../src/demo/machines/bambu';
import { FakeGoPro } from '../../../src/demo/machines/gopro';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { Secrets } from '../../../src/wire/secrets';
import { readChangesUntilNow, readCurrentCursor } from '../../support/changes';
import { describeOnDatabases, describeOnServer, isTestedAlready } from '../../support/databases';
import { makeCamera, makeDevice, makeFarm, tables } from '../../support/farm';
import {
  expectCode,
  expectData,
  type Gateway,
  type GraphqlResponse,
  type Parsed,
  startGateway,
  test,
  useGateway,
} from '../../support/gateway';

const KEY = Buffer.alloc(32, 0xd1);
/** With the request time limit that users have: the test of a machine gets what is left of it. */
const { devices, budget } = readConfig({ DEVICE_KEY: KEY.toString('hex') });
const FINGERPRINT = 'ab'.repeat(32);
const DEVICE = `{ id kind address serial hasSecret certificateFingerprint enabled createdAt updatedAt
  printer { id } camera { id } connection { state since lastMessageAt fault message } }`;
const ADD = `mutation ($input: AddDeviceInput!) { addDevice(input: $input) ${DEVICE} }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateDeviceInput!) { updateDevice(id: $id, input: $input) ${DEVICE} }`;
const REMOVE = 'mutation ($id: ID!) { removeDevice(id: $id) }';
const TESTED = `testDevice(input: $input) {
  reached fault message name model serial firmware certificateFingerprint activity }`;
const TEST = `mutation ($input: AddDeviceInput!) { ${TESTED} }`;

const newPrinter = async (gateway: Gateway): Promise<string> => (await makeFarm(gateway)).printerId;
const readStored = async (gateway: Gateway, id: string): Promise<Parsed> =>
  (await gateway.sql(`select * from devices where id = '${id}'`))[0];
/** What the collector of the gateway reads. */
const decryptSecret = async (gateway: Gateway, id: string) => {
  const { kind, address, certificate_fingerprint: certificateFingerprint, secret } = await readStored(gateway, id);
  return new Secrets(KEY, { kind: 'server' }).decrypt({ id, kind, address, certificateFingerprint, secret });
};
/** A print of a device that is reporting now. */
const runningPrint = async (gateway: Gateway, device: string, printer: string): Promise<string> => {
  const id = randomUUID();
  await gateway.sql(`insert into observed_prints (id, printer_id, device_id, name, started_at_estimated, outcome, seen_at, measured)
    values ('${id}', '${printer}', '${device}', 'cube', false, 'RUNNING', now(), '[]')`);
  return id;
};

// Refusals of unique indexes, and the text of the whole database.
describeOnDatabases('devices', (kind) => {
  const gateway = useGateway(kind, { devices, budget });
  const run = async (document: string, variables?: unknown): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const add = async (input: object): Promise<Parsed> => (await run(ADD, { input })).addDevice;
  const update = async (id: string, input: object): Promise<Parsed> => (await run(UPDATE, { id, input })).updateDevice;

  test('slots follow the machine unless that is switched off, and the active spool is set only if that is switched on', async () => {
    const read =
      'query ($id: ID!) { device(id: $id) { followsSpools setsActiveSpool spoolman { isThisGateway activeNumber message } } }';
    const readDevice = async (id: string): Promise<Parsed> => (await run(read, { id })).device;
    const address = 'localhost:7391';
    const { id } = await add({ kind: 'MOONRAKER', printerId: await newPrinter(gateway), address, enabled: false });
    expect(await readDevice(id)).toEqual({ followsSpools: true, setsActiveSpool: false, spoolman: null });
    await gateway.sql(`update devices set reported_spools = '{}',
      spoolman = '{"isThisGateway": true, "activeNumber": 12, "obstacle": null, "problem": null}' where id = '${id}'`);
    await update(id, { setsActiveSpool: true, followsSpools: null });
    const spoolman = { isThisGateway: true, activeNumber: 12, message: null };
    expect(await readDevice(id)).toEqual({ followsSpools: true, setsActiveSpool: true, spoolman });
    await update(id, { followsSpools: false });
    const message = expect.stringContaining('followsSpools is off');
    expect(await readDevice(id)).toMatchObject({ followsSpools: false, spoolman: { ...spoolman, message } });
    // Following starts again with a first contact, and so does another machine.
    await update(id, { followsSpools: true });
    expect(await readStored(gateway, id)).toMatchObject({ reported_spools: null, spoolman: null });
    await gateway.sql(`update devices set reported_spools = '{}' where id = '${id}'`);
    await update(id, { address: 'localhost:7392' });
    expect(await readStored(gateway, id)).toMatchObject({ reported_spools: null });
  });

  describe('a machine can be only one device', () => {
    const nameObject = async (id: string): Promise<string> =>
      (await run('query ($id: ID!) { printer(id: $id) { name } }', { id })).printer.name;
    const refused = async (answer: Promise<GraphqlResponse>, member: string, owner: string) =>
      expect(expectCode(await answer, 'CONFLICT')).toBe(
        `${member} belongs to a machine that is already connected to the ${owner}: remove that device first`,
      );

    test('however its address is written, and whatever its kind', async () => {
      const [first, second] = [await newPrinter(gateway), await newPrinter(gateway)];
      await add({ kind: 'MOONRAKER', printerId: first, address: 'localhost:7199' });
      const owner = `printer ${await nameObject(first)}`;
      for (const address of [
        '127.0.0.1:7199',
        'http://LOCALHOST:7199/',
        '[::1]:7199',
        '2130706433:7199',
        '[::ffff:7f00:1]:7199',
      ]) {
        await refused(
          gateway.graphql(ADD, { input: { kind: 'OCTOPRINT', printerId: second, address } }),
          'address',
          owner,
        );
      }
      // A test reports the same fault as saving would.
      const test = `mutation ($input: AddDeviceInput!) { testDevice(input: $input) { reached } }`;
      const input = { kind: 'MOONRAKER', printerId: second, address: '127.0.0.1:7199' };
      await refused(gateway.graphql(test, { input }), 'address', owner);
      const cameraId = await makeCamera(gateway);
      await refused(
        gateway.graphql(ADD, { input: { kind: 'OPEN_GOPRO', cameraId, address: 'localhost:7199' } }),
        'address',
        owner,
      );
      // The printer's existing device is another fault.
      const again = await gateway.graphql(ADD, {
        input: { kind: 'MOONRAKER', printerId: first, address: 'localhost:7199' },
      });
      expect(expectCode(again, 'CONFLICT')).toMatch(/^printerId already has a device/);
      const { id } = await add({ kind: 'MOONRAKER', printerId: second, address: 'localhost:7198' });
      await refused(gateway.graphql(UPDATE, { id, input: { address: '127.0.0.1:7199' } }), 'address', owner);
      expect(await update(id, { address: '127.0.0.1:7198' })).toMatchObject({ address: '127.0.0.1:7198' });
      await run('mutation ($id: ID!) { archivePrinter(id: $id) { id } }', { id: first });
      await refused(
        gateway.graphql(UPDATE, { id, input: { address: 'localhost:7199' } }),
        'address',
        `archived ${owner}`,
      );
    });

    test('also by its serial number', async () => {
      const [first, second] = [await newPrinter(gateway), await newPrinter(gateway)];
      const bambu = { kind: 'BAMBU', serial: '01P00A000000041' };
      await add({ ...bambu, printerId: first, address: '10.0.4.1' });
      const owner = `printer ${await nameObject(first)}`;
      const input = { ...bambu, serial: '01p00a000000041', printerId: second, address: '10.0.4.2' };
      await refused(gateway.graphql(ADD, { input }), 'serial', owner);
      const { id } = await add({ ...input, serial: '01P00A000000042' });
      await refused(gateway.graphql(UPDATE, { id, input: { serial: bambu.serial } }), 'serial', owner);
    });

    test('also if it is added twice at one moment, or a device is moved to its address', async () => {
      const printers = await Promise.all([1, 2, 3, 4].map(() => newPrinter(gateway)));
      const [one, two] = [
        await makeDevice(gateway, printers[2] as string),
        await makeDevice(gateway, printers[3] as string),
      ];
      const answers = await Promise.all([
        ...printers
          .slice(0, 2)
          .map((printerId) =>
            gateway.graphql(ADD, { input: { kind: 'MOONRAKER', printerId, address: 'localhost:7197' } }),
          ),
        ...[one, two].map((id) => gateway.graphql(UPDATE, { id, input: { address: '127.0.0.1:7197' } })),
      ]);
      expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
      for (const answer of answers.filter(({ errors }) => errors.length > 0)) expectCode(answer, 'CONFLICT');
    });

    test('and two devices that already share a machine report it', async () => {
      const [first, second] = [await newPrinter(gateway), await newPrinter(gateway)];
      const ids = [await makeDevice(gateway, first), await makeDevice(gateway, second)];
      const messages = async () => {
        const { devices } = await run('{ devices { id connection { message } } }');
        return ids.map((id) => devices.find((one: Parsed) => one.id === id).connection.message);
      };
      expect(await messages()).toEqual([null, null]);
      for (const [at, address] of ['LOCALHOST:7196', 'http://127.0.0.1:7196'].entries())
        await gateway.sql(`update devices set address = '${address}' where id = '${ids[at]}'`);
      const collectSummaries = async (id: string) =>
        `The same machine is also the device of the printer ${await nameObject(id)}, so its prints are booked twice. Remove one of the two devices.`;
      expect(await messages()).toEqual([await collectSummaries(second), await collectSummaries(first)]);
      await gateway.sql(`update devices set state = 'OFFLINE', fault = 'TIMED_OUT' where id = '${ids[0]}'`);
      expect((await messages())[0]).toBe(
        `The machine does not answer. Check that it is switched on, and compare the address with the address that the machine shows. ${await collectSummaries(second)}`,
      );
      // Each device stays unchanged, and a disabled device books nothing.
      await update(ids[0] as string, { username: 'x' });
      await update(ids[1] as string, { enabled: false });
      expect(await messages()).toEqual([null, null]);
    });
  });

  describe('the secret of a device', () => {
    const CLEAR = '73914206';
    let printerId: string;
    beforeEach(async () => {
      printerId = await newPrinter(gateway);
    });
    const send = (query: string, variables: unknown, headers: Record<string, string> = {}) =>
      gateway.rest('POST', '/graphql', { query, variables }, headers);
    const input = (members: object = {}) => ({
      kind: 'MOONRAKER',
      printerId,
      address: '10.2.0.1',
      secret: CLEAR,
      ...members,
    });

    test('is in no answer, whatever is wrong with the request', async () => {
      const literal = (secret: string) =>
        `mutation ($a: String = null) { addDevice(input: { kind: MOONRAKER, address: "10.0.0.1", printerId: "${printerId}", secret: ${secret} }) { id } }`;
      const requests: [query: string, variables?: object][] = [
        [ADD, { input: input({ colour: 'red' }) }],
        [ADD, { input: input({ address: '' }) }],
        [ADD, { input: input({ secret: Number(CLEAR) }) }],
        [ADD, { input: input({ secret: [CLEAR] }) }],
        [ADD, { input: input({ secret: `${CLEAR}\n${CLEAR}` }) }],
        [ADD, { input: CLEAR }],
        [UPDATE, { id: randomUUID(), input: { secret: CLEAR } }],
        [TEST, { input: input({ address: '127.0.0.1:1' }) }],
        [literal(CLEAR)],
        [literal(`[${CLEAR}]`)],
        [literal(`"${CLEAR}"`).replace('"10.0.0.1"', '$a')],
        [literal(`"${CLEAR}"`).replace('"10.0.0.1"', '"0.0.0.0"')],
      ];
      for (const [query, variables] of requests) {
        // The second and the third execution use compiled operations.
        for (let times = 0; times < 3; times += 1) {
          const answer = await send(query, variables);
          expect(answer.status).toBeLessThan(500);
          expect(answer.text).not.toContain(CLEAR);
        }
      }
      const beyond = `{"query": ${JSON.stringify(ADD)}, "variables": {"input": {"kind": "MOONRAKER", "secret": ${CLEAR.repeat(9)}}}}`;
      const answer = await gateway.rest('POST', '/graphql', beyond, { 'content-type': 'application/json' });
      expect(expectCode({ ...answer, data: null, errors: answer.body.errors }, 'BAD_USER_INPUT')).toContain(
        'input.secret',
      );
      expect(answer.text).not.toContain(CLEAR);
    });

    test('can be read neither from the database nor by guessing the request of an idempotency key', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await send(ADD, { input: input() }, headers);
      expect(first.body.data.addDevice.hasSecret).toBe(true);
      expect((await send(ADD, { input: input() }, headers)).text).toBe(first.text);
      await gateway.restart();
      expect((await send(ADD, { input: input() }, headers)).text).toBe(first.text);
      const other = await send(ADD, { input: input({ secret: '73914207' }) }, headers);
      expect(other.body.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }]);
      const [{ fingerprint }] = (await gateway.sql(
        `select fingerprint from idempotency_keys where key = '${headers['idempotency-key']}'`,
      )) as [Parsed];
      // Without the key of the gateway, the fingerprint is useless to someone who has the database and knows everything else.
      expect(fingerprint).toMatch(/^[\w-]{43}$/);
      expect(fingerprint).not.toBe(plainFingerprint(ADD, { input: input() }));
      const everything =
        await gateway.sql(`select query_to_xml('select * from ' || relname, true, true, '')::text as text from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
      expect(JSON.stringify(everything)).toContain('10.2.0.1');
      expect(JSON.stringify(everything)).not.toContain(CLEAR);
    });
  });

  test('the feed has the changes of a device and its state, and not of its lease', async () => {
    const printerId = await newPrinter(gateway);
    const after = await readCurrentCursor(gateway);
    const id = await makeDevice(gateway, printerId);
    await gateway.sql(`insert into leases values ('${id}', '${id}', 'h', 1, now())`);
    await gateway.sql(`update devices set last_message_at = now() where id = '${id}'`);
    await gateway.sql(`update devices set state = 'CONNECTED', last_message_at = now() where id = '${id}'`);
    // A statement that changes no row takes no transaction id.
    await gateway.sql(`do $$ begin
      update devices set address = 'x' where false;
      if pg_current_xact_id_if_assigned() is not null then raise 'it has one'; end if;
    end $$`);
    await run(REMOVE, { id });
    const { changes } = await readChangesUntilNow(gateway, after, '... on DeviceChanged { device { id } }');
    expect(changes.filter(({ __typename }) => __typename === 'DeviceChanged')).toMatchObject(
      ['CREATED', 'UPDATED', 'DELETED'].map((how) => ({ kind: how, id, device: null })),
    );
  });

  test('a printer without prints, and a camera, are removed with their devices', async () => {
    const [printerId, cameraId] = [await newPrinter(gateway), await makeCamera(gateway)];
    const ids = [
      await makeDevice(gateway, printerId),
      (await add({ kind: 'OPEN_GOPRO', cameraId, address: '10.0.0.1' })).id,
    ];
    const camera = await run('query ($id: ID!) { camera(id: $id) { device { camera { id } printer { id } } } }', {
      id: cameraId,
    });
    expect(camera).toEqual({ camera: { device: { camera: { id: cameraId }, printer: null } } });
    await run('mutation ($id: ID!) { removePrinter(id: $id) }', { id: printerId });
    await run('mutation ($id: ID!) { removeCamera(id: $id) }', { id: cameraId });
    for (const id of ids)
      expect(await run('query ($id: ID!) { device(id: $id) { id } }', { id })).toEqual({ device: null });
  });

  if (isTestedAlready(kind)) return;

  test('a device is added with its defaults, and found by id, list, printer and node', async () => {
    const printerId = await newPrinter(gateway);
    const device = await add({ kind: 'PRUSALINK', printerId, address: 'mk4.local', username: '', secret: '' });
    expect(device).toEqual({
      id: expect.any(String),
      kind: 'PRUSALINK',
      address: 'mk4.local',
      serial: null,
      hasSecret: false,
      certificateFingerprint: null,
      enabled: true,
      createdAt: device.createdAt,
      updatedAt: device.createdAt,
      printer: { id: printerId },
      camera: null,
      connection: { state: 'CONNECTING', since: device.createdAt, lastMessageAt: null, fault: null, message: null },
    });
    const { id } = device;
    const found = await run(
      `query ($id: ID!, $printer: ID!) { device(id: $id) ${DEVICE} devices ${DEVICE} printer(id: $printer) { device ${DEVICE} } }`,
      { id: id.toUpperCase(), printer: printerId },
    );
    expect(found.device).toEqual(device);
    expect(found.devices).toContainEqual(device);
    expect(found.printer.device).toEqual(device);
    const { nodeId } = (await run('query ($id: ID!) { device(id: $id) { nodeId } }', { id })).device;
    const { node } = await run(`query ($nodeId: ID!) { node(nodeId: $nodeId) { ... on Device ${DEVICE} } }`, {
      nodeId,
    });
    expect(node).toEqual(device);
    expect(await run('query ($id: ID!) { device(id: $id) { id } }', { id: randomUUID() })).toEqual({ device: null });
  });

  test('the printer or camera of a new device must exist, must not be archived, and must have no device', async () => {
    const printerId = await newPrinter(gateway);
    const cameraId = await makeCamera(gateway);
    const before = await tables(gateway);
    const refused = async (members: object, naming: RegExp, code = 'BAD_USER_INPUT') =>
      expect(
        expectCode(await gateway.graphql(ADD, { input: { kind: 'MOONRAKER', address: '10.0.0.1', ...members } }), code),
      ).toMatch(naming);
    await refused({}, /^Give either printerId or cameraId/);
    await refused({ printerId, cameraId: 'c' }, /^Give either printerId or cameraId/);
    await refused({ printerId: randomUUID() }, /^printerId must be the id of a printer$/);
    await refused({ kind: 'OPEN_GOPRO', cameraId: 'nobody' }, /^cameraId must be the id of a camera$/);
    await refused(
      { printerId, kind: 'OPEN_GOPRO' },
      /^printerId must not be given for OPEN_GOPRO, a kind of camera: give cameraId$/,
    );
    await refused({ cameraId }, /^cameraId must not be given for MOONRAKER, a kind of printer: give printerId$/);
    expect(await tables(gateway)).toEqual(before);
    await run('mutation ($id: ID!) { archivePrinter(id: $id) { id } }', { id: printerId });
    await refused({ printerId }, /^printerId must be the id of a printer that is not archived/);
    await run('mutation ($id: ID!) { archivePrinter(id: $id, archived: false) { id } }', { id: printerId });
    const answers = await Promise.all(
      [1, 2, 3].map((n) => gateway.graphql(ADD, { input: { kind: 'MOONRAKER', printerId, address: `10.0.0.${n}` } })),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    for (const answer of answers.filter(({ errors }) => errors.length > 0)) {
      expect(expectCode(answer, 'CONFLICT')).toBe('printerId already has a device: a printer can have only one');
    }
  });

  test('a Bambu printer needs a serial number, and other kinds refuse one', async () => {
    const printerId = await newPrinter(gateway);
    const serial = '01P00A000000001';
    const bambu = { kind: 'BAMBU', printerId, address: '10.0.0.1', secret: '73914206' };
    const before = await tables(gateway);
    const refused = async (answer: Promise<GraphqlResponse>, naming: RegExp) =>
      expect(expectCode(await answer, 'BAD_USER_INPUT')).toMatch(naming);
    const NEEDED = /^serial must be the printer's serial number/;
    for (const wrong of [undefined, '', '+', '01P 00A'])
      await refused(gateway.graphql(ADD, { input: { ...bambu, serial: wrong } }), NEEDED);
    const other = { ...bambu, serial, kind: 'MOONRAKER' };
    await refused(gateway.graphql(ADD, { input: other }), /^serial must not be given/);
    const http = { ...bambu, serial, address: 'http://10.0.0.1' };
    await refused(gateway.graphql(ADD, { input: http }), /^address must be a host or a URL of mqtts/);
    expect(await tables(gateway)).toEqual(before);
    const device = await add({ ...bambu, serial, certificateFingerprint: FINGERPRINT });
    expect(device).toMatchObject({ kind: 'BAMBU', serial, hasSecret: true, certificateFingerprint: FINGERPRINT });
    await refused(gateway.graphql(UPDATE, { id: device.id, input: { serial: null } }), NEEDED);
    const changed = await update(device.id, { serial: '01P00A000000002' });
    expect(changed).toMatchObject({ serial: '01P00A000000002', hasSecret: true });
    expect(await decryptSecret(gateway, device.id)).toBe('73914206');
  });

  test('white space around a pasted member is removed, and invisible characters inside it are refused', async () => {
    const printerId = await newPrinter(gateway);
    const bambu = { kind: 'BAMBU', printerId, address: '10.0.3.1' };
    const given = {
      address: '10.0.3.1',
      serial: '01P00A000000031',
      username: 'maker',
      secret: '73914206',
      certificateFingerprint: FINGERPRINT,
    };
    const before = await tables(gateway);
    for (const member of Object.keys(given)) {
      for (const inside of ['\n', '\r\n', '\0', '\u200b', '\u2028', '\u202e', '\ud800', '\u00ad']) {
        const value = `${given[member as 'serial'].slice(0, 4)}${inside}${given[member as 'serial'].slice(4)}`;
        for (const [document, variables] of [
          [ADD, { input: { ...bambu, ...given, [member]: value } }],
          [TEST, { input: { ...bambu, ...given, [member]: value } }],
        ] as const) {
          const message = expectCode(await gateway.graphql(document, variables), 'BAD_USER_INPUT');
          expect(message).toMatch(new RegExp(`^${member} must not contain`));
        }
      }
    }
    expect(await tables(gateway)).toEqual(before);
    const around = Object.entries(given).map(([member, value]) => [member, ` \t${value}\u00a0\u200b\r\n`]);
    const device = await add({ ...bambu, ...Object.fromEntries(around) });
    const { secret, username, ...shown } = given;
    expect(device).toMatchObject({ ...shown, hasSecret: true });
    expect(await readStored(gateway, device.id)).toMatchObject({ username });
    expect(await decryptSecret(gateway, device.id)).toBe(secret);
    for (const member of Object.keys(given)) {
      const value = `${given[member as 'serial']}\n${given[member as 'serial']}`;
      const refused = await gateway.graphql(UPDATE, { id: device.id, input: { [member]: value } });
      expect(expectCode(refused, 'BAD_USER_INPUT')).toMatch(new RegExp(`^${member} must not contain`));
    }
    expect(await update(device.id, { secret: ' \n', address: ' 10.0.3.1' })).toMatchObject({ hasSecret: false });
  });

  test('a secret is kept until the address or the certificate that it belongs to changes', async () => {
    const printerId = await newPrinter(gateway);
    const { id } = await add({ kind: 'OCTOPRINT', printerId, address: 'https://10.0.0.1', secret: 'first key' });
    expect(await decryptSecret(gateway, id)).toBe('first key');
    for (const input of [{}, { enabled: false }, { username: 'x', address: null }, { address: 'https://10.0.0.1' }]) {
      expect(await update(id, input)).toMatchObject({ hasSecret: true });
      expect(await decryptSecret(gateway, id)).toBe('first key');
    }
    const address = 'https://10.0.0.2';
    expect(await update(id, { address })).toMatchObject({ hasSecret: false, address });
    expect(await update(id, { secret: 'second key' })).toMatchObject({ hasSecret: true });
    const colons = FINGERPRINT.toUpperCase().match(/../g)?.join(':');
    const pinned = { certificateFingerprint: FINGERPRINT };
    expect(await update(id, { certificateFingerprint: colons })).toMatchObject({ ...pinned, hasSecret: false });
    expect(await update(id, { secret: 'third key', address: 'https://10.0.0.3' })).toMatchObject({ hasSecret: true });
    expect(await decryptSecret(gateway, id)).toBe('third key');
    // The same certificate in other letters is not another certificate.
    expect(await update(id, { certificateFingerprint: colons })).toMatchObject({ hasSecret: true });
    expect(await update(id, { certificateFingerprint: null })).toMatchObject({ hasSecret: false });
    await update(id, { secret: 'fourth key' });
    expect(await update(id, { secret: null })).toMatchObject({ hasSecret: false });
    expect((await readStored(gateway, id)).secret).toBeNull();
  });

  test('changes at the same moment leave a readable secret or none', async () => {
    const id = await makeDevice(gateway, await newPrinter(gateway), { secret: 'before' });
    for (let round = 0; round < 8; round += 1) {
      const given = [
        { address: `10.1.0.${round}` },
        { secret: 'one' },
        { address: `10.1.1.${round}` },
        { secret: 'two' },
      ];
      await Promise.all(given.map((input) => update(id, input)));
      expect([null, 'one', 'two']).toContain(await decryptSecret(gateway, id));
    }
  });

  test('a change ends the lease and connects again; a fault is reported as a sentence', async () => {
    const id = await makeDevice(gateway, await newPrinter(gateway));
    await gateway.sql(`update devices set state = 'REFUSED', fault = 'CREDENTIALS_REFUSED', last_message_at = '2026-01-01Z'
      where id = '${id}'`);
    await gateway.sql(`insert into leases values ('${id}', '${id}', 'h', 7, now() + interval '30 s')`);
    const { device } = await run(`query ($id: ID!) { device(id: $id) ${DEVICE} }`, { id });
    expect(device.connection).toMatchObject({
      state: 'REFUSED',
      fault: 'CREDENTIALS_REFUSED',
      message: expect.stringMatching(/^Moonraker rejects the gateway's credentials\. /),
      lastMessageAt: '2026-01-01T00:00:00.000Z',
    });
    const { connection, updatedAt } = await update(id, { enabled: false });
    expect(connection).toMatchObject({ state: 'DISABLED', fault: null, message: null, since: updatedAt });
    expect(await readStored(gateway, id)).toMatchObject({ state: 'CONNECTING', fault: null });
    const [lease] = await gateway.sql(`select holder, number::int, until from leases where device_id = '${id}'`);
    expect(lease).toEqual({ holder: null, number: 8, until: null });
    expect((await update(id, { enabled: true })).connection).toMatchObject({ state: 'CONNECTING' });
  });

  test('removing a device keeps its prints: a running print becomes UNRESOLVED, and its printer stays because of it', async () => {
    const printerId = await newPrinter(gateway);
    const id = await makeDevice(gateway, printerId);
    await gateway.sql(
      `insert into printer_states (printer_id, activity, heard_at) values ('${printerId}', 'PRINTING', now())`,
    );
    const print = await runningPrint(gateway, id, printerId);
    expect(await run(REMOVE, { id })).toEqual({ removeDevice: id });
    expect(await gateway.sql(`select device_id, outcome, ended_at from observed_prints where id = '${print}'`)).toEqual(
      [{ device_id: null, outcome: 'UNRESOLVED', ended_at: null }],
    );
    expect(await gateway.sql(`select kind, text from print_sightings where print_id = '${print}'`)).toEqual([
      { kind: 'ENDED', text: 'The device was removed' },
    ]);
    expect(await gateway.sql(`select from printer_states where printer_id = '${printerId}'`)).toEqual([]);
    expectCode(await gateway.graphql(REMOVE, { id }), 'NOT_FOUND');
    const kept = await gateway.graphql('mutation ($id: ID!) { removePrinter(id: $id) }', { id: printerId });
    expect(expectCode(kept, 'CONFLICT')).toMatch(/^Observed prints refer to this printer/);
    const next = await add({ kind: 'MOONRAKER', printerId, address: '10.0.0.9' });
    expect(next.id).not.toBe(id);
    // The machine that is added again may still print the same file: that print is not booked twice.
    expect(await gateway.sql(`select device_id, outcome from observed_prints where id = '${print}'`)).toEqual([
      { device_id: next.id, outcome: 'RUNNING' },
    ]);
  });

  describe('a test of a machine', () => {
    let printerId: string;
    let machine: FakeMoonraker;
    beforeAll(async () => {
      printerId = await newPrinter(gateway);
      machine = new FakeMoonraker({ secret: 'right key' });
      await machine.listen(0);
    });
    afterAll(() => machine.close());
    const tested = async (members: object, headers = {}) => {
      const input = { kind: 'MOONRAKER', printerId, address: machine.url, secret: 'right key', ...members };
      const { body } = await gateway.rest('POST', '/graphql', { query: TEST, variables: { input } }, headers);
      return body.data.testDevice;
    };

    test('reports what the machine is and does, and stores nothing', async () => {
      const before = await tables(gateway);
      const keyed = { 'idempotency-key': 'test' };
      for (const headers of [{}, keyed, keyed]) {
        expect(await tested({}, headers)).toEqual({
          reached: true,
          fault: null,
          message: null,
          name: 'fake',
          model: null,
          serial: null,
          firmware: 'v0.12.0-272',
          certificateFingerprint: null,
          activity: 'IDLE',
        });
      }
      expect(await tested({ secret: 'right keys' }, keyed)).toMatchObject({ fault: 'CREDENTIALS_REFUSED' });
      expect(await tables(gateway)).toEqual(before);
      expect(await gateway.sql("select from idempotency_keys where key = 'test'")).toEqual([]);
    });

    test('accepts a machine that is not in the farm yet', async () => {
      expect(await tested({ printerId: null })).toMatchObject({ reached: true, fault: null, name: 'fake' });
      const input = { kind: 'MOONRAKER', address: machine.url, printerId, cameraId: 'one' };
      expect(expectCode(await gateway.graphql(TEST, { input }), 'BAD_USER_INPUT')).toMatch(/^Give either printerId/);
    });

    test('reports what a camera is, which has no activity', async () => {
      const camera = new FakeGoPro({ secret: 'right key' });
      await camera.listen(0);
      try {
        const members = {
          kind: 'OPEN_GOPRO',
          printerId: null,
          cameraId: await makeCamera(gateway),
          address: camera.url,
        };
        expect(await tested(members)).toEqual({
          reached: true,
          fault: null,
          message: null,
          name: 'GP0001',
          model: 'HERO12 Black',
          serial: 'C3501324500123',
          firmware: 'H23.01.02.32.00',
          certificateFingerprint: null,
          activity: null,
        });
      } finally {
        await camera.close();
      }
    });

    test('reports how a Bambu printer is trusted, and each fault in a sentence for it', async () => {
      const fake = new FakeBambu({ secret: '73914206' });
      await fake.listen(0);
      const { serial, certificateFingerprint } = fake;
      const bambu = { kind: 'BAMBU', address: `127.0.0.1:${fake.port}`, secret: '73914206', serial };
      try {
        const unknown = await tested(bambu);
        expect(unknown).toMatchObject({ reached: true, fault: 'CERTIFICATE_NOT_TRUSTED', certificateFingerprint });
        expect(await tested({ ...bambu, certificateFingerprint })).toEqual({
          reached: true,
          fault: null,
          message: null,
          name: null,
          model: 'Bambu Lab P1S',
          serial,
          firmware: '01.08.02.00',
          certificateFingerprint,
          activity: 'IDLE',
        });
        const found = [
          unknown,
          await tested({ ...bambu, certificateFingerprint, secret: '73914207' }),
          await tested({ ...bambu, certificateFingerprint, serial: '01P00A000000097' }),
          await tested({ ...bambu, certificateFingerprint, address: '127.0.0.1:1' }),
          await tested({ ...bambu, certificateFingerprint, address: 'nobody.invalid' }),
          await tested({ ...bambu, certificateFingerprint, address: `127.0.0.1:${machine.port}` }),
        ];
        expect(found.map(({ fault }) => fault)).toEqual([
          'CERTIFICATE_NOT_TRUSTED',
          'CREDENTIALS_REFUSED',
          'WRONG_DEVICE',
          'NOT_REACHABLE',
          'NOT_RESOLVED',
          'TLS_NOT_SPOKEN',
        ]);
        expect(new Set(found.map(({ message }) => message)).size).toBe(6);
        expect(JSON.stringify(found)).not.toMatch(/7391420/);
      } finally {
        await fake.close();
      }
    });

    test('must be the only mutation of its operation, also if a fragment or an alias hides the second', async () => {
      const before = await tables(gateway);
      const head = 'mutation ($input: AddDeviceInput!)';
      const other = 'createPrinter(input: { name: "x" }) { id }';
      const documents = [
        `${head} { ${other} ${TESTED} }`,
        `${head} { ...A } fragment A on Mutation { ${TESTED} ${other} }`,
        `${head} { ...A ...B } fragment A on Mutation { ${TESTED} } fragment B on Mutation { ${other} }`,
        `${head} { ...A } fragment A on Mutation { ...B } fragment B on Mutation { ${other} ... { ...C } } fragment C on Mutation { ${TESTED} }`,
        `${head} { ... on Mutation { ${other} ... { ${TESTED} } } }`,
        `${head} { ... @include(if: true) { ${TESTED} ${other} } }`,
        `${head} { ... { ${TESTED.replace('{', '@skip(if: false) {')} } ... @skip(if: false) { ${other} } }`,
        `${head} { ... { a: ${TESTED} b: ${TESTED} } }`,
      ];
      const input = { kind: 'MOONRAKER', printerId, address: machine.url };
      for (const query of documents) {
        const keyed = { 'idempotency-key': randomUUID() };
        const { status, body } = await gateway.rest('POST', '/graphql', { query, variables: { input } }, keyed);
        expect([query, status, body.errors?.[0].extensions.code]).toEqual([query, 400, 'BAD_REQUEST']);
      }
      // Selected twice under one name it is one field.
      const twice = await gateway.graphql(`${head} { ... { ${TESTED} } ${TESTED} }`, { input });
      expect(expectData(twice).testDevice).toMatchObject({ reached: true });
      expect(await tables(gateway)).toEqual(before);
    });
  });

  // This test must be the last one, because it fills the farm.
  test('a farm that has reached its limit of devices refuses another', async () => {
    const printerId = await newPrinter(gateway);
    await gateway.sql('delete from devices');
    await gateway.sql(`insert into cameras (camera_id, friendly_name, created_at, updated_at)
      select 'c' || n, 'x', now(), now() from generate_series(1, 1000) n`);
    await gateway.sql(`insert into devices (id, kind, camera_id, address, state, created_at, updated_at)
      select gen_random_uuid(), 'OPEN_GOPRO', 'c' || n, 'x', 'CONNECTING', now(), now() from generate_series(1, 1000) n`);
    const { devices: all } = expectData(await gateway.graphql('{ devices { id camera { id } } }'));
    expect(all).toHaveLength(1000);
    const more = await gateway.graphql(ADD, { input: { kind: 'MOONRAKER', printerId, address: '10.0.0.1' } });
    expect(expectCode(more, 'BAD_USER_INPUT')).toBe(
      'The farm already has 1000 devices. Remove one before you add another',
    );
  });
});

/** Without a secret, writes behave as in test/integration/idempotency.test.ts. */
function plainFingerprint(query: string, variables: object): string {
  const parts = [digest(query, 'hex'), 'null', JSON.stringify(variables)].map((part) => `${part.length}:${part}`);
  return digest(parts.join(''), 'base64url');
}

function digest(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}

describeOnServer('a database on a server', () => {
  test('a secret is refused if the gateways share no key to encrypt it, and the message says what to set', async () => {
    const gateway = await startGateway('server');
    try {
      const input = { kind: 'MOONRAKER', printerId: await newPrinter(gateway), address: '10.0.0.1', secret: 'x' };
      expect(expectCode(await gateway.graphql(ADD, { input }), 'BAD_USER_INPUT')).toBe(
        'secret cannot be stored, because this gateway has no encryption key. Set DEVICE_KEY and restart the gateway',
      );
      const { secret: _, ...without } = input;
      expectData(await gateway.graphql(ADD, { input: without }));
    } finally {
      await gateway.close();
    }
  });
});
