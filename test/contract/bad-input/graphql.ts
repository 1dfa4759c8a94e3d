// Input that no GraphQL operation may accept: BAD_USER_INPUT or a validation error that names the member, and nothing is written.
import { randomUUID } from 'node:crypto';
import { type GraphQLInputType, getNamedType, isNonNullType } from 'graphql';
import { anyDatabase } from '../../support/databases';
import { type Farm, makeCamera, makeDevice, makeFarm, makeJob, tables, unique } from '../../support/farm';
import { expectStatus, formatExchange, type Parsed, type RestResponse, test, useGateway } from '../../support/gateway';
import { BAD, badFor, fieldsOf, NO_SLOTS, schema, withRaw } from './values';

interface Subjects {
  farm: Farm;
  job: string;
  camera: string;
  device: string;
}

/** Valid inputs. `id` is the id of the object that the mutation changes. */
const MUTATIONS: Record<string, (subjects: Subjects) => { id?: string; input: object }> = {
  registerCamera: () => ({ input: { id: unique('cam'), friendlyName: 'Door', macAddress: unique('mac') } }),
  updateCamera: ({ camera: id }) => ({ id, input: { friendlyName: 'Gate', macAddress: unique('mac') } }),
  recordCameraStatuses: ({ camera: cameraId }) => ({ input: { cameraId, online: true } }),
  createPrintJob: ({ farm: { printerId, spoolId } }) => ({
    input: { printerId, spoolId, printName: 'Benchy', dataSource: 'MQTT' },
  }),
  updatePrintJob: ({ farm: { printerId, spoolId }, job: id }) => ({
    id,
    input: { printerId, spoolId, printName: 'Benchy' },
  }),
  createMaterial: () => ({ input: { name: unique('PLA'), densityGPerCm3: '1.24' } }),
  updateMaterial: ({ farm: { materialId: id } }) => ({ id, input: { name: unique('PLA') } }),
  createSpool: ({ farm: { materialId } }) => ({
    input: { spoolSerial: unique('SP'), filamentDiameterMm: '1.75', weightTotalGrams: '1000', materialId },
  }),
  updateSpool: ({ farm: { spoolId: id } }) => ({ id, input: { spoolSerial: unique('SP') } }),
  createPrinter: () => ({ input: { name: 'Prusa' } }),
  updatePrinter: ({ farm: { printerId: id } }) => ({ id, input: { name: 'Prusa' } }),
  addDevice: ({ farm: { printerId } }) => ({
    input: { kind: 'MOONRAKER', printerId, address: '192.168.1.20', secret: 's' },
  }),
  updateDevice: ({ device: id }) => ({ id, input: { address: '192.168.1.21' } }),
};

const findInput = (mutation: string) =>
  schema
    .getMutationType()
    ?.getFields()
    [mutation]?.args.find(({ name }) => name === 'input')?.type as GraphQLInputType;

const CODES = ['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED'];

