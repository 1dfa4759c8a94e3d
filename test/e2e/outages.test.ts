// A database that fails and returns, seen from outside a real process: plain refusals in time, one line in the log, no restart.
import fs from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { USUAL_REQUEST_MS } from '../../src/values/time-budget';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { type FaultyNetwork, faultyNetwork } from '../support/faulty-network';
import { listenInProcess } from '../support/listening-gateway';
import { readLogUntilNow } from '../support/log';
import { ask, expectPlainRefusal, isRefused } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { has, until } from '../support/waiting';

let gateway: RunningGateway;

const list = (at: { url: string } = gateway) => ask(at, '/cameras');
const query = () => ask(gateway, '/graphql', { query: '{ cameras { nodes { id } } }' });
const ready = () => ask(gateway, '/readyz');
const isReady = async () => (await ready()).status === 200;
/** Large enough that the table needs a new page every 35 rows. */
const register = (camera_id: string, headers = {}) =>
  ask(gateway, '/cameras', { camera_id, friendly_name: 'x'.repeat(200) }, 'POST', headers);
const registerOnce = (id: string) => register(id, { 'idempotency-key': id });
const RECORD = { query: 'mutation { recordCameraStatuses(input: [{ cameraId: "a", online: true }]) { id } }' };
const record = (headers = {}) => ask(gateway, '/graphql', RECORD, 'POST', headers);

async function works(): Promise<void> {
  await until('the gateway is ready', ready, has({ status: 200 }));
  expect(await list()).toMatchObject({ status: 200 });
  for (const answer of [await query(), await record()]) {
    expect(answer).toMatchObject({ status: 200, body: { data: expect.anything() } });
  }
}

async function isAway(round: number): Promise<void> {
  const writes = [1, 2, 3, 4, 5].flatMap((n) => [register(`away-${round}-${n}`), registerOnce(`once-${round}-${n}`)]);
  const asked = [...writes, record(), list(), query(), list(), query()];
  for (const answer of await Promise.all(asked)) expectPlainRefusal(answer);
  expect(await ask(gateway, '/healthz')).toMatchObject({ status: 200 });
  expect(await isReady()).toBe(false);
}

/** Once per change, not per request. */
const [AWAY, BACK] = [
  'The database does not answer. The gateway retries until it does.',
  'The database answers again.',
];
/** May come before, when a read beside the first failure is answered. */
const BESIDE = 'Some statements fail, while the database answers others. The error names the cause.';
let told = 0;
/** What the log reported about the database and about faults since the last call. */
async function readMessages(): Promise<string[]> {
  const lines = (await readLogUntilNow(gateway)).slice(told);
  told += lines.length;
  return lines.filter(({ msg, level }) => level >= 40 || /database|statements/.test(msg)).map(({ msg }) => msg);
}
const readOutageMessages = async () => (await readMessages()).filter((msg, at) => at > 0 || msg !== BESIDE);

describe('a server', () => {
  let fresh: FreshDatabase;
  let network: FaultyNetwork;
  let other: Client;
  beforeAll(async () => {
    told = 0;
    fresh = await freshDatabase('server');
    network = await faultyNetwork(fresh.url);
    other = new Client({ connectionString: fresh.url });
    await other.connect();
    const REQUEST_TIMEOUT_MS = String(USUAL_REQUEST_MS / 2);
    const env = { REQUEST_TIMEOUT_MS, LOG_LEVEL: 'info', DATABASE_POOL_SIZE: '3' };
    gateway = await runGateway({ DATABASE_URL: network.url, ...env });
    expect(await register('a')).toMatchObject({ status: 201 });
  });
  beforeEach(async () => {
    await works();
    await readMessages();
  });
  afterAll(async () => {
    await other.end();
    await network.close();
    await gateway.stop('SIGKILL');
    await fresh.drop();
  });

  test.each(['cut', 'freeze'] as const)(
    'whose network is away (%s): every request is answered, and the next ones succeed when it is back',
    async (fail) => {
      await network[fail]();
      await isAway(1);
      await isAway(2);
      await network.mend();
      await works();
      expect(await register(`after-${fail}`)).toMatchObject({ status: 201 });
      expect(await readOutageMessages()).toEqual([AWAY, BACK]);
    },
  );

  test('that resets every connection: requests under way fail or succeed, the next requests succeed', async () => {
    const answers = Promise.all(Array.from({ length: 20 }, (_, n) => register(`failover-${n}`)));
    network.reset();
    for (const answer of await answers) if (answer.status !== 201) expectPlainRefusal(answer);
    await works();
  });

  test('with a locked table: one log line, no outage, and other requests do not wait, also if it takes every connection', async () => {
    await other.query('begin; lock table camera_status in access exclusive mode');
    const answers = await Promise.all([...Array.from({ length: 8 }, () => record()), ask(gateway, '/cameras/a')]);
    for (const answer of answers) expectPlainRefusal(answer, 'BUSY', 'LATE');
    expectPlainRefusal(await record({ 'idempotency-key': 'k' }), 'BUSY', 'LATE');
    expect(await ask(gateway, '/api/printjobs')).toMatchObject({ status: 200 });
    await other.query('rollback');
    await works();
    expect(await record({ 'idempotency-key': 'k' })).toMatchObject({ body: { data: expect.anything() } });
    expect(await readMessages()).toEqual([BESIDE]);
  });

  test('that becomes read-only is an outage, and its connections are ended until it accepts writes', async () => {
    const name = new URL(fresh.url).pathname.slice(1);
    await other.query(`alter database ${name} set default_transaction_read_only = on`);
    // The primary ends its sessions, and the next ones are those of a server that is read-only.
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await until('the gateway is not ready', ready, ({ status }) => status !== 200);
    for (const answer of await Promise.all([register('b'), registerOnce('c'), record()]))
      expectPlainRefusal(answer, 'CANNOT_WRITE');
    expect(await list()).toMatchObject({ status: 200 });
    await other.query(`alter database ${name} reset default_transaction_read_only`);
    await until(
      'a camera is registered',
      () => register('d'),
      (answer) => !isRefused(answer),
    );
    for (const answer of await Promise.all(['e', 'f', 'g'].map((id) => register(id)))) {
      expect(answer).toMatchObject({ status: 201 });
    }
    await works();
    expect(await readOutageMessages()).toEqual([AWAY, BACK]);
  });

  test('that is frozen does not keep the process from ending', async () => {
    network.freeze();
    const waiting = list();
    // The gateway must have the request before it stops accepting: its query at the frozen server shows that it does.
    await network.held();
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expectPlainRefusal(await waiting);
  });
});

