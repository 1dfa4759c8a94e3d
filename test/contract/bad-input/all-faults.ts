// An input with several faults gets all of them in one answer, each with the path of its member, and nothing is written.
import { randomUUID } from 'node:crypto';
import { createClient, type GatewayIssue, GatewayRequestError } from '../../../src/client/client';
import { CreatePrinterDocument } from '../../../src/generated/operations';
import { anyDatabase } from '../../support/databases';
import { type Farm, jobRequest, makeCamera, makeFarm, makeJob, tables } from '../../support/farm';
import { expectCode, expectError, type GraphqlResponse, test, useGateway } from '../../support/gateway';

const LONG = 'x'.repeat(1001);

describe('all faults of an input', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const readIssues = ({ errors }: GraphqlResponse) =>
    errors.flatMap(({ extensions }) => extensions['issues'] as GatewayIssue[]);
  /** Each path as one text, with its message. */
  const readMessages = (answer: GraphqlResponse) =>
    Object.fromEntries(readIssues(answer).map(({ path, message }) => [path.join(' '), message]));

  test('GraphQL reports them with their paths from the argument on', async () => {
    const before = await tables(gateway);
    const answer = await gateway.graphql('mutation ($spool: CreateSpoolInput!) { createSpool(input: $spool) { id } }', {
      spool: { spoolSerial: '', filamentDiameterMm: 0, weightTotalGrams: '-1', purchasePrice: '1', materialId: 'PLA' },
    });
    expect(expectCode(answer, 'BAD_USER_INPUT')).toMatch(
      /^spoolSerial must not be empty; filamentDiameterMm must be above 0; weightTotalGrams must not be negative; materialId must be a GUID/,
    );
    expect(readIssues(answer)).toEqual([
      { path: ['input', 'spoolSerial'], message: 'must not be empty' },
      { path: ['input', 'filamentDiameterMm'], message: 'must be above 0' },
      { path: ['input', 'weightTotalGrams'], message: 'must not be negative' },
      { path: ['input', 'materialId'], message: expect.stringMatching(/^must be a GUID/) },
    ]);
    expect(await tables(gateway)).toEqual(before);
  });

  test('a list names the index of each item', async () => {
    const cameraId = await makeCamera(gateway);
    const input = [
      { cameraId, online: true },
      { cameraId, online: true, batteryPct: 101, fps: -1 },
      { cameraId: '', online: true, batteryPct: -1 },
    ];
    const answer = await gateway.graphql(
      'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }',
      { input },
    );
    expect(expectCode(answer, 'BAD_USER_INPUT')).toBe(
      'batteryPct must be from 0 to 100; fps must be 0 or more; cameraId must not be empty',
    );
    expect(readMessages(answer)).toEqual({
      'input 1 batteryPct': 'must be from 0 to 100',
      'input 1 fps': 'must be 0 or more',
      'input 2 cameraId': 'must not be empty',
      'input 2 batteryPct': 'must be from 0 to 100',
    });
  });

  test('filters, changes, ids, statuses, cursors and enumerated values have their paths too', async () => {
    const { Id: id } = await makeJob(gateway, farm);
    const camera = await makeCamera(gateway);
    const { materialId } = farm;
    const cases: [document: string, paths: string, code?: string][] = [
      [
        '{ cameras(filter: { search: "LONG", batteryAtMost: 1e400 }) { totalCount } }',
        'filter search, filter batteryAtMost',
      ],
      ['{ printJobs(filter: { printerId: "x", spoolId: "y" }) { totalCount } }', 'filter printerId, filter spoolId'],
      ['{ printJobs(after: "x") { nodes { id } } }', 'after'],
      ['{ printer(id: "x") { id } }', 'id'],
      [
        `mutation { updateMaterial(id: "${materialId}", input: { name: "", densityGPerCm3: 0 }) { id } }`,
        'input name, input densityGPerCm3',
      ],
      [`mutation { changePrintJobStatus(id: "${id}", status: COMPLETED) { id } }`, 'status'],
      [`mutation { registerCamera(input: { id: "${camera}", friendlyName: "x" }) { id } }`, 'input id', 'CONFLICT'],
    ];
    for (const [document, paths, code = 'BAD_USER_INPUT'] of cases) {
      const answer = await gateway.graphql(document.replaceAll('LONG', LONG));
      expectCode(answer, code);
      expect(Object.keys(readMessages(answer)).join(', ')).toBe(paths);
    }
  });

  test('variables that GraphQL itself refuses have their paths too', async () => {
    const document =
      'mutation ($s: CreateSpoolInput!, $m: ID!) { createSpool(input: $s) { id } updateMaterial(id: $m, input: {}) { id } }';
    const spool = { spoolSerial: 7, filamentDiameterMm: 'x at "s.y"; z', weightTotalGrams: '1', colour: 'red' };
    for (const _ of ['as it comes first', 'compiled']) {
      const answer = await gateway.graphql(document, { s: spool });
      expect(answer.status).toBe(400);
      expectCode(answer, 'BAD_USER_INPUT');
      expect(readMessages(answer)).toEqual({
        'input spoolSerial': 'String cannot represent a non string value: 7',
        'input filamentDiameterMm': 'Decimal must be a number or a numeric text',
        'input colour': expect.stringMatching(/^Field "colour" is not defined/),
        id: expect.stringMatching(/^Variable "\$m" of required type/),
      });
      const records = [
        { cameraId: 'c', online: true },
        { cameraId: 'c', online: true, batteryPct: 'full' },
      ];
      const recorded = await gateway.graphql(
        'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }',
        { input: records },
      );
      expect(Object.keys(readMessages(recorded))).toEqual(['input 1 batteryPct']);
    }
    const nul = await gateway.graphql(
      'mutation ($name: String!, $at: ID!) { updateCamera(id: $at, input: { friendlyName: $name }) { id } }',
      { name: 'a\0', at: '\ud800' },
    );
    expect(readMessages(nul)).toEqual({
      'input friendlyName': 'must not contain NUL characters',
      id: 'must not contain half of a surrogate pair',
    });
  });

  test('a literal of the document, and a number beyond all floats, have their paths too', async () => {
    const literal = await gateway.graphql(
      `mutation ($id: ID = "\\u0000") { updateCamera(id: $id, input: { friendlyName: "\\u0000" }) { id }
        recordCameraStatuses(input: [{ cameraId: "a", online: true }, { cameraId: "\\u0000", online: true }]) { id } }`,
    );
    expect(readMessages(literal)).toEqual({
      id: 'must not contain NUL characters',
      'input friendlyName': 'must not contain NUL characters',
      'input 1 cameraId': 'must not contain NUL characters',
    });
    const beyond = await gateway.rest(
      'POST',
      '/graphql',
      `{"query": "mutation ($r: [CameraStatusInput!]!) { recordCameraStatuses(input: $r) { id } }",
        "variables": {"r": [{"cameraId": "a", "online": true}, {"cameraId": "a", "online": true, "fps": 1e999}]}}`,
      { 'content-type': 'application/json' },
    );
    expect(beyond.body.errors).toMatchObject([
      {
        message: 'Variable "$r[1].fps" got invalid value 1e999; Float cannot represent it',
        extensions: {
          code: 'BAD_USER_INPUT',
          issues: [{ path: ['input', 1, 'fps'], message: 'Float cannot represent 1e999' }],
        },
      },
    ]);
  });

  test('the first hundred of many faults are reported, and how many more there are', async () => {
    const search = (n: number) => ({ first: n, ids: Array(50_000).fill('\0') });
    const answer = await gateway.graphql('query ($f: CameraFilter) { cameras(filter: $f) { totalCount } }', {
      f: search(1),
    });
    expectCode(answer, 'BAD_USER_INPUT');
    expect(readIssues(answer)).toHaveLength(101);
    expect(readIssues(answer).at(-1)).toEqual({ path: [], message: 'There are 49900 more faults' });
    expect(answer.text.length).toBeLessThan(20_000);
  });

  test('a rule of the documents hides the rules after it, and no other fault', async () => {
    const before = await tables(gateway);
    const [PrinterId, PrintName] = [randomUUID(), LONG];
    const faults = { PrinterId, SpoolId: 'x', DataSource: 'Fax', PrintName, MmExtruded: -1, Notes: 7 };
    const message = expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, faults)), 400);
    expect(message).toBe(
      'PrinterId must be the id of a printer; PrintName must have at most 1000 characters; Notes must be a text; ' +
        'MmExtruded must not be negative',
    );
    const { PrinterId: _, SpoolId: __, ...later } = faults;
    expect(expectError(await gateway.rest('POST', '/api/printjobs', jobRequest(farm, later)), 400)).toMatch(
      /^DataSource must be one of .*; PrintName must have .*; Notes must .*; MmExtruded must not be negative$/,
    );
    expect(await tables(gateway)).toEqual(before);
  });

  test('REST reports all faults of a body and of a query string in its one text', async () => {
    expect(expectError(await gateway.rest('POST', '/cameras', { camera_id: '', friendly_name: 7 }), 400)).toBe(
      'camera_id must not be empty; friendly_name must be a text',
    );
    const query = 'PrinterId=x&SpoolId=y&PageNumber=one&PageSize=1&PageSize=2';
    expect(expectError(await gateway.rest('GET', `/api/printjobs?${query}`), 400)).toMatch(
      /^PrinterId must be a GUID.*; SpoolId must be a GUID.*; PageNumber must be an integer; PageSize must appear only once$/,
    );
  });

  test('the typed client passes them on', async () => {
    const client = createClient({
      url: '/graphql',
      fetch: async (_url, init) => {
        const { text, status } = await gateway.rest('POST', '/graphql', String(init?.body), {
          'content-type': 'application/json',
        });
        return new Response(text, { status });
      },
    });
    const error = await client
      .request(CreatePrinterDocument, { input: { name: '' } })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayRequestError);
    expect((error as GatewayRequestError).issues).toEqual([{ path: ['input', 'name'], message: 'must not be empty' }]);
  });
});
