// What subscriptions of a running gateway may do: bounds, credentials, the manifest, and changes that cannot be executed.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { type KeyLike, SignJWT } from 'jose';
import { Client } from 'pg';
import manifest from '../../src/generated/persisted-operations.json';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { lineOf, logUntilNow } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { initialised, metric, open, record, start, streamed, WATCH } from '../support/subscribing';
import { until } from '../support/waiting';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');

describe('with few operations for a connection', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({ MAX_SUBSCRIPTIONS: '2', LOG_LEVEL: 'debug' });
  });
  afterAll(() => gateway?.stop('SIGKILL'));

  test('one connection may have so many operations, and ended ones do not count', async () => {
    const { answer, send, came } = await initialised(gateway);
    for (const id of ['1', '2']) send({ type: 'subscribe', id, payload: { query: WATCH } });
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 2);
    expect(await answer('3', WATCH)).toMatchObject({
      type: 'error',
      payload: [
        { message: 'One connection may have 2 operations at a time', extensions: { code: 'TOO_MANY_REQUESTS' } },
      ],
    });
    send({ type: 'complete', id: '1' });
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
    expect(await answer('4', '{ cameras { totalCount } }')).toMatchObject({ type: 'next' });
    await record(gateway);
    await until(() => came.some(({ id, type }) => id === '2' && type === 'next'));
    expect(came.filter(({ id }) => id === '1')).toEqual([]);
  });

  test('an event stream that its client leaves has one line in the log, and the reading of the feed is not its own', async () => {
    const stream = await streamed(gateway, 'subscription Left { changes { cursor } }');
    const statements = () => metric(gateway, 'database_statement_duration_seconds_count');
    const before = await statements();
    // The reader asks while the client watches. Each reading of the metrics has statements too.
    await until(async () => (await statements()) > before + 100);
    await stream.body?.cancel();
    const line = await lineOf(gateway, stream.headers.get('x-request-id'));
    expect(line).toMatchObject({ method: 'POST', route: '/graphql', operation: 'Left', status: 200, sql: 0 });
    expect(line.openMs).toBeGreaterThan(line.ms);
    const lines = (await logUntilNow(gateway)).filter(
      ({ requestId, msg }) => requestId === line.requestId && msg === 'request',
    );
    expect(lines.length).toBe(1);
  });
});

test('different subscriptions are limited, the same one has any number of watchers', async () => {
  const gateway = await start({ MAX_DISTINCT_SUBSCRIPTIONS: '8' });
  const { answer, send } = await initialised(gateway);
  const watch = (
    id: string,
    types: string[],
    query = WATCH.replace('after: $after', `after: $after, filter: { types: [${types}] }`),
  ) => send({ type: 'subscribe', id, payload: { query } });
  for (const id of ['1', '2', '3']) watch(id, ['CAMERA']);
  watch('4', ['SPOOL']);
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 4);
  const refused = [
    { message: 'One caller may have 2 different subscriptions', extensions: { code: 'TOO_MANY_REQUESTS' } },
  ];
  expect(await answer('5', WATCH)).toMatchObject({ payload: { errors: refused } });
  expect(await (await streamed(gateway, WATCH)).text()).toContain('"code":"TOO_MANY_REQUESTS"');
  send({ type: 'complete', id: '4' });
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 3);
  send({ type: 'subscribe', id: '6', payload: { query: WATCH } });
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 4);
  const long = await answer('7', `subscription { changes { cursor } } #${'x'.repeat(50_000)}`);
  expect(long).toMatchObject({
    payload: {
      errors: [{ message: expect.stringContaining('50000 characters'), extensions: { code: 'BAD_USER_INPUT' } }],
    },
  });
});

