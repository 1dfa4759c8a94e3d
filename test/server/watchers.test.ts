// Many watchers of a few operations: each change is executed once for each operation.
import { type App, createApp } from '../../src/app';
import { OBJECT_RESOLVERS } from '../../src/changes/change.resolver';
import { readConfig } from '../../src/config';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { until } from '../support/waiting';
import { connectTo } from '../support/watching';

const OPERATIONS = 10;
const WATCHERS = 20;

let fresh: FreshDatabase;
let app: App;
beforeAll(async () => {
  fresh = await freshDatabase('server');
  app = await createApp({ ...readConfig({ LOG_LEVEL: 'silent', PORT: '0' }), database: fresh.target });
});
afterAll(async () => {
  await app.close();
  await fresh.drop();
});

const register = (id: string) =>
  app.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query: `mutation { registerCamera(input: { id: "${id}", friendlyName: "c" }) { id } }` },
  });

test('200 watchers of 10 operations cost 10 executions a change', async () => {
  // The object of a camera's change is looked up once in each execution.
  const executed = jest.spyOn((OBJECT_RESOLVERS[0] as (typeof OBJECT_RESOLVERS)[number]).prototype, 'object');
  const url = await app.listen();
  const got: Parsed[] = [];
  const watchers = Array.from({ length: OPERATIONS * WATCHERS }, (_, n) => {
    const query = `subscription Watch${n % OPERATIONS} { changes { __typename ... on CameraChanged { camera { id } } } }`;
    return connectTo(url, n % 2 === 0 ? 'WebSocket' : 'event stream', query);
  });
  const ended = Promise.allSettled(
    watchers.map(async ({ results }) => {
      for await (const { data } of results) got.push(data.changes.camera.id);
    }),
  );
  let open = '';
  await until(
    async () => {
      open = /^graphql_subscriptions .*$/m.exec((await app.inject('/metrics')).payload)?.[0] ?? '';
      return open === `graphql_subscriptions ${watchers.length}`;
    },
    () => open,
  );
  for (const [n, id] of ['one', 'two'].entries()) {
    await register(id);
    await until(() => got.length === (n + 1) * watchers.length);
    expect(new Set(got.slice(n * watchers.length))).toEqual(new Set([id]));
    expect(executed).toHaveBeenCalledTimes((n + 1) * OPERATIONS);
  }
  for (const watcher of watchers) watcher.cut();
  await ended;
});
