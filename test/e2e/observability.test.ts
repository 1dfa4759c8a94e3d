// What an operator sees of a running gateway: the lines of its log, its metrics, and its traces at a collector.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { lineOf, logUntilNow } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

// biome-ignore lint/suspicious/noExplicitAny: what a line or a span looks like is what the tests find out
type Parsed = any;

const SECRET = 'not-for-the-log';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const spans: Parsed[] = [];
let collector: Server;
let fresh: FreshDatabase;
let gateway: RunningGateway;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    for (const { resource, scopeSpans } of JSON.parse(String(Buffer.concat(chunks))).resourceSpans) {
      spans.push(...scopeSpans.flatMap((scope: Parsed) => scope.spans.map((span: Parsed) => ({ ...span, resource }))));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  fresh = await freshDatabase('server');
  gateway = await runGateway({
    DATABASE_URL: fresh.url,
    LOG_LEVEL: 'trace',
    DEVICE_KEY: 'd1'.repeat(32),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});
afterAll(async () => {
  await gateway.stop();
  collector.close();
  await fresh.drop();
});

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(gateway.url + path, { ...init, headers: { 'x-api-key': SECRET, ...init.headers } });
  const text = await response.text();
  const requestId = response.headers.get('x-request-id');
  const line = await lineOf(gateway, requestId);
  return { status: response.status, text, line };
}

const graphql = (query: string, headers: Record<string, string> = {}) =>
  ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });

test('a line for each request: its route or operation, how it was answered, how long it took, and its statements', async () => {
  const registered = await ask('/cameras', {
    method: 'POST',
    body: JSON.stringify({ camera_id: 'a', friendly_name: SECRET }),
  });
  expect(registered.line).toMatchObject({
    level: 30,
    method: 'POST',
    route: '/cameras',
    status: 201,
    ms: expect.any(Number),
    sql: 2,
  });
  expect((await ask('/cameras/a')).line).toMatchObject({ route: '/cameras/:id', status: 200, sql: 2 });
  expect((await ask('/cameras/unknown')).line).toMatchObject({ route: '/cameras/:id', status: 404, sql: 1 });
  expect((await graphql('query Both { cameras { totalCount } printers { totalCount } }')).line).toMatchObject({
    method: 'POST',
    route: '/graphql',
    operation: 'Both',
    status: 200,
    sql: 2,
  });
  const refused = await graphql('mutation Again { registerCamera(input: { id: "a", friendlyName: "x" }) { id } }');
  expect(refused.line).toMatchObject({ operation: 'Again', codes: ['CONFLICT'], status: 200 });
  expect((await ask('/healthz')).line).toMatchObject({ level: 20, route: '/healthz' });
  expect((await ask('/nowhere')).line).toMatchObject({ route: 'unknown', status: 404 });
  // Neither headers nor bodies.
  expect(gateway.output).not.toContain(SECRET);
});

