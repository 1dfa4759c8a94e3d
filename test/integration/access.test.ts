// Tests the scopes of callers with one list of cases, through REST and GraphQL.
import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { SignJWT } from 'jose';
import { readConfig } from '../../src/config';
import { buildGraph } from '../../src/schema';
import { anyDatabase } from '../support/databases';
import { makeFarm, tables, unique } from '../support/farm';
import { expectError, expectStatus, formatExchange, type RestResponse, test, useGateway } from '../support/gateway';
import { makePrint } from '../support/prints';

const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const ISSUER = 'https://id.example';
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const token = (claims: Record<string, unknown>, { expires = '5m', audience = 'farm', issuer = ISSUER } = {}) =>
  new SignJWT({ sub: 'somebody', ...claims })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(privateKey);

const key = (name: string, scopes: ('read' | 'write' | 'devices')[], cameraId: string | null = null) => ({
  name,
  scopes,
  hash: hashKey(`key-of-${name}`),
  cameraId,
});

/** A valid value for GraphQL. */
function createLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return createLiteral(type.ofType);
  if (isListType(type)) return `[${createLiteral(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (!isInputObjectType(type)) return { Boolean: 'true', Int: '1', Float: '1', Decimal: '1' }[type.name] ?? GUID;
  const members = Object.values(type.getFields()).filter(isRequiredInputField);
  return `{ ${members.map((member) => `${member.name}: ${createLiteral(member.type)}`)} }`;
}
const GUID = '"3f2504e0-4f89-41d3-9a0c-0305e82c3301"';

describe('with authentication', () => {
  const bound = unique('cam');
  const gateway = useGateway(anyDatabase, {
    auth: {
      apiKeys: [
        key('all', ['read', 'write', 'devices']),
        key('reader', ['read']),
        key('writer', ['write']),
        key('no-devices', ['read', 'write']),
        key('configurer', ['read', 'devices']),
        key('camera-devices', ['write', 'devices'], bound),
        key('camera', ['write'], bound),
      ],
      tokens: { keys: { publicKey: PEM }, issuer: ISSUER, audience: 'farm' },
    },
  });
  const bearer = (credentials: string) => ({ authorization: `Bearer ${credentials}` });
  const all = bearer('key-of-all');
  const graph = (query: string, headers: Record<string, string>, variables = {}) =>
    gateway.rest('POST', '/graphql', { query, variables }, headers);
  let other: string;
  beforeAll(async () => {
    other = unique('cam');
    for (const camera_id of [bound, other]) {
      expectStatus(await gateway.rest('POST', '/cameras', { camera_id, friendly_name: 'Door' }, all), 201);
    }
  });

  /** What a caller gets through either interface: an answer, 401 or 403. */
  function refused(answer: RestResponse, code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | undefined): void {
    const codes = (answer.body?.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
    if (code === undefined ? codes.length > 0 : codes.length === 0 || codes.some((one: string) => one !== code)) {
      throw new Error(`expected ${code ?? 'no error'}\n${formatExchange(answer)}`);
    }
  }

  const READS = { rest: ['GET', '/cameras'], graph: '{ cameras { nodes { id } } }' } as const;
  const WRITES = {
    rest: ['POST', '/cameras', () => ({ camera_id: unique('cam'), friendly_name: 'x' }), 201],
    graph: 'mutation { createPrinter(input: { name: "P" }) { id } }',
  } as const;

  const callers: [string, () => Promise<Record<string, string>>, number | undefined, number | undefined][] = [
    ['nobody', async () => ({}), 401, 401],
    ['an unknown key', async () => bearer('nonsense'), 401, 401],
    ['the hash of a key', async () => bearer(hashKey('key-of-all')), 401, 401],
    ['the same in X-API-Key', async () => ({ 'x-api-key': 'key-of-all' }), undefined, undefined],
    ['a key that reads', async () => bearer('key-of-reader'), undefined, 403],
    ['a key that writes', async () => bearer('key-of-writer'), 403, undefined],
    ['a token with both scopes', async () => bearer(await token({ scope: 'read write' })), undefined, undefined],
    ['a token that reads', async () => bearer(await token({ scope: 'openid read' })), undefined, 403],
    ['a token without a scope', async () => bearer(await token({})), 403, 403],
    ['an expired token', async () => bearer(await token({ scope: 'read write' }, { expires: '-1m' })), 401, 401],
    ['a token for others', async () => bearer(await token({ scope: 'read' }, { audience: 'bank' })), 401, 401],
    ['a token of others', async () => bearer(await token({ scope: 'read' }, { issuer: 'https://evil' })), 401, 401],
    ['a token signed with the public key', async () => bearer(await forged()), 401, 401],
    ['a token without a signature', async () => bearer(await unsigned()), 401, 401],
  ];
  for (const [name, headers, read, write] of callers) {
    test(`${name}: ${read ?? 'may'} read, ${write ?? 'may'} write`, async () => {
      const [method, path] = READS.rest;
      const list = await gateway.rest(method, path, undefined, await headers());
      if (read) expectError(list, read);
      else expectStatus(list, 200);
      const [post, at, body, made] = WRITES.rest;
      const written = await gateway.rest(post, at, body(), await headers());
      if (write) expectError(written, write);
      else expectStatus(written, made);
      const expectedCode = (status?: number) =>
        status === 401 ? 'UNAUTHENTICATED' : status === 403 ? 'FORBIDDEN' : undefined;
      refused(await graph(READS.graph, await headers()), expectedCode(read));
      refused(await graph(WRITES.graph, await headers()), expectedCode(write));
    });
  }

  test('a request without credentials gets 401 before its body is read, and the answer says how to authenticate', async () => {
    const answer = await gateway.rest('POST', '/api/printjobs', '{ not json');
    expectError(answer, 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expectError(await gateway.rest('GET', '/api/printjobs/no-guid'), 401);
    for (const probe of ['/healthz', '/readyz']) expectStatus(await gateway.rest('GET', probe), 200);
  });

  test('without credentials no operation is parsed, and no text is stored under its hash', async () => {
    const refusal = {
      errors: [
        { message: expect.stringMatching(/^This request has no credentials/), extensions: { code: 'UNAUTHENTICATED' } },
      ],
    };
    for (const query of ['{ __typename }', '{ __schema { types { name } } }', '{ this is no GraphQL']) {
      const answer = await graph(query, {});
      expect([answer.status, answer.body]).toEqual([401, refusal]);
      const got = await gateway.rest('GET', `/graphql?${new URLSearchParams({ query })}`);
      expect([got.status, got.body]).toEqual([401, refusal]);
    }
    expect((await gateway.rest('POST', '/graphql', '{ not json', {})).status).toBe(401);
    const query = '{ cameras { totalCount } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashKey(query) } };
    expectStatus(await gateway.rest('POST', '/graphql', { query, extensions }), 401);
    const byHash = await gateway.rest('POST', '/graphql', { extensions }, all);
    expect(byHash.body.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
  });

  test('every query and every mutation needs its scope', async () => {
    const schema = buildGraph();
    for (const [operation, type, without] of [
      ['query', schema.getQueryType(), 'key-of-writer'],
      ['mutation', schema.getMutationType(), 'key-of-reader'],
    ] as const) {
      for (const field of Object.values(type?.getFields() ?? {})) {
        const given = field.args.filter(isRequiredArgument).map((one) => `${one.name}: ${createLiteral(one.type)}`);
        const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
        const call = `${operation} { ${field.name}${given.length > 0 ? `(${given})` : ''} ${selection} }`;
        refused(await graph(call, {}), 'UNAUTHENTICATED');
        refused(await graph(call, bearer(without)), field.name === 'viewer' ? undefined : 'FORBIDDEN');
      }
    }
  });

  test('a silenced alert has the name of the caller who silenced it', async () => {
    await gateway.sql(`insert into cameras (camera_id, friendly_name) values ('lost', 'Bay')`);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online) values ('lost', now(), false)`);
    const mutation = 'mutation { silenceAlert(kind: CAMERA_LOST, id: "lost") { silence { by until } } }';
    const silenced = await graph(mutation, all);
    expect(silenced.body.data.silenceAlert.silence).toEqual({ by: 'all', until: null });
    refused(await graph(mutation, bearer('key-of-camera')), 'FORBIDDEN');
    const read = await graph('{ alerts(silenced: true) { silence { by } } }', bearer('key-of-reader'));
    expect(read.body.data.alerts).toEqual([{ silence: { by: 'all' } }]);
  });

  test('only callers with the scope "devices" configure devices', async () => {
    const made = await graph('mutation { createPrinter(input: { name: "p" }) { id } }', all);
    const printerId = made.body.data.createPrinter.id;
    const machine = `{ kind: MOONRAKER, printerId: "${printerId}", address: "127.0.0.1:1" }`;
    const configurer = bearer('key-of-configurer');
    const added = await graph(`mutation { addDevice(input: ${machine}) { id } }`, configurer);
    refused(added, undefined);
    const { id } = added.body.data.addDevice;
    const calls = [
      `testDevice(input: ${machine}) { reached }`,
      `updateDevice(id: "${id}", input: { enabled: false }) { id }`,
      `removeDevice(id: "${id}")`,
    ];
    for (const call of [`addDevice(input: ${machine}) { id }`, ...calls]) {
      const others = ['no-devices', 'reader', 'writer', 'camera', 'camera-devices'].map((name) => `key-of-${name}`);
      for (const other of [...others, await token({ scope: 'read write' })])
        refused(await graph(`mutation { ${call} }`, { ...bearer(other), 'idempotency-key': 'a' }), 'FORBIDDEN');
    }
    for (const call of calls)
      refused(
        await graph(`mutation { ${call} }`, { ...configurer, 'idempotency-key': `key${call.length}` }),
        undefined,
      );
    refused(await graph(WRITES.graph, configurer), 'FORBIDDEN');
    const mine = async (credentials: string) => {
      const { body } = await graph(
        '{ viewer { name mayRead mayWrite mayConfigureDevices cameraId } }',
        bearer(credentials),
      );
      const { name, mayRead, mayWrite, mayConfigureDevices, cameraId } = body.data.viewer;
      return [name, mayRead, mayWrite, mayConfigureDevices, cameraId];
    };
    expect(await mine('key-of-configurer')).toEqual(['configurer', true, false, true, null]);
    expect(await mine('key-of-no-devices')).toEqual(['no-devices', true, true, false, null]);
    expect(await mine('key-of-camera-devices')).toEqual(['camera-devices', false, true, false, bound]);
    expect(await mine(await token({ scope: 'read devices' }))).toEqual(['somebody', true, false, true, null]);
  });

  test('a caller with the scope "devices" may also remove a printer or a camera that has a device', async () => {
    const cameraId = unique('cam');
    const made = await graph('mutation { createPrinter(input: { name: "x" }) { id } }', bearer('key-of-all'));
    const printerId = made.body.data.createPrinter.id;
    const add = 'mutation ($input: AddDeviceInput!) { addDevice(input: $input) { id } }';
    const register = 'mutation ($input: RegisterCameraInput!) { registerCamera(input: $input) { id } }';
    refused(await graph(register, bearer('key-of-all'), { input: { id: cameraId, friendlyName: 'x' } }), undefined);
    const devices = [
      { kind: 'MOONRAKER', printerId, address: '10.90.0.1' },
      { kind: 'OPEN_GOPRO', cameraId, address: '10.90.0.2' },
    ];
    const ids: string[] = [];
    for (const input of devices) {
      const { body } = await graph(add, bearer('key-of-all'), { input });
      ids.push(body.data.addDevice.id);
    }
    const removals = [`removePrinter(id: "${printerId}")`, `removeCamera(id: "${cameraId}")`];
    const before = await tables(gateway);
    for (const [at, removal] of removals.entries()) {
      const kind = ['printer', 'camera'][at];
      const { body } = await graph(`mutation { ${removal} }`, bearer('key-of-no-devices'));
      expect(body.errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' }, message: expect.stringMatching(`^This ${kind} has a connection`) },
      ]);
      refused(await graph(`mutation { ${removal} }`, bearer('key-of-configurer')), 'FORBIDDEN');
    }
    expect(await tables(gateway)).toEqual(before);
    refused(await graph(`mutation { removeDevice(id: "${ids[0]}") }`, bearer('key-of-all')), undefined);
    refused(await graph(`mutation { ${removals[0]} }`, bearer('key-of-no-devices')), undefined);
    refused(await graph(`mutation { ${removals[1]} }`, bearer('key-of-all')), undefined);
    for (const removal of removals) {
      const { body } = await graph(`mutation { ${removal} }`, bearer('key-of-no-devices'));
      expect(body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
  });

  test('a key of a camera writes for that camera alone', async () => {
    const camera = bearer('key-of-camera');
    const record = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { cameraId } }';
    const status = (cameraId: string) => ({ cameraId, online: true });
    refused(await graph(record, camera, { input: [status(bound)] }), undefined);
    refused(await graph(record, camera, { input: [status(other)] }), 'FORBIDDEN');
    refused(await graph(record, camera, { input: [status(bound), status(other)] }), 'FORBIDDEN');
    const rename = (id: string) => `mutation { updateCamera(id: "${id}", input: { friendlyName: "I" }) { id } }`;
    refused(await graph(rename(bound), camera), undefined);
    refused(await graph(rename(other), camera), 'FORBIDDEN');
    refused(await graph(WRITES.graph, camera), 'FORBIDDEN');
    refused(await graph(`mutation { removeCamera(id: "${bound}") }`, camera), 'FORBIDDEN');
    expectError(await gateway.rest('POST', '/cameras', { camera_id: unique('cam'), friendly_name: 'x' }, camera), 403);
    expectError(await gateway.rest('GET', '/cameras', undefined, camera), 403);
    // It takes no MAC address, its own least of all.
    const update = 'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }';
    for (const macAddress of [unique('mac'), '', null])
      refused(await graph(update, camera, { id: bound, input: { macAddress } }), 'FORBIDDEN');
    const body = { camera_id: bound, friendly_name: 'x', mac_address: unique('mac') };
    expectError(await gateway.rest('POST', '/cameras', body, camera), 403);
    const itsToken = bearer(await token({ scope: 'write', camera_id: bound }));
    refused(await graph(record, itsToken, { input: [status(bound)] }), undefined);
    refused(await graph(record, itsToken, { input: [status(other)] }), 'FORBIDDEN');
  });

  test('two callers who ask at the same moment share neither an answer nor the reason of a refusal', async () => {
    const callers = [
      [all, undefined],
      [bearer('key-of-writer'), 'FORBIDDEN'],
      [{}, 'UNAUTHENTICATED'],
    ] as const;
    const asking = Array.from({ length: 30 }, (_, n) => callers[n % 3] as (typeof callers)[number]);
    const answers = await Promise.all(asking.map(([headers]) => graph(READS.graph, headers)));
    for (const [n, answer] of answers.entries()) refused(answer, asking[n]?.[1]);
  });

  test('a caller with only the scope "write" gets no computed member of the written object', async () => {
    const writing = {
      ...gateway,
      graphql: async (query: string, variables?: object) => {
        const answer = await graph(query, all, variables);
        return { ...answer, data: answer.body.data, errors: answer.body.errors ?? [] };
      },
    };
    const { printerId, spoolId, materialId } = await makeFarm(writing);
    const createJob = `createPrintJob(input: { printerId: "${printerId}", spoolId: "${spoolId}", printName: "x", dataSource: MQTT })`;
    const writes: Record<string, string> = {
      PrintJob: `${createJob} { id FIELD }`,
      PrintJobPart: `${createJob} { id parts { FIELD } }`,
      Camera: `updateCamera(id: "${other}", input: {}) { id FIELD }`,
      ObservedPrint: `ignorePrint(printId: "${await makePrint(gateway, printerId)}") { id FIELD }`,
      Spool: `createSpool(input: { spoolSerial: "SERIAL", filamentDiameterMm: 1.75, weightTotalGrams: 1000, materialId: "${materialId}" }) { id FIELD }`,
      // The whole answer is computed.
      'Mutation.importStock': 'FIELD(kind: SPOOLS, csv: "number") { same }',
      'Mutation.readSpoolman': 'FIELD(input: { files: ["[]"] }) { same }',
      'Mutation.writeSpoolmanImport': `FIELD(id: ${GUID}, confirm: "x") { same }`,
    };
    const computed = Object.values(buildGraph().getTypeMap()).flatMap((type) =>
      isObjectType(type) && type.name !== 'Query'
        ? Object.values(type.getFields())
            .filter(({ extensions }) => (extensions['requires'] as string[] | undefined)?.includes('read'))
            .map(({ name }) => [type.name, name] as const)
        : [],
    );
    expect(computed.length).toBeGreaterThan(3);
    for (const [type, field] of computed) {
      const write = writes[type] ?? writes[`${type}.${field}`];
      expect([type, field, write]).toEqual([type, field, expect.any(String)]);
      const document = `mutation { ${write} }`.replace('FIELD', field).replace('SERIAL', unique('serial'));
      // The refusal comes before the write: else the second call would find the serial taken.
      refused(await graph(document, bearer('key-of-writer')), 'FORBIDDEN');
      // There is no such import.
      refused(await graph(document, all), field === 'writeSpoolmanImport' ? 'NOT_FOUND' : undefined);
    }
  });

  test('a caller with only the scope "write" is answered what was written and nothing behind it; a refused selection writes nothing', async () => {
    const writer = bearer('key-of-writer');
    refused(await graph('mutation { createPrinter(input: { name: "p" }) { id name createdAt } }', writer), undefined);
    const printers = async () => Number((await gateway.sql('select count(*) as n from printers'))[0].n);
    const before = await printers();
    const change = `updateCamera(id: "${other}", input: {})`;
    const record = `recordCameraStatuses(input: [{ cameraId: "${other}", online: true }])`;
    for (const selection of [
      `${change} { lastStatus { online } }`,
      `${change} { ...C }`,
      `${change} { ... { ... on Camera { lastStatus { __typename } } } }`,
      `${change} { series { records } }`,
      `${change} { availability { fraction } }`,
      `${record} { camera { friendlyName } }`,
      `${record} { camera { history { id } } }`,
      'createPrinter(input: { name: "p" }) { a: jobs { totalCount } }',
    ]) {
      const fragment = selection.includes('...C') ? ' fragment C on Camera { lastStatus { online } }' : '';
      const query = `mutation { ${selection} }${fragment}`;
      const answer = await graph(query, writer);
      refused(answer, 'FORBIDDEN');
      expect(answer.status).toBe(403);
      refused(await graph(query, all), undefined);
    }
    // The answer of the caller with both scopes.
    expect(await printers()).toBe(before + 1);
  });

  test('a stored answer is replayed only to the same caller with the same scopes, and a refusal for a missing scope is not stored', async () => {
    const camera = unique('cam');
    const keyed = async (claims: Record<string, unknown>, idempotencyKey: string) => ({
      ...bearer(await token(claims)),
      'idempotency-key': idempotencyKey,
    });
    const query =
      'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "x" }) { id lastStatus { online } } }';
    const send = async (claims: Record<string, unknown>) => graph(query, await keyed(claims, 'graph'), { id: camera });
    refused(await send({ scope: 'write' }), 'FORBIDDEN');
    const full = await send({ scope: 'read write' });
    refused(full, undefined);
    expect((await send({ scope: 'write read openid' })).text).toBe(full.text);
    refused(await send({ scope: 'write' }), 'FORBIDDEN');
    refused(await send({ scope: 'read' }), 'FORBIDDEN');
    for (const camera_id of [other, camera]) {
      const { body } = await send({ scope: 'read write', camera_id });
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }] });
    }
    const body = { camera_id: `${camera} 2`, friendly_name: 'x' };
    const askRest = async (claims: Record<string, unknown>) =>
      gateway.rest('POST', '/cameras', body, await keyed(claims, 'rest'));
    expectError(await askRest({ scope: 'write', camera_id: other }), 403);
    expectStatus(await askRest({ scope: 'write' }), 201);
    expectStatus(await askRest({ scope: 'write' }), 201);
    expectError(await askRest({ scope: 'write', camera_id: other }), 422);
    expectError(await askRest({ scope: 'read' }), 403);
    // Keys of two callers are separate, even if they are equal.
    expectError(await gateway.rest('POST', '/cameras', body, { ...all, 'idempotency-key': 'rest' }), 409);
  });

  const forged = () =>
    new SignJWT({ sub: 'x', scope: 'read write' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setAudience('farm')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(PEM));
  const unsigned = async () => {
    const [, payload] = (await token({ scope: 'read write' })).split('.');
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  };
});

