// A database that goes away and comes back, seen from outside a real process: answers in time, and no restart.
import { Client } from 'pg';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { type FaultyNetwork, faultyNetwork } from '../support/faulty-network';
import { type RunningGateway, runGateway } from '../support/running-gateway';

/** "answered within 5 seconds" */
const IN_TIME_MS = 5000;

let fresh: FreshDatabase;
let network: FaultyNetwork;
let gateway: RunningGateway;

beforeEach(async () => {
  fresh = await freshDatabase('server');
  network = await faultyNetwork(fresh.url);
  gateway = await runGateway({ DATABASE_URL: network.url, LOG_LEVEL: 'info', DATABASE_POOL_SIZE: '3' });
});
afterEach(async () => {
  await network.close();
  await gateway.stop('SIGKILL');
  await fresh.drop();
});

interface Answer {
  status: number;
  body: { error?: string; data?: unknown; errors?: { message: string; extensions: { code: string } }[] };
  ms: number;
}

async function ask(path: string, body?: unknown, headers = {}): Promise<Answer> {
  const began = performance.now();
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(gateway.url + path, {
    ...init,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Answer['body'], ms: performance.now() - began };
}

const list = () => ask('/cameras');
const register = (camera_id: string) => ask('/cameras', { camera_id, friendly_name: 'x' });
const query = () => ask('/graphql', { query: '{ cameras { nodes { id } } }' });
const RECORD = { query: 'mutation { recordCameraStatuses(input: [{ cameraId: "a", online: true }]) { id } }' };
const record = (headers = {}) => ask('/graphql', RECORD, headers);

function inPlainWords(answer: Answer): void {
  expect(answer.ms).toBeLessThan(IN_TIME_MS);
  const [error] = answer.body.errors ?? [];
  const message = answer.body.error ?? error?.message;
  expect(message).toMatch(/^(The gateway could not complete the request|Internal server error)$/);
  if (error) expect(error.extensions.code).toBe('INTERNAL_SERVER_ERROR');
  else expect(answer.status).toBe(500);
}

/** Lines below a warning are written within 0.1 s. */
const logWritten = () => new Promise((resolve) => setTimeout(resolve, 200));
const times = (text: string) => gateway.output.split(text).length - 1;

async function works(): Promise<void> {
  expect(await list()).toMatchObject({ status: 200 });
  expect(await query()).toMatchObject({ status: 200, body: { data: expect.anything() } });
  expect(await ask('/readyz')).toMatchObject({ status: 200 });
}

async function isAway(): Promise<void> {
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => list()),
    ...Array.from({ length: 10 }, () => query()),
    ...Array.from({ length: 10 }, (_, n) => register(`during ${n}`)),
    ...Array.from({ length: 10 }, () => record()),
  ]);
  for (const answer of answers) inPlainWords(answer);
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  const ready = await ask('/readyz');
  expect(ready.status).toBe(503);
  expect(ready.ms).toBeLessThan(IN_TIME_MS);
}

const MODES: [string, () => Promise<void> | void][] = [
  ['that refuses connections', () => network.cut()],
  ['that is frozen', () => network.freeze()],
];
for (const [name, fail] of MODES) {
  test(`a server ${name}: every request is answered within 5 seconds, and the next ones succeed when it is back`, async () => {
    expect(await register('a')).toMatchObject({ status: 201 });
    await works();
    await fail();
    await isAway();
    await isAway();
    await network.mend();
    await works();
    expect(await register('after')).toMatchObject({ status: 201 });
    await logWritten();
    // Once per change, not per request; and nothing else is an error.
    expect({ away: times('the database does not answer'), back: times('the database answers again') }).toEqual({
      away: 1,
      back: 1,
    });
    expect(times('"level":50')).toBe(1);
  });
}

test('a failover that resets every connection: what was under way fails or succeeds, the next requests succeed', async () => {
  await works();
  for (let n = 0; n < 3; n += 1) {
    const answers = Promise.all(Array.from({ length: 20 }, (_, m) => register(`failover ${n} ${m}`)));
    network.reset();
    for (const answer of await answers) if (answer.status !== 201) inPlainWords(answer);
    // A pool may hold one connection that it does not know to be dead yet.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await works();
  }
});

test('connections that are ended while keyed writes begin their transactions do not end the process', async () => {
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await register('a');
  const end = performance.now() + 4000;
  let key = 0;
  const writing = Array.from({ length: 24 }, async () => {
    while (performance.now() < end) {
      key += 1;
      const answer = await record({ 'idempotency-key': `${key}` });
      if (answer.body.errors) inPlainWords(answer);
    }
  });
  while (performance.now() < end) {
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(writing);
  await other.end();
  await works();
});

test('a statement that hangs is given up, also when it takes every connection, and others are not kept waiting by it', async () => {
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await register('a');
  await other.query('begin; lock table camera_status in access exclusive mode');
  const answers = await Promise.all([...Array.from({ length: 8 }, () => record()), ask('/cameras/a')]);
  for (const answer of answers) inPlainWords(answer);
  inPlainWords(await record({ 'idempotency-key': 'k' }));
  await other.query('rollback');
  await other.end();
  await works();
  expect(await record()).toMatchObject({ body: { data: expect.anything() } });
  expect(await record({ 'idempotency-key': 'k' })).toMatchObject({ body: { data: expect.anything() } });
  expect(gateway.output).not.toContain('an operation failed');
});

test('a table that is locked is said once, and is no database that comes and goes', async () => {
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await works();
  await other.query('begin; lock table print_jobs in access exclusive mode');
  for (let round = 0; round < 2; round += 1) {
    const hanging = ask(`/api/printjobs?PageNumber=${round}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await works();
    inPlainWords(await hanging);
  }
  await other.query('rollback');
  await other.end();
  expect(await ask('/api/printjobs')).toMatchObject({ status: 200 });
  expect({
    away: times('the database does not answer'),
    back: times('the database answers again'),
    beside: times('statements fail while others are answered'),
  }).toEqual({ away: 0, back: 0, beside: 1 });
});

test('the process ends in time, although its database is frozen', async () => {
  network.freeze();
  const waiting = list();
  // The gateway must have the request before it stops accepting: its query at the frozen server shows that it does.
  await network.held();
  const began = performance.now();
  expect(await gateway.stop('SIGTERM')).toBe(0);
  inPlainWords(await waiting);
  expect(performance.now() - began).toBeLessThan(12_000);
});
