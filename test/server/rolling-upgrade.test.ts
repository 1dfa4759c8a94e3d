// A rolling upgrade: gateways of the first release and of this build work on one server, each with what the other wrote.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../support/child-process';
import { emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import {
  collectAnswers,
  type FirstRelease,
  readBackup,
  readFirstAnswers,
  SETTINGS,
  unpackProgram,
} from '../support/first-release';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

interface Served {
  name: string;
  url: string;
}

let program: FirstRelease;
let fresh: FreshDatabase;
let running: Child;
let upgraded: ListeningGateway;
/** The gateway of the first release, and that of this build. */
let first: Served;
let latest: Served;
/** The answers of the first release before this build opened its database. */
let before: string[];
/** The number of its migrations. */
let migrations: number;

async function send({ url, name }: Served, method: string, path: string, body?: unknown, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(url + path, { method, headers, body: sent });
  return { asked: `${method} ${path} ${sent}`, name, status: response.status, text: await response.text() };
}

async function askRest(served: Served, method: string, path: string, body?: unknown, key?: string) {
  const { text, ...answer } = await send(served, method, path, body, key);
  if (answer.status >= 300) throw new Error(`${JSON.stringify(answer)} answered ${text}`);
  return { status: answer.status, text, body: text === '' ? null : JSON.parse(text) };
}

async function graphql(served: Served, query: string, variables: object = {}) {
  const { text, ...answer } = await send(served, 'POST', '/graphql', { query, variables });
  const { data, errors } = JSON.parse(text);
  if (errors !== undefined) throw new Error(`${JSON.stringify(answer)} answered ${text}`);
  return data;
}

const answers = (served: Served) =>
  collectAnswers(async (path, body) => (await send(served, body === undefined ? 'GET' : 'POST', path, body)).text);

const applied = async () => (await onServer(fresh.url, 'select from _prisma_migrations')).length;
const sqlFiles = () => onServer(fresh.url, 'select * from sql_files order by name');

async function startFirst(): Promise<{ child: Child; url: string }> {
  const child = program.run(['start'], { DATABASE_URL: fresh.url });
  await child.waitForOutput('is ready');
  return { child, url: `${/http:\/\/[^\s/"]+/.exec(child.output)?.[0]}` };
}

beforeAll(async () => {
  program = unpackProgram();
  fresh = await emptyDatabase('server');
  const folder = temporaryFolder('first-backup');
  fs.writeFileSync(join(folder, 'farm.sql'), readBackup());
  const restoring = program.run(['restore', join(folder, 'farm.sql')], { DATABASE_URL: fresh.url });
  expect([await restoring.ended, restoring.output]).toEqual([0, expect.stringContaining('rows of')]);
  fs.rmSync(folder, { recursive: true });
  const { child, url } = await startFirst();
  running = child;
  first = { name: 'the first release', url };
  before = await answers(first);
  migrations = await applied();
  upgraded = await listenInProcess({ ...SETTINGS, DATABASE_URL: fresh.url });
  latest = { name: 'this build', url: upgraded.url };
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await upgraded?.stop();
  await fresh?.drop();
  program?.remove();
});

test('both serve the farm as the first release did alone', async () => {
  expect(before).toEqual(readFirstAnswers());
  expect(await answers(latest)).toEqual(before);
  expect(await answers(first)).toEqual(before);
});

test.each([
  ['the first release', 'this build'],
  ['this build', 'the first release'],
])('what %s writes is read, repeated and changed by %s', async (name) => {
  const [one, other] = name === first.name ? [first, latest] : [latest, first];
  const id = name.replaceAll(' ', '-');
  const { latestChangeCursor } = await graphql(one, '{ latestChangeCursor }');

  // Keyed writes: the other gateway answers the repetition with the stored answer.
  const camera = { camera_id: id, friendly_name: `Camera of ${name}`, mac_address: `aa:${id}` };
  const registered = await askRest(one, 'POST', '/cameras', camera, `camera-${id}`);
  expect(await askRest(other, 'POST', '/cameras', camera, `camera-${id}`)).toEqual(registered);
  expect((await send(other, 'POST', '/cameras', camera)).status).toBe(409);

  await graphql(one, 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }', {
    input: [{ cameraId: id, online: true, batteryPct: 71.3, fps: 59.94, recordedAt: '2026-11-28T10:00:00.001Z' }],
  });
  await graphql(other, 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }', {
    input: [{ cameraId: id, online: false, batteryPct: 0.1, recordedAt: '2026-11-28T10:00:01.002Z' }],
  });
  for (const served of [one, other]) {
    const { body } = await askRest(served, 'GET', `/cameras/${id}`);
    expect(body.last_status).toMatchObject({ battery_pct: 0.1, recorded_at: '2026-11-28T10:00:01.002Z' });
  }

  // The stock.
  const { createMaterial: material } = await graphql(
    one,
    'mutation ($name: String!) { createMaterial(input: { name: $name, densityGPerCm3: "1.2400" }) { id } }',
    { name: `PLA of ${name}` },
  );
  const { createFilament: filament } = await graphql(
    other,
    `mutation ($name: String!, $materialId: ID!) { createFilament(input: {
      name: $name, materialId: $materialId, filamentDiameterMm: "1.75", weightTotalGrams: "1000", tareGrams: "210.50" }) { id } }`,
    { name, materialId: material.id },
  );
  const { createSpool: spool } = await graphql(
    one,
    'mutation ($serial: String!, $filamentId: ID!) { createSpool(input: { spoolSerial: $serial, filamentId: $filamentId }) { id } }',
    { serial: id, filamentId: filament.id },
  );
  const { createPrinter: printer } = await graphql(
    other,
    'mutation ($name: String!) { createPrinter(input: { name: $name }) { id } }',
    { name: `Printer of ${name}` },
  );
  await graphql(
    other,
    'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }',
    {
      id,
      input: { printerId: printer.id },
    },
  );
  const load =
    'mutation ($printerId: ID!, $spoolId: ID) { loadSpool(printerId: $printerId, spoolId: $spoolId) { id } }';
  await graphql(one, load, { printerId: printer.id, spoolId: spool.id });
  await graphql(other, load, { printerId: printer.id, spoolId: null });
  await graphql(one, load, { printerId: printer.id, spoolId: spool.id });

  // A job from its start to its end, with steps on both.
  const job = {
    ...{ PrinterId: printer.id, SpoolId: spool.id, DataSource: 'Manual', PrintName: 'bracket', Notes: null },
    ...{ MmExtruded: 1234.5, FilamentDiameterAtPrintMm: 1.75, MaterialDensityAtPrint: 1.24 },
  };
  const created = await askRest(one, 'POST', '/api/printjobs', job, `job-${id}`);
  expect(await askRest(other, 'POST', '/api/printjobs', job, `job-${id}`)).toEqual(created);
  const path = `/api/printjobs/${created.body.Id}`;
  await askRest(other, 'PATCH', `${path}/status`, { Status: 'Printing' });
  await askRest(one, 'PUT', path, { ...job, MmExtruded: 2000, AutoDeriveGrams: true });
  await graphql(
    other,
    'mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { id } }',
    { id: created.body.Id, parts: [{ spoolId: spool.id, mmExtruded: '1500.0000000001' }] },
  );
  await askRest(one, 'PATCH', `${path}/status`, { Status: 'Completed' });
  expect((await send(other, 'DELETE', path)).status).toBe(400);
  expect((await askRest(other, 'GET', path)).text).toBe((await askRest(one, 'GET', path)).text);

  await graphql(other, 'mutation ($id: ID!) { weighSpool(id: $id, input: { netGrams: "900.50" }) { id } }', {
    id: spool.id,
  });
  const { correctSpool: corrected } = await graphql(
    one,
    'mutation ($id: ID!) { correctSpool(id: $id, input: { grams: "-1.5000", note: "a lost end" }) { id } }',
    { id: spool.id },
  );
  const remaining = async (served: Served) =>
    (await graphql(served, 'query ($id: ID!) { spool(id: $id) { remainingGrams } }', { id: spool.id })).spool
      .remainingGrams;
  expect([await remaining(one), await remaining(other)]).toEqual(['899', '899']);
  await graphql(other, 'mutation ($id: ID!) { takeBackAdjustment(id: $id) { id } }', { id: corrected.id });
  expect([await remaining(one), await remaining(other)]).toEqual(['900.5', '900.5']);

  // What is configured.
  await graphql(one, 'mutation ($input: RecordPlanInput!) { recordPlan(input: $input) { name } }', {
    input: {
      fileName: `${id}.gcode`,
      plates: [{ plate: 1, seconds: 60, slots: [{ slot: 1, mm: '10.50', grams: null }] }],
    },
  });
  await graphql(
    other,
    'mutation ($input: AddNotificationTargetInput!) { addNotificationTarget(input: $input) { secret } }',
    {
      input: { kind: 'WEBHOOK', name, url: 'http://127.0.0.1:9/', enabled: false, printerIds: [printer.id] },
    },
  );
  await graphql(one, 'mutation ($input: AddDeviceInput!) { addDevice(input: $input) { id } }', {
    input: {
      kind: 'MOONRAKER',
      address: `10.9.8.${one === first ? 1 : 2}`,
      printerId: printer.id,
      secret: 'x',
      enabled: false,
    },
  });
  await graphql(other, 'mutation ($id: ID!) { archivePrinter(id: $id) { id } }', { id: printer.id });

  expect(await answers(one)).toEqual(await answers(other));
  // Other databases of the test server have transactions too, which delay the feed for a moment.
  const query = `query ($after: String!) { changes(after: $after, first: 1000) { nodes { __typename cursor ... on PrinterChanged { printerId } } } }`;
  const changes = async (served: Served) => (await graphql(served, query, { after: latestChangeCursor })).changes.nodes;
  await until(
    'the feed has the last change',
    () => changes(one),
    (found) => found.at(-1)?.printerId === printer.id,
  );
  expect(await changes(other)).toEqual(await changes(one));
});

test('the gateway of the first release stops, this build continues, and a late start of the first release breaks nothing', async () => {
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  const files = await sqlFiles();
  const late = program.run(['start'], { DATABASE_URL: fresh.url });
  if ((await applied()) > migrations) {
    // A migration that it does not know: it must not replace the newer functions by its own.
    expect(await late.ended).toBe(1);
    expect(late.output).toContain('which this program does not know: start a newer version of the program');
  } else {
    await late.waitForOutput('is ready');
    late.kill('SIGTERM');
    expect(await late.ended).toBe(0);
  }
  // If this fails, a function was changed without a migration, which would keep the first release from starting: add an empty one.
  expect(await sqlFiles()).toEqual(files);
  const made = await askRest(latest, 'POST', '/cameras', { camera_id: 'afterwards', friendly_name: 'Camera' });
  expect(made.status).toBe(201);
  expect((await answers(latest)).every((text) => !text.includes('"errors"'))).toBe(true);
});