describe('pages of other origins', () => {
  const gateway = useGateway(anyDatabase, { http: readConfig({ CORS_ORIGINS: 'https://farm.example' }).http });
  const post = (headers: Record<string, string>) =>
    gateway.rest('POST', '/cameras', JSON.stringify({ camera_id: unique('cam'), friendly_name: 'x' }), headers);
  const HOST = 'localhost:4000';

  test('pages of trusted origins may write, and requests from other origins are refused', async () => {
    const HTTP = 'http://localhost:4000';
    for (const [headers, status] of [
      // A client that is not a browser, by each name of this machine.
      [{}, 201],
      [{ host: '127.0.0.1:4000' }, 201],
      [{ host: '[::1]:4000' }, 201],
      [{ host: 'Farm.Example' }, 201],
      // A page of the gateway itself, and one of a trusted origin.
      [{ host: HOST, origin: HTTP, 'sec-fetch-site': 'same-origin' }, 201],
      [{ host: HOST, origin: 'https://farm.example', 'sec-fetch-site': 'cross-site' }, 201],
      // A form of another page, one of another port, a sandboxed one, a browser that hides the origin.
      [{ host: HOST, origin: 'https://evil.example', 'content-type': 'text/plain' }, 403],
      [{ host: HOST, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }, 403],
      [{ host: HOST, origin: 'null' }, 403],
      [{ host: HOST, 'sec-fetch-site': 'Cross-Site' }, 403],
      // A foreign name that resolves to this machine.
      [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
    ] as const) {
      const before = await tables(gateway);
      const answer = await post({ ...headers });
      if (status === 201) {
        expectStatus(answer, 201);
        continue;
      }
      expectError(answer, 403);
      const query = 'mutation { createPrinter(input: { name: "P" }) { id } }';
      const sent = { ...headers, 'content-type': 'application/json' };
      const graph = await gateway.rest('POST', '/graphql', { query }, sent);
      expect(graph.body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
      expect(await tables(gateway)).toEqual(before);
    }
  });

  test('a request with a foreign host name cannot even read', async () => {
    expectError(await gateway.rest('GET', '/cameras', undefined, { host: 'evil.example' }), 403);
    expectError(await gateway.rest('GET', '/healthz', undefined, { host: 'evil.example:4000' }), 403);
  });

  test('a trusted origin gets the CORS headers, another origin gets none', async () => {
    const preflight = (origin: string) =>
      gateway.rest('OPTIONS', '/graphql', undefined, { origin, 'access-control-request-method': 'POST', host: HOST });
    expect((await preflight('https://farm.example')).headers).toMatchObject({
      'access-control-allow-origin': 'https://farm.example',
    });
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).not.toBe(
      'https://evil.example',
    );
    const read = await gateway.rest('GET', '/cameras', undefined, { origin: 'https://farm.example', host: HOST });
    expect(read.headers['access-control-allow-origin']).toBe('https://farm.example');
    expect(read.headers['access-control-expose-headers']).toMatch(/x-request-id.*retry-after/);
  });
});

describe('while the identity provider is away', () => {
  const keys = { jwksUrl: 'http://127.0.0.1:1/jwks' };
  const gateway = useGateway(anyDatabase, { auth: { apiKeys: [], tokens: { keys, issuer: null, audience: null } } });

  test('clients are told to try again, as they are while the database is unavailable', async () => {
    const headers = { authorization: `Bearer ${await token({ scope: 'read' })}` };
    // The camera document has no 503.
    for (const [path, status] of [
      ['/cameras', 500],
      ['/api/printjobs', 503],
      ['/graphql?query={__typename}', 503],
    ] as const) {
      const answer = expectStatus(await gateway.rest('GET', path, undefined, headers), status);
      expect(answer.headers).toMatchObject({ 'retry-after': '5' });
    }
  });
});
