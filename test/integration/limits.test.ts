// What one operation may ask for: each limit is met, and what people use never meets one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { readConfig } from '../../src/config';
import { holdClock } from '../support/clock';
import { anyDatabase } from '../support/databases';
import { unique } from '../support/farm';
import {
  expectCode,
  expectData,
  expectStatus,
  type Gateway,
  type GraphqlResponse,
  test,
  useGateway,
} from '../support/gateway';

const OPERATIONS = join(__dirname, '..', '..', 'src', 'web', 'operations');

describe('the limits', () => {
  const gateway = useGateway(anyDatabase);
  const refused = async (document: string, message: string, variables?: unknown) => {
    const answer: GraphqlResponse = await gateway.graphql(document, variables);
    expect(expectCode(answer, 'BAD_USER_INPUT')).toBe(message);
    expect(answer.status).toBe(400);
    expect(answer.data).toBeUndefined();
  };

  test('of a document with thousands of faults, the first five are told', async () => {
    const many = (text: (n: number) => string) => Array.from({ length: 1200 }, (_, n) => text(n)).join(' ');
    const first = (answer: GraphqlResponse) => [answer.errors.length, answer.errors[0]?.message];
    expect(first(await gateway.graphql(`{ ${many((n) => `camera${n}`)} }`))).toEqual([
      6,
      'Cannot query field "camera0" on type "Query". Did you mean "camera" or "cameras"?',
    ]);
  });

  const LIMIT = 'the limit is 500000';
  const times = (count: number, field: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => field(n)).join(' ');

  test('pages in pages cost what they would hold', async () => {
    const document = (jobs: string, variable = '') =>
      `query${variable} { printers(first: 1000) { nodes { jobs(first: ${jobs}) { nodes { id } } } } }`;
    const message = `The operation has a cost of 1002000; ${LIMIT}`;
    await refused(document('1000'), message);
    for (const n of [1000, 2_000_000_000]) await refused(document('$n', ' ($n: Int)'), message, { n });
    // What every object inherits is no variable that was given.
    await refused(document('$toString', ' ($toString: Int = 1000)'), message, {});
    const recorded = 'recordCameraStatuses(input: $input) { camera { history(first: 1000) { id } } }';
    const input = Array.from({ length: 600 }, () => ({ cameraId: 'c', online: true }));
    const mutation = `mutation ($input: [CameraStatusInput!]!) { ${recorded} }`;
    await refused(mutation, `The operation has a cost of 601200; ${LIMIT}`, { input });
    expectData(await gateway.graphql(document('$n', ' ($n: Int)'), { n: 10 }));
  });

  test('the records of all fields of one operation are bounded together, and none is written before', async () => {
    const id = unique('cam');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'c' }), 201);
    const records = (count: number) => Array.from({ length: count }, () => ({ cameraId: id, online: true }));
    const field = (input: string) => `recordCameraStatuses(input: ${input}) { id }`;
    const twice = `mutation ($a: [CameraStatusInput!]!, $b: [CameraStatusInput!]!) { a: ${field('$a')} b: ${field('$b')} }`;
    const message = 'The operation has 1001 items in its lists; the limit is 1000';
    await refused(twice, message, { a: records(400), b: records(601) });
    const literal = `[${records(501).map(() => `{ cameraId: "${id}", online: true }`)}]`;
    await refused(`mutation ($b: [CameraStatusInput!]!) { a: ${field(literal)} ... { b: ${field('$b')} } }`, message, {
      b: records(500),
    });
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toEqual([]);
    expectData(await gateway.graphql(twice, { a: records(400), b: records(600) }));
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toHaveLength(1000);
  });

  test('a search and a count by time cost what they read, and an offset what it skips', async () => {
    const counted = (filter: string, count: number) =>
      times(count, (n) => `a${n}: printJobs(first: 1, filter: ${filter}) { totalCount }`);
    const since = '{ createdFrom: "2026-01-01T00:00:00Z" }';
    await refused(`{ ${counted('{ search: "x" }', 200)} }`, `The operation has a cost of 500005; ${LIMIT}`);
    expectData(await gateway.graphql(`{ ${counted('{ search: "x" }', 4)} }`));
    expectData(await gateway.graphql(`{ ${counted('{ search: "" }', 200)} }`));
    await refused(`{ ${counted(since, 50)} }`, `The operation has a cost of 500050; ${LIMIT}`);
    expectData(await gateway.graphql(`{ ${counted(since, 49)} }`));
    const filtered = `query ($filter: PrintJobFilter) { ${counted('$filter', 10)} }`;
    await refused(filtered, `The operation has a cost of 500005; ${LIMIT}`, { filter: { search: 'x' } });
    expectData(await gateway.graphql(filtered, { filter: { status: ['QUEUED'] } }));
    const skipping = (rows: number) =>
      `{ ${times(10, (n) => `a${n}: printJobs(first: 1, offset: ${rows}) { nodes { id } }`)} }`;
    await refused(skipping(2_000_000_000), `The operation has a cost of 500009; ${LIMIT}`);
    expectData(await gateway.graphql(skipping(49_000)));
    const changes = (count: number) =>
      `query ($filter: ChangeFilter) { ${times(count, (n) => `a${n}: changes(first: 1, filter: $filter) { nodes { at } }`)} }`;
    const filter = { types: ['MATERIAL'] };
    await refused(changes(25), `The operation has a cost of 500049; ${LIMIT}`, { filter });
    expectData(await gateway.graphql(changes(24), { filter }));
    // The jobs of all printers are searched by one statement.
    const ofPrinters = '{ printers(first: 1000) { nodes { jobs(first: 1, filter: { search: "x" }) { totalCount } } } }';
    expectData(await gateway.graphql(ofPrinters));
  });

  test('the log of a camera costs its stretches and its days, and alerts count as many as they can be', async () => {
    const series = (points: number) => `{ cameras(first: 1000) { nodes { series(points: ${points}) { records } } } }`;
    // A page of 1,000, 1,000 cameras, and for each of them 200 for the day that is read, and its stretches.
    await refused(series(500), `The operation has a cost of 702000; ${LIMIT}`);
    expectData(await gateway.graphql(series(290)));
    const availability = (count: number) =>
      `{ cameras { nodes { ${times(count, (n) => `a${n}: availability { gaps { from } }`)} } } }`;
    await refused(availability(2), `The operation has a cost of 504000; ${LIMIT}`);
    expectData(await gateway.graphql(availability(1)));
    const history = '{ alerts { camera { history(first: 100) { id } } } }';
    await refused(history, `The operation has a cost of 2040000; ${LIMIT}`);
    expectData(await gateway.graphql('{ alerts { camera { id } } }'));
  });

  test('fields of one type of an interface cost what they would hold', async () => {
    const history = 'camera { history(first: 1000) { id } }';
    const page = `{ changes(first: 1000) { nodes { ...One } } } fragment One on CameraChanged { ${history} }`;
    await refused(page, `The operation has a cost of 1003001; ${LIMIT}`);
    const jobs = 'jobs(first: 1000) { nodes { printer { jobs(first: 1000) { nodes { id } } } } }';
    const subscription = `subscription { changes { ... on PrinterChanged { printer { ${jobs} } } } }`;
    await refused(subscription, 'The operation has a cost of 1003002; the limit of a subscription is 200');
  });

  test('depth', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? '{ id }' : `{ jobs(first: 1) { nodes { printer ${nested(levels - 1)} } } }`;
    await refused(`{ printers(first: 1) { nodes ${nested(5)} } }`, 'The operation has a depth of 16; the limit is 15');
    expectData(await gateway.graphql(`{ printers(first: 1) { nodes ${nested(3)} } }`));
  });

  test('aliases and directives', async () => {
    const aliases = (count: number) => times(count, (n) => `a${n}: __typename`);
    await refused(`{ ${aliases(501)} }`, 'The operation has 501 aliases; the limit is 500');
    expectData(await gateway.graphql(`{ ${aliases(500)} }`));
    const directives = times(101, () => '__typename @skip(if: false)');
    await refused(`{ ${directives} }`, 'The operation has 101 directives; the limit is 100');
  });

  test('operations in a batch', async () => {
    const { status, body } = await gateway.rest('POST', '/graphql', [
      { query: '{ __typename }' },
      { query: '{ __typename }' },
    ]);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
    });
  });

  test('fragments that multiply are not walked to their end', async () => {
    const bomb = times(40, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
    const answer = await gateway.graphql(`{ ...F0 } ${bomb} fragment F40 on Query { __typename }`);
    expect(expectCode(answer, 'BAD_USER_INPUT')).toMatch(/a cost of \d+; the limit is 500000/);
  });

  test('the introspection of tools and the operations of the dashboard meet none', async () => {
    expectData(await gateway.graphql(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })));
    for (const name of readdirSync(OPERATIONS)) {
      const document = readFileSync(join(OPERATIONS, name), 'utf8');
      for (const [, operationName] of document.matchAll(/^query (\w+)/gm)) {
        const { body } = await gateway.rest('POST', '/graphql', { query: document, operationName });
        expect(JSON.stringify(body.errors ?? [])).not.toContain('the limit is');
      }
    }
  });
});

