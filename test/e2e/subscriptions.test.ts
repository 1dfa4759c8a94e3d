// Subscriptions of a running gateway: both protocols on the wire, how many there may be, credentials, the manifest, their lines in
// the log, slow readers, and the ends of connections.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import manifest from '../../src/generated/persisted-operations.json';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { PROTOCOL } from '../support/graph-socket';
import { listenInProcess } from '../support/listening-gateway';
import { readLogUntilNow, waitForLogLine } from '../support/log';
import { ask } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import {
  open,
  openInitialised,
  openStream,
  readMetric,
  registerCamera,
  sockets,
  start,
  WATCH,
} from '../support/subscriptions';
import { atLeast, inTime, is, until } from '../support/waiting';
import { connectTo, type Transport } from '../support/watching-client';

let fresh: FreshDatabase;
let sql: Client;
let gateway: RunningGateway;
/** Sockets that are left alone for two heartbeats, 24 s, in which the other tests run. */
let left: { closed: () => Promise<number[]>; alive: WebSocket };
beforeAll(async () => {
  fresh = await freshDatabase('server');
  sql = new Client({ connectionString: fresh.url });
  await sql.connect();
  const env = {
    CORS_ORIGINS: 'https://farm.example',
    LOG_LEVEL: 'debug',
    SHUTDOWN_TIMEOUT_MS: '1000',
    MAX_SUBSCRIPTIONS: '4',
  };
  gateway = await runGateway({ DATABASE_URL: fresh.url, ...env });
  const silent = await open(gateway);
  const dead = await openInitialised(gateway, undefined, { autoPong: false });
  const { socket: alive } = await openInitialised(gateway);
  // They outlive the first test.
  sockets.splice(0);
  left = { closed: () => Promise.all([silent, dead].map(async ({ closed }) => (await closed())[0])), alive };
});
afterAll(async () => {
  left.alive.terminate();
  await gateway.stop('SIGKILL');
  await sql.end();
  await fresh.drop();
});

const watched = (count: number, its = gateway) =>
  until(`the gateway has ${count} subscriptions`, () => readMetric(its, 'graphql_subscriptions'), is(count));
beforeEach(() => watched(0));
/** A subscription is counted before it has read its start position: one that must get the next change starts here. */
const latestCursor = async (): Promise<string> =>
  (await ask(gateway, '/graphql', { query: '{ latestChangeCursor }' })).body.data.latestChangeCursor;

const CHANGES = 'subscription { changes { cursor } }';
/** A million jobs in one answer. */
const TOO_MANY_JOBS = 'jobs(first: 1000) { nodes { printer { jobs(first: 1000) { nodes { id } } } } }';