test('metrics of requests, operations, statements, the pool, the process and the farm', async () => {
  const query = `mutation {
    createPrinter(input: { name: "p" }) { id }
    createMaterial(input: { name: "m", densityGPerCm3: "1.24" }) { id }
    registerCamera(input: { id: "b", friendlyName: "b" }) { id }
    recordCameraStatuses(input: [
      { cameraId: "a", online: true }, { cameraId: "b", online: true, recordedAt: "2026-01-01T00:00:00Z" }
    ]) { id }
  }`;
  const made = JSON.parse((await graphql(query)).text).data;
  const spool = await graphql(
    `mutation { createSpool(input: { spoolSerial: "s", materialId: "${made.createMaterial.id}", weightTotalGrams: 1000, filamentDiameterMm: "1.75" }) { id } }`,
  );
  const job = {
    PrinterId: made.createPrinter.id,
    SpoolId: JSON.parse(spool.text).data.createSpool.id,
    PrintName: 'x',
    DataSource: 'Manual',
    GramsDerived: 12.5,
    CostPerPrint: 3.25,
  };
  for (const statuses of [['Printing', 'Completed'], ['Printing', 'Completed'], []]) {
    const { text } = await ask('/api/printjobs', { method: 'POST', body: JSON.stringify(job) });
    for (const Status of statuses) {
      const body = JSON.stringify({ Status });
      await ask(`/api/printjobs/${JSON.parse(text).Id}/status`, { method: 'PATCH', body });
    }
  }
  const response = await fetch(`${gateway.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  const today = new Date().toISOString().slice(0, 10);
  expect({
    created: value('http_request_duration_seconds_count{method="POST",route="/api/printjobs",status_code="201"}'),
    operations: value('graphql_operation_duration_seconds_count{operation="Both",type="query"}'),
    // A name gets figures of its own when it has succeeded once.
    conflicts: value('graphql_errors_total{operation="other",code="CONFLICT"}'),
    live: value('print_farm_cameras{state="live"}'),
    silent: value('print_farm_cameras{state="silent"}'),
    completed: value('print_farm_jobs{status="Completed"}'),
    queued: value('print_farm_jobs{status="Queued"}'),
    grams: value(`print_farm_filament_grams{day="${today}"}`),
    cost: value(`print_farm_cost{day="${today}"}`),
    up: value('database_up'),
    waiting: value('database_pool_waiting'),
  }).toEqual({
    ...{
      created: 3,
      operations: 1,
      conflicts: 1,
      live: 1,
      silent: 1,
      completed: 2,
      queued: 1,
      grams: 25,
      cost: 6.5,
      up: 1,
    },
    waiting: 0,
  });
  for (const name of ['database_pool_connections{state="idle"}', 'database_statement_duration_seconds_count']) {
    expect(value(name)).toBeGreaterThan(0);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
});

test('a trace goes on from its caller, and has a span for each statement', async () => {
  const { line } = await graphql('query Traced { cameras { totalCount } printers { totalCount } }', {
    traceparent: `00-${TRACE}-${PARENT}-01`,
  });
  expect(line.traceId).toBe(TRACE);
  const own = await until(() => {
    const found = spans.filter((span) => span.traceId === TRACE);
    return found.length === 3 && found;
  });
  const server = own.find((span) => span.parentSpanId === PARENT);
  expect(server).toMatchObject({ name: 'query Traced', kind: 2 });
  expect(JSON.stringify(server.attributes)).toContain('"http.route"');
  expect(JSON.stringify(server.resource)).toContain('print-farm-gateway');
  const statements = own.filter((span) => span.parentSpanId === server.spanId);
  expect(new Set(statements.map(({ name, kind }) => `${kind} ${name}`))).toEqual(
    new Set(['3 cameras.page', '3 Printer.aggregate']),
  );
});

test('the secret of a device is neither in the log nor in a trace', async () => {
  const made = await graphql('mutation { createPrinter(input: { name: "p" }) { id } }');
  const printerId = JSON.parse(made.text).data.createPrinter.id;
  const device = `kind: MOONRAKER, printerId: "${printerId}", secret: "${SECRET}"`;
  const mutations = [
    `testDevice(input: { ${device}, address: "127.0.0.1:1" }) { fault }`,
    `addDevice(input: { ${device}, address: "" }) { id }`,
    `addDevice(input: { ${device}, address: "127.0.0.1:1" }) { hasSecret }`,
    `addDevice(input: { ${device}, address: "127.0.0.1:1" }) { hasSecret }`,
  ];
  const answers = [];
  for (const mutation of mutations)
    answers.push(await graphql(`mutation { ${mutation} }`, { 'idempotency-key': `${mutation.length}x` }));
  await onServer(fresh.url, 'alter table devices add constraint nothing check (length(address) = 0) not valid');
  answers.push(await graphql(`mutation { updateDevice(id: "${printerId}", input: { secret: "${SECRET}" }) { id } }`));
  const [{ id }] = (await onServer(fresh.url, 'select id from devices')) as [{ id: string }];
  answers.push(await graphql(`mutation { updateDevice(id: "${id}", input: { secret: "${SECRET}" }) { id } }`));
  expect(answers.map(({ text }) => /"code":"(\w+)"|"fault":"(\w+)"|"hasSecret":true/.exec(text)?.[0])).toEqual([
    '"fault":"NOT_REACHABLE"',
    '"code":"BAD_USER_INPUT"',
    '"hasSecret":true',
    '"hasSecret":true',
    '"code":"NOT_FOUND"',
    '"code":"INTERNAL_SERVER_ERROR"',
  ]);
  await logUntilNow(gateway);
  const { traceId } = (answers.at(-1) as { line: Parsed }).line;
  await until(() => spans.some((span) => span.traceId === traceId));
  expect(gateway.output + JSON.stringify(spans) + JSON.stringify(answers)).not.toContain(SECRET);
});

test("a constraint of the operator's own is named in the log, without the row that it refused", async () => {
  await onServer(fresh.url, 'alter table cameras add constraint short_names check (length(friendly_name) < 20)');
  const friendly_name = 'a name of more than 20 letters';
  const refused = await ask('/cameras', {
    method: 'POST',
    body: JSON.stringify({ camera_id: 'refused', friendly_name }),
  });
  expect(refused.status).toBe(500);
  const failure = (await logUntilNow(gateway)).find(
    ({ msg, requestId }) => msg === 'a request failed' && requestId === refused.line.requestId,
  );
  expect(failure.err.message).toContain('short_names');
  expect(gateway.output).not.toContain(friendly_name);
  const traced = () => spans.filter(({ traceId }) => traceId === refused.line.traceId);
  await until(() => traced().length > 1);
  expect(JSON.stringify(traced())).not.toContain(friendly_name);
});

describe('a preflight of a page of another origin', () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-client' };
  const preflight = (origin: string, headers: Record<string, string> = asked) =>
    fetch(`${gateway.url}/graphql`, { method: 'OPTIONS', headers: { origin, ...headers } });
  const warnings = async () =>
    (await logUntilNow(gateway)).filter(({ level, msg }) => level === 40 && msg.includes('CORS_ORIGINS'));

  test('is answered as it was, and is logged once with what it asked for', async () => {
    for (const origin of ['http://localhost:5173', 'http://localhost:5173', 'https://elsewhere.example']) {
      const answer = await preflight(origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    }
    await preflight('https://no-preflight.example', {});
    expect((await warnings()).map(({ origin, method, headers }) => [origin, method, headers])).toEqual([
      ['http://localhost:5173', 'POST', 'x-client'],
      ['https://elsewhere.example', 'POST', 'x-client'],
    ]);
  });

  test('fills neither the log nor the memory, whatever origins clients invent', async () => {
    for (let n = 0; n < 30; n += 1) await preflight(`https://${n}.${'x'.repeat(1000)}.example`);
    const told = await warnings();
    expect(told).toHaveLength(20);
    for (const { origin } of told) expect(origin.length).toBeLessThanOrEqual(200);
  });
});
