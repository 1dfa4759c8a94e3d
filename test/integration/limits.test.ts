// Tests each limit of one operation, and that ordinary use stays within all of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { readConfig } from '../../src/config';
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

  test('a document with thousands of faults gets the first five in its answer', async () => {
    const many = (text: (n: number) => string) => Array.from({ length: 1200 }, (_, n) => text(n)).join(' ');
    const first = (answer: GraphqlResponse) => [answer.errors.length, answer.errors[0]?.message];
    expect(first(await gateway.graphql(`{ ${many((n) => `camera${n}`)} }`))).toEqual([
      6,
      'Cannot query field "camera0" on type "Query". Did you mean "camera" or "cameras"?',
    ]);
  });

  const times = (count: number, field: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => field(n)).join(' ');
  const pages = (first: string, variable = '') =>
    `query${variable} { printers(first: 1000) { nodes { jobs(first: ${first}) { nodes { id } } } } }`;
  const counted = (filter: string, count: number) =>
    times(count, (n) => `a${n}: printJobs(first: 1, filter: ${filter}) { totalCount }`);
  const since = '{ createdFrom: "2026-01-01T00:00:00Z" }';
  const filtered = `query ($filter: PrintJobFilter) { ${counted('$filter', 10)} }`;
  const skipping = (rows: number) =>
    `{ ${times(10, (n) => `a${n}: printJobs(first: 1, offset: ${rows}) { nodes { id } }`)} }`;
  const changes = (count: number) =>
    `{ ${times(count, (n) => `a${n}: changes(first: 1, filter: { types: [MATERIAL] }) { nodes { at } }`)} }`;
  const series = (points: number) => `{ cameras(first: 1000) { nodes { series(points: ${points}) { records } } } }`;
  const availability = (count: number) =>
    `{ cameras { nodes { ${times(count, (n) => `a${n}: availability { gaps { from } }`)} } } }`;
  const ordered = (count: number) =>
    `query ($order: PrintJobOrder) { ${times(count, (n) => `a${n}: printJobs(first: 1, orderBy: $order) { totalCount }`)} }`;
  const history = 'camera { history(first: 1000) { id } }';
  const nested = (levels: number): string =>
    levels === 0 ? '{ id }' : `{ jobs(first: 1) { nodes { printer ${nested(levels - 1)} } } }`;
  const input = Array.from({ length: 600 }, () => ({ cameraId: 'c', online: true }));

  test('a cost above 500,000 is refused: pages within pages, and rows that are read, skipped or summed', async () => {
    for (const [document, cost, variables] of [
      [pages('1000'), 1_002_000],
      [pages('$n', ' ($n: Int)'), 1_002_000, { n: 2_000_000_000 }],
      // Names that every object inherits are not given variables.
      [pages('$toString', ' ($toString: Int = 1000)'), 1_002_000, {}],
      [
        `mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { ${history} } }`,
        601_200,
        { input },
      ],
      [`{ ${counted('{ search: "x" }', 200)} }`, 500_005],
      [filtered, 500_005, { filter: { search: 'x' } }],
      [`{ ${counted(since, 50)} }`, 500_050],
      [ordered(5), 500_005, { order: 'RECORDED_ASC' }],
      [skipping(2_000_000_000), 500_009],
      [changes(25), 500_049],
      // A page of 1,000: 1,000 cameras, and for each of them 200 for the day that is read, and its ranges.
      [series(500), 702_000],
      [availability(2), 504_000],
      // The maximum number.
      ['{ alerts { camera { history(first: 100) { id } } } }', 2_040_000],
      // Types of one interface.
      [`{ changes(first: 1000) { nodes { ...One } } } fragment One on CameraChanged { ${history} }`, 1_003_001],
    ] as [string, number, object?][])
      await refused(
        document,
        `The operation has a cost of ${cost}; the limit is 500000. Request fewer rows or fields.`,
        variables,
      );
    for (const [document, variables] of [
      [pages('$n', ' ($n: Int)'), { n: 10 }],
      [`{ ${counted('{ search: "x" }', 4)} }`],
      [`{ ${counted('{ search: "" }', 200)} }`],
      [filtered, { filter: { status: ['QUEUED'] } }],
      [`{ ${counted(since, 49)} }`],
      [ordered(4), { order: 'SPOOL_DESC' }],
      [ordered(5), { order: 'COMPLETED_AT_DESC' }],
      [skipping(49_000)],
      [changes(24)],
      [series(290)],
      [availability(1)],
      ['{ alerts { camera { id } } }'],
      // One statement searches the jobs of all printers.
      ['{ printers(first: 1000) { nodes { jobs(first: 1, filter: { search: "x" }) { totalCount } } } }'],
    ] as [string, object?][])
      expectData(await gateway.graphql(document, variables));
  });

  test('too much depth, too many aliases or directives, and a subscription that costs more than 200 are refused', async () => {
    const subscribed = 'jobs(first: 1000) { nodes { printer { jobs(first: 1000) { nodes { id } } } } }';
    const aliases = (count: number) => `{ ${times(count, (n) => `a${n}: __typename`)} }`;
    const directives = `{ ${times(101, () => '__typename @skip(if: false)')} }`;
    for (const [document, says] of [
      [`{ printers(first: 1) { nodes ${nested(5)} } }`, 'a depth of 16; the limit is 15. Select fewer levels.'],
      [aliases(501), '501 aliases; the limit is 500. Use fewer aliases.'],
      [directives, '101 directives; the limit is 100. Use fewer directives.'],
      [
        `subscription { changes { ... on PrinterChanged { printer { ${subscribed} } } } }`,
        'a cost of 1003002; the limit of a subscription is 200. Request fewer rows or fields.',
      ],
    ] as const)
      await refused(document, `The operation has ${says}`);
    expectData(await gateway.graphql(`{ printers(first: 1) { nodes ${nested(3)} } }`));
    expectData(await gateway.graphql(aliases(500)));
    // Fragments that multiply are not followed to their end.
    const bomb = times(40, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
    const answer = await gateway.graphql(`{ ...F0 } ${bomb} fragment F40 on Query { __typename }`);
    expect(expectCode(answer, 'BAD_USER_INPUT')).toMatch(/a cost of \d+; the limit is 500000/);
  });

  test('the records of all fields of one operation share one limit, and none is written before the check', async () => {
    const id = unique('cam');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: id, friendly_name: 'c' }), 201);
    const records = (count: number) => Array.from({ length: count }, () => ({ cameraId: id, online: true }));
    const field = (input: string) => `recordCameraStatuses(input: ${input}) { id }`;
    const twice = `mutation ($a: [CameraStatusInput!]!, $b: [CameraStatusInput!]!) { a: ${field('$a')} b: ${field('$b')} }`;
    const message =
      'The operation has 1001 items in its lists; the limit is 1000. Send the items in several operations.';
    await refused(twice, message, { a: records(400), b: records(601) });
    const literal = `[${records(501).map(() => `{ cameraId: "${id}", online: true }`)}]`;
    await refused(`mutation ($b: [CameraStatusInput!]!) { a: ${field(literal)} ... { b: ${field('$b')} } }`, message, {
      b: records(500),
    });
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toEqual([]);
    expectData(await gateway.graphql(twice, { a: records(400), b: records(600) }));
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toHaveLength(1000);
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

  test('the introspection of tools and the operations of the dashboard are within all limits', async () => {
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
  const list = async (key: string, from = gateway) => from.rest('GET', '/cameras', undefined, { 'x-api-key': key });
  /** Callers without a key, from these addresses. */
  const statusesFrom = async (from: Gateway, ...addresses: string[]) => {
    const statuses: number[] = [];
    for (const address of addresses)
      statuses.push((await from.rest('GET', '/cameras', undefined, { 'x-forwarded-for': address })).status);
    return statuses;
  };
  const FIVE = [401, 401, 401, 401, 401];
  const six = (address: (n: number) => string) => Array.from({ length: 6 }, (_, n) => address(n));

  test('counts each key alone; wrong keys count for the address; REST and GraphQL both say when to try again', async () => {
    for (let n = 0; n < 5; n += 1) expect(await list('one')).toMatchObject({ status: 200 });
    const refused = await list('one');
    const message = expect.stringMatching(/^More than 5 requests in a minute\. Try again in \d+ s\.$/);
    expect(refused).toMatchObject({ status: 429, body: { error: message } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    const graph = await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { 'x-api-key': 'one' });
    const errors = [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }];
    expect(graph).toMatchObject({ status: 429, body: { errors } });
    expect(Number(graph.headers['retry-after'])).toBeGreaterThan(0);
    expect(await list('two')).toMatchObject({ status: 200 });
    // No caller's header is trusted as an address.
    expect(await statusesFrom(gateway, ...six((n) => `192.0.2.${n}`))).toEqual([...FIVE, 429]);
    expect(await list('a guess')).toMatchObject({ status: 429 });
    expect(await list('two')).toMatchObject({ status: 200 });
    for (let n = 0; n < 10; n += 1) expect(await gateway.rest('GET', '/healthz')).toMatchObject({ status: 200 });
  });

  test('uses the address that a trusted proxy reports, and no other; an IPv6 network of 64 bits is one address', async () => {
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

  test('in production, answers reveal neither the schema nor suggestions for misspelt names', async () => {
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
