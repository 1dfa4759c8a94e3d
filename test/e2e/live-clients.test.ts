// What clients do to watch the farm: the examples of docs/live.md as they are in it, and the typed client over a killed gateway.

import { Client as SqlClient } from 'pg';
import { createClient } from '../../src/client/client';
import type { WatchState } from '../../src/client/watch';
import { FarmChangesDocument, RegisterCameraDocument } from '../../src/generated/operations';
import { changesUpTo } from '../support/asking';
import { startChild } from '../support/child-process';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { exampleOf } from '../support/docs';
import { freePort } from '../support/free-port';
import { ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

let gateway: RunningGateway;
let fresh: FreshDatabase | undefined;
let cameras = 0;
afterEach(async () => {
  await gateway?.stop('SIGKILL');
  await fresh?.drop();
});

async function registerCamera(): Promise<void> {
  cameras += 1;
  const macAddress = `02:00:00:00:00:${cameras.toString(16).padStart(2, '0')}`;
  const input = { id: `camera ${cameras}`, friendlyName: 'Camera', macAddress };
  await createClient({ url: `${gateway.url}/graphql` }).request(RegisterCameraDocument, { input });
}

// Node 20 has no WebSocket.
const BROWSER = `import { WebSocket as Socket } from 'ws';
globalThis.WebSocket ??= Socket;
`;

const URQL = 'urql, which goes on behind the last change: graphql-ws sends the request again after each cut';

test.each(['Apollo Client', URQL, 'fetch: prints the events as they come'])('%s', async (name) => {
  gateway = await runGateway();
  const program = BROWSER + exampleOf(name, gateway.url);
  const child = startChild('--input-type=module', ['--eval', program], {}, ROOT);
  try {
    let failure: Error | undefined;
    const said = child.says('CameraChanged').then(
      () => true,
      (error: Error) => {
        failure = error;
        return true;
      },
    );
    // It may not have begun to watch yet.
    await until(async () => {
      await registerCamera();
      return Promise.race([said, new Promise<false>((resolve) => setTimeout(resolve, 300, false))]);
    });
    if (failure) throw failure;
    expect(child.output).toMatch(/cursor\W+\w/);
  } finally {
    child.kill('SIGKILL');
    await child.ended;
  }
});

test('the example with a cursor goes on when a gateway that was killed is back, with every change once', async () => {
  fresh = await freshDatabase('server');
  const environment = { DATABASE_URL: fresh.url, PORT: String(await freePort()) };
  gateway = await runGateway(environment);
  const child = startChild('--input-type=module', ['--eval', BROWSER + exampleOf(URQL, gateway.url)], {}, ROOT);
  const got = () => [...child.output.matchAll(/cursor: '([^']+)'/g)].map(([, cursor]) => cursor);
  const sql = new SqlClient({ connectionString: fresh.url });
  try {
    await sql.connect();
    // It may not have begun to watch yet.
    await until(async () => {
      await registerCamera();
      return got().length > 0;
    });
    await gateway.stop('SIGKILL');
    await sql.query(`insert into cameras (camera_id, friendly_name) values ('meanwhile', 'c')`);
    gateway = await runGateway(environment);
    await registerCamera();
    const all = (await changesUpTo(gateway, `camera ${cameras}`)).map(({ cursor }) => cursor);
    const since = all.slice(all.indexOf(got()[0] as string));
    expect(since.length).toBeGreaterThan(2);
    await until(
      () => got().includes(since.at(-1) as string),
      () => child.output,
    );
    expect(got()).toEqual(since);
  } finally {
    await sql.end();
    child.kill('SIGKILL');
    await child.ended;
  }
});

test('the typed client goes on when a gateway that was killed is back, with every change once', async () => {
  fresh = await freshDatabase('server');
  const environment = { DATABASE_URL: fresh.url, PORT: String(await freePort()) };
  gateway = await runGateway(environment);
  const states: WatchState[] = [];
  const abort = new AbortController();
  const cursors: string[] = [];
  const options = { signal: abort.signal, onState: (state: WatchState) => states.push(state) };
  const watching = (async () => {
    const client = createClient({ url: `${gateway.url}/graphql` });
    for await (const { changes } of client.subscribe(FarmChangesDocument, {}, options)) cursors.push(changes.cursor);
  })();
  await until(() => states.at(-1) === 'connected');
  await registerCamera();
  await until(() => cursors.length === 1);
  // Nobody may have been told of the second change.
  await registerCamera();
  await gateway.stop('SIGKILL');
  await until(() => states.at(-1) === 'behind');
  gateway = await runGateway(environment);
  await registerCamera();
  await until(() => cursors.length === 3);
  await registerCamera();
  await until(() => cursors.length === 4);
  abort.abort();
  await watching;
  expect(new Set(cursors).size).toBe(4);
  expect(states).toEqual(['connected', 'behind', 'connected']);
});
