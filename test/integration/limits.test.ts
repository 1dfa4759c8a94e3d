// What one operation may ask for: each limit is met, and what people use never meets one.
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
  startGateway,
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
    expect(first(await gateway.graphql(`{ cameras(${many((n) => `firs${n}: 1`)}) { totalCount } }`))).toEqual([
      6,
      'Unknown argument "firs0" on field "Query.cameras". Did you mean "first"?',
    ]);
  });

  test('pages in pages cost what they would hold', async () => {
    const document = (jobs: string) =>
      `query${jobs === '$n' ? ' ($n: Int)' : ''} { printers(first: 1000) { nodes { jobs(first: ${jobs}) { nodes { id } } } } }`;
    await refused(document('1000'), 'The operation has a cost of 1002000; the limit is 500000');
    await refused(document('$n'), 'The operation has a cost of 1002000; the limit is 500000', { n: 1000 });
    await refused(document('$n'), 'The operation has a cost of 1002000; the limit is 500000', { n: 2_000_000_000 });
    const byDefault = document('$n').replace('$n: Int', '$n: Int = 1000');
    await refused(byDefault, 'The operation has a cost of 1002000; the limit is 500000');
    // What every object inherits is no variable that was given.
    const inherited = byDefault.replaceAll('$n', '$toString');
    await refused(inherited, 'The operation has a cost of 1002000; the limit is 500000', {});
    const recorded = (input: string) =>
      `recordCameraStatuses(input: ${input}) { camera { history(first: 1000) { id } } }`;
    const input = Array.from({ length: 600 }, () => ({ cameraId: 'c', online: true }));
    const mutation = `mutation ($input: [CameraStatusInput!]!) { ${recorded('$input')} }`;
    await refused(mutation, 'The operation has a cost of 601200; the limit is 500000', { input });
    const literals = recorded(`[${input.map(() => '{ cameraId: "c", online: true }').join()}]`);
    await refused(`mutation { ${literals} }`, 'The operation has a cost of 601200; the limit is 500000');
    expectData(await gateway.graphql(document('$n'), { n: 10 }));
    expectData(await gateway.graphql(document('10')));
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
    const fields = Array.from({ length: 400 }, (_, n) => `a${n}: ${field('$a')}`).join(' ');
    const storm = `mutation ($a: [CameraStatusInput!]!) { ${fields} }`;
    await refused(storm, 'The operation has 400000 items in its lists; the limit is 1000', { a: records(1000) });
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toEqual([]);
    expectData(await gateway.graphql(twice, { a: records(400), b: records(600) }));
    const few = Array.from({ length: 50 }, (_, n) => `a${n}: ${field('$a')}`).join(' ');
    expectData(await gateway.graphql(`mutation ($a: [CameraStatusInput!]!) { ${few} }`, { a: records(1)[0] }));
    expect(await gateway.sql(`select from camera_status where camera_id = '${id}'`)).toHaveLength(1050);
  });

  test('a search and a count by time cost what they read, and an offset what it skips', async () => {
    const counted = (filter: string, times: number) =>
      Array.from({ length: times }, (_, n) => `a${n}: printJobs(first: 1, filter: ${filter}) { totalCount }`).join(' ');
    await refused(`{ ${counted('{ search: "x" }', 200)} }`, 'The operation has a cost of 500005; the limit is 500000');
    expectData(await gateway.graphql(`{ ${counted('{ search: "x" }', 4)} }`));
    expectData(await gateway.graphql(`{ ${counted('{ search: "" }', 200)} }`));
    await refused(
      `{ ${counted('{ createdFrom: "2026-01-01T00:00:00Z" }', 50)} }`,
      'The operation has a cost of 500050; the limit is 500000',
    );
    expectData(await gateway.graphql(`{ ${counted('{ createdFrom: "2026-01-01T00:00:00Z" }', 49)} }`));
    const filtered = `query ($filter: PrintJobFilter) { ${counted('$filter', 10)} }`;
    await refused(filtered, 'The operation has a cost of 500005; the limit is 500000', { filter: { search: 'x' } });
    expectData(await gateway.graphql(filtered, { filter: { status: ['QUEUED'] } }));
    const searched = `query ($text: String) { ${counted('{ search: $text }', 10)} }`;
    await refused(searched, 'The operation has a cost of 500005; the limit is 500000', { text: 'x' });
    expectData(await gateway.graphql(searched, { text: null }));
    const skipping = (rows: number) =>
      `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: printJobs(first: 1, offset: ${rows}) { nodes { id } }`).join(' ')} }`;
    await refused(skipping(2_000_000_000), 'The operation has a cost of 500009; the limit is 500000');
    expectData(await gateway.graphql(skipping(49_000)));
    const changes = (count: number) =>
      `query ($filter: ChangeFilter) { ${Array.from({ length: count }, (_, n) => `a${n}: changes(first: 1, filter: $filter) { nodes { at } }`).join(' ')} }`;
    const filter = { types: ['MATERIAL'] };
    await refused(changes(25), 'The operation has a cost of 500049; the limit is 500000', { filter });
    expectData(await gateway.graphql(changes(24), { filter }));
    expectData(await gateway.graphql(changes(25), { filter: null }));
    // The jobs of all printers are searched by one statement.
    const ofPrinters = '{ printers(first: 1000) { nodes { jobs(first: 1, filter: { search: "x" }) { totalCount } } } }';
    expectData(await gateway.graphql(ofPrinters));
  });

  test('the log of a camera costs its stretches and its days, and alerts count as many as they can be', async () => {
    const series = (points: string) =>
      `query${points === '$n' ? ' ($n: Int)' : ''} { cameras(first: 1000) { nodes { series(points: ${points}) { records } } } }`;
    // A page of 1,000, 1,000 cameras, and for each of them 200 for the day that is read, and its stretches.
    await refused(series('500'), 'The operation has a cost of 702000; the limit is 500000');
    await refused(series('$n'), 'The operation has a cost of 2202000; the limit is 500000', { n: 9999 });
    expectData(await gateway.graphql(series('$n'), { n: null }));
    expectData(await gateway.graphql(series('290')));
    const availability = (times: number) =>
      `{ cameras { nodes { ${Array.from({ length: times }, (_, n) => `a${n}: availability { gaps { from } }`).join(' ')} } } }`;
    await refused(availability(2), 'The operation has a cost of 504000; the limit is 500000');
    expectData(await gateway.graphql(availability(1)));
    await refused(
      '{ alerts { camera { history(first: 100) { id } } } }',
      'The operation has a cost of 2040000; the limit is 500000',
    );
    expectData(await gateway.graphql('{ alerts { camera { id } } }'));
  });

  test('fields of one type of an interface cost what they would hold', async () => {
    const history = 'camera { history(first: 1000) { id } }';
    const page = (selection: string) => `{ changes(first: 1000) { nodes { ${selection} } } }`;
    await refused(
      page(`... on CameraChanged { ${history} }`),
      'The operation has a cost of 1003000; the limit is 500000',
    );
    await refused(
      `${page('...One')} fragment One on CameraChanged { ${history} }`,
      'The operation has a cost of 1003001; the limit is 500000',
    );
    const jobs = (count: number, inner = 1000) =>
      `subscription { changes { ... on PrinterChanged { printer { jobs(first: ${count}) { nodes { printer { jobs(first: ${inner}) { nodes { id } } } } } } } } }`;
    await refused(jobs(1000), 'The operation has a cost of 1003002; the limit of a subscription is 200');
    expectCode(await gateway.graphql(jobs(10, 5)), 'BAD_REQUEST');
  });

  test('depth', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? '{ id }' : `{ jobs(first: 1) { nodes { printer ${nested(levels - 1)} } } }`;
    await refused(`{ printers(first: 1) { nodes ${nested(5)} } }`, 'The operation has a depth of 16; the limit is 15');
    expectData(await gateway.graphql(`{ printers(first: 1) { nodes ${nested(3)} } }`));
  });

  test('aliases and directives', async () => {
    const aliases = (count: number) => Array.from({ length: count }, (_, n) => `a${n}: __typename`).join(' ');
    await refused(`{ ${aliases(501)} }`, 'The operation has 501 aliases; the limit is 500');
    expectData(await gateway.graphql(`{ ${aliases(500)} }`));
    const directives = (count: number) => Array.from({ length: count }, () => '__typename @skip(if: false)').join(' ');
    await refused(`{ ${directives(101)} }`, 'The operation has 101 directives; the limit is 100');
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
    const bomb = Array.from({ length: 40 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(
      ' ',
    );
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
  const key = 'a key of the dashboard';
  const other = 'another key';
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const settings = readConfig({
    API_KEYS: `dashboard:read:${hash(key)}, other:read:${hash(other)}`,
    RATE_LIMIT_PER_MINUTE: '5',
  });
  const gateway = useGateway(anyDatabase, { http: settings.http, auth: settings.auth });
  const list = (credentials: string) => gateway.rest('GET', '/cameras', undefined, { 'x-api-key': credentials });

  test('belongs to each key; what is wrong counts for the address; both doors say when to come again', async () => {
    for (let n = 0; n < 5; n += 1) expect(await list(key)).toMatchObject({ status: 200 });
    const refused = await list(key);
    const message = expect.stringMatching(/^More than 5 requests in a minute: try again in \d+ s$/);
    expect(refused).toMatchObject({ status: 429, body: { error: message } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    const graph = await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { 'x-api-key': key });
    expect(graph).toMatchObject({
      status: 429,
      body: { errors: [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }] },
    });
    expect(graph.headers['retry-after']).toBeDefined();

    expect(await list(other)).toMatchObject({ status: 200 });
    for (let n = 0; n < 5; n += 1) expect(await list(`guess ${n}`)).toMatchObject({ status: 401 });
    expect(await list('guess 5')).toMatchObject({ status: 429 });
    expect(await list(other)).toMatchObject({ status: 200 });
    for (let n = 0; n < 10; n += 1) expect(await gateway.rest('GET', '/healthz')).toMatchObject({ status: 200 });
  });

  test('is kept for a key, whatever number of addresses strangers have', async () => {
    const behind = await startGateway(anyDatabase, {
      auth: settings.auth,
      http: { ...settings.http, trustedProxies: ['127.0.0.1'] },
    });
    try {
      const mine = () => behind.rest('GET', '/cameras', undefined, { 'x-api-key': key });
      for (let n = 0; n < 5; n += 1) expect(await mine()).toMatchObject({ status: 200 });
      for (let n = 0; n < 6000; n += 1) {
        await behind.rest('GET', '/cameras', undefined, { 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` });
      }
      expect(await mine()).toMatchObject({ status: 429 });
    } finally {
      await behind.close();
    }
  });
});

