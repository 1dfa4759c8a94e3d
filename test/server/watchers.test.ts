// Many watchers of a few operations: each change is executed once per operation, and all watchers are told of the stop.
import { createApp } from '../../src/app';
import { CHANGE_LINKS } from '../../src/farm/changes/change.resolver';
import { freshDatabase } from '../support/databases';
import { PATIENT, type Parsed } from '../support/gateway';
import { inTime, is, until } from '../support/waiting';
import { connectTo } from '../support/watching-client';

const OPERATIONS = 10;
const WATCHERS = 20;

test('200 watchers of 10 operations cost 10 executions a change; at the stop sockets end with 1001', async () => {
  const fresh = await freshDatabase('server');
  const app = await createApp({ ...PATIENT, port: 0, database: fresh.target });
  // The object of a camera's change is looked up once in each execution.
  const executed = jest.spyOn((CHANGE_LINKS[0] as (typeof CHANGE_LINKS)[number]).prototype, 'find');
  const url = await app.listen();
  const got: Parsed[] = [];
  const watchers = Array.from({ length: OPERATIONS * WATCHERS }, (_, n) => {
    const query = `subscription Watch${n % OPERATIONS} { changes { __typename ... on CameraChanged { camera { id } } } }`;
    return connectTo(url, n % 2 === 0 ? 'WebSocket' : 'event stream', query);
  });
  const ended = Promise.all(
    watchers.map(async ({ results }) => {
      try {
        for await (const { data } of results) got.push(data.changes.camera.id);
      } catch (error) {
        return error;
      }
    }),
  );
  const open = async () => /(?<=^graphql_subscriptions ).*$/m.exec((await app.inject('/metrics')).payload)?.[0];
  await until('all watchers have their subscription', open, is(`${watchers.length}`));
  for (const [n, id] of ['one', 'two'].entries()) {
    await app.inject({ method: 'POST', url: '/cameras', payload: { camera_id: id, friendly_name: 'c' } });
    await until(`all watchers have change ${n + 1}`, () => got.length, is((n + 1) * watchers.length));
    expect(new Set(got.slice(n * watchers.length))).toEqual(new Set([id]));
    expect(executed).toHaveBeenCalledTimes((n + 1) * OPERATIONS);
  }
  await app.close();
  const ends = await inTime('all subscriptions end', ended);
  for (const [n, end] of ends.entries()) {
    if (n % 2 === 0) expect(end).toMatchObject({ code: 1001 });
    // Without `complete` the library of event streams treats the end as a failure.
    else expect(end).toBeInstanceOf(Error);
  }
  executed.mockRestore();
  await fresh.drop();
});
