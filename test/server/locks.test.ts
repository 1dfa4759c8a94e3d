// Rows and tables that another program has locked: only the requests that need them wait, and the others continue.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { createTimeBudget } from '../../src/values/time-budget';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { faultyNetwork } from '../support/faulty-network';
import { PATIENT } from '../support/gateway';
import { statementsOf } from '../support/statements';
import { atLeast, until, WAITING_SESSIONS, waitsForTable } from '../support/waiting';

const CAMERAS = Array.from({ length: 20 }, (_, n) => `camera-${n}`);

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

async function send(url: string, payload?: object, key?: string, to = app) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await to.inject({ method: payload ? 'POST' : 'GET', url, payload, headers });
  return { ok: answer.statusCode < 300 && !answer.json().errors, text: answer.payload };
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

const readsOfCameras = () => [send('/cameras'), ...CAMERAS.map((id) => send(`/cameras/${id}`)), send('/readyz')];

test('a locked camera delays only its own records, with and without keys', async () => {
  const keys = [() => undefined, () => randomUUID()];
  let waiting: ReturnType<typeof record>[] = [];
  await whileLocked("select from cameras where camera_id = 'camera-0' for update", async () => {
    waiting = keys.map((key) => record(CAMERAS[0], key()));
    for (const key of [...keys, ...keys]) {
      expect(await refused(CAMERAS.slice(1).map((id) => record(id, key())))).toEqual([]);
    }
  });
  expect(await refused(waiting)).toEqual([]);
});

test('a locked table delays neither reads and writes of other tables nor the readiness probe', async () => {
  let waiting: ReturnType<typeof send>[] = [];
  await whileLocked('lock table print_jobs in access exclusive mode', async () => {
    waiting = Array.from({ length: 40 }, (_, n) => send(`/api/printjobs?PageNumber=${n + 1}`));
    expect(await refused([...readsOfCameras(), ...CAMERAS.map((id) => record(id))])).toEqual([]);
  });
  expect(await refused(waiting)).toEqual([]);
});

test('loads of spools that wait share one connection, and are written when the lock is released', async () => {
  const [printer, material, spool] = [randomUUID(), randomUUID(), randomUUID()];
  await other.query(`insert into printers (id, name) values ('${printer}', 'x');
    insert into materials values ('${material}', 'PETG', 1.27);
    insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
      values ('${spool}', 'x', 1.75, 1000, '${material}')`);
  const load = (n: number) => {
    const query =
      'mutation ($p: ID!, $slot: String!, $s: ID) { loadSpool(printerId: $p, slot: $slot, spoolId: $s) { id } }';
    return send('/graphql', { query, variables: { p: printer, slot: `tool:${n}`, s: spool } });
  };
  let waiting: ReturnType<typeof send>[] = [];
  await whileLocked('lock table slot_loads in access exclusive mode', async () => {
    waiting = Array.from({ length: 40 }, (_, n) => load(n));
    await until(
      'a load waits for the table',
      async () => (await other.query(waitsForTable('slot_loads'))).rows,
      atLeast(1),
    );
    expect(await refused([...readsOfCameras(), ...CAMERAS.map((id) => record(id))])).toEqual([]);
    const { rows } = await other.query(waitsForTable('slot_loads'));
    expect(rows).toHaveLength(1);
  });
  expect(await refused(waiting)).toEqual([]);
});

test('an import that waits for a filament locks none of its spools, which a correction of the filament may need', async () => {
  const [material, filament] = [randomUUID(), randomUUID()];
  await other.query(`insert into materials values ('${material}', 'ASA', 1.07);
    insert into filaments (id, name, filament_diameter_mm, weight_total_grams, material_id)
      values ('${filament}', 'x', 1.75, 1000, '${material}');
    insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id, filament_id)
      values ('${randomUUID()}', 'of a filament', 1.75, 1000, '${material}', '${filament}')`);
  const query =
    'mutation ($csv: String!, $confirm: String) { importStock(kind: SPOOLS, csv: $csv, confirm: $confirm) { confirm } }';
  const importing = (confirm: string | null) =>
    send('/graphql', { query, variables: { csv: 'spoolSerial,place\nof a filament,Shelf', confirm } });
  const { confirm } = JSON.parse((await importing(null)).text).data.importStock;
  let waiting: ReturnType<typeof send> | undefined;
  await whileLocked(`select from filaments where id = '${filament}' for update`, async () => {
    waiting = importing(confirm);
    await until(
      'the import waits for the filament',
      async () => {
        // A transaction sees the sessions as they were when it first looked.
        await other.query('select pg_stat_clear_snapshot()');
        return (await other.query(WAITING_SESSIONS)).rows;
      },
      atLeast(1),
    );
    await other.query(`select from spools where filament_id = '${filament}' for update nowait`);
  });
  expect((await waiting)?.ok).toBe(true);
});

test('forty copies of one keyed write that waits for a table occupy one place, and have one outcome', async () => {
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

describe('a gateway with a time limit of one second for requests', () => {
  const camera = { camera_id: 'registered twice', friendly_name: 'x' };

  test('sends no statement for keyed writes after their time limit; if it disappears, its locks end with its request', async () => {
    const network = await faultyNetwork(fresh.url);
    const database = { ...fresh.target, url: network.url } as FreshDatabase['target'];
    const hasty = await createApp({ ...PATIENT, database, budget: createTimeBudget(1000) });
    let vanished: Promise<unknown> | undefined;
    try {
      const MANY = 100;
      const register = (n: number) => send('/cameras', { ...camera, camera_id: `late-${n}` }, randomUUID(), hasty);
      await whileLocked('lock table idempotency_keys in access exclusive mode', async () => {
        expect(await refused(Array.from({ length: MANY }, (_, n) => register(n)))).toHaveLength(MANY);
      });
      const sent = await statementsOf(async () => expect((await register(MANY)).ok).toBe(true));
      expect(sent.length).toBeLessThan(MANY / 2);

      await whileLocked('lock table cameras in exclusive mode', async () => {
        vanished = send('/cameras', camera, 'v', hasty);
        await until(
          'the request waits for the table',
          async () => (await other.query(waitsForTable('cameras'))).rows,
          atLeast(1),
        );
        network.freeze();
      });
      expect((await send('/cameras', camera, 'v')).ok).toBe(true);
    } finally {
      await vanished;
      await network.close();
      await hasty.close();
    }
  });
});