describe('a rate of three requests a minute by address', () => {
  const three = { RATE_LIMIT_PER_MINUTE: '3' };
  const direct = useGateway(anyDatabase, { http: readConfig(three).http });
  const proxied = useGateway(anyDatabase, {
    http: readConfig({ ...three, TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' }).http,
  });
  const statusesFrom = async (gateway: Gateway, ...addresses: string[]) => {
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await gateway.rest('GET', '/cameras', undefined, { 'x-forwarded-for': address })).status);
    }
    return statuses;
  };

  test('takes no word of anybody for it', async () => {
    expect(await statusesFrom(direct, '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4')).toEqual([
      200, 200, 200, 429,
    ]);
  });

  test('takes the word of trusted proxies, and of nobody before them', async () => {
    const own = Array(4).fill('192.0.2.1');
    expect(await statusesFrom(proxied, ...own)).toEqual([200, 200, 200, 429]);
    const spoofed = Array.from({ length: 4 }, (_, n) => `203.0.113.${n}, 192.0.2.2, 10.1.2.3`);
    expect(await statusesFrom(proxied, ...spoofed)).toEqual([200, 200, 200, 429]);
    for (const address of ['192.0.2.4', '[2001:db8:7::3]']) {
      const ports = Array.from({ length: 4 }, (_, n) => `${address}:${50_000 + n}, 10.1.2.3:${443 + n}`);
      expect(await statusesFrom(proxied, ...ports)).toEqual([200, 200, 200, 429]);
    }
    expect(await statusesFrom(proxied, '192.0.2.3', '2001:db8::1', '2001:db8::1', 'nonsense')).toEqual(
      Array(4).fill(200),
    );
  });

  test('counts an IPv6 network of 64 bits as one address', async () => {
    const network = Array.from({ length: 4 }, (_, n) => `2001:db8:0:1:${n}::${n}`);
    expect(await statusesFrom(proxied, ...network)).toEqual([200, 200, 200, 429]);
    expect(await statusesFrom(proxied, '2001:db8:0:2::1', '::ffff:192.0.2.9')).toEqual([200, 200]);
  });
});

