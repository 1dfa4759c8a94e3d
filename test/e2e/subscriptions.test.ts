// Subscriptions of a running gateway: both protocols, credentials, foreign pages, and the bounds of each connection.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type KeyLike, SignJWT } from 'jose';
import { Client } from 'pg';
import { type ClientOptions, WebSocket } from 'ws';
import manifest from '../../src/generated/persisted-operations.json';
import { ask } from '../support/asking';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { openSocket, PROTOCOL } from '../support/graph-socket';
import { lineOf, logUntilNow } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';
import { connectTo, type Transport } from '../support/watching';

const WATCH = 'subscription ($after: String) { changes(after: $after) { cursor __typename } }';
/** A million jobs in one answer. */
const TOO_MANY_JOBS = 'jobs(first: 1000) { nodes { printer { jobs(first: 1000) { nodes { id } } } } }';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');

const gateways: RunningGateway[] = [];
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop('SIGKILL')));
});

async function start(env: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await runGateway(env);
  gateways.push(gateway);
  return gateway;
}

const open = (gateway: RunningGateway, options?: ClientOptions) => openSocket(gateway, sockets, options);

/** The same after connection_init. */
async function initialised(gateway: RunningGateway, payload?: unknown, options?: ClientOptions) {
  const opened = await open(gateway, options);
  opened.send({ type: 'connection_init', payload });
  await until(() => opened.came.some(({ type }) => type === 'connection_ack'));
  const answer = async (id: string, query: string, variables = {}) => {
    opened.send({ type: 'subscribe', id, payload: { query, variables } });
    return until(() => opened.came.find((message) => message.id === id));
  };
  return { ...opened, answer };
}

