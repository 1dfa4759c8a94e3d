// Rows and tables that another program has locked: only the requests that need them wait, and the rest go on.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { timeBudget } from '../../src/values/time-budget';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { faultyNetwork } from '../support/faulty-network';
import { PATIENT } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { until, waitsForTable } from '../support/waiting';

let fresh: FreshDatabase;
let app: App;
let other: Client;
beforeAll(async () => {
  fresh = await freshDatabase('server');
  other = new Client({ connectionString: fresh.url });
  await other.connect();
  app = await createApp({ ...PATIENT, database: fresh.target });
  for (const camera_id of CAMERAS) await send('/cameras', { camera_id, friendly_name: 'x' });
});
afterAll(async () => {
  await other?.end();
  await app?.close();
  await fresh?.drop();
});

const CAMERAS = Array.from({ length: 20 }, (_, n) => `camera-${n}`);

async function send(url: string, payload?: object, key?: string) {
  const answer = await app.inject({
    ...{ method: payload ? 'POST' : 'GET', url, payload },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  const body = answer.json();
  return { ok: answer.statusCode < 300 && !body.errors, text: answer.payload, body };
}

const record = (cameraId: unknown, key?: string) => {
  const query = 'mutation ($id: ID!) { recordCameraStatuses(input: [{ cameraId: $id, online: true }]) { id } }';
  return send('/graphql', { query, variables: { id: cameraId } }, key);
};

/** Runs work while another program has the lock. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  await other.query(`begin; ${lock}`);
  try {
    await work();
  } finally {
    await other.query('rollback');
  }
}

/** The answers that are refused. */
const refused = async (answers: Promise<{ ok: boolean; text: string }>[]) =>
  (await Promise.all(answers)).filter(({ ok }) => !ok).map(({ text }) => text);

const ready = () => send('/readyz');
const pagesOfJobs = (count: number) =>
  Array.from({ length: count }, (_, n) => send(`/api/printjobs?PageNumber=${n + 1}`));
const readsOfCameras = () => [send('/cameras'), ...CAMERAS.map((id) => send(`/cameras/${id}`)), ready()];

test.each([
  ['without keys', () => undefined],
  ['with keys', () => randomUUID()],
])('a locked camera keeps its own records waiting, %s, and no others', async (_how, key) => {
  let waiting: ReturnType<typeof record>[] = [];
  await whileLocked("select from cameras where camera_id = 'camera-0' for update", async () => {
    waiting = [1, 2, 3].map(() => record(CAMERAS[0], key()));
    for (let round = 0; round < 3; round += 1) {
      expect(await refused(CAMERAS.slice(1).map((id) => record(id, key())))).toEqual([]);
    }
  });
  expect(await refused(waiting)).toEqual([]);
});

test('a locked table keeps neither reads and writes of other tables waiting nor the readiness probe', async () => {
  let waiting: ReturnType<typeof send>[] = [];
  await whileLocked('lock table print_jobs in access exclusive mode', async () => {
    waiting = pagesOfJobs(40);
    expect(await refused([...readsOfCameras(), ...CAMERAS.map((id) => record(id)), ready()])).toEqual([]);
  });
  expect(await refused(waiting)).toEqual([]);
});

test('forty copies of one keyed write that waits for a table have one place, and one outcome', async () => {
  const query = 'mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }';
  let copies: ReturnType<typeof send>[] = [];
  await whileLocked('lock table materials in access exclusive mode', async () => {
    copies = Array.from({ length: 40 }, () => send('/graphql', { query }, 'one'));
    expect(await refused([...readsOfCameras(), record(CAMERAS[1]), record(CAMERAS[2], randomUUID())])).toEqual([]);
    const { rows } = await other.query(`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    expect(rows[0].waiting).toBeLessThanOrEqual(2);
  });
  const answers = await Promise.all(copies);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.ok).toBe(true);
});

test('keyed writes whose time is over send no statement, so that they hold up no other', async () => {
  const MANY = 100;
  const register = (n: number) => send('/cameras', { camera_id: `late-${n}`, friendly_name: 'x' }, randomUUID());
  await whileLocked('lock table idempotency_keys in access exclusive mode', async () => {
    expect(await refused(Array.from({ length: MANY }, (_, n) => register(n)))).toHaveLength(MANY);
  });
  const sent = await statementsOf(async () => expect((await register(MANY)).ok).toBe(true));
  expect(sent.length).toBeLessThan(MANY / 2);
});

test('a gateway that vanished in a transaction holds its locks for the time of a request, and no longer', async () => {
  const network = await faultyNetwork(fresh.url);
  const database = { ...fresh.target, url: network.url } as FreshDatabase['target'];
  const vanishing = await createApp({ ...PATIENT, database, budget: timeBudget(1000) });
  const camera = { camera_id: 'registered twice', friendly_name: 'x' };
  let vanished: Promise<unknown> | undefined;
  try {
    await whileLocked('lock table cameras in exclusive mode', async () => {
      vanished = vanishing.inject({
        method: 'POST',
        url: '/cameras',
        payload: camera,
        headers: { 'idempotency-key': 'v' },
      });
      await until(async () => {
        const { rows } = await other.query(waitsForTable('cameras'));
        return rows.length > 0;
      });
      network.freeze();
    });
    expect((await send('/cameras', camera, 'v')).ok).toBe(true);
  } finally {
    await vanished;
    await network.close();
    await vanishing.close();
  }
});