describe('in production', () => {
  const gateway = useGateway(anyDatabase, { graph: readConfig({ NODE_ENV: 'production' }).graph });

  test('nobody is told the schema, nor what a name may have been meant for', async () => {
    const [asked] = (await gateway.graphql('{ __schema { types { name } } }')).errors;
    expect(asked?.message).toMatch(/introspection is not allowed/i);
    const [guessed] = (await gateway.graphql('{ camera(id: "x") { friendlyNam } }')).errors;
    expect(guessed?.message).not.toMatch(/did you mean/i);
  });

  test('nor by the faults of a subscription’s variables', async () => {
    const query = 'subscription ($filter: PrintJobFilter) { printJobChanged(filter: $filter) { kind } }';
    const asked = { query, variables: { filter: { status: ['PRINTIN'] } } };
    const { text } = await gateway.rest('POST', '/graphql', asked, { accept: 'text/event-stream' });
    expect(text).toContain('BAD_USER_INPUT');
    expect(text).not.toMatch(/did you mean/i);
  });

  test('nor by the faults of variables', async () => {
    const query = 'query ($filter: PrintJobFilter) { printJobs(filter: $filter) { totalCount } }';
    for (const filter of [{ statu: ['PRINTING'] }, { status: ['PRINTIN'] }]) {
      expect(expectCode(await gateway.graphql(query, { filter }), 'BAD_USER_INPUT')).not.toMatch(/did you mean/i);
    }
  });
});
