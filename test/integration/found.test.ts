// What generated input has found wrong, each with a name of its own; and operations that compiled code has done otherwise.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../support/databases';
import { makeCamera, makeFarm, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, test, useGateway } from '../support/gateway';

describeOnDatabases('found by generated input', (kind) => {
  const gateway = useGateway(kind);
  const post = async (body: object) => {
    const answer = await gateway.rest('POST', '/graphql', body);
    return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
  };

  test('an operationName that names no operation of the document is the client’s fault, each time', async () => {
    const query = 'query a { materials { id } } query b { materials { id } }';
    for (const operationName of ['c', '', undefined, 'c', '']) {
      const answer = expectStatus(await post({ query, operationName }), 400);
      expect(expectCode(answer, 'OPERATION_RESOLUTION_FAILURE')).toMatch(/operation name/i);
    }
    expectData(await post({ query, operationName: 'b' }));
  });

  test('a document that is nested deeper than it can be read is the client’s fault', async () => {
    const nested = `{ printJobs(filter: ${'['.repeat(4900)}) { totalCount } }`;
    const answer = expectStatus(await post({ query: nested }), 400);
    expect(expectCode(answer, 'GRAPHQL_PARSE_FAILED')).toBe('The document is nested too deeply');
    expect(expectCode(await post({ query: '{' }), 'GRAPHQL_PARSE_FAILED')).toMatch(/^Syntax Error/);
  });

  test('a list of no status records is recorded', async () => {
    const answer = await gateway.graphql('mutation { recordCameraStatuses(input: []) { id } }');
    expect(expectData(answer)).toEqual({ recordCameraStatuses: [] });
  });

  test('a number with more digits than a float has is a Float, and no message shows how it was read', async () => {
    const camera = unique('digits');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: camera, friendly_name: 'c' }), 201);
    const query =
      'mutation ($v: Float) { recordCameraStatuses(input: [{ cameraId: "CAMERA", online: true, rawBatteryPct: $v }]) { rawBatteryPct } }';
    const send = async (number: string) => {
      const document = JSON.stringify(query.replace('CAMERA', camera));
      const answer = await gateway.rest('POST', '/graphql', `{"query":${document},"variables":{"v":${number}}}`, {
        'content-type': 'application/json',
      });
      return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    };
    for (const number of ['29.969999999999999', '3.14159265358979323846', '1e-400']) {
      expect(expectData(await send(number)).recordCameraStatuses).toEqual([{ rawBatteryPct: Number(number) }]);
    }
    expect(expectCode(await send('1e400'), 'BAD_USER_INPUT')).not.toContain('Lossless');
  });

  test('a number in a wrong place is shown with its digits', async () => {
    const digits = '12345678901234567890.12345';
    const wrong: [type: string, use: string, json: string][] = [
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', `{"id":"c","friendlyName":"c","unknown":${digits}}`],
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', '1e400'],
      ['String!', 'registerCamera(input: {id: "c", friendlyName: $v}) { id }', digits],
      ['PrintJobStatus!', 'changePrintJobStatus(id: "1", status: $v) { id }', digits],
      ['CreateMaterialInput!', 'createMaterial(input: $v) { id }', `{"name":"m","densityGPerCm3":9${digits}}`],
      ['Boolean!', 'recordCameraStatuses(input: [{cameraId: "c", online: $v}]) { id }', `{"a":${digits}}`],
    ];
    for (const [type, use, value] of wrong) {
      const query = JSON.stringify(`mutation ($v: ${type}) { ${use} }`);
      const body = `{"query":${query},"variables":{"v":${value}}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      const messages = answer.body.errors.map(({ message }: { message: string }) => message).join('\n');
      expect([use, messages]).toEqual([use, expect.stringContaining(value === '1e400' ? value : digits)]);
      expect(messages).not.toMatch(/tooLarge|lossless/i);
    }
  });

  test('an id of any number of digits is an id, as a variable and as a literal', async () => {
    const digits = '123456789012345678901234567890';
    for (const [head, id, variables] of [
      ['query ($id: ID!)', '$id', `{"id":${digits}}`],
      ['query', digits, '{}'],
    ]) {
      const body = `{"query":"${head} { camera(id: ${id}) { id } }","variables":${variables}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      expect(expectStatus(answer, 200).body).toEqual({ data: { camera: null } });
    }
  });

  test('variables that are nested without end are refused', async () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const query of ['{ __typename }', 'query ($zz: ID!) { camera(id: $zz) { id } }']) {
      const body = `{"query":"${query}","variables":{"zz":${nested}}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      expect(expectStatus(answer, 400).body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  test('a mutation whose answer would not be accepted is not done', async () => {
    const query = 'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "x" }) { id } }';
    const ask = (accept: string, id: string) =>
      gateway.rest('POST', '/graphql', { query, variables: { id } }, { accept });
    const refused = ['text/plain', 'application/json;q=0', 'image/*, , x', 'application/json;foo=bar', 'constructor'];
    for (const accept of refused) {
      const id = unique('refused');
      const answer = expectStatus(await ask(accept, id), 406);
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringContaining('accept'),
        extensions: { code: 'BAD_REQUEST' },
      });
      expectError(await gateway.rest('GET', `/cameras/${id}`), 404);
    }
    const taken = [
      '',
      '*/*',
      'text/html, application/*;q=0.1',
      'x, application/json',
      'application/json;q=0, */*;q=0.5',
    ];
    for (const accept of taken) {
      const id = unique('taken');
      expect(expectStatus(await ask(accept, id), 200).body).toEqual({ data: { registerCamera: { id } } });
    }
  });

  test('a job that does not exist is checked first, also before a body that cannot be read', async () => {
    const job = `/api/printjobs/${randomUUID()}`;
    for (const body of ['{', '', '[]', '{"Status":"nope"}']) {
      expectError(await gateway.rest('PUT', job, body), 404);
      expectError(await gateway.rest('PATCH', `${job}/status`, body), 404);
    }
    // A status that is unrecognised is ignored, whatever it holds.
    expectStatus(await gateway.rest('GET', '/api/printjobs?Status=%00'), 200);
  });

  test('the longest name of an operation stays short where it is counted', async () => {
    const answer = await post({ query: `query ${'B'.repeat(10_000)} { __typename }` });
    expectData(answer);
    const { text } = expectStatus(await gateway.rest('GET', '/metrics'), 200);
    expect(text).toContain(`"${'B'.repeat(100)}"`);
  });
});

const NOBODY = '00000000-0000-0000-0000-000000000000';
const DATE_MARK = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
const JOB = 'printerId: $p, spoolId: $s, printName: "x", dataSource: MANUAL';
/** Fragments each of which uses the next one twice. */
const DOUBLED = Array.from({ length: 9 }, (_, n) => `fragment F${n} on Printer { ...F${n + 1} ...F${n + 1} }`).join(
  ' ',
);
const NESTED = `${'jobs(first: 1) { nodes { printer { '.repeat(4)} ...F0 ${' } } }'.repeat(4)}`;

/** Each beside the ids of a farm: $c of a camera, $p of a printer, $s of a spool. */
const EXECUTED: [what: string, document: string, variables?: object][] = [
  ['no text is run as code', `{ __type(name: "${DATE_MARK}process.exit(9)") { name } }`],
  ['a text is stored as it is', `mutation { createPrinter(input: { name: "${DATE_MARK}0),name:String(1" }) { name } }`],
  [
    'the first mutation that fails is the last',
    `mutation { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: "${NOBODY}") { id }
       c: createPrinter(input: { name: "c" }) { name } }`,
  ],
  [
    'nothing waits behind a mutation whose argument is refused',
    `mutation ($o: ID = "x") { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: $o) { id }
       c: createPrinter(input: { name: "c" }) { name } }`,
    { o: null },
  ],
  [
    'a variable that is not given changes nothing',
    `mutation ($c: ID!, $mac: String, $name: String) {
       updateCamera(id: $c, input: { macAddress: $mac, friendlyName: $name }) { macAddress friendlyName } }`,
    { name: 'named' },
  ],
  [
    'a member whose variable is not given has its default',
    `mutation ($p: ID!, $s: ID!, $x: Decimal) { createPrintJob(input: { ${JOB}, mmExtruded: $x }) { mmExtruded } }`,
  ],
  [
    'null is refused for a variable with a default',
    `mutation ($p: ID!, $s: ID!, $x: Boolean = true) { createPrintJob(input: { ${JOB}, autoDeriveGrams: $x }) { id } }`,
    { x: null },
  ],
  [
    'a fragment is whole where it has no condition',
    `query ($c: ID!, $full: Boolean!) { cameras(first: 1) { nodes { id ...C @include(if: $full) } } camera(id: $c) { ...C } }
       fragment C on Camera { friendlyName macAddress }`,
    { full: false },
  ],
  [
    'two conditions leave out what each leaves out',
    `query ($v: Boolean!, $w: Boolean!) { cameras { nodes @include(if: $v) { ... @include(if: $w) { id } } nodes { friendlyName } } }`,
    { v: false, w: true },
  ],
  ['no float holds a default', 'query ($x: Float = 1e400) { cameras(filter: { batteryAtMost: $x }) { totalCount } }'],
  ['a variable has any name', 'query ($constructor: Int = 5) { printJobs(first: $constructor) { totalCount } }'],
  [
    'such a variable is null',
    'mutation ($toString: CreatePrinterInput!) { createPrinter(input: $toString) { name } }',
    { toString: null },
  ],
  [
    'each of two fields is answered what it asked',
    'query ($p: ID!) { jobs_printer: printJobs { nodes { id } } printer(id: $p) { jobs { totalCount } } }',
  ],
  [
    'as many errors are told',
    'query ($p: ID!, $g: String) { printer(id: $p) { x: jobs(after: $g) { totalCount } y: jobs(after: $g) { totalCount } } }',
    { g: 'garbage' },
  ],
  [
    'fragments are followed at any depth once',
    `query ($p: ID!) { printer(id: $p) { ${NESTED} } } ${DOUBLED} fragment F9 on Printer { ${'name '.repeat(500)} }`,
  ],
  ['an alias has any name', '{ cameras(first: 1) { nodes { friendlyName __proto__: macAddress } } }'],
];

// The first execution of a document is another than the later ones, which may be compiled.
describeOnDatabases('every execution does and answers the same', (kind) => {
  const gateway = useGateway(kind);
  let ids: object;
  beforeAll(async () => {
    const { printerId, spoolId } = await makeFarm(gateway);
    ids = { c: await makeCamera(gateway, { mac_address: unique('mac') }), p: printerId, s: spoolId };
  });
  const printers = async () => Number((await gateway.sql('select count(*) as n from printers'))[0].n);

  for (const [what, document, variables] of EXECUTED) {
    test(what, async () => {
      const query = `# ${unique('document')}\n${document}`;
      const answers: unknown[] = [];
      for (let time = 0; time < 3; time += 1) {
        const before = await printers();
        const { body, status } = await gateway.rest('POST', '/graphql', { query, variables: { ...ids, ...variables } });
        answers.push({ body, status, written: (await printers()) - before });
      }
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      expect(JSON.stringify(answers)).not.toContain('INTERNAL_SERVER_ERROR');
    });
  }
});