const streamed = (gateway: RunningGateway, query: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(`${gateway.url}/graphql${method === 'GET' ? `?query=${encodeURIComponent(query)}` : ''}`, {
    method,
    headers: {
      accept: 'text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: method === 'GET' ? null : JSON.stringify({ query }),
  });

const metric = async ({ url }: RunningGateway, name: string, headers = {}) => {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
};

const record = (gateway: RunningGateway, headers?: Record<string, string>) =>
  ask(
    gateway,
    '/graphql',
    { query: `mutation { registerCamera(input: { id: "${Math.random()}", friendlyName: "c" }) { id } }` },
    'POST',
    headers,
  );

/** The gateway of the tests that need none of their own. */
let shared: RunningGateway;
/** Sockets that are left alone for two beats, 24 s, in which the other tests run. The last test tells their end. */
let left: { closed: Promise<number[]>; alive: WebSocket };
beforeAll(async () => {
  shared = await runGateway({ CORS_ORIGINS: 'https://farm.example', LOG_LEVEL: 'info' });
  const silent = await open(shared);
  const dead = await initialised(shared, undefined, { autoPong: false });
  const { socket: alive } = await initialised(shared);
  // They outlive the first test.
  sockets.splice(0);
  left = { closed: Promise.all([silent, dead].map(async ({ closed }) => (await closed)[0])), alive };
});
afterAll(async () => {
  left.alive.terminate();
  await shared.stop('SIGKILL');
});

test.each(['WebSocket', 'event stream'] as Transport[])(
  '%s: queries, mutations and subscriptions',
  async (transport) => {
    const only = async (query: string, variables = {}) => {
      const results: Parsed[] = [];
      for await (const result of connectTo(shared.url, transport, query, variables).results) results.push(result);
      return results;
    };
    expect(await only('{ spools { totalCount } }')).toEqual([{ data: { spools: { totalCount: 0 } } }]);
    const made = 'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "c" }) { id } }';
    expect(await only(made, { id: transport })).toEqual([{ data: { registerCamera: { id: transport } } }]);
    expect(await only(made, { id: transport })).toMatchObject([
      { errors: [{ extensions: { code: 'CONFLICT' }, path: ['registerCamera'] }], data: null },
    ]);
    const { data } = (await only('{ latestChangeCursor }'))[0];
    const watching = connectTo(shared.url, transport, WATCH, { after: data.latestChangeCursor });
    const next = watching.results.next();
    await record(shared);
    expect((await next).value.data.changes).toEqual({ __typename: 'CameraChanged', cursor: expect.any(String) });
    watching.cut();
    const refusals = [
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription {', 'GRAPHQL_PARSE_FAILED'],
      ['subscription { changes(after: "x") { cursor } }', 'BAD_USER_INPUT'],
      ['subscription { printJobChanged(ids: ["x"]) { cursor } }', 'BAD_USER_INPUT'],
      [`subscription { changes { ... on PrinterChanged { printer { ${TOO_MANY_JOBS} } } } }`, 'BAD_USER_INPUT'],
      [`subscription { changes { cursor ${'@skip(if: false) '.repeat(2000)} } }`, 'GRAPHQL_PARSE_FAILED'],
      ['subscription ($n: Int!) { changes { cursor @include(if: $n) } }', 'GRAPHQL_VALIDATION_FAILED'],
    ];
    for (const [query, code] of refusals) {
      const outcome = await only(query as string).catch((error) => error);
      expect(JSON.stringify(outcome)).toContain(`"code":"${code}"`);
    }
    const foreign = Buffer.from(JSON.stringify(['changes', 'another0', '99999999', '1'])).toString('base64url');
    const expired = await only(WATCH, { after: foreign }).catch((error) => error);
    expect(JSON.stringify(expired)).toContain('"code":"CURSOR_EXPIRED"');
  },
);

test('a subscription without a stream is refused with what it needs', async () => {
  const { status, body } = await ask(shared, '/graphql', { query: 'subscription { changes { cursor } }' });
  expect(status).toBe(200);
  expect(body.errors).toMatchObject([
    { message: expect.stringContaining('text/event-stream'), extensions: { code: 'BAD_REQUEST' } },
  ]);
  const get = await streamed(shared, '{ spools { totalCount } }', {}, 'GET');
  expect(get.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await get.text()).toBe(
    'event: next\ndata: {"data":{"spools":{"totalCount":0}}}\n\nevent: complete\ndata:\n\n',
  );
  const write = 'mutation { registerCamera(input: { id: "by GET", friendlyName: "c" }) { id } }';
  expect(await (await streamed(shared, write, {}, 'GET')).text()).toContain('"code":"BAD_REQUEST"');
  expect((await ask(shared, '/graphql', { query: '{ camera(id: "by GET") { id } }' })).body.data.camera).toBeNull();
});

test('a subscription by GET is an event stream too', async () => {
  const deliveries = () => metric(shared, 'graphql_deliveries_total');
  await until(async () => (await metric(shared, 'graphql_subscriptions')) === 0);
  const before = await deliveries();
  const response = await streamed(shared, 'subscription { changes { __typename } }', {}, 'GET');
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(':\n\n');
  await until(async () => (await metric(shared, 'graphql_subscriptions')) === 1);
  await record(shared);
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(
    'event: next\ndata: {"data":{"changes":{"__typename":"CameraChanged"}}}\n\n',
  );
  expect(await deliveries()).toBe(before + 1);
  await reader.cancel();
  await until(async () => (await metric(shared, 'graphql_subscriptions')) === 0);
});

test('pages of other sites cannot watch', async () => {
  const upgrade = async (origin: string) => {
    const socket = new WebSocket(`${shared.url.replace('http', 'ws')}/graphql`, PROTOCOL, { origin });
    sockets.push(socket);
    return Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => response.statusCode),
    ]);
  };
  expect(await upgrade('https://evil.example')).toBe(403);
  expect(await upgrade('null')).toBe(403);
  expect(await upgrade('https://farm.example')).toBe(101);
  expect(await upgrade(shared.url)).toBe(101);
  expect((await streamed(shared, WATCH, { origin: 'https://evil.example' }, 'GET')).status).toBe(400);
  expect((await streamed(shared, WATCH, { origin: 'https://evil.example' })).status).toBe(403);
});

