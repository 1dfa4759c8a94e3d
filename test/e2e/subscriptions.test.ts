// Subscriptions of a running gateway on the wire: both protocols, foreign pages, slow readers, and the ends of connections.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { ask } from '../support/asking';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { PROTOCOL } from '../support/graph-socket';
import { lineOf } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { initialised, metric, open, record, sockets, streamed, WATCH } from '../support/subscribing';
import { until } from '../support/waiting';
import { connectTo, type Transport } from '../support/watching';

/** A million jobs in one answer. */
const TOO_MANY_JOBS = 'jobs(first: 1000) { nodes { printer { jobs(first: 1000) { nodes { id } } } } }';

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

describe('with narrow bounds', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway({ BODY_LIMIT_BYTES: '2048', SHUTDOWN_TIMEOUT_MS: '500' });
  });
  afterAll(() => gateway?.stop('SIGKILL'));

  test('a socket without the protocol, with a message that is too large or no message, or not initialised is closed', async () => {
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

  // The last test with this gateway.
  test('a client that does not answer the close keeps the gateway no longer than requests do', async () => {
    const { socket } = await initialised(gateway);
    socket.pause();
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});

describe('slow readers', () => {
  let fresh: FreshDatabase;
  let sql: Client;
  let gateway: RunningGateway;
  const raw: Socket[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    sql = new Client({ connectionString: fresh.url });
    await sql.connect();
    gateway = await runGateway({ DATABASE_URL: fresh.url });
  });
  beforeEach(() => until(async () => (await metric(gateway, 'graphql_subscriptions')) === 0));
  afterEach(() => {
    for (const socket of raw.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
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
