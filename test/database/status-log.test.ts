// The status log over time: partitions made ahead and dropped, and the latest status of each camera whatever happens.
import { Client } from 'pg';
import { maintainStatusLog } from '../../src/cameras/status-log.maintenance';
import { openDriver } from '../../src/database/database';
import type { Driver, RunSql } from '../../src/database/driver/driver';
import { describeOnDatabases, type FreshDatabase, freshDatabase } from '../support/databases';
import { until, WAITING_FOR_LOCKS } from '../support/waiting';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;
const MONDAY = new Date((Math.floor((Date.now() / DAY + 3) / 7) * 7 - 3) * DAY - 52 * WEEK);
/**
 * Wednesday noon, a year ago, because the future refuses records. Partitions begin on Mondays, so what falls into which
 * of them is the same on every day.
 */
const NOW = new Date(MONDAY.getTime() + 2.5 * DAY);
const later = (ms: number) => new Date(NOW.getTime() + ms);

describeOnDatabases('the status log', (kind) => {
  let fresh: FreshDatabase;
  let driver: Driver;
  const sql = (text: string) => driver.withSession((run: RunSql) => run(text));

  beforeEach(async () => {
    fresh = await freshDatabase(kind);
    driver = await openDriver(fresh.target);
    await sql(`insert into cameras (camera_id, friendly_name, created_at, updated_at)
      select 'cam ' || n, 'c', now(), now() from generate_series(1, 3) n`);
    // As if the migrations had run a year ago.
    await sql(`drop table camera_status_earlier; drop table camera_status_later;
      create table camera_status_earlier partition of camera_status for values from (minvalue) to ('${MONDAY.toISOString()}');
      create table camera_status_later partition of camera_status for values from ('${MONDAY.toISOString()}') to (maxvalue)`);
  });
  afterEach(async () => {
    await driver.close();
    await fresh.drop();
  });

  const record = (at: Date, camera = 'cam 1') =>
    sql(`insert into camera_status (camera_id, recorded_at, online) values ('${camera}', '${at.toISOString()}', true)`);
  const partitions = async () =>
    (
      await sql(`select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i
        join pg_class c on c.oid = i.inhrelid where i.inhparent = 'camera_status'::regclass order by 1`)
    ).map(({ name }) => String(name));
  const rows = async () =>
    (
      await sql(`select tableoid::regclass::text as partition, recorded_at from camera_status order by recorded_at, id`)
    ).map(({ partition, recorded_at }) => [partition, (recorded_at as Date).toISOString()]);
  /** Cameras whose maintained latest record is not the greatest of the log. */
  const stale = () =>
    sql(`select c.camera_id from cameras c
      left join lateral (select * from camera_status s where s.camera_id = c.camera_id
        order by recorded_at desc, id desc limit 1) s on true
      left join camera_latest_status l on l.camera_id = c.camera_id
      where (s.id, s.recorded_at, s.online, s.mode) is distinct from (l.id, l.recorded_at, l.online, l.mode)`);

  test('has partitions for the next six weeks, and the same again changes nothing', async () => {
    await maintainStatusLog(driver, null, NOW);
    const made = await partitions();
    const weekly = Array.from({ length: 6 }, () => expect.stringMatching(/^camera_status_\d{8}$/));
    expect(made).toEqual([...weekly, 'camera_status_earlier', 'camera_status_later']);
    // More are made when fewer than three weeks are ahead.
    for (const weeks of [0, 1, 2, 3]) expect(await maintainStatusLog(driver, null, later(weeks * WEEK))).toEqual([]);
    expect(await partitions()).toEqual(made);
    for (const weeks of [-9, 0, 1, 2, 3, 4, 5, 6, 9]) await record(later(weeks * WEEK));
    const [earlier, ...others] = (await rows()).map(([partition]) => partition);
    expect(earlier).toBe('camera_status_earlier');
    expect(others).toEqual([...made.slice(0, 6), 'camera_status_later', 'camera_status_later']);
  });

  test('goes on after weeks without a gateway: no record is lost, and each time has its partition', async () => {
    await maintainStatusLog(driver, null, NOW);
    const times = [-WEEK, 0, 7 * WEEK, 8 * WEEK, 9 * WEEK].map((ms) => later(ms));
    for (const at of times) await record(at);
    await maintainStatusLog(driver, null, later(9 * WEEK + DAY));
    const kept = await rows();
    expect(kept.map(([, at]) => at)).toEqual(times.map((at) => at.toISOString()));
    // The weeks without a gateway are one partition.
    expect(new Set(kept.slice(2).map(([partition]) => partition)).size).toBe(1);
    expect(kept[2]?.[0]).toMatch(/^camera_status_\d{8}$/);
    expect(await stale()).toEqual([]);
    await maintainStatusLog(driver, null, later(40 * WEEK));
    const made = await partitions();
    for (const weeks of [10, 20, 30, 40]) await record(later(weeks * WEEK));
    expect(await partitions()).toEqual(made);
    expect((await rows()).map(([, at]) => at)).toHaveLength(times.length + 4);
    expect((await rows()).map(([partition]) => partition)).not.toContain('camera_status_later');
  });

  test('drops what is wholly older than the retention, and the latest status of a camera survives', async () => {
    await maintainStatusLog(driver, null, NOW);
    await record(later(-WEEK), 'cam 1');
    await record(NOW, 'cam 2');
    await record(later(WEEK), 'cam 3');
    const before = await sql('select camera_id, recorded_at from camera_latest_status order by 1');
    const [week] = await partitions();
    // A week's partition goes when its last moment is older: not sooner.
    await maintainStatusLog(driver, 3, later(WEEK));
    expect(await partitions()).toContain(week);
    await maintainStatusLog(driver, 3, later(WEEK + 4 * DAY));
    expect(await partitions()).not.toContain(week);
    expect((await rows()).map(([, at]) => at)).toEqual([later(WEEK).toISOString()]);
    expect(await sql('select camera_id, recorded_at from camera_latest_status order by 1')).toEqual(before);
    // A later record takes the place of the survivor, an earlier one does not.
    await record(later(-2 * WEEK), 'cam 2');
    await record(later(WEEK + DAY), 'cam 1');
    const after = await sql('select camera_id, recorded_at from camera_latest_status order by 1');
    expect(after).toEqual([{ camera_id: 'cam 1', recorded_at: later(WEEK + DAY) }, before[1], before[2]]);
  });

  test('a clock that is wrong by twenty years leaves no partitions behind', async () => {
    await maintainStatusLog(driver, null, NOW);
    const before = await partitions();
    await maintainStatusLog(driver, null, later(20 * 52 * WEEK));
    expect((await partitions()).length).toBeGreaterThan(before.length);
    await maintainStatusLog(driver, null, NOW);
    expect(await partitions()).toEqual(before);
    await maintainStatusLog(driver, null, new Date('1970-01-01Z'));
    await maintainStatusLog(driver, null, NOW);
    expect(await partitions()).toEqual(before);
  });

  test('a clock that was ahead of the retention leaves no hole: the present is recorded as ever', async () => {
    await maintainStatusLog(driver, 30, NOW);
    const before = await partitions();
    await maintainStatusLog(driver, 30, later(52 * WEEK));
    await maintainStatusLog(driver, 30, NOW);
    expect(await partitions()).toEqual(before);
    for (const at of [NOW, later(DAY), later(-WEEK)]) await record(at);
    expect(await rows()).toEqual([
      ['camera_status_earlier', later(-WEEK).toISOString()],
      [before[0], NOW.toISOString()],
      [before[0], later(DAY).toISOString()],
    ]);
    expect(await maintainStatusLog(driver, 30, NOW)).toEqual([]);
  });

  test('sets aside the records that are more than a day ahead, which hide the present no longer', async () => {
    await maintainStatusLog(driver, null, NOW);
    await record(NOW);
    await record(later(DAY), 'cam 2');
    await sql(`set local statement_timeout = 0; insert into camera_status (camera_id, recorded_at, mode)
      select 'cam ' || 1 + n % 2, '${later(30 * DAY).toISOString()}'::timestamptz + n * interval '1 ms', 'ahead' from generate_series(1, 20000) n`);
    expect(await maintainStatusLog(driver, null, NOW)).toEqual([
      '10000 records of more than a day ahead were moved to camera_status_set_aside',
      '10000 records of more than a day ahead were moved to camera_status_set_aside',
    ]);
    expect((await rows()).map(([, at]) => at)).toEqual([NOW, later(DAY)].map((at) => at.toISOString()));
    expect(await stale()).toEqual([]);
    // How an operator brings them back.
    await sql(
      `set local statement_timeout = 0; insert into camera_status select r.* from camera_status_set_aside s, json_populate_record(null::camera_status, s.record) r`,
    );
    expect(await sql(`select count(*)::int as n from camera_status where mode = 'ahead' and not online`)).toEqual([
      { n: 20000 },
    ]);
    expect(await maintainStatusLog(driver, null, NOW)).toHaveLength(2);
  });

  test('refuses records of more than 25 hours ahead, by other programs too', async () => {
    const ahead = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);
    await record(ahead(24));
    const refusal = /violates check constraint "camera_status_not_ahead"/;
    await expect(record(ahead(26))).rejects.toThrow(refusal);
    await expect(sql(`update camera_status set recorded_at = '${ahead(26).toISOString()}'`)).rejects.toThrow(refusal);
    expect(await rows()).toHaveLength(1);
    expect(await stale()).toEqual([]);
  });

  test('keeps the latest record, whoever inserts, changes, moves or deletes records', async () => {
    await maintainStatusLog(driver, null, NOW);
    const changes = [
      `insert into camera_status (camera_id, recorded_at, online)
        select 'cam ' || 1 + n % 3, now() - n * interval '1 day', n % 2 = 0 from generate_series(1, 30) n`,
      `update camera_status set mode = 'night'`,
      `update camera_status set recorded_at = recorded_at + interval '19 days' where camera_id = 'cam 1' and recorded_at < now() - interval '20 days'`,
      `update camera_status set recorded_at = recorded_at - interval '200 days' where camera_id = 'cam 1' and recorded_at > now() - interval '10 days'`,
      `update camera_status set camera_id = 'cam 2' where camera_id = 'cam 3'`,
      `update camera_status set id = id + 1000`,
      `insert into camera_status (camera_id, recorded_at, online) select 'cam 1', max(recorded_at), false from camera_status`,
      `delete from camera_status where recorded_at = (select max(recorded_at) from camera_status)`,
      `delete from camera_status where camera_id = 'cam 2'`,
      `update cameras set camera_id = 'renamed' where camera_id = 'cam 1'`,
      `delete from cameras where camera_id = 'renamed'`,
      `truncate camera_status`,
    ];
    for (const change of changes) {
      await sql(change);
      expect({ change, stale: await stale() }).toEqual({ change, stale: [] });
    }
  });

  // Only a server has other sessions that can be in the way.
  if (kind === 'server') {
    test('keeps the latest record when the latest ones are deleted by several at the same time', async () => {
      await maintainStatusLog(driver, null, NOW);
      await sql(`insert into camera_status (camera_id, recorded_at, online)
        select 'cam 1', now() + n * interval '1 hour', true from generate_series(1, 6) n`);
      const others = [1, 2, 3].map(() => new Client({ connectionString: fresh.url }));
      await Promise.all(others.map((other) => other.connect()));
      const latest = "(select recorded_at from camera_status where camera_id = 'cam 1' order by 1 desc offset";
      const deletions: Promise<unknown>[] = [];
      for (const [n, other] of others.entries()) {
        await other.query('begin');
        deletions.push(other.query(`delete from camera_status where recorded_at = ${latest} ${n} limit 1)`));
        // The first one holds the camera before the others ask for it.
        if (n === 0) await deletions[0];
        else await until(async () => (await sql(WAITING_FOR_LOCKS)).length >= n);
      }
      for (const [n, other] of others.entries()) {
        await deletions[n];
        await other.query('commit');
      }
      await Promise.all(others.map((other) => other.end()));
      expect(await stale()).toEqual([]);
    });

    test('gives way: a reader that holds the table makes it wait 250 ms at most, and others no longer', async () => {
      await maintainStatusLog(driver, null, NOW);
      const partitionsBefore = await partitions();
      await driver.withSession(async (reader) => {
        await reader('begin');
        await reader('select count(*) from camera_status');
        const attempt = maintainStatusLog(driver, null, later(4 * WEEK));
        const [failure] = await Promise.all([
          attempt.then(
            () => undefined,
            (error: Error) => error.message,
          ),
          record(NOW),
        ]);
        expect(failure).toMatch(/lock timeout/);
        await reader('commit');
      });
      expect(await partitions()).toEqual(partitionsBefore);
      await maintainStatusLog(driver, null, later(4 * WEEK));
      expect((await partitions()).length).toBeGreaterThan(partitionsBefore.length);
      expect(await rows()).toHaveLength(1);
    });
  }
});