describe('the disk of the embedded database', () => {
  let fresh: FreshDatabase;
  let control: string;
  const start = () => {
    const NODE_OPTIONS = `--require=${join(__dirname, '..', 'support', 'failing-disk.cjs')}`;
    return runGateway({ DATABASE_URL: fresh.url, LOG_LEVEL: 'info', NODE_OPTIONS, FAILING_DISK: control });
  };
  const disk = (state: 'full' | 'stuffed' | 'broken' | 'well') => fs.writeFileSync(control, state);

  beforeAll(async () => {
    told = 0;
    fresh = await freshDatabase('embedded');
    control = `${fresh.url.slice('file:'.length)}-disk`;
    gateway = await start();
    expect(await register('a')).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await gateway.stop('SIGKILL');
    await fresh.drop();
    fs.rmSync(control, { force: true });
  });

  const cameraIds = async (at?: { url: string }): Promise<string[]> =>
    (await list(at)).body.map((camera: { camera_id: string }) => camera.camera_id).sort();

  /** Answers the ids that were acknowledged until a write was refused. */
  async function writeUntilRefused(name: string): Promise<string[]> {
    const acknowledged: string[] = [];
    for (;;) {
      const id = `${name}-${acknowledged.length}`;
      const answer = await (acknowledged.length % 2 ? register(id) : registerOnce(id));
      if (isRefused(answer)) {
        expectPlainRefusal(answer, 'CANNOT_WRITE');
        return acknowledged;
      }
      acknowledged.push(id);
      expect(acknowledged.length).toBeLessThan(500);
    }
  }

  test.each(['full', 'stuffed', 'broken'] as const)('is %s, and works again', async (state) => {
    disk(state);
    const acknowledged = await writeUntilRefused(state);
    for (let round = 0; round < 2; round++) {
      await isAway(round);
      // The gateway tries the disk for a request that comes a second after the last time.
      await new Promise((resolve) => setTimeout(resolve, 1100));
    }
    expect(await readOutageMessages()).toEqual([AWAY]);
    disk('well');
    const registered = async () => {
      const answer = await registerOnce(`after-${state}`);
      if (isRefused(answer)) expectPlainRefusal(answer);
      return answer;
    };
    await until('a camera is registered', registered, (answer) => !isRefused(answer));
    expect(await registerOnce(`after-${state}`)).toMatchObject({ status: 201 });
    await works();
    const kept = await cameraIds();
    expect(kept).toEqual(expect.arrayContaining(['a', ...acknowledged, `after-${state}`]));
    // The statement that noticed the disk may have been stored whole, those that were refused after it were not.
    expect(kept.filter((id) => /^(away|once)/.test(id))).toEqual([]);
    expect(kept.filter((id) => id.startsWith(state)).length).toBeLessThanOrEqual(acknowledged.length + 1);
    expect(await readMessages()).toEqual([BACK]);
  });

  test('is full at a stop, which still ends with 0, and the next process has everything that was acknowledged', async () => {
    const kept = await cameraIds();
    disk('full');
    const last = await writeUntilRefused('last');
    expect({ code: await gateway.stop(), output: gateway.output }).toMatchObject({ code: 0 });
    const next = await listenInProcess({ DATABASE_URL: fresh.url });
    const found = await cameraIds(next);
    await next.stop();
    expect(found).toEqual(expect.arrayContaining([...kept, ...last]));
    expect(found.length).toBeLessThanOrEqual(kept.length + last.length + 1);
  });
});