test('operations of a socket, and connection_init, count for the rate limit', async () => {
  const gateway = await start({ RATE_LIMIT_PER_MINUTE: '5' });
  const { answer } = await initialised(gateway);
  const codes: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { payload, type } = await answer(`${n}`, '{ cameras { totalCount } }');
    codes.push(type === 'error' ? payload[0].extensions.code : 'data');
  }
  expect(codes).toEqual(['data', 'data', 'data', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
});

describe('where the operations of the manifest alone run', () => {
  const key = { 'x-api-key': 'r' };
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({ LOG_LEVEL: 'info', PERSISTED_ONLY: 'true', API_KEYS: `reader:read:${hash('r')}` });
  });
  afterAll(() => gateway?.stop('SIGKILL'));

  // The first test with this gateway: its figures are of these operations alone.
  test('refused operations of a socket have a line in the log and a figure, and so has a refused connection', async () => {
    const { answer } = await initialised(gateway, key);
    await answer('1', WATCH);
    const wrong = await open(gateway);
    wrong.send({ type: 'connection_init', payload: { 'x-api-key': 'x' } });
    await wrong.closed;
    const anonymous = await initialised(gateway);
    await anonymous.answer('1', WATCH);
    const figure = (status: number) =>
      metric(
        gateway,
        `http_request_duration_seconds_count{method="WEBSOCKET",route="/graphql",status_code="${status}"}`,
        key,
      );
    expect([await figure(403), await figure(401)]).toEqual([1, 2]);
    const lines = (await logUntilNow(gateway)).filter(({ method, status }) => method === 'WEBSOCKET' && status !== 200);
    expect(lines.map(({ caller, status, codes }) => [caller, status, codes])).toEqual([
      ['key reader', 403, ['PERSISTED_QUERY_NOT_IN_LIST']],
      [undefined, 401, ['UNAUTHENTICATED']],
      [undefined, 401, ['UNAUTHENTICATED']],
    ]);
  });

  test('others are refused', async () => {
    const { answer, send, came } = await initialised(gateway, key);
    const refused = { payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }] };
    expect(await answer('1', WATCH)).toMatchObject({ type: 'error', ...refused });
    expect(await (await streamed(gateway, WATCH, key)).text()).toContain('PERSISTED_QUERY_NOT_IN_LIST');
    // By its id alone: the protocol demands a text, which is empty then.
    const byId = (id: string, sha256Hash?: string) => {
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      send({ type: 'subscribe', id, payload: { query: '', operationName: '', extensions } });
    };
    byId('2', manifest.operations.find(({ name }) => name === 'FarmChanges')?.id);
    await until(async () => (await metric(gateway, 'graphql_subscriptions', key)) === 1);
    byId('3', '0'.repeat(64));
    expect(await until(() => came.find(({ id }) => id === '3'))).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    });
  });
});

