// Random transactions of eight sessions on five cameras, while a reader pages through the feed.
import { changePage, cursorOfNow } from '../support/changes';
import { unique } from '../support/farm';
import { type Parsed, test, useGateway } from '../support/gateway';
import { random } from '../support/generated';
import { useSessions } from '../support/sessions';

describe('on a server', () => {
  const gateway = useGateway('server');
  const session = useSessions(gateway);

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const insert = (id: string, name = 'c') =>
    `insert into cameras (camera_id, friendly_name) values ('${id}', '${name}')`;
  const count = (id: string) =>
    `update cameras set friendly_name = (friendly_name::int + 1)::text where camera_id = '${id}'`;
  const record = (id: string) => `insert into camera_status (camera_id, recorded_at, mode)
  select camera_id, clock_timestamp(), friendly_name from cameras where camera_id = '${id}'`;

  test('the reader has what was committed, once, and each counter in order', async () => {
    const cameras = Array.from({ length: 5 }, (_, n) => unique(`counter ${n}`));
    for (const camera of cameras) await gateway.sql(insert(camera, '0'));
    const start = await cursorOfNow(gateway);
    let isOver = false;
    const seen: Parsed[] = [];
    let place = start;
    const read = async () => {
      const { nodes, pageInfo } = await changePage(gateway, { after: place, first: 7 });
      seen.push(...nodes);
      place = pageInfo.endCursor as string;
      return pageInfo.hasNextPage;
    };
    const reading = (async () => {
      while (!isOver) await read();
    })();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const sql = await session();
      for (let round = 0; round < 40; round += 1) {
        await sql.query('begin');
        // In the order of their names, so that no two wait for each other.
        for (const camera of cameras.filter(() => random() < 0.5)) {
          if (random() < 0.3) await sql.query('select pg_current_xact_id()');
          await sql.query(count(camera));
          if (random() < 0.2) await pause(random() * 10);
          await sql.query(record(camera));
        }
        await sql.query(insert(`own ${writer} ${round}`));
        await sql.query(random() < 0.3 ? 'rollback' : 'commit');
      }
    });
    await Promise.all(writers);
    isOver = true;
    await reading;
    await cursorOfNow(gateway);
    while (await read());

    expect(new Set(seen.map(({ cursor }) => cursor)).size).toBe(seen.length);
    const own = (await gateway.sql(`select camera_id as id from cameras where camera_id like 'own %'`)).map(
      ({ id }) => id,
    );
    expect(own.length).toBeGreaterThan(50);
    expect(
      seen
        .filter(({ id }) => id?.startsWith('own '))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(own.sort());
    for (const camera of cameras) {
      const [{ total }] = (await gateway.sql(
        `select friendly_name::int as total from cameras where camera_id = '${camera}'`,
      )) as [{ total: number }];
      const recorded = seen
        .filter((change) => change.camera?.id === camera)
        .map((change) => Number(change.status.mode));
      expect(recorded).toEqual(Array.from({ length: total }, (_, n) => n + 1));
      expect(seen.filter(({ id, kind }) => id === camera && kind === 'UPDATED').length).toBe(total);
    }
  });
});