test('a socket without the protocol, with a message that is too large or no message, or not initialised is closed', async () => {
  const gateway = await start({ BODY_LIMIT_BYTES: '2048' });
  const large = await initialised(gateway);
  large.send({ type: 'subscribe', id: '1', payload: { query: `{ cameras { totalCount } } #${'x'.repeat(2048)}` } });
  expect((await large.closed)[0]).toBe(1009);
  const broken = await initialised(gateway);
  broken.socket.send('{');
  expect((await broken.closed)[0]).toBe(4400);
  const early = await open(gateway);
  early.send({ type: 'subscribe', id: '1', payload: { query: '{ cameras { totalCount } }' } });
  expect((await early.closed)[0]).toBe(4401);
  const other = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-ws');
  sockets.push(other);
  const [error] = await once(other, 'error');
  expect(String(error)).toContain('subprotocol');
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

test('one connection may have so many operations, and ended ones do not count', async () => {
  const gateway = await start({ MAX_SUBSCRIPTIONS: '2' });
  const { answer, send, came } = await initialised(gateway);
  for (const id of ['1', '2']) send({ type: 'subscribe', id, payload: { query: WATCH } });
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 2);
  expect(await answer('3', WATCH)).toMatchObject({
    type: 'error',
    payload: [{ message: 'One connection may have 2 operations at a time', extensions: { code: 'TOO_MANY_REQUESTS' } }],
  });
  send({ type: 'complete', id: '1' });
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
  expect(await answer('4', '{ cameras { totalCount } }')).toMatchObject({ type: 'next' });
  await record(gateway);
  await until(() => came.some(({ id, type }) => id === '2' && type === 'next'));
  expect(came.filter(({ id }) => id === '1')).toEqual([]);
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

test('the operations of the manifest alone, where only they run', async () => {
  const gateway = await start({ PERSISTED_ONLY: 'true' });
  const { answer, send, came } = await initialised(gateway);
  const refused = { payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }] };
  expect(await answer('1', WATCH)).toMatchObject({ type: 'error', ...refused });
  expect(await (await streamed(gateway, WATCH)).text()).toContain('PERSISTED_QUERY_NOT_IN_LIST');
  // By its id alone: the protocol demands a text, which is empty then.
  const byId = (id: string, sha256Hash?: string) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    send({ type: 'subscribe', id, payload: { query: '', operationName: '', extensions } });
  };
  byId('2', manifest.operations.find(({ name }) => name === 'FarmChanges')?.id);
  await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
  byId('3', '0'.repeat(64));
  expect(await until(() => came.find(({ id }) => id === '3'))).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
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

  test('headers or connection_init carry them, and rights are those of other requests', async () => {
    const gateway = await start(env);
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

  test('a token that expires ends its subscriptions, and does no more on its socket', async () => {
    const gateway = await start({ ...env, LOG_LEVEL: 'info' });
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
});

test('an event stream that its client leaves has one line in the log, and the reading of the feed is not its own', async () => {
  const gateway = await start({ LOG_LEVEL: 'debug' });
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

describe('a change that cannot be executed', () => {
  let fresh: FreshDatabase;
  let sql: Client;
  beforeEach(async () => {
    fresh = await freshDatabase('server');
    sql = new Client({ connectionString: fresh.url });
    await sql.connect();
  });
  afterEach(async () => {
    await sql.end();
    await fresh.drop();
  });
  const JOBS = 'subscription Jobs { changes { ... on PrinterChanged { printer { name jobs { nodes { id } } } } } }';
  const printer = (name: string) => sql.query(`insert into printers (id, name) values (gen_random_uuid(), '${name}')`);

  test('comes with a masked error, which the log has, and the next ones come', async () => {
    const gateway = await start({ LOG_LEVEL: 'info', DATABASE_URL: fresh.url });
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

  test('in time ends its subscriptions after a few tries, and the log says why', async () => {
    const gateway = await start({ LOG_LEVEL: 'info', DATABASE_URL: fresh.url, REQUEST_TIMEOUT_MS: '2250' });
    const { answer } = await initialised(gateway);
    const stream = await streamed(gateway, JOBS);
    const ended = answer('1', JOBS);
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 2);
    const other = await streamed(gateway, 'subscription { changes { cursor } }');
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 3);
    await sql.query('alter table printers rename to hidden');
    await sql.query(`create view printers as
      select hidden.* from hidden, lateral (select pg_sleep(60) where hidden.id is not null offset 0) slow`);
    await sql.query(`insert into hidden (id, name) values (gen_random_uuid(), 'slow')`);
    const message = 'The answer of one change was not ready in time, at 3 tries: select fewer fields or rows';
    const failure = [{ message, extensions: { code: 'BAD_USER_INPUT' } }];
    expect(await ended).toMatchObject({ type: 'error', payload: failure });
    expect(await stream.text()).toContain(message);
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
    const lines = (await logUntilNow(gateway)).filter(({ msg }) => msg === 'subscriptions failed');
    expect(lines.map(({ level, err }) => [level, err.message])).toEqual([
      [50, expect.stringMatching(/^Jobs was not executed in time for /)],
    ]);
    await other.body?.cancel();
  });

  test('because the feed cannot be read ends all subscriptions, and the log says why once', async () => {
    const gateway = await start({ LOG_LEVEL: 'info', DATABASE_URL: fresh.url });
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
  });
});

describe('slow readers', () => {
  let fresh: FreshDatabase;
  let sql: Client;
  const raw: Socket[] = [];
  beforeEach(async () => {
    fresh = await freshDatabase('server');
    sql = new Client({ connectionString: fresh.url });
    await sql.connect();
  });
  afterEach(async () => {
    for (const socket of raw.splice(0)) socket.destroy();
    await sql.end();
    await fresh.drop();
  });

  const QUERY =
    'subscription { changes { cursor ... on PrintJobChanged { job { notes } } ... on CameraChanged { camera { friendlyName } } } }';
  const write = (count: number) =>
    sql.query(
      `insert into cameras (camera_id, friendly_name) select gen_random_uuid(), repeat('x', 5000) from generate_series(1, ${count})`,
    );

  /** An event stream that is not read. */
  function stuck({ url }: RunningGateway): Socket {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    raw.push(socket);
    socket.on('error', () => {});
    askForStream(socket);
    socket.pause();
    return socket;
  }

  function askForStream(socket: Socket): void {
    const body = JSON.stringify({ query: QUERY });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  test('that pipeline event streams have one of them, which ends with the connection', async () => {
    const gateway = await start({ DATABASE_URL: fresh.url });
    const socket = stuck(gateway);
    for (let n = 0; n < 20; n += 1) askForStream(socket);
    const open = () => metric(gateway, 'graphql_subscriptions');
    await until(async () => (await open()) > 0);
    await ask(gateway, '/graphql', { query: '{ cameras { totalCount } }' });
    expect(await open()).toBe(1);
    socket.destroy();
    await until(async () => (await open()) === 0);
  });

  test('are ended with SLOW_CONSUMER and their last cursor, and others get all', async () => {
    const gateway = await start({ DATABASE_URL: fresh.url });
    const quick = await initialised(gateway);
    quick.send({ type: 'subscribe', id: '1', payload: { query: QUERY } });
    const slow = Array.from({ length: 20 }, () => stuck(gateway));
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 21);
    let written = 0;
    while ((await metric(gateway, 'graphql_subscriptions')) > 1 && written < 20_000) {
      await write(200);
      written += 200;
      await until(() => quick.came.length > written);
    }
    expect(written).toBeLessThan(20_000);
    const [one] = slow as [Socket];
    let text = '';
    one.on('data', (data) => {
      text += data;
    });
    one.resume();
    await until(() => text.includes('event: complete'));
    const events = [...text.matchAll(/data: (\{.*\})\n/g)].map(([, json]) => JSON.parse(json as string));
    const last = events.at(-1);
    expect(last.errors).toMatchObject([
      { extensions: { code: 'SLOW_CONSUMER', cursor: events.at(-2).data.changes.cursor } },
    ]);
    expect(quick.came.filter(({ type }) => type === 'next').length).toBe(written);
  });

  test('may complete or leave while they are told so, and keep their other subscriptions', async () => {
    const gateway = await start({ DATABASE_URL: fresh.url });
    const [one, two] = [await initialised(gateway), await initialised(gateway)];
    for (const { send, socket } of [one, two]) {
      send({ type: 'subscribe', id: 'heavy', payload: { query: QUERY } });
      const query = 'subscription { changes(filter: { types: [MATERIAL] }) { __typename } }';
      send({ type: 'subscribe', id: 'rare', payload: { query } });
      await until(async () => (await metric(gateway, 'graphql_subscriptions')) % 2 === 0);
      socket.pause();
    }
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 4);
    while ((await metric(gateway, 'graphql_subscriptions')) > 2) await write(200);
    one.send({ type: 'complete', id: 'heavy' });
    two.socket.terminate();
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
    one.socket.resume();
    const error = await until(() => one.came.find(({ type }) => type === 'error'));
    expect(error).toMatchObject({ id: 'heavy', payload: [{ extensions: { code: 'SLOW_CONSUMER' } }] });
    await sql.query(`insert into materials (id, name, density_g_per_cm3) values (gen_random_uuid(), 'rare', 1)`);
    await until(() => one.came.some(({ id }) => id === 'rare'));
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  test('a burst of more than a megabyte reaches a client that reads', async () => {
    const gateway = await start({ DATABASE_URL: fresh.url });
    const { came, send } = await initialised(gateway);
    send({ type: 'subscribe', id: '1', payload: { query: QUERY } });
    await until(async () => (await metric(gateway, 'graphql_subscriptions')) === 1);
    await write(2000);
    await until(
      () => came.length > 2000,
      () => JSON.stringify(came.at(-1)).slice(0, 500),
    );
    const cursors = came.filter(({ type }) => type === 'next').map(({ payload }) => payload.data.changes.cursor);
    expect(new Set(cursors).size).toBe(2000);
  });
});

test('a client that does not answer the close keeps the gateway no longer than requests do', async () => {
  const gateway = await start({ SHUTDOWN_TIMEOUT_MS: '500' });
  const { socket } = await initialised(gateway);
  socket.pause();
  expect(await gateway.stop('SIGTERM')).toBe(0);
});

test('refused operations of a socket have a line in the log and a figure, and so has a refused connection', async () => {
  const gateway = await start({ LOG_LEVEL: 'info', PERSISTED_ONLY: 'true', API_KEYS: `reader:read:${hash('r')}` });
  const { answer } = await initialised(gateway, { 'x-api-key': 'r' });
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
      {
        'x-api-key': 'r',
      },
    );
  expect([await figure(403), await figure(401)]).toEqual([1, 2]);
  const lines = (await logUntilNow(gateway)).filter(({ method, status }) => method === 'WEBSOCKET' && status !== 200);
  expect(lines.map(({ caller, status, codes }) => [caller, status, codes])).toEqual([
    ['key reader', 403, ['PERSISTED_QUERY_NOT_IN_LIST']],
    [undefined, 401, ['UNAUTHENTICATED']],
    [undefined, 401, ['UNAUTHENTICATED']],
  ]);
});

test('each operation of a socket has a line in the log', async () => {
  const { answer } = await initialised(shared);
  await answer('1', 'query Totals { cameras { totalCount } }');
  await until(() => shared.output.includes('"operation":"Totals"'));
  const line = shared.output.split('\n').find((text) => text.includes('"operation":"Totals"')) as string;
  expect(await lineOf(shared, JSON.parse(line).requestId)).toMatchObject({
    method: 'WEBSOCKET',
    route: '/graphql',
    status: 200,
  });
});

test('a silent socket is closed, and one that answers no ping', async () => {
  expect(await left.closed).toEqual([4408, 1006]);
  expect(left.alive.readyState).toBe(WebSocket.OPEN);
});