describe('bad input through GraphQL', () => {
  const gateway = useGateway(anyDatabase);
  let subjects: Subjects;
  let before: Parsed;
  beforeAll(async () => {
    const farm = await makeFarm(gateway);
    const device = await makeDevice(gateway, (await makeFarm(gateway)).printerId);
    subjects = { farm, job: (await makeJob(gateway, farm)).Id, camera: await makeCamera(gateway), device };
    before = await tables(gateway);
  });
  // No test of this file writes.
  afterEach(async () => expect(await tables(gateway)).toEqual(before));

  /** Variables as raw JSON text. */
  const send = (document: string, variables: string): Promise<RestResponse> =>
    gateway.rest('POST', '/graphql', `{"query":${JSON.stringify(document)},"variables":${variables}}`, {
      'content-type': 'application/json',
    });

  async function expectRefused(
    document: string,
    variables: string,
    naming: string | RegExp = '',
    codes = CODES,
  ): Promise<void> {
    const answer = await send(document, variables);
    const [error] = answer.body?.errors ?? [];
    const refused =
      answer.status < 500 &&
      codes.includes(error?.extensions?.code) &&
      (typeof naming === 'string' ? error.message.includes(naming) : naming.test(error.message));
    if (!refused) throw new Error(`expected ${codes.join(' or ')}, naming ${naming}\n${formatExchange(answer)}`);
  }

  for (const [name, rightFor] of Object.entries(MUTATIONS)) {
    const type = findInput(name);
    const members = fieldsOf(getNamedType(type).name);
    const isUpdate = name.startsWith('update');
    const document = isUpdate
      ? `mutation ($id: ID!, $input: ${type}) { ${name}(id: $id, input: $input) { id } }`
      : `mutation ($input: ${type}) { ${name}(input: $input) { id } }`;
    const variables = (input: string, idJson = JSON.stringify(rightFor(subjects).id)) =>
      `{${isUpdate ? `"id":${idJson},` : ''}"input":${String(type).startsWith('[') ? `[${input}]` : input}}`;

    describe(name, () => {
      for (const member of members) {
        test(`${member.name} accepts only its allowed values`, async () => {
          const isId = getNamedType(member.type).name === 'ID';
          const values = [...badFor(member), ...(isNonNullType(member.type) ? ['null'] : [])];
          // An id that is not a GUID may be sent as a number.
          for (const json of values.filter((value) => !(isId && value === '7' && /^id$|camera/.test(member.name)))) {
            const input = withRaw(rightFor(subjects).input, member.name, json);
            await expectRefused(document, variables(input), member.name);
          }
        });
      }

      test('no other member, no other input and no other id is accepted', async () => {
        const { input } = rightFor(subjects);
        await expectRefused(document, variables(withRaw(input, 'colour', '"red"')), 'colour');
        for (const json of ['null', '17', '"text"', '[[]]']) await expectRefused(document, variables(json));
        if (!isUpdate || name === 'updateCamera') return;
        for (const json of [...BAD.guid, 'null']) await expectRefused(document, variables(JSON.stringify(input), json));
      });
    });
  }

  const CHANGES = [
    'mutation ($id: ID!) { changePrintJobStatus(id: $id, status: PRINTING) { id } }',
    'mutation ($id: ID!) { cancelPrintJob(id: $id) { id } }',
  ];
  test('the id and the status of a change of status', async () => {
    for (const document of CHANGES) {
      for (const json of [...BAD.guid, 'null']) await expectRefused(document, `{"id":${json}}`);
    }
    // The last one is the spelling of REST.
    for (const json of [...BAD.choice, 'null', '"Printing"']) {
      await expectRefused(
        'mutation ($id: ID!, $status: PrintJobStatus!) { changePrintJobStatus(id: $id, status: $status) { id } }',
        `{"id":"${subjects.job}","status":${json}}`,
        'status',
      );
    }
  });

  test('recordCameraStatuses refused: 1,001 records', async () => {
    const records = Array.from({ length: 1001 }, () => ({ cameraId: subjects.camera, online: true }));
    await expectRefused(
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }',
      JSON.stringify({ input: records }),
      /1,?000/,
    );
  });

  test('recordCameraStatuses refused: one of them is of an unknown camera, so none is stored', async () => {
    const records = [
      { cameraId: subjects.camera, online: true },
      { cameraId: unique('nobody'), online: true },
    ];
    await expectRefused(
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }',
      JSON.stringify({ input: records }),
      undefined,
      ['NOT_FOUND', 'BAD_USER_INPUT'],
    );
  });

  test('the printer, the slot and the spool of a load', async () => {
    const load =
      'mutation ($p: ID!, $slot: String! = "tool:0", $s: ID, $at: DateTime) { loadSpool(printerId: $p, slot: $slot, spoolId: $s, at: $at) { id } }';
    const { printerId, spoolId } = subjects.farm;
    const valid = { p: printerId, slot: 'tool:1', s: spoolId };
    for (const json of [...BAD.instant, '"9999-12-31T23:59:59Z"'])
      await expectRefused(load, withRaw(valid, 'at', json), /^at |"\$at"/);
    for (const json of [...BAD.guid, 'null']) await expectRefused(load, withRaw(valid, 'p', json), /printerId|"\$p"/);
    for (const json of [...BAD.key, ...NO_SLOTS, '""', 'null'])
      await expectRefused(load, withRaw(valid, 'slot', json), 'slot');
    for (const json of BAD.guid) await expectRefused(load, withRaw(valid, 's', json), /spoolId|"\$s"/);
    await expectRefused(load, JSON.stringify({ ...valid, s: randomUUID() }), 'spoolId must be the id of a spool');
  });

  const QUERIES = [
    '{ observedPrint(id: "abc") { id } }',
    '{ observedPrints(filter: { printerId: "abc" }) { totalCount } }',
    '{ observedPrints(filter: { outcome: [] }) { totalCount } }',
    '{ observedPrints(filter: { outcome: ["RUNNING"] }) { totalCount } }',
    '{ observedPrints(filter: { startedFrom: "2026-02-30T00:00:00Z" }) { totalCount } }',
    '{ observedPrints(after: "garbage") { nodes { id } } }',
    '{ observedPrints(first: -1) { totalCount nodes { sightings(first: 0, after: "x") { nodes { text } } } } }',
    '{ printers { nodes { observedPrints(after: "garbage") { totalCount nodes { id } } } } }',
    '{ printers { nodes { slotLoads(slot: "\\u0000", after: "garbage") { nodes { slot } } } } }',
    '{ spools { nodes { slotLoads(first: -1, after: "garbage") { nodes { slot } } } } }',
    '{ camera(id: "a\\u0000b") { id } }',
    '{ camera(id: "\\ud800") { id } }',
    '{ cameras(filter: { search: "\\u0000" }) { totalCount } }',
    '{ printJob(id: "abc") { id } }',
    '{ printJobs(filter: { printerId: "abc" }) { totalCount } }',
    '{ printJobs(filter: { search: "\\u0000" }) { totalCount } }',
    '{ printJobs(after: "garbage") { totalCount nodes { id } } }',
    '{ printJobs(after: "\\u0000") { totalCount nodes { id } } }',
    '{ cameras(after: "garbage") { totalCount nodes { id } } }',
    '{ printJobs(first: -1) { totalCount nodes { id } } }',
    '{ printJobs(offset: -1) { totalCount nodes { id } } }',
    '{ printJobs(offset: 2147483647) { totalCount nodes { id } } }',
    '{ printJobs(first: 2147483648) { totalCount } }',
    '{ cameras(filter: { batteryAtMost: 1e400 }) { totalCount } }',
    '{ cameras { nodes { history(from: "2026-02-30T00:00:00Z") { id } } } }',
    '{ cameras { nodes { history(first: 0) { id } } } }',
  ];
  test('odd queries are answered or refused, never an internal error', async () => {
    for (const document of QUERIES) {
      const answer = await send(document, '{}');
      const allowed = [...CODES, 'GRAPHQL_PARSE_FAILED'];
      const codes = (answer.body?.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
      expect(codes.filter((code: string) => !allowed.includes(code))).toEqual([]);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body).toEqual(expect.any(Object));
    }
  });

  test('an input nested a hundred thousand deep', async () => {
    for (const leaf of ['', '1.0000000000000000000001']) {
      const input = `{"input":${'['.repeat(100_000)}${leaf}${']'.repeat(100_000)}}`;
      await expectRefused('mutation ($input: CreatePrinterInput!) { createPrinter(input: $input) { id } }', input, '', [
        ...CODES,
        'BAD_REQUEST',
      ]);
    }
  });

  test('first and offset out of range are clamped', async () => {
    const answer = await send(
      '{ a: printJobs(first: -1) { totalCount nodes { id } } b: printJobs(offset: -1) { nodes { id } } c: printJobs(first: 5000) { nodes { id } } }',
      '{}',
    );
    const { data, errors } = expectStatus(answer, 200).body;
    expect(errors).toBeUndefined();
    const all = data.a.totalCount;
    expect([data.a.nodes.length, data.b.nodes.length, data.c.nodes.length]).toEqual([1, all, all]);
  });

  test('a mutation that names an object that does not exist is NOT_FOUND', async () => {
    const id = randomUUID();
    const mutations = [
      `cancelPrintJob(id: "${id}") { id }`,
      `changePrintJobStatus(id: "${id}", status: PRINTING) { id }`,
      `updatePrinter(id: "${id}", input: { name: "x" }) { id }`,
      `updateMaterial(id: "${id}", input: { name: "x" }) { id }`,
      `updateSpool(id: "${id}", input: { spoolSerial: "x" }) { id }`,
      `updateCamera(id: "${id}", input: { friendlyName: "x" }) { id }`,
      `loadSpool(printerId: "${id}", spoolId: "${id}") { id }`,
      `loadSpool(printerId: "${id}") { id }`,
      `updateDevice(id: "${id}", input: {}) { id }`,
      `removeDevice(id: "${id}")`,
    ];
    for (const mutation of mutations) await expectRefused(`mutation { ${mutation} }`, '{}', undefined, ['NOT_FOUND']);
  });

  test('a query for an object that does not exist answers null', async () => {
    const id = randomUUID();
    const document = `{ camera(id: "${id}") { id } printJob(id: "${id}") { id } printer(id: "${id}") { id } spool(id: "${id}") { id } material(id: "${id}") { id } observedPrint(id: "${id}") { id } }`;
    const { data, errors } = expectStatus(await send(document, '{}'), 200).body;
    expect(errors).toBeUndefined();
    expect(Object.values(data)).toEqual(Array(6).fill(null));
  });

  test('a request that is not GraphQL is a client error', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '17',
      '"query"',
      '{}',
      '{"query":5}',
      '{"query":"{"}',
      '{"query":"{ nothing }"}',
    ];
    for (const body of bodies) {
      expectStatus(await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' }), 400);
    }
  });
});
