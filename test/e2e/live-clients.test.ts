// Clients that watch the farm: the examples of docs/guides/follow-changes.md, unmodified, while a gateway is killed.

import { type Child, startChild } from '../support/child-process';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { readExample } from '../support/docs';
import { freePort } from '../support/free-port';
import { ask, readChangesUpTo } from '../support/requests';
import { ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

let gateway: RunningGateway;
let fresh: FreshDatabase;
let environment: Record<string, string>;
const children: Child[] = [];
let cameras = 0;
beforeAll(async () => {
  fresh = await freshDatabase('server');
  environment = { DATABASE_URL: fresh.url, PORT: String(await freePort()) };
  gateway = await runGateway(environment);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await gateway.stop('SIGKILL');
  await fresh.drop();
});

async function registerCamera(): Promise<void> {
  cameras += 1;
  await ask(gateway, '/cameras', { camera_id: `camera ${cameras}`, friendly_name: 'Camera' });
}

// Node 20 has no WebSocket.
const BROWSER = `import { WebSocket as Socket } from 'ws';
globalThis.WebSocket ??= Socket;
`;

function startExample(name: string): Child {
  const program = BROWSER + readExample(name, gateway.url);
  const child = startChild('--input-type=module', ['--eval', program], {}, ROOT);
  children.push(child);
  return child;
}

const URQL = 'urql, which continues after the last change: graphql-ws sends the request again after each interruption';

test('the examples print the changes, and the one with a cursor continues after a killed gateway is back, with every change once', async () => {
  const examples = ['Apollo Client', 'fetch: prints the events as they come', URQL].map(startExample);
  // They may not have begun to watch yet.
  const outputs = async () => {
    await registerCamera();
    return examples.map(({ output }) => output);
  };
  const isShown = (output: string) => output.includes('CameraChanged') && /cursor\W+\w/.test(output);
  await until('each example shows a change with its cursor', outputs, (printed) => printed.every(isShown));
  await gateway.stop('SIGKILL');
  await onServer(fresh.url, `insert into cameras (camera_id, friendly_name) values ('meanwhile', 'c')`);
  gateway = await runGateway(environment);
  await registerCamera();
  const all = (await readChangesUpTo(gateway, `camera ${cameras}`)).map(({ cursor }) => cursor);
  const got = () => [...`${examples[2]?.output}`.matchAll(/cursor: '([^']+)'/g)].map(([, cursor]) => cursor as string);
  const since = all.slice(all.indexOf(got()[0] as string));
  expect(since.length).toBeGreaterThan(2);
  await until('urql has received the last change', got, (cursors) => cursors.includes(since.at(-1) as string));
  expect(got()).toEqual(since);
});
