// A database that goes away and comes back, seen from outside a real process: answers in time, and no restart.
import { Client } from 'pg';
import { USUAL_REQUEST_MS } from '../../src/values/time-budget';
import { ask, expectPlainRefusal } from '../support/asking';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { type FaultyNetwork, faultyNetwork } from '../support/faulty-network';
import { logUntilNow } from '../support/log';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let fresh: FreshDatabase;
let network: FaultyNetwork;
let gateway: RunningGateway;

/** The usual time for a request, where it matters; the waits of the other tests are half as long. */
const USUAL = String(USUAL_REQUEST_MS);
const HALF = String(USUAL_REQUEST_MS / 2);

async function start(REQUEST_TIMEOUT_MS: string): Promise<void> {
  gateway = await runGateway({
    DATABASE_URL: network.url,
    REQUEST_TIMEOUT_MS,
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: '3',
  });
}

beforeEach(async () => {
  fresh = await freshDatabase('server');
  network = await faultyNetwork(fresh.url);
});
afterEach(async () => {
  await network.close();
  await gateway.stop('SIGKILL');
  await fresh.drop();
});

const list = () => ask(gateway, '/cameras');
const register = (camera_id: string) => ask(gateway, '/cameras', { camera_id, friendly_name: 'x' });
const query = () => ask(gateway, '/graphql', { query: '{ cameras { nodes { id } } }' });
const RECORD = { query: 'mutation { recordCameraStatuses(input: [{ cameraId: "a", online: true }]) { id } }' };
const record = (headers = {}) => ask(gateway, '/graphql', RECORD, 'POST', headers);

const AWAY = 'the database does not answer';
const BACK = 'the database answers again';
const BESIDE = 'statements fail while others are answered';

/** How often the log says each of these until now. */
async function said(...messages: string[]): Promise<number[]> {
  const lines = await logUntilNow(gateway);
  return messages.map((message) => lines.filter(({ msg }) => msg === message).length);
}

async function works(): Promise<void> {
  expect(await list()).toMatchObject({ status: 200 });
  expect(await query()).toMatchObject({ status: 200, body: { data: expect.anything() } });
  expect(await ask(gateway, '/readyz')).toMatchObject({ status: 200 });
}

/** Jest's time limit ends a wait that is in vain. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function isAway(): Promise<void> {
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => list()),
    ...Array.from({ length: 10 }, () => query()),
    ...Array.from({ length: 10 }, (_, n) => register(`during ${n}`)),
    ...Array.from({ length: 10 }, () => record()),
  ]);
  for (const answer of answers) expectPlainRefusal(answer);
  expect(await ask(gateway, '/healthz')).toMatchObject({ status: 200 });
  const ready = await ask(gateway, '/readyz');
  expect(ready.status).toBe(503);
}

const MODES: [string, () => Promise<void> | void][] = [
  ['that refuses connections', () => network.cut()],
  ['that is frozen', () => network.freeze()],
];
for (const [name, fail] of MODES) {
  test(`a server ${name}: every request is answered within 5 seconds, and the next ones succeed when it is back`, async () => {
    await start(USUAL);
    expect(await register('a')).toMatchObject({ status: 201 });
    await works();
    await fail();
    await isAway();
    await isAway();
    await network.mend();
    await works();
    expect(await register('after')).toMatchObject({ status: 201 });
    // Once per change, not per request; and nothing else is an error.
    expect(await said(AWAY, BACK)).toEqual([1, 1]);
    expect((await logUntilNow(gateway)).filter(({ level }) => level === 50)).toHaveLength(1);
  });
}

test('a failover that resets every connection: what was under way fails or succeeds, the next requests succeed', async () => {
  await start(HALF);
  await works();
  for (let n = 0; n < 3; n += 1) {
    const answers = Promise.all(Array.from({ length: 20 }, (_, m) => register(`failover ${n} ${m}`)));
    network.reset();
    for (const answer of await answers) if (answer.status !== 201) expectPlainRefusal(answer);
    // A pool may hold one connection that it does not know to be dead yet.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await works();
  }
});

test('a statement that hangs is given up, also when it takes every connection, and others are not kept waiting by it', async () => {
  await start(HALF);
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await register('a');
  await other.query('begin; lock table camera_status in access exclusive mode');
  const answers = await Promise.all([...Array.from({ length: 8 }, () => record()), ask(gateway, '/cameras/a')]);
  for (const answer of answers) expectPlainRefusal(answer);
  expectPlainRefusal(await record({ 'idempotency-key': 'k' }));
  await other.query('rollback');
  await other.end();
  await works();
  expect(await record()).toMatchObject({ body: { data: expect.anything() } });
  expect(await record({ 'idempotency-key': 'k' })).toMatchObject({ body: { data: expect.anything() } });
  expect(await said('an operation failed')).toEqual([0]);
});

test('a table that is locked is said once, and is no database that comes and goes', async () => {
  await start(HALF);
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await works();
  await other.query('begin; lock table print_jobs in access exclusive mode');
  for (let round = 0; round < 2; round += 1) {
    const hanging = ask(gateway, `/api/printjobs?PageNumber=${round}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await works();
    expectPlainRefusal(await hanging);
  }
  await other.query('rollback');
  await other.end();
  expect(await ask(gateway, '/api/printjobs')).toMatchObject({ status: 200 });
  expect(await said(AWAY, BACK, BESIDE)).toEqual([0, 0, 1]);
});

test('a server that becomes read-only is an outage, and its connections are ended until one can write', async () => {
  await start(HALF);
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  const name = new URL(fresh.url).pathname.slice(1);
  await works();
  await other.query(`alter database ${name} set default_transaction_read_only = on`);
  // The primary ends its sessions, and the next ones are those of a server that is read-only.
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await until(async () => (await ask(gateway, '/readyz')).status === 503);
  for (const answer of await Promise.all([register('a'), register('b'), record({ 'idempotency-key': 'k' })])) {
    expectPlainRefusal(answer);
  }
  expect(await list()).toMatchObject({ status: 200 });
  await other.query(`alter database ${name} reset default_transaction_read_only`);
  await other.end();
  await until(async () => (await register('c')).status === 201);
  for (const answer of await Promise.all(['d', 'e', 'f', 'g'].map(register))) {
    expect(answer).toMatchObject({ status: 201 });
  }
  await works();
  expect(await said(AWAY, BACK)).toEqual([1, 1]);
});

test('the process ends in time, although its database is frozen', async () => {
  await start(HALF);
  network.freeze();
  const waiting = list();
  // The gateway must have the request before it stops accepting: its query at the frozen server shows that it does.
  await network.held();
  const began = performance.now();
  expect(await gateway.stop('SIGTERM')).toBe(0);
  expectPlainRefusal(await waiting);
  expect(performance.now() - began).toBeLessThan(20_000);
});
