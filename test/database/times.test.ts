// A time is the same instant on every way in and out, whatever the zone of the server and of this process.
import { join } from 'node:path';
import { openDatabase, openDriver } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';
import { startChild } from '../support/child-process';
import { describeOnDatabases, type FreshDatabase, freshDatabase } from '../support/databases';

describeOnDatabases('times', (kind) => {
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await freshDatabase(kind);
  });
  afterEach(() => fresh.drop());

  test.each(['UTC', 'Asia/Tokyo', 'America/St_Johns'])('in a process in %s', async (zone) => {
    const child = startChild(join(__dirname, 'write-and-read-times.ts'), [JSON.stringify(fresh.target)], { TZ: zone });
    expect({ code: await child.ended, output: child.output }).toMatchObject({ code: 0 });
    const report = JSON.parse(child.output.split('\n').find((line) => line.startsWith('{')) ?? 'null');
    expect(report.processZone).toBe(zone);
    // Summer and winter, the hour that New York has twice, the one it lacks, and the ends of the range.
    for (const { instant, byModel, byJson } of report.times) {
      const same = { model: instant, json: instant, sql: instant };
      expect({ instant, byModel, byJson }).toEqual({ instant, byModel: same, byJson: same });
    }
    expect(report.times).toHaveLength(7);
  });

  test('the session is in UTC, the server need not be', async () => {
    const driver = await openDriver(fresh.target);
    const [zones] = await driver.withSession((run) =>
      run(
        "select current_setting('TimeZone') as session, reset_val as server, current_setting('DateStyle') as style from pg_settings where name = 'TimeZone'",
      ),
    );
    expect(zones).toMatchObject({ session: 'UTC', style: expect.stringMatching(/^ISO/) });
    await driver.close();
    if (kind === 'server') {
      const { Client } = await import('pg');
      const client = new Client({ connectionString: fresh.url });
      await client.connect();
      expect((await client.query('show TimeZone')).rows).toEqual([{ TimeZone: 'America/New_York' }]);
      await client.end();
    }
  });
});

describeOnDatabases('text', (kind) => {
  const names = ['a', 'B', 'Z', '_', '-', 'ä', 'é', 'z', '10', '9', ' ', 'ａ', '\u{1F5A8}', '\uFFFD'];
  const byCodePoint = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  test('is ordered by code point, whatever the collation of the database', async () => {
    const fresh = await freshDatabase(kind);
    const database = await openDatabase(fresh.target);
    const now = new Date();
    await database.prisma.camera.createMany({
      data: names.map((cameraId) => ({ cameraId, friendlyName: 'x', createdAt: now, updatedAt: now })),
    });
    const read = await database.json(
      'test',
      Prisma.sql`select json_agg(camera_id order by camera_id) as value from cameras`,
    );
    expect(read).toEqual(byCodePoint);
    const found = await database.prisma.camera.findMany({ orderBy: { cameraId: 'asc' }, select: { cameraId: true } });
    expect(found.map((camera) => camera.cameraId)).toEqual(byCodePoint);
    if (kind === 'server') {
      // What the tests' server does by itself, without which this test could not fail.
      const byDefault = await database.json(
        'test',
        Prisma.sql`select json_agg(t order by t) as value from unnest(${names}::text[]) t`,
      );
      expect(byDefault).not.toEqual(byCodePoint);
    }
    await database.close();
    await fresh.drop();
  });
});
