// The feed with concurrent transactions on a server: no gap, nothing twice, the changes of each object in the order of its commits.
import {
  collectChanges,
  readChangesAfter,
  readCurrentCursor,
  readLatestCursor,
  summarizeChange,
} from '../support/changes';
import { unique } from '../support/farm';
import { test, useGateway } from '../support/gateway';
import { useSessions } from '../support/sessions';
import { atLeast, until, WAITING_SESSIONS } from '../support/waiting';

describe('on a server', () => {
  const gateway = useGateway('server');
  const session = useSessions(gateway);

  const insert = (id: string, name = 'c') =>
    `insert into cameras (camera_id, friendly_name) values ('${id}', '${name}')`;
  const count = (id: string) =>
    `update cameras set friendly_name = (friendly_name::int + 1)::text where camera_id = '${id}'`;
  const record = (id: string) => `insert into camera_status (camera_id, recorded_at, mode)
  select camera_id, clock_timestamp(), friendly_name from cameras where camera_id = '${id}'`;

  test('the feed waits for a transaction that started first and commits last', async () => {
    const [slow, quick] = [await session(), await session()];
    const [first, second, third] = ['1', '2', '3'].map(unique) as [string, string, string];
    const start = await readCurrentCursor(gateway);
    await slow.query('begin');
    await slow.query(insert(first));
    await quick.query(insert(second));
    await gateway.rest('POST', '/cameras', { camera_id: third, friendly_name: 'c' });
    expect(await readChangesAfter(gateway, start)).toEqual([]);
    expect(await readLatestCursor(gateway)).toBe(start);
    const { text } = await gateway.rest('GET', '/metrics');
    expect(Number(/^change_feed_seconds_behind (.*)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    await slow.query('commit');
    const changes = () => readChangesAfter(gateway, start);
    const seen = await until('the three changes can be read', changes, (found) => found.length >= 3 && found);
    expect(seen.map(summarizeChange)).toEqual([first, second, third].map((id) => `CAMERA CREATED ${id}`));
  });

  for (const [what, write] of [
    ['update', count],
    ['record', record],
  ] as const) {
    test(`two transactions ${what} one camera, and the older one commits last: its change comes last`, async () => {
      const [older, younger] = [await session(), await session()];
      const camera = unique('contested');
      await older.query(insert(camera, '0'));
      const changes = await collectChanges(gateway, async () => {
        await older.query('begin');
        await older.query('select pg_current_xact_id()');
        await younger.query('begin');
        await younger.query(write(camera));
        // It waits for the younger transaction, which holds the row.
        const waiting = older.query(write(camera));
        await until('the older transaction waits', () => gateway.sql(WAITING_SESSIONS), atLeast(1));
        await younger.query(insert(`${camera} younger`));
        await younger.query('commit');
        await waiting;
        await older.query(insert(`${camera} older`));
        await older.query('commit');
      });
      expect(changes.map(({ id, camera: recorded }) => id ?? recorded.id)).toEqual([
        camera,
        `${camera} younger`,
        camera,
        `${camera} older`,
      ]);
    });
  }
});
