// Writes with an idempotency key: executed once, with the same answer for any number of simultaneous requests.
import { createHash, randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../support/databases';
import { type Farm, jobRequest, jobUpdate, makeCamera, makeFarm, unique } from '../support/farm';
import {
  expectData,
  expectError,
  expectStatus,
  type Gateway,
  type Parsed,
  type RestResponse,
  test,
  useGateway,
} from '../support/gateway';

const CREATE =
  'mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id gramsDerived printer { jobs { totalCount } } } }';

/** What a client may rely on: everything except the id and the time of the exchange. */
const answered = ({ status, text, headers }: RestResponse) => ({ status, text, location: headers['location'] });

// A keyed request is one transaction: a statement outside of it would wait for the only connection of the embedded database.
describeOnDatabases('idempotency keys', (kind) => {
  const gateway: Gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  const keyed = (method: string, path: string, body?: unknown, key: string = randomUUID()) =>
    gateway.rest(method, path, body, { 'idempotency-key': key });
  const mutate = (query: string, variables: unknown, key: string) =>
    keyed('POST', '/graphql', { query, variables }, key);
  const count = async (table = 'print_jobs') =>
    Number(((await gateway.sql(`select count(*) as n from ${table}`))[0] as Parsed).n);
  const newJob = async () =>
    expectStatus(await gateway.rest('POST', '/api/printjobs', jobRequest(farm)), 201).body.Id as string;

  test('one of twenty simultaneous requests writes; its answer is replayed with status, Location and body, also after a restart', async () => {
    const before = await count();
    const [key, body] = [randomUUID(), jobRequest(farm)];
    const answers = await Promise.all(Array.from({ length: 20 }, () => keyed('POST', '/api/printjobs', body, key)));
    const first = expectStatus(answers[0] as RestResponse, 201);
    expect(first.headers['location']).toBe(`/api/printjobs/${first.body.Id}`);
    for (const answer of answers) expect(answered(answer)).toEqual(answered(first));
    await gateway.restart();
    expect(answered(await keyed('POST', '/api/printjobs', body, key))).toEqual(answered(first));
    expect(await count()).toBe(before + 1);
    const other = expectStatus(await keyed('POST', '/api/printjobs', body), 201);
    expect(other.body.Id).not.toBe(first.body.Id);
  });

  test('a mutation counts as the same however its text is sent, also at a replica of another version', async () => {
    const before = await count();
    const [key, variables] = [
      randomUUID(),
      { input: { printerId: farm.printerId, spoolId: farm.spoolId, printName: 'x', dataSource: 'MANUAL' } },
    ];
    const first = await mutate(CREATE, variables, key);
    expectData({ ...first, data: first.body.data, errors: first.body.errors ?? [] });
    const sha256Hash = createHash('sha256').update(CREATE).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const registered = await keyed('POST', '/graphql', { query: CREATE, variables, extensions }, key);
    const byHash = await keyed('POST', '/graphql', { variables, extensions }, key);
    for (const again of [await mutate(CREATE, variables, key), registered, byHash]) {
      expect(again.body).toEqual(first.body);
    }
    expect(await count()).toBe(before + 1);
    // Replicas of two versions run side by side while one replaces the other.
    const parts = [sha256Hash, 'null', JSON.stringify(variables)].map((part) => `${part.length}:${part}`);
    const fingerprint = createHash('sha256').update(parts.join('')).digest('base64url');
    expect(await gateway.sql(`select fingerprint from idempotency_keys where key = '${key}'`)).toEqual([
      { fingerprint },
    ]);
  });

  test('every method takes a key: PUT, PATCH and DELETE, POST of a camera', async () => {
    const id = await newJob();
    const path = `/api/printjobs/${id}`;
    const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
    for (const [method, at, body, status] of [
      ['PUT', path, jobUpdate(farm), 200],
      ['PATCH', `${path}/status`, { Status: 'Printing' }, 200],
      ['DELETE', path, undefined, 204],
      ['POST', '/cameras', camera, 201],
    ] as const) {
      const key = randomUUID();
      const first = expectStatus(await keyed(method, at, body, key), status);
      expect(answered(await keyed(method, at, body, key))).toEqual(answered(first));
    }
  });

  test('a refusal is kept like any other answer', async () => {
    const camera = { camera_id: unique('cam'), friendly_name: 'Door' };
    expectStatus(await gateway.rest('POST', '/cameras', camera), 201);
    const taken = randomUUID();
    const conflict = await keyed('POST', '/cameras', camera, taken);
    expectError(conflict, 409);
    await gateway.sql(`delete from cameras where camera_id = '${camera.camera_id}'`);
    expect(answered(await keyed('POST', '/cameras', camera, taken))).toEqual(answered(conflict));
    expect(await gateway.sql(`select from cameras where camera_id = '${camera.camera_id}'`)).toEqual([]);
  });

  test('a request that is refused before it is executed has the same code with and without a key', async () => {
    const record = 'mutation ($i: [CameraStatusInput!]!) { recordCameraStatuses(input: $i) { id } }';
    for (const i of [null, [{ cameraId: 'c', online: true, fps: 'x' }]]) {
      const without = await gateway.rest('POST', '/graphql', { query: record, variables: { i } });
      const key = randomUUID();
      for (let time = 0; time < 3; time += 1) {
        const answer = await mutate(record, { i }, key);
        expect([answer.status, answer.body]).toEqual([without.status, without.body]);
        expect(answer.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
      }
    }
  });

  test('the same key with another request gets 422, and nothing is written', async () => {
    const key = randomUUID();
    expectStatus(await keyed('POST', '/api/printjobs', jobRequest(farm), key), 201);
    const before = await count();
    const id = await newJob();
    for (const [method, path, body] of [
      ['POST', '/api/printjobs', jobRequest(farm, { PrintName: 'other' })],
      ['POST', '/cameras', jobRequest(farm)],
      ['PUT', `/api/printjobs/${id}`, jobUpdate(farm)],
      ['DELETE', `/api/printjobs/${id}`, undefined],
    ] as const) {
      expectError(await keyed(method, path, body, key), 422, 'idempotency key');
    }
    expect(await count()).toBe(before + 1);
    const graph = await mutate('mutation { createPrinter(input: { name: "P" }) { id } }', {}, key);
    expectStatus(graph, 200);
    expect(graph.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }] });
  });

  test('a mutation sees its own write in its answer, which is replayed to everyone who sends it', async () => {
    const own = await makeFarm(gateway);
    const input = { printerId: own.printerId, spoolId: own.spoolId, printName: 'Benchy', dataSource: 'MQTT' };
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => mutate(CREATE, { input }, key)));
    for (const answer of answers) {
      expect(expectStatus(answer, 200).text).toBe(answers[0]!.text);
      expect(answer.body).toMatchObject({ data: { createPrintJob: { printer: { jobs: { totalCount: 1 } } } } });
    }
    const reused = await mutate(CREATE, { input: { ...input, printName: 'Other' } }, key);
    expect(reused.body).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }] });
  });

  test('a mutation with one refused field keeps what the other fields wrote, and gives the same answer again', async () => {
    const [taken, key] = [unique('cam'), randomUUID()];
    const document = `mutation ($id: ID!) {
      one: registerCamera(input: { id: $id, friendlyName: "one" }) { id }
      two: registerCamera(input: { id: $id, friendlyName: "two" }) { id }
      three: createPrinter(input: { name: "three" }) { name }
    }`;
    const first = await mutate(document, { id: taken }, key);
    expect(first.body.errors).toEqual([
      expect.objectContaining({
        path: ['two'],
        extensions: { code: 'CONFLICT', issues: [{ path: ['input', 'id'], message: 'is already registered' }] },
        message: 'id is already registered',
      }),
    ]);
    expect(first.body.data).toBeNull();
    expect((await mutate(document, { id: taken }, key)).text).toBe(first.text);
    expect(expectData(await gateway.graphql(`{ camera(id: "${taken}") { friendlyName } }`)).camera).toEqual({
      friendlyName: 'one',
    });
  });

  test('an internal failure is rolled back with its key, and the request succeeds when it is sent again', async () => {
    const [key, body, before] = [randomUUID(), jobRequest(farm), await count()];
    // The answer cannot be stored, as in a crash between the write and its answer.
    await gateway.sql('alter table idempotency_keys add constraint full_disk check (answer is null) not valid');
    expectError(await keyed('POST', '/api/printjobs', body, key), 500);
    const graph = await mutate('mutation { createPrinter(input: { name: "undone" }) { id } }', {}, randomUUID());
    expect(graph.body).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
    await gateway.sql('alter table idempotency_keys drop constraint full_disk');
    expect(await count()).toBe(before);
    expect(Number((await gateway.sql(`select count(*) as n from printers where name = 'undone'`))[0].n)).toBe(0);
    expectStatus(await keyed('POST', '/api/printjobs', body, key), 201);
    expect(await count()).toBe(before + 1);
  });

  test('an answer that is too long to be stored is refused, and nothing is written', async () => {
    const key = randomUUID();
    const cameraId = await makeCamera(gateway);
    const many = Array.from({ length: 400 }, (_, n) => `a${n}: mode`).join(' ');
    const query = `mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { ${many} } }`;
    const input = Array.from({ length: 20 }, () => ({ cameraId, online: true, mode: 'x'.repeat(200) }));
    const long = await mutate(query, { input }, key);
    expect(long.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(await gateway.sql(`select from camera_status where camera_id = '${cameraId}'`)).toEqual([]);
    const short = await mutate('mutation { createPrinter(input: { name: "short" }) { id } }', {}, key);
    expect(short.body).toMatchObject({ data: { createPrinter: {} } });
  });

  test('after 24 hours a key is new', async () => {
    const [key, body] = [randomUUID(), jobRequest(farm)];
    const first = expectStatus(await keyed('POST', '/api/printjobs', body, key), 201);
    await gateway.sql(`update idempotency_keys set created_at = created_at - interval '23 hours 59 minutes'`);
    expect((await keyed('POST', '/api/printjobs', body, key)).body.Id).toBe(first.body.Id);
    await gateway.sql(`update idempotency_keys set created_at = created_at - interval '2 minutes'`);
    const again = expectStatus(await keyed('POST', '/api/printjobs', jobRequest(farm, { PrintName: 'new' }), key), 201);
    expect(again.body.Id).not.toBe(first.body.Id);
    await gateway.sql(`update idempotency_keys set created_at = created_at - interval '25 hours'`);
    await gateway.restart();
    expect(await count('idempotency_keys')).toBe(0);
  });

  test('a key has 1 to 255 visible ASCII characters, and reads ignore it', async () => {
    const before = await count();
    for (const key of ['', ' ', 'a b', 'é', 'x'.repeat(256)]) {
      expectError(await keyed('POST', '/api/printjobs', jobRequest(farm), key), 400, 'Idempotency-Key');
      const graph = await mutate('mutation { createPrinter(input: { name: "P" }) { id } }', {}, key);
      expectStatus(graph, 200);
      expect(graph.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    }
    expect(await count()).toBe(before);
    const key = 'x'.repeat(255);
    expectStatus(await keyed('POST', '/api/printjobs', jobRequest(farm), key), 201);
    expectStatus(await keyed('GET', '/api/printjobs', undefined, key), 200);
    expectStatus(await mutate('{ printers { totalCount } }', {}, key), 200);
  });
});
