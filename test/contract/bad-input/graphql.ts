// What no GraphQL operation may accept: BAD_USER_INPUT or a validation error that names the member, nothing written.
import { randomUUID } from 'node:crypto';
import { anyDatabase } from '../../support/databases';
import { type Farm, makeCamera, makeDevice, makeFarm, makeJob, tables, unique } from '../../support/farm';
import { expectStatus, type Parsed, type RestResponse, shownExchange, test, useGateway } from '../../support/gateway';
import { BAD, type Kind, NO_SLOTS, withRaw } from './values';

interface Subjects {
  farm: Farm;
  job: string;
  camera: string;
  device: string;
}

interface Mutation {
  name: string;
  inputType: string;
  /** Of the object that the mutation changes; absent where it creates. */
  id?: (subjects: Subjects) => string;
  valid: (subjects: Subjects) => object;
  members: Record<string, Kind>;
}

const UPDATE_JOB: Record<string, Kind> = {
  printerId: 'graphGuid',
  spoolId: 'graphGuid',
  printName: 'text',
  gcodeFilePath: 'path',
  mmExtruded: 'decimal',
  gramsDerived: 'decimal',
  costPerPrint: 'decimal',
  notes: 'notes',
  autoDeriveGrams: 'boolean',
};

const MUTATIONS: Mutation[] = [
  {
    name: 'registerCamera',
    inputType: 'RegisterCameraInput!',
    valid: () => ({ id: unique('cam'), friendlyName: 'Door', macAddress: unique('mac') }),
    members: { id: 'requiredGraphKey', friendlyName: 'requiredText', macAddress: 'optionalKey' },
  },
  {
    name: 'updateCamera',
    inputType: 'UpdateCameraInput!',
    id: ({ camera }) => camera,
    valid: () => ({ friendlyName: 'Gate', macAddress: unique('mac') }),
    members: { friendlyName: 'text', macAddress: 'optionalKey' },
  },
  {
    name: 'recordCameraStatuses',
    inputType: '[CameraStatusInput!]!',
    valid: ({ camera }) => ({ cameraId: camera, online: true }),
    members: {
      cameraId: 'graphKey',
      recordedAt: 'instant',
      batteryPct: 'percentage',
      videoRemainingSec: 'seconds',
      recordingState: 'statusText',
      mode: 'statusText',
      resolution: 'statusText',
      fps: 'notNegativeFloat',
      online: 'boolean',
      rawBatteryPct: 'float',
    },
  },
  {
    name: 'createPrintJob',
    inputType: 'CreatePrintJobInput!',
    valid: ({ farm }) => ({
      printerId: farm.printerId,
      spoolId: farm.spoolId,
      printName: 'Benchy',
      dataSource: 'MQTT',
    }),
    members: {
      ...UPDATE_JOB,
      startedAt: 'instant',
      dataSource: 'choice',
      filamentDiameterAtPrintMm: 'decimal',
      materialDensityAtPrint: 'decimal',
    },
  },
  {
    name: 'updatePrintJob',
    inputType: 'UpdatePrintJobInput!',
    id: ({ job }) => job,
    valid: ({ farm }) => ({ printerId: farm.printerId, spoolId: farm.spoolId, printName: 'Benchy' }),
    members: UPDATE_JOB,
  },
  {
    name: 'createMaterial',
    inputType: 'CreateMaterialInput!',
    valid: () => ({ name: unique('PLA'), densityGPerCm3: '1.24' }),
    members: { name: 'key', densityGPerCm3: 'positiveDecimal' },
  },
  {
    name: 'updateMaterial',
    inputType: 'UpdateMaterialInput!',
    id: ({ farm }) => farm.materialId,
    valid: () => ({ name: unique('PLA') }),
    members: { name: 'optionalKey', densityGPerCm3: 'positiveDecimal' },
  },
  {
    name: 'createSpool',
    inputType: 'CreateSpoolInput!',
    valid: ({ farm }) => ({
      spoolSerial: unique('SP'),
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      purchasePrice: '25',
      materialId: farm.materialId,
    }),
    members: {
      spoolSerial: 'key',
      filamentDiameterMm: 'positiveDecimal',
      weightTotalGrams: 'decimal',
      purchasePrice: 'decimal',
      materialId: 'graphGuid',
    },
  },
  {
    name: 'updateSpool',
    inputType: 'UpdateSpoolInput!',
    id: ({ farm }) => farm.spoolId,
    valid: () => ({ spoolSerial: unique('SP') }),
    members: {
      spoolSerial: 'optionalKey',
      filamentDiameterMm: 'positiveDecimal',
      weightTotalGrams: 'decimal',
      purchasePrice: 'decimal',
    },
  },
  {
    name: 'createPrinter',
    inputType: 'CreatePrinterInput!',
    valid: () => ({ name: 'Prusa' }),
    members: { name: 'key' },
  },
  {
    name: 'updatePrinter',
    inputType: 'UpdatePrinterInput!',
    id: ({ farm }) => farm.printerId,
    valid: () => ({ name: 'Prusa' }),
    members: { name: 'optionalKey' },
  },
  {
    name: 'addDevice',
    inputType: 'AddDeviceInput!',
    valid: ({ farm }) => ({ kind: 'MOONRAKER', printerId: farm.printerId, address: '192.168.1.20', secret: 's' }),
    members: {
      kind: 'choice',
      printerId: 'graphGuid',
      cameraId: 'optionalGraphKey',
      address: 'address',
      serial: 'notHere',
      username: 'optionalLine',
      secret: 'optionalLine',
      certificateFingerprint: 'fingerprint',
      enabled: 'boolean',
    },
  },
  {
    name: 'updateDevice',
    inputType: 'UpdateDeviceInput!',
    id: ({ device }) => device,
    valid: () => ({ address: '192.168.1.21' }),
    members: {
      address: 'optionalAddress',
      serial: 'notHere',
      username: 'optionalLine',
      secret: 'optionalLine',
      certificateFingerprint: 'fingerprint',
      enabled: 'boolean',
    },
  },
];

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
    if (!refused) throw new Error(`expected ${codes.join(' or ')}, naming ${naming}\n${shownExchange(answer)}`);
  }

  for (const { name, inputType, id, valid, members } of MUTATIONS) {
    const isList = inputType.startsWith('[');
    const document = id
      ? `mutation ($id: ID!, $input: ${inputType}) { ${name}(id: $id, input: $input) { id } }`
      : `mutation ($input: ${inputType}) { ${name}(input: $input) { id } }`;
    const variables = (input: string, idJson?: string) => {
      const given = id ? `"id":${idJson ?? JSON.stringify(id(subjects))},` : '';
      return `{${given}"input":${isList ? `[${input}]` : input}}`;
    };

    describe(name, () => {
      for (const [member, kindOfMember] of Object.entries(members)) {
        test(`${member} is nothing but ${kindOfMember}`, async () => {
          for (const [, json] of BAD[kindOfMember]) {
            await expectRefused(document, variables(withRaw(valid(subjects), member, json)), member);
          }
        });
      }

      test('no other member, no other input and no other id is taken', async () => {
        await expectRefused(document, variables(withRaw(valid(subjects), 'colour', '"red"')), 'colour');
        for (const json of ['null', '17', '"text"', '[[]]']) await expectRefused(document, variables(json));
        if (!id || name === 'updateCamera') return;
        for (const [, json] of BAD.graphGuid) {
          await expectRefused(document, variables(JSON.stringify(valid(subjects)), json));
        }
      });
    });
  }

  const CHANGES = [
    'mutation ($id: ID!) { changePrintJobStatus(id: $id, status: PRINTING) { id } }',
    'mutation ($id: ID!) { cancelPrintJob(id: $id) { id } }',
  ];
  test('the id and the status of a change of status', async () => {
    for (const document of CHANGES) {
      for (const [, json] of BAD.graphGuid) await expectRefused(document, `{"id":${json}}`);
    }
    for (const [, json] of [...BAD.choice, ['the spelling of REST', '"Printing"'] as const]) {
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

  test('recordCameraStatuses refused: one of them of an unknown camera, so none is stored', async () => {
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

  test('updateCamera refused: friendlyName is empty', () =>
    expectRefused(
      'mutation ($id: ID!) { updateCamera(id: $id, input: { friendlyName: "" }) { id } }',
      JSON.stringify({ id: subjects.camera }),
      'friendlyName',
    ));

  test('the printer, the slot and the spool of a loading', async () => {
    const load =
      'mutation ($p: ID!, $slot: String! = "tool:0", $s: ID) { loadSpool(printerId: $p, slot: $slot, spoolId: $s) { id } }';
    const { printerId, spoolId } = subjects.farm;
    const valid = { p: printerId, slot: 'tool:1', s: spoolId };
    const slots = [...BAD.key, ...NO_SLOTS];
    for (const [, json] of BAD.graphGuid) await expectRefused(load, withRaw(valid, 'p', json), /printerId|"\$p"/);
    for (const [, json] of slots) await expectRefused(load, withRaw(valid, 'slot', json), 'slot');
    for (const [, json] of BAD.graphGuid.filter(([, json]) => json !== 'null'))
      await expectRefused(load, withRaw(valid, 's', json), /spoolId|"\$s"/);
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
      expect(answer.body).toBeDefined();
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

  test('what a mutation names and nobody has is NOT_FOUND', async () => {
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

  test('a query for what nobody has answers null', async () => {
    const id = randomUUID();
    const document = `{ camera(id: "${id}") { id } printJob(id: "${id}") { id } printer(id: "${id}") { id } spool(id: "${id}") { id } material(id: "${id}") { id } observedPrint(id: "${id}") { id } }`;
    const { data, errors } = expectStatus(await send(document, '{}'), 200).body;
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      camera: null,
      printJob: null,
      printer: null,
      spool: null,
      material: null,
      observedPrint: null,
    });
  });

  test('a request that is no GraphQL is a client error', async () => {
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