test.each(['WebSocket', 'event stream'] as Transport[])(
  '%s: queries, mutations and subscriptions',
  async (transport) => {
    const only = async (query: string, variables = {}) => {
      const results: Parsed[] = [];
      for await (const result of connectTo(gateway.url, transport, query, variables).results) results.push(result);
      return results;
    };
    expect(await only('{ spools { totalCount } }')).toEqual([{ data: { spools: { totalCount: 0 } } }]);
    const made = 'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "c" }) { id } }';
    expect(await only(made, { id: transport })).toEqual([{ data: { registerCamera: { id: transport } } }]);
    const conflict = { errors: [{ extensions: { code: 'CONFLICT' }, path: ['registerCamera'] }], data: null };
    expect(await only(made, { id: transport })).toMatchObject([conflict]);
    const watching = connectTo(gateway.url, transport, WATCH, { after: await latestCursor() });
    const next = watching.results.next();
    await registerCamera(gateway);
    expect((await inTime('the change comes', next)).value.data.changes).toEqual({
      __typename: 'CameraChanged',
      cursor: expect.any(String),
    });
    watching.cut();
    const foreign = Buffer.from(JSON.stringify(['changes', 'another0', '99999999', '1'])).toString('base64url');
    for (const [query, code] of [
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription {', 'GRAPHQL_PARSE_FAILED'],
      ['subscription { changes(after: "x") { cursor } }', 'BAD_USER_INPUT'],
      [`subscription { changes { ... on PrinterChanged { printer { ${TOO_MANY_JOBS} } } } }`, 'BAD_USER_INPUT'],
      [`subscription { changes(after: "${foreign}") { cursor } }`, 'CURSOR_EXPIRED'],
    ] as const) {
      const outcome = await only(query).catch((error) => error);
      expect(JSON.stringify(outcome)).toContain(`"code":"${code}"`);
    }
  },
);

test('without a stream a subscription is refused with what it needs; a GET can stream too, and never writes', async () => {
  const { body } = await ask(gateway, '/graphql', { query: 'subscription { changes { cursor } }' });
  const errors = [{ message: expect.stringContaining('text/event-stream'), extensions: { code: 'BAD_REQUEST' } }];
  expect(body).toMatchObject({ errors });
  const get = await openStream(gateway, '{ spools { totalCount } }', {}, 'GET');
  expect(get.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await get.text()).toBe(
    'event: next\ndata: {"data":{"spools":{"totalCount":0}}}\n\nevent: complete\ndata:\n\n',
  );
  const write = 'mutation { registerCamera(input: { id: "by GET", friendlyName: "c" }) { id } }';
  expect(await (await openStream(gateway, write, {}, 'GET')).text()).toContain('"code":"BAD_REQUEST"');
  expect(await ask(gateway, '/cameras/by%20GET')).toMatchObject({ status: 404 });

  const deliveries = await readMetric(gateway, 'graphql_deliveries_total');
  const behind = `subscription { changes(after: "${await latestCursor()}") { __typename } }`;
  const stream = await openStream(gateway, behind, {}, 'GET');
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => Buffer.from((await inTime('the stream goes on', reader.read())).value ?? []).toString();
  expect(await read()).toBe(':\n\n');
  await watched(1);
  await registerCamera(gateway);
  expect(await read()).toBe('event: next\ndata: {"data":{"changes":{"__typename":"CameraChanged"}}}\n\n');
  expect(await readMetric(gateway, 'graphql_deliveries_total')).toBe(deliveries + 1);
  await reader.cancel();
});

test('pages of other sites cannot watch', async () => {
  const upgrade = async (origin: string) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, PROTOCOL, { origin });
    sockets.push(socket);
    const answer = Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => response.statusCode),
    ]);
    return inTime(`a WebSocket of a page of ${origin} is answered`, answer);
  };
  const origins = ['https://evil.example', 'null', 'https://farm.example', gateway.url];
  expect(await Promise.all(origins.map(upgrade))).toEqual([403, 403, 101, 101]);
  expect((await openStream(gateway, WATCH, { origin: 'https://evil.example' }, 'GET')).status).toBe(400);
  expect((await openStream(gateway, WATCH, { origin: 'https://evil.example' })).status).toBe(403);
});

test('a socket is closed if it lacks the protocol, sends a message that is too large or invalid, or is not initialised', async () => {
  const large = await openInitialised(gateway);
  large.send({ type: 'ping', payload: 'x'.repeat(1_048_577) });
  expect((await large.closed())[0]).toBe(1009);
  const broken = await openInitialised(gateway);
  broken.socket.send('{');
  expect((await broken.closed())[0]).toBe(4400);
  const early = await open(gateway);
  early.send({ type: 'subscribe', id: '1', payload: { query: '{ cameras { totalCount } }' } });
  expect((await early.closed())[0]).toBe(4401);
  const other = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-ws');
  sockets.push(other);
  const [error] = await inTime('the socket fails', once(other, 'error'));
  expect(String(error)).toContain('subprotocol');
});