describe('with credentials', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const env = {
    API_KEYS: `reader:read:${hash('r')},writer:write:${hash('w')},both:read+write:${hash('b')}`,
    JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'farm',
  };
  const token = (seconds: number) =>
    new SignJWT({ sub: 'somebody', scope: 'read' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer('https://id.example')
      .setAudience('farm')
      .setExpirationTime(Math.ceil(Date.now() / 1000) + seconds)
      .sign(privateKey as KeyLike);

  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({ ...env, LOG_LEVEL: 'info' });
  });
  afterAll(() => gateway?.stop('SIGKILL'));

  // The first test with this gateway: its figures are of this request alone.
  test('a token that expires ends its subscriptions, and does no more on its socket', async () => {
    // The first operation of a process takes longest.
    const warm = await initialised(gateway, { 'x-api-key': 'r' });
    await warm.answer('1', '{ cameras { totalCount } }');
    const credentials = { authorization: `Bearer ${await token(3)}` };
    const { answer, came, send } = await initialised(gateway, credentials);
    const stream = await streamed(gateway, 'subscription Expiring { changes { cursor } }', credentials);
    send({ type: 'subscribe', id: '1', payload: { query: 'subscription { changes { cursor } }' } });
    expect(await answer('2', '{ cameras { totalCount } }')).toMatchObject({ type: 'next' });
    expect(await until(() => came.find(({ id }) => id === '1'))).toMatchObject({
      type: 'error',
      payload: [{ message: 'The token has expired', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    const text = await stream.text();
    expect(text).toContain('"code":"UNAUTHENTICATED"');
    expect(text.endsWith('event: complete\ndata:\n\n')).toBe(true);
    expect(await answer('3', '{ cameras { totalCount } }')).toMatchObject({
      payload: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    const line = await lineOf(gateway, stream.headers.get('x-request-id'));
    expect(line).toMatchObject({ operation: 'Expiring', status: 200, codes: ['UNAUTHENTICATED'] });
    expect(line.openMs).toBeGreaterThan(line.ms);
    // The latency of the answers has the time until the stream began, and not its lifetime.
    const figure = 'http_request_duration_seconds_sum{method="POST",route="/graphql",status_code="200"}';
    expect(await metric(gateway, figure, { 'x-api-key': 'r' })).toBeCloseTo(line.ms / 1000, 4);
  });

  test('headers or connection_init carry them, and rights are those of other requests', async () => {
    const subscribed = async (payload: unknown, options = {}) => {
      const { send, came } = await initialised(gateway, payload, options);
      send({ type: 'subscribe', id: '1', payload: { query: 'subscription { changes { cursor } }' } });
      const waiting = until(() => came.find(({ id }) => id === '1'));
      const before = await metric(gateway, 'graphql_subscriptions', { 'x-api-key': 'r' });
      const change = setInterval(() => record(gateway, { 'x-api-key': 'b' }), 100);
      const { type, payload: answer } = await waiting.finally(() => clearInterval(change));
      expect(before).toBeGreaterThanOrEqual(0);
      const [error] = type === 'error' ? answer : (answer.errors ?? []);
      return error?.extensions.code ?? type;
    };
    expect(await subscribed({ authorization: 'Bearer r' })).toBe('next');
    expect(await subscribed({ Authorization: `Bearer ${await token(60)}` })).toBe('next');
    expect(await subscribed({ 'X-API-Key': 'r' })).toBe('next');
    expect(await subscribed(undefined, { headers: { 'x-api-key': 'r' } })).toBe('next');
    expect(await subscribed(undefined)).toBe('UNAUTHENTICATED');
    expect(await subscribed({ 'x-api-key': 'w' })).toBe('FORBIDDEN');
    const wrong = await open(gateway);
    wrong.send({ type: 'connection_init', payload: { authorization: 'Bearer x' } });
    const [code, reason] = await wrong.closed;
    expect([code, String(reason)]).toEqual([4403, expect.stringContaining('credentials')]);
    const codeOf = async (headers: Record<string, string>) => {
      const text = await (await streamed(gateway, 'subscription { changes { cursor } }', headers)).text();
      return /"code":"(\w+)"/.exec(text)?.[1];
    };
    expect(await codeOf({})).toBe('UNAUTHENTICATED');
    expect(await codeOf({ 'x-api-key': 'w' })).toBe('FORBIDDEN');
  });
});

describe('a change that cannot be executed', () => {
  let fresh: FreshDatabase;
  let sql: Client;
  let gateway: RunningGateway;
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    sql = new Client({ connectionString: fresh.url });
    await sql.connect();
    gateway = await runGateway({ LOG_LEVEL: 'info', DATABASE_URL: fresh.url });
  });
  beforeEach(() => until(async () => (await metric(gateway, 'graphql_subscriptions')) === 0));
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await sql.end();
    await fresh.drop();
  });
  const JOBS = 'subscription Jobs { changes { ... on PrinterChanged { printer { name jobs { nodes { id } } } } } }';
  const printer = (name: string) => sql.query(`insert into printers (id, name) values (gen_random_uuid(), '${name}')`);

  test('comes with a masked error, which the log has, and the next ones come', async () => {
    const { came, send } = await initialised(gateway);
    send({ type: 'subscribe', id: '1', payload: { query: JOBS } });
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
    await sql.query('alter table print_jobs rename to hidden');
    await printer('one');
    const failed = await until(() => came.find(({ type }) => type === 'next'));
    expect(failed.payload).toMatchObject({
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    expect(JSON.stringify(failed)).not.toContain('print_jobs');
    await sql.query('alter table hidden rename to print_jobs');
    await printer('two');
    const next = await until(() => came.filter(({ type }) => type === 'next')[1]);
    expect(next.payload).toEqual({
      data: { changes: { printer: { name: 'two', jobs: { nodes: [] } } } },
    });
    const lines = (await logUntilNow(gateway)).filter(({ msg }) => msg === 'an operation failed');
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).toContain('print_jobs');
  });

  test('because the feed cannot be read ends all subscriptions, and the log says why once', async () => {
    const { answer } = await initialised(gateway);
    const ended = [answer('1', JOBS), answer('2', 'subscription { changes { cursor } }')];
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 2);
    await sql.query('alter table changes rename to hidden');
    for (const message of await Promise.all(ended)) {
      expect(message).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
    }
    const lines = (await logUntilNow(gateway)).filter(({ msg }) => msg === 'subscriptions failed');
    expect(lines.length).toBe(1);
    expect(JSON.stringify(lines[0].err)).toContain('changes');
    await sql.query('alter table hidden rename to changes');
  });

  test('in time ends its subscriptions after a few tries, and the log says why', async () => {
    const hurried = await start({ LOG_LEVEL: 'info', DATABASE_URL: fresh.url, REQUEST_TIMEOUT_MS: '2250' });
    const { answer } = await initialised(hurried);
    const stream = await streamed(hurried, JOBS);
    const ended = answer('1', JOBS);
    await until(async () => (await metric(hurried, 'graphql_subscriptions')) === 2);
    const other = await streamed(hurried, 'subscription { changes { cursor } }');
    await until(async () => (await metric(hurried, 'graphql_subscriptions')) === 3);
    await sql.query('alter table printers rename to hidden');
    await sql.query(`create view printers as
      select hidden.* from hidden, lateral (select pg_sleep(60) where hidden.id is not null offset 0) slow`);
    await sql.query(`insert into hidden (id, name) values (gen_random_uuid(), 'slow')`);
    const message = 'The answer of one change was not ready in time, at 3 tries: select fewer fields or rows';
    const failure = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    expect(await ended).toMatchObject({ type: 'error', payload: failure });
    expect(await stream.text()).toContain(message);
    await until(async () => (await metric(hurried, 'graphql_subscriptions')) === 1);
    const lines = (await logUntilNow(hurried)).filter(({ msg }) => msg === 'subscriptions failed');
    expect(lines.map(({ level, err }) => [level, err.message])).toEqual([
      [50, expect.stringMatching(/^Jobs was not executed in time for /)],
    ]);
    await other.body?.cancel();
  });
});
