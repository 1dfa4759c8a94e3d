// Watchers at two gateways on one server, with writers through both and by SQL: each watcher receives all committed changes once.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CHANGE, summarizeChange } from '../support/changes';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { random } from '../support/generated';
import { ask } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';
import { type Transport, WatchingClient } from '../support/watching-client';

const ALL = `subscription ($after: String) { changes(after: $after) { ${CHANGE} } }`;
const TRANSPORTS: Transport[] = ['WebSocket', 'event stream'];

let fresh: FreshDatabase;
let gateways: RunningGateway[];
const clients: Client[] = [];
const watchers: WatchingClient[] = [];

beforeEach(async () => {
  fresh = await freshDatabase('server');
  gateways = await Promise.all([1, 2].map(() => runGateway({ DATABASE_URL: fresh.url })));
});
afterEach(async () => {
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
  await Promise.all(clients.map((client) => client.end()));
  await fresh.drop();
});

async function sqlClient(): Promise<Client> {
  const client = new Client({ connectionString: fresh.url });
  clients.push(client);
  await client.connect();
  return client;
}

async function graph(gateway: RunningGateway, query: string, variables: unknown = {}): Promise<Parsed> {
  const { body } = await ask(gateway, '/graphql', { query, variables });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

/** Writes records that are counted for its camera. Without an answer, a record may have been committed or not. */
async function writeThroughGateways(camera: string, isOver: () => boolean): Promise<void> {
  const record = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';
  for (let n = 1; !isOver(); n += 1) {
    const gateway = gateways[n % gateways.length] as RunningGateway;
    await graph(gateway, record, { input: [{ cameraId: camera, online: true, mode: String(n) }] }).catch(() =>
      sleep(20),
    );
  }
}

/** All writers count one camera: the lock of its row makes the order of their commits. A third rolls back. */
async function countTogether(sql: Client, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    await sql.query('begin');
    // Its transaction id may be older than the one of the writer before it.
    if (n % 2 === 0) await sql.query('select pg_current_xact_id()');
    if (n % 5 === 0) await sleep(random() * 30);
    await sql.query(`update cameras set friendly_name = (friendly_name::int + 1)::text where camera_id = 'shared'`);
    await sql.query(`insert into camera_status (camera_id, recorded_at, mode)
      select camera_id, clock_timestamp(), friendly_name from cameras where camera_id = 'shared'`);
    if (n % 7 === 0) await sleep(random() * 30);
    await sql.query(n % 3 === 0 ? 'rollback' : 'commit');
  }
}

test('watchers that are cut off, and a gateway that is killed: every change arrives once, in order', async () => {
  const sql = await sqlClient();
  const cameras = ['one', 'two', 'three'];
  await sql.query(
    `insert into cameras (camera_id, friendly_name) values ('shared', '0'), ('one', 'c'), ('two', 'c'), ('three', 'c')`,
  );
  const { latestChangeCursor } = await graph(gateways[0] as RunningGateway, '{ latestChangeCursor }');
  for (let n = 0; n < 10; n += 1) {
    const transport = TRANSPORTS[n % 2] as Transport;
    watchers.push(new WatchingClient(() => gateways.map(({ url }) => url), transport, ALL, latestChangeCursor));
  }
  let over = false;
  const isOver = () => over;
  const counters = await Promise.all([1, 2, 3].map(sqlClient));
  const writing = Promise.all([
    ...cameras.map((camera) => writeThroughGateways(camera, isOver)),
    ...counters.map((client) => countTogether(client, isOver)),
  ]);
  for (let round = 0; round < 40; round += 1) {
    await sleep(100);
    watchers[Math.floor(random() * watchers.length)]?.cut();
    if (round === 20) {
      const [first] = gateways.splice(0, 1) as [RunningGateway];
      await first.stop('SIGKILL');
    }
  }
  over = true;
  await writing;
  const [last] = (
    await sql.query(
      `insert into materials (id, name, density_g_per_cm3) values (gen_random_uuid(), 'last', 1) returning id`,
    )
  ).rows;
  for (const { received: got } of watchers) {
    await until(
      `the watcher has received the last change, that of ${last.id}`,
      () => got,
      (changes) => changes.some(({ id }) => id === last.id),
    );
  }

  const records = (await sql.query('select camera_id, mode from camera_status')).rows as {
    camera_id: string;
    mode: string;
  }[];
  for (const watcher of watchers) {
    const recorded = watcher.received.filter(({ __typename }) => __typename === 'CameraStatusRecorded');
    for (const camera of [...cameras, 'shared']) {
      const committed = records.filter(({ camera_id }) => camera_id === camera).map(({ mode }) => Number(mode));
      const seen = recorded.filter((change) => change.camera.id === camera).map(({ status }) => Number(status.mode));
      expect(committed.length).toBeGreaterThan(5);
      expect(seen).toEqual(committed.sort((x, y) => x - y));
    }
    expect(new Set(watcher.received.map(({ cursor }) => cursor)).size).toBe(watcher.received.length);
  }
  // All watchers, at any gateway, have seen the same changes in the same order.
  expect(new Set(watchers.map(({ received: got }) => got.map(summarizeChange).join('\n'))).size).toBe(1);
  expect(watchers.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThan(5);
});