describe('slow readers', () => {
  const query =
    'subscription ($after: String) { changes(after: $after) { cursor ... on CameraChanged { camera { friendlyName } } } }';
  const body = JSON.stringify({ query });
  const head = 'Host: 127.0.0.1\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n';
  const asked = `POST /graphql HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;

  /** Event streams that are not read. */
  function stuck(streams = 1): Socket {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(asked.repeat(streams));
    return socket.pause();
  }

  /**
   * Changes of 20 kB, until no more than so many subscriptions are left. The gateway waits 5 s for readers whose buffers are full:
   * those of both kernels take 10 MB, and where they take more the changes go on.
   */
  async function writeUntil(left: number, written: (count: number) => unknown = () => {}): Promise<number> {
    let count = 0;
    while ((await readMetric(gateway, 'graphql_subscriptions')) > left) {
      expect(count).toBeLessThan(20_000);
      await sql.query(`insert into cameras (camera_id, friendly_name)
        select gen_random_uuid(), repeat('x', 20000) from generate_series(1, 100)`);
      count += 100;
      await written(count);
      if (count >= 600) await setTimeout(500);
    }
    return count;
  }

  test('that pipeline event streams have one of them, which ends with the connection', async () => {
    const socket = stuck(20);
    await watched(1);
    await ask(gateway, '/graphql', { query: '{ cameras { totalCount } }' });
    expect(await readMetric(gateway, 'graphql_subscriptions')).toBe(1);
    socket.destroy();
  });

  test('are ended with SLOW_CONSUMER and their last cursor, and others get everything', async () => {
    const quick = await openInitialised(gateway);
    quick.send({ type: 'subscribe', id: '1', payload: { query, variables: { after: await latestCursor() } } });
    const slow = [stuck(), stuck()];
    await watched(3);
    const written = await writeUntil(1, (count) =>
      until(`the quick reader has ${count} changes`, () => quick.came, atLeast(count + 1)),
    );
    const [one] = slow as [Socket, Socket];
    let text = '';
    one.on('data', (data) => (text += data)).resume();
    await until(
      'the slow stream is complete',
      () => text,
      (seen) => seen.includes('event: complete'),
    );
    const events = [...text.matchAll(/data: (\{.*\})\n/g)].map(([, json]) => JSON.parse(json as string));
    const { cursor } = events.at(-2).data.changes;
    expect(events.at(-1).errors).toMatchObject([{ extensions: { code: 'SLOW_CONSUMER', cursor } }]);
    expect(quick.came.filter(({ type }) => type === 'next').length).toBe(written);
    for (const socket of slow) socket.destroy();
  });

  test('on a socket may complete or leave while they receive it, and keep their other subscriptions', async () => {
    const [one, two] = [await openInitialised(gateway), await openInitialised(gateway)];
    const rare = 'subscription { changes(filter: { types: [MATERIAL] }) { __typename } }';
    for (const [at, { send, socket }] of [one, two].entries()) {
      send({ type: 'subscribe', id: 'heavy', payload: { query } });
      send({ type: 'subscribe', id: 'rare', payload: { query: rare } });
      await watched(2 * (at + 1));
      socket.pause();
    }
    await writeUntil(2);
    one.send({ type: 'complete', id: 'heavy' });
    two.socket.terminate();
    await watched(1);
    one.socket.resume();
    const error = await until(
      'the slow reader receives its error',
      () => one.came,
      (came) => came.find(({ type }) => type === 'error'),
    );
    expect(error).toMatchObject({ id: 'heavy', payload: [{ extensions: { code: 'SLOW_CONSUMER' } }] });
    await sql.query(`insert into materials (id, name, density_g_per_cm3) values (gen_random_uuid(), 'rare', 1)`);
    await until(
      'the other subscription has its change',
      () => one.came,
      (came) => came.some(({ id }) => id === 'rare'),
    );
    expect(await ask(gateway, '/healthz')).toMatchObject({ status: 200 });
  });
});

test('an unreadable feed ends all subscriptions with a masked error, is logged once, and then continues', async () => {
  const { answer } = await openInitialised(gateway);
  const stream = await openStream(gateway, CHANGES);
  const ended = answer('1', WATCH);
  await watched(2);
  await sql.query('alter table changes rename to hidden');
  const told = JSON.stringify(await ended) + (await inTime('the stream ends', stream.text()));
  await sql.query('alter table hidden rename to changes');
  expect(told.match(/"The gateway could not complete the request\./g)).toHaveLength(2);
  expect(told).not.toMatch(/relation|does not exist/);
  const lines = (await readLogUntilNow(gateway)).filter(({ msg }) => msg === 'Subscriptions failed.');
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines[0]?.err)).toContain('changes');
  const again = await openInitialised(gateway);
  const next = again.answer('1', WATCH, { after: await latestCursor() });
  await watched(1);
  await registerCamera(gateway);
  expect(await next).toMatchObject({ type: 'next' });
});

test('a change that cannot be executed is sent as a masked error and logged, and the next changes follow', async () => {
  const jobs =
    'subscription Jobs ($after: String) { changes(after: $after) { ... on PrinterChanged { printer { name jobs { nodes { id } } } } } }';
  const printer = (name: string) => sql.query(`insert into printers (id, name) values (gen_random_uuid(), '${name}')`);
  const { came, send } = await openInitialised(gateway);
  send({ type: 'subscribe', id: '1', payload: { query: jobs, variables: { after: await latestCursor() } } });
  await watched(1);
  await sql.query('alter table print_jobs rename to hidden');
  await printer('one');
  const failed = await until(
    'the failing change has arrived',
    () => came,
    (all) => all.find(({ type }) => type === 'next'),
  );
  const errors = [
    {
      message: expect.stringContaining('could not complete the request'),
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ];
  expect(failed.payload).toMatchObject({ errors });
  expect(JSON.stringify(failed)).not.toContain('print_jobs');
  await sql.query('alter table hidden rename to print_jobs');
  await printer('two');
  const next = await until(
    'the next change has arrived',
    () => came,
    (all) => all.filter(({ type }) => type === 'next')[1],
  );
  expect(next.payload).toEqual({ data: { changes: { printer: { name: 'two', jobs: { nodes: [] } } } } });
  const lines = (await readLogUntilNow(gateway)).filter(({ msg }) => msg === 'an operation failed');
  expect(JSON.stringify(lines)).toContain('print_jobs');
});

const COUNT = '{ cameras { totalCount } }';

test('one connection may have a limited number of operations; those that a client left have a line in the log', async () => {
  const { answer, send, came } = await openInitialised(gateway);
  const variables = { after: await latestCursor() };
  const watch = (id: string, type: string) => {
    const query = `subscription ($after: String) { changes(after: $after, filter: { types: [${type}] }) { cursor } }`;
    send({ type: 'subscribe', id, payload: { query, variables } });
  };
  // The same operation counts once, however many watchers it has.
  for (const id of ['1', '2', '3']) watch(id, 'CAMERA');
  watch('4', 'SPOOL');
  await watched(4);
  const message = 'One connection may run 4 operations at a time. Complete one first.';
  const tooMany = { type: 'error', payload: [{ message, extensions: { code: 'TOO_MANY_REQUESTS' } }] };
  expect(await answer('5', CHANGES)).toMatchObject(tooMany);
  send({ type: 'complete', id: '1' });
  await watched(3);
  expect(await answer('7', `query Totals ${COUNT}`)).toMatchObject({ type: 'next' });
  await registerCamera(gateway);
  await until(
    'subscription 2 has its change',
    () => came,
    (all) => all.some(({ id, type }) => id === '2' && type === 'next'),
  );
  expect(came.filter(({ id }) => id === '1')).toEqual([]);
  send({ type: 'complete', id: '4' });
  await watched(2);

  const stream = await openStream(gateway, 'subscription Left { changes { cursor } }');
  const statements = () => readMetric(gateway, 'database_statement_duration_seconds_count');
  const before = await statements();
  // The reader polls while the client watches, and not for the client. Each reading of the metrics has statements too.
  await until(`the database had 20 statements more than ${before}`, statements, atLeast(before + 21));
  await stream.body?.cancel();
  const line = await waitForLogLine(gateway, stream.headers.get('x-request-id'));
  expect(line).toMatchObject({ method: 'POST', route: '/graphql', operation: 'Left', status: 200, sql: 0 });
  expect(line.openMs).toBeGreaterThan(line.ms);
  const totals = (await readLogUntilNow(gateway)).filter(({ operation }) => operation === 'Totals');
  expect(totals).toMatchObject([{ method: 'WEBSOCKET', route: '/graphql', status: 200 }]);
});

test('if only operations of the manifest are allowed, others are refused', async () => {
  const own = await listenInProcess({ PERSISTED_ONLY: 'true' });
  const { answer, send, came } = await openInitialised(own);
  const refused = { type: 'error', payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }] };
  expect(await answer('1', WATCH)).toMatchObject(refused);
  expect(await (await openStream(own, WATCH)).text()).toContain('PERSISTED_QUERY_NOT_IN_LIST');
  // By its hash alone: the protocol requires a text, which is empty then.
  const byId = (id: string, sha256Hash?: string) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    send({ type: 'subscribe', id, payload: { query: '', operationName: '', extensions } });
  };
  byId('2', manifest.operations.find((operation) => operation.name === 'FarmChanges')?.id);
  await until('the gateway has the subscription', () => readMetric(own, 'graphql_subscriptions'), is(1));
  byId('3', '0'.repeat(64));
  const unknown = await until(
    'operation 3 is answered',
    () => came,
    (all) => all.find(({ id }) => id === '3'),
  );
  expect(unknown).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] });
  await own.stop();
});

test('headers or connection_init have credentials, with the usual scopes, until a token expires; refusals are logged', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [reader, writer] = [generateApiKey('reader', 'read'), generateApiKey('writer', 'write')];
  const own = await start({
    API_KEYS: `${reader.entry},${writer.entry}`,
    JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    LOG_LEVEL: 'info',
  });
  const token = (seconds: number) =>
    new SignJWT({ sub: 'somebody', scope: 'read' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime(Math.ceil(Date.now() / 1000) + seconds)
      .sign(privateKey);
  expect(own.output).toContain('also accepts tokens that the identity provider issued for other services');
  // The first operation of a process takes longest.
  const warm = await openInitialised(own, { 'x-api-key': reader.key });
  await warm.answer('1', COUNT);

  const credentials = { authorization: `Bearer ${await token(8)}` };
  const { answer, came, send } = await openInitialised(own, credentials);
  const stream = await openStream(own, 'subscription Expiring { changes { cursor } }', credentials);
  send({ type: 'subscribe', id: '1', payload: { query: CHANGES } });
  expect(await answer('2', COUNT)).toMatchObject({ type: 'next' });
  const expired = await until(
    'the subscription has ended',
    () => came,
    (all) => all.find(({ id }) => id === '1'),
  );
  expect(expired).toMatchObject({
    type: 'error',
    payload: [
      { message: 'The token has expired. Connect again with a new token', extensions: { code: 'UNAUTHENTICATED' } },
    ],
  });
  expect(await inTime('the stream ends', stream.text())).toMatch(
    /"code":"UNAUTHENTICATED"[\s\S]*event: complete\ndata:\n\n$/,
  );
  expect(await answer('3', COUNT)).toMatchObject({ payload: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  const line = await waitForLogLine(own, stream.headers.get('x-request-id'));
  expect(line).toMatchObject({ operation: 'Expiring', status: 200, codes: ['UNAUTHENTICATED'] });
  // The latency of the answers has the time until the stream began, and not its lifetime.
  const figure = 'http_request_duration_seconds_sum{method="POST",route="/graphql",status_code="200"}';
  expect(await readMetric(own, figure, { 'x-api-key': reader.key })).toBeCloseTo(line.ms / 1000, 4);

  for (const [payload, headers, outcome] of [
    [{ authorization: `Bearer ${reader.key}` }, {}, 'next'],
    [{ Authorization: `Bearer ${await token(300)}` }, {}, 'next'],
    [{ 'X-API-Key': reader.key }, {}, 'next'],
    [undefined, { 'x-api-key': reader.key }, 'next'],
    [undefined, {}, 'UNAUTHENTICATED'],
    [{ 'x-api-key': writer.key }, {}, 'FORBIDDEN'],
  ] as const) {
    const asking = await openInitialised(own, payload, { headers });
    asking.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { changes { __typename } }' } });
    const first = until(
      'the subscription is answered',
      () => asking.came,
      (all) => all.find(({ id }) => id === '1'),
    );
    const change = setInterval(() => registerCamera(own, { 'x-api-key': writer.key }), 100);
    const { type, payload: came } = await first.finally(() => clearInterval(change));
    const [error] = type === 'error' ? came : (came.errors ?? []);
    expect([payload, headers, error?.extensions.code ?? type]).toEqual([payload, headers, outcome]);
    asking.socket.terminate();
  }
  const wrong = await open(own);
  wrong.send({ type: 'connection_init', payload: { 'x-api-key': 'x' } });
  expect(String(await wrong.closed())).toMatch(/^4403,.*credentials/);
  await (await openInitialised(own, { 'x-api-key': writer.key })).answer('1', COUNT);
  const refused = (await readLogUntilNow(own)).filter(
    ({ method, codes }) => method === 'WEBSOCKET' && codes !== undefined,
  );
  expect(refused.map(({ caller, status, codes }) => [caller, status, codes])).toEqual(
    expect.arrayContaining([
      ['token somebody', 401, ['UNAUTHENTICATED']],
      [undefined, 401, ['UNAUTHENTICATED']],
      ['key writer', 200, ['FORBIDDEN']],
    ]),
  );
  const name = 'http_request_duration_seconds_count{method="WEBSOCKET",route="/graphql",status_code=';
  const count = (status: number) => readMetric(own, `${name}"${status}"}`, { 'x-api-key': reader.key });
  expect(await count(401)).toBe(3);
  expect(await (await openStream(own, CHANGES, {})).text()).toContain('UNAUTHENTICATED');
  expect(await (await openStream(own, CHANGES, { 'x-api-key': writer.key })).text()).toContain('FORBIDDEN');
});

test('a silent socket is closed, and so is one that answers no ping', async () => {
  expect(await left.closed()).toEqual([4408, 1006]);
  expect(left.alive.readyState).toBe(WebSocket.OPEN);
});

test('a stop closes sockets with 1001 and ends streams without complete; a client that does not answer does not delay it', async () => {
  const stream = await openStream(gateway, WATCH);
  const [answering, silent] = [await openInitialised(gateway), await openInitialised(gateway)];
  silent.socket.pause();
  await watched(1);
  expect(await gateway.stop('SIGTERM')).toBe(0);
  expect(String(await answering.closed())).toBe('1001,The gateway stops');
  expect(await inTime('the stream ends', stream.text())).not.toContain('complete');
});