describe('a rate of five requests a minute', () => {
  const KEYS = ['one', 'two', 'three'] as const;
  const settings = readConfig({
    API_KEYS: KEYS.map((name) => `${name}:read:${createHash('sha256').update(name).digest('hex')}`).join(),
    RATE_LIMIT_PER_MINUTE: '5',
  });
  const { auth } = settings;
  const production = readConfig({ NODE_ENV: 'production' }).graph;
  const gateway = useGateway(anyDatabase, { http: settings.http, auth, graph: production });
  const trustedProxies = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' }).http.trustedProxies;
  const proxied = useGateway(anyDatabase, { http: { ...settings.http, trustedProxies }, auth });
  // A minute does not end while this goes on.
  beforeAll(() => void holdClock());
  afterAll(() => void jest.useRealTimers());
  const list = async (key: string, from = gateway) => from.rest('GET', '/cameras', undefined, { 'x-api-key': key });
  /** Of callers without a key, from these addresses. */
  const statusesFrom = async (from: Gateway, ...addresses: string[]) => {
    const statuses: number[] = [];
    for (const address of addresses)
      statuses.push((await from.rest('GET', '/cameras', undefined, { 'x-forwarded-for': address })).status);
    return statuses;
  };
  const FIVE = [401, 401, 401, 401, 401];
  const six = (address: (n: number) => string) => Array.from({ length: 6 }, (_, n) => address(n));

  test('belongs to each key; what is wrong counts for the address; both doors say when to come again', async () => {
    for (let n = 0; n < 5; n += 1) expect(await list('one')).toMatchObject({ status: 200 });
    const refused = await list('one');
    const message = expect.stringMatching(/^More than 5 requests in a minute: try again in \d+ s$/);
    expect(refused).toMatchObject({ status: 429, body: { error: message } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    const graph = await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { 'x-api-key': 'one' });
    const errors = [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }];
    expect(graph).toMatchObject({ status: 429, body: { errors } });
    expect(graph.headers['retry-after']).toBeDefined();
    expect(await list('two')).toMatchObject({ status: 200 });
    // Nobody's word is taken for an address.
    expect(await statusesFrom(gateway, ...six((n) => `192.0.2.${n}`))).toEqual([...FIVE, 429]);
    expect(await list('a guess')).toMatchObject({ status: 429 });
    expect(await list('two')).toMatchObject({ status: 200 });
    for (let n = 0; n < 10; n += 1) expect(await gateway.rest('GET', '/healthz')).toMatchObject({ status: 200 });
  });

  test('takes the word of trusted proxies, and of nobody before them; an IPv6 network of 64 bits is one address', async () => {
    for (const address of [
      () => '192.0.2.1',
      (n: number) => `203.0.113.${n}, 192.0.2.2, 10.1.2.3`,
      (n: number) => `192.0.2.4:${50_000 + n}, 10.1.2.3:${443 + n}`,
      (n: number) => `[2001:db8:7::3]:${50_000 + n}, 10.1.2.3`,
      (n: number) => `2001:db8:0:1:${n}::${n}`,
    ])
      expect(await statusesFrom(proxied, ...six(address))).toEqual([...FIVE, 429]);
    expect(await statusesFrom(proxied, '192.0.2.3', '2001:db8::1', '::ffff:192.0.2.9', 'nonsense')).toEqual(
      FIVE.slice(1),
    );
  });

  test('is kept for a key, whatever number of addresses strangers have', async () => {
    for (let n = 0; n < 5; n += 1) expect(await list('one', proxied)).toMatchObject({ status: 200 });
    const strangers = Array.from({ length: 6000 }, (_, n) => `172.16.${n >> 8}.${n & 255}`);
    await statusesFrom(proxied, ...strangers);
    expect(await list('one', proxied)).toMatchObject({ status: 429 });
  });

  test('in production nobody is told the schema, nor what a name may have been meant for', async () => {
    const ask = (query: string, variables?: object, accept = 'application/json') =>
      gateway.rest('POST', '/graphql', { query, variables }, { accept, 'x-api-key': 'three' });
    expect((await ask('{ __schema { types { name } } }')).text).toMatch(/introspection is not allowed/i);
    const filter = { status: ['PRINTIN'] };
    for (const answer of [
      await ask('{ camera(id: "x") { friendlyNam } }'),
      await ask('query ($f: PrintJobFilter) { printJobs(filter: $f) { totalCount } }', { f: { statu: [] } }),
      await ask('query ($f: PrintJobFilter) { printJobs(filter: $f) { totalCount } }', { f: filter }),
      await ask(
        'subscription ($f: PrintJobFilter) { printJobChanged(filter: $f) { kind } }',
        { f: filter },
        'text/event-stream',
      ),
    ]) {
      expect(answer.text).toMatch(/BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED/);
      expect(answer.text).not.toMatch(/did you mean/i);
    }
  });
});
