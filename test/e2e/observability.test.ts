// What an operator sees of a running gateway: its log, its metrics, and its traces at a collector.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { readLogUntilNow, waitForLogLine } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { atLeast, until } from '../support/waiting';

const SECRET = 'not-for-the-log';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const spans: Parsed[] = [];
let collector: Server;
let fresh: FreshDatabase;
let gateway: RunningGateway;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse((await request.toArray()).join(''));
    for (const { resource, scopeSpans } of resourceSpans) {
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
  const line = await waitForLogLine(gateway, response.headers.get('x-request-id'));
  return { status: response.status, text, body: JSON.parse(text), line };
}

const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  ask(path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const graphql = (query: string, headers?: Record<string, string>) => send('POST', '/graphql', { query }, headers);

test('the log has a line for each request: its route or operation, its status, its duration, and its statements', async () => {
  const registered = await send('POST', '/cameras', { camera_id: 'a', friendly_name: SECRET });
  const [method, ms] = ['POST', expect.any(Number)];
  expect(registered.line).toMatchObject({ level: 30, method, route: '/cameras', status: 201, ms, sql: 2 });
  expect((await ask('/cameras/a')).line).toMatchObject({ route: '/cameras/:id', status: 200, sql: 2 });
  const both = await graphql('query Both { cameras { totalCount } printers { totalCount } }');
  expect(both.line).toMatchObject({ method, route: '/graphql', operation: 'Both', status: 200, sql: 2 });
  const refused = await graphql('mutation Again { registerCamera(input: { id: "a", friendlyName: "x" }) { id } }');
  expect(refused.line).toMatchObject({ operation: 'Again', codes: ['CONFLICT'], status: 200 });
  const twice = await graphql('query Twice { a: camera(id: "") { id } b: camera(id: "") { id } }');
  expect(twice.line).toMatchObject({ operation: 'Twice', codes: ['BAD_USER_INPUT'], status: 200 });
  expect((await ask('/healthz')).line).toMatchObject({ level: 20, route: '/healthz' });
  expect((await ask('/nowhere')).line).toMatchObject({ route: 'unknown', status: 404 });
  // Neither headers nor bodies.
  expect(gateway.output).not.toContain(SECRET);
});

test('there are metrics of requests, operations, statements, the pool, the process and the farm', async () => {
  const { body } = await graphql(`mutation {
    createPrinter(input: { name: "p" }) { id }
    createMaterial(input: { name: "m", densityGPerCm3: "1.24" }) { id }
    registerCamera(input: { id: "b", friendlyName: "b" }) { id }
    recordCameraStatuses(input: [
      { cameraId: "a", online: true }, { cameraId: "b", online: true, recordedAt: "2026-01-01T00:00:00Z" }
    ]) { id }
  }`);
  const spool = await graphql(
    `mutation { createSpool(input: { spoolSerial: "s", materialId: "${body.data.createMaterial.id}", weightTotalGrams: 1000, filamentDiameterMm: "1.75" }) { id } }`,
  );
  const job = {
    PrinterId: body.data.createPrinter.id,
    SpoolId: spool.body.data.createSpool.id,
    PrintName: 'x',
    DataSource: 'Manual',
    GramsDerived: 12.5,
    CostPerPrint: 3.25,
  };
  for (const statuses of [['Printing', 'Completed'], ['Printing', 'Completed'], []]) {
    const made = await send('POST', '/api/printjobs', job);
    for (const Status of statuses) await send('PATCH', `/api/printjobs/${made.body.Id}/status`, { Status });
  }
  const response = await fetch(`${gateway.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const today = new Date().toISOString().slice(0, 10);
  const figures = Object.fromEntries(
    [...text.matchAll(/^([^#].*) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
  expect(figures).toMatchObject({
    'http_request_duration_seconds_count{method="POST",route="/api/printjobs",status_code="201"}': 3,
    'graphql_operation_duration_seconds_count{operation="Both",type="query"}': 1,
    // A name gets figures of its own when it has succeeded once.
    'graphql_errors_total{operation="other",code="CONFLICT"}': 1,
    'print_farm_cameras{state="live"}': 1,
    'print_farm_cameras{state="silent"}': 1,
    'print_farm_jobs{status="Completed"}': 2,
    'print_farm_jobs{status="Queued"}': 1,
    [`print_farm_filament_grams{day="${today}"}`]: 25,
    [`print_farm_cost{day="${today}"}`]: 6.5,
    database_up: 1,
    database_pool_waiting: 0,
    'database_pool_connections{state="idle"}': expect.any(Number),
    database_statement_duration_seconds_count: expect.any(Number),
    nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    change_feed_seconds_behind: expect.any(Number),
    process_resident_memory_bytes: expect.any(Number),
  });
});

test('a trace continues the trace of its caller, and has a span for each statement', async () => {
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const { line } = await graphql(
    'query Traced { cameras { totalCount } printer(id: "00000000-0000-4000-8000-000000000001") { id } }',
    { traceparent },
  );
  expect(line.traceId).toBe(TRACE);
  const own = await until(
    'the trace of the request has three spans',
    () => spans.filter((span) => span.traceId === TRACE),
    (found) => found.length === 3 && found,
  );
  const server = own.find((span) => span.parentSpanId === PARENT);
  expect(server).toMatchObject({ name: 'query Traced', kind: 2 });
  expect(JSON.stringify(server.attributes)).toContain('"http.route"');
  expect(JSON.stringify(server.resource)).toContain('print-farm-gateway');
  const statements = own.filter((span) => span.parentSpanId === server.spanId);
  const names = statements.map(({ name, kind }) => `${kind} ${name}`);
  expect(names.sort()).toEqual(['3 Printer.findMany', '3 cameras.page']);
});

test('neither the log nor a trace contains the secret of a device, or a row that a constraint of the operator refuses', async () => {
  const made = await graphql('mutation { createPrinter(input: { name: "q" }) { id } }');
  const device = `kind: MOONRAKER, printerId: "${made.body.data.createPrinter.id}", secret: "${SECRET}"`;
  const answers = [];
  for (const [mutation, outcome] of [
    [`testDevice(input: { ${device}, address: "127.0.0.1:1" }) { fault }`, '"fault":"NOT_REACHABLE"'],
    [`addDevice(input: { ${device}, address: "" }) { id }`, '"code":"BAD_USER_INPUT"'],
    [`addDevice(input: { ${device}, address: "127.0.0.1:1" }) { hasSecret }`, '"hasSecret":true'],
  ] as const) {
    const answer = await graphql(`mutation { ${mutation} }`, { 'idempotency-key': `${mutation.length}x` });
    expect(answer.text).toContain(outcome);
    answers.push(answer);
  }
  await onServer(fresh.url, 'alter table devices add constraint short_addresses check (length(address) = 0) not valid');
  const [{ id }] = (await onServer(fresh.url, 'select id from devices')) as [{ id: string }];
  const refused = await graphql(`mutation { updateDevice(id: "${id}", input: { secret: "${SECRET}" }) { id } }`);
  expect(refused.body.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
  const { traceId, requestId } = refused.line;
  const lines = await readLogUntilNow(gateway);
  const failure = lines.find((line) => line.msg === 'an operation failed' && line.requestId === requestId);
  expect(failure.err.message).toContain('short_addresses');
  await until(
    'the trace of the refused request has arrived',
    () => spans.filter((span) => span.traceId === traceId),
    atLeast(2),
  );
  expect(gateway.output + JSON.stringify(spans) + JSON.stringify([answers, refused])).not.toContain(SECRET);
});

test('pages of other origins do not fill the log, whatever origins they invent', async () => {
  for (let n = 0; n < 30; n += 1) {
    const headers = { origin: `https://${n}.${'x'.repeat(1000)}.example`, 'access-control-request-method': 'POST' };
    expect(await fetch(`${gateway.url}/graphql`, { method: 'OPTIONS', headers })).toMatchObject({ status: 405 });
  }
  const told = (await readLogUntilNow(gateway)).filter(
    ({ level, msg }) => level === 40 && msg.includes('CORS_ORIGINS'),
  );
  expect(told).toHaveLength(20);
  for (const { origin } of told) expect(origin.length).toBeLessThanOrEqual(200);
});
