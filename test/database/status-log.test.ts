// The status log over time: partitions made ahead and dropped, the latest status of each camera whatever happens, and clocks
// that are wrong.
import { Client } from 'pg';
import { openDatabase, openDriver } from '../../src/database/database';
import type { Driver } from '../../src/database/driver/driver';
import { applyMigrations } from '../../src/database/migrations';
import { BadInput } from '../../src/errors';
import { maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { StatusLogStore } from '../../src/farm/cameras/status-log.store';
import { describeOnDatabases, emptyDatabase, type FreshDatabase, freshDatabase } from '../support/databases';
import { makeCamera, recordStatuses } from '../support/farm';
import { expectCode, expectData, PATIENT, useGateway } from '../support/gateway';
import { requestAt } from '../support/request-time';
import { statementsOf } from '../support/statements';
import { atLeast, until, WAITING_FOR_LOCKS } from '../support/waiting';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONDAY = new Date((Math.floor((Date.now() / DAY + 3) / 7) * 7 - 3) * DAY - 52 * WEEK);
/**
 * Wednesday noon, a year ago, because the future refuses records. Partitions begin on Mondays, so what falls into which
 * of them is the same on every day.
 */
const NOW = new Date(MONDAY.getTime() + 2.5 * DAY);
const later = (ms: number) => new Date(NOW.getTime() + ms);
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the status log', () => {
  let fresh: FreshDatabase;
  let driver: Driver;
  const sql = (text: string) => driver.withSession((run) => run(text));

  beforeEach(async () => {
    fresh = await freshDatabase('server');
    driver = await openDriver(fresh.target);
    await sql(`insert into cameras (camera_id, friendly_name) select 'cam ' || n, 'c' from generate_series(1, 3) n`);
    // As if the migrations had run a year ago.
    await sql(`drop table camera_status_earlier; drop table camera_status_later;
      create table camera_status_earlier partition of camera_status for values from (minvalue) to ('${MONDAY.toISOString()}');
      create table camera_status_later partition of camera_status for values from ('${MONDAY.toISOString()}') to (maxvalue)`);
    await maintainStatusLog(driver, null, NOW);
  });
  afterEach(async () => {
    await driver.close();
    await fresh.drop();
  });

  const record = (at: Date, camera = 'cam 1') =>
    sql(`insert into camera_status (camera_id, recorded_at, online) values ('${camera}', '${at.toISOString()}', true)`);
  const partitions = async () =>
    (
      await sql(`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'camera_status'::regclass order by 1`)
    ).map(({ name }) => String(name));
  const rows = async () =>
    (
      await sql(`select tableoid::regclass::text as partition, recorded_at from camera_status order by recorded_at, id`)
    ).map(({ partition, recorded_at }) => [partition, (recorded_at as Date).toISOString()]);
  const latest = () => sql('select camera_id, recorded_at from camera_latest_status order by 1');
  /** Cameras whose maintained latest record is not the greatest of the log. */
  const stale = () =>
    sql(`select c.camera_id from cameras c
      left join lateral (select * from camera_status s where s.camera_id = c.camera_id
        order by recorded_at desc, id desc limit 1) s on true
      left join camera_latest_status l on l.camera_id = c.camera_id
      where (s.id, s.recorded_at, s.online, s.mode) is distinct from (l.id, l.recorded_at, l.online, l.mode)`);

  test('has partitions for the next six weeks, and repeating the maintenance changes nothing', async () => {
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

  test('continues after weeks without a gateway: no record is lost, and each time has its partition', async () => {
    const times = [-WEEK, 0, 7 * WEEK, 8 * WEEK, 9 * WEEK].map((ms) => later(ms));
    for (const at of times) await record(at);
    await maintainStatusLog(driver, null, later(9 * WEEK + DAY));
    const kept = await rows();
    expect(kept.map(([, at]) => at)).toEqual(times.map((at) => at.toISOString()));
    // The weeks without a gateway are one partition.
    expect(new Set(kept.slice(2).map(([partition]) => partition)).size).toBe(1);
    expect(kept[2]?.[0]).toMatch(/^camera_status_\d{8}$/);
    expect(await stale()).toEqual([]);
  });

  test('drops partitions that are entirely older than the retention, and the latest status of a camera survives', async () => {
    await record(later(-WEEK), 'cam 1');
    await record(NOW, 'cam 2');
    await record(later(WEEK), 'cam 3');
    const before = await latest();
    const [week] = await partitions();
    // A week's partition is dropped when its last moment is older than the retention, not sooner.
    await maintainStatusLog(driver, 3, later(WEEK));
    expect(await partitions()).toContain(week);
    await maintainStatusLog(driver, 3, later(WEEK + 4 * DAY));
    expect(await partitions()).not.toContain(week);
    expect((await rows()).map(([, at]) => at)).toEqual([later(WEEK).toISOString()]);
    expect(await latest()).toEqual(before);
    // A later record replaces the survivor, an earlier one does not.
    await record(later(-2 * WEEK), 'cam 2');
    await record(later(WEEK + DAY), 'cam 1');
    expect(await latest()).toEqual([{ camera_id: 'cam 1', recorded_at: later(WEEK + DAY) }, before[1], before[2]]);
  });

  test('a clock that was wrong by years leaves neither partitions nor a hole: current records are stored as usual', async () => {
    await maintainStatusLog(driver, 30, NOW);
    const before = await partitions();
    for (const wrong of [later(20 * 52 * WEEK), new Date('1970-01-01Z'), later(52 * WEEK)]) {
      await maintainStatusLog(driver, 30, wrong);
      await maintainStatusLog(driver, 30, NOW);
      expect(await partitions()).toEqual(before);
    }
    for (const at of [NOW, later(DAY), later(-WEEK)]) await record(at);
    expect(await rows()).toEqual([
      ['camera_status_earlier', later(-WEEK).toISOString()],
      [before[0], NOW.toISOString()],
      [before[0], later(DAY).toISOString()],
    ]);
  });

  test('sets aside the records that are more than a day ahead, so that they no longer hide current records', async () => {
    await record(NOW);
    await record(later(DAY), 'cam 2');
    await sql(`insert into camera_status (camera_id, recorded_at, mode)
      select 'cam ' || 1 + n % 2, '${later(30 * DAY).toISOString()}'::timestamptz + n * interval '1 ms', 'ahead' from generate_series(1, 10001) n`);
    expect(await maintainStatusLog(driver, null, NOW)).toEqual([
      '10000 records that were more than a day ahead were moved to camera_status_set_aside.',
      '1 records that were more than a day ahead were moved to camera_status_set_aside.',
    ]);
    expect((await rows()).map(([, at]) => at)).toEqual([NOW, later(DAY)].map((at) => at.toISOString()));
    expect(await stale()).toEqual([]);
    // How an operator restores them.
    await sql(`insert into camera_status
      select r.* from camera_status_set_aside s, json_populate_record(null::camera_status, s.record) r`);
    const back = await sql(`select count(*)::int as n from camera_status where mode = 'ahead' and not online`);
    expect(back).toEqual([{ n: 10001 }]);
  });

  test('refuses records more than 25 hours ahead, also from other programs', async () => {
    await record(new Date(ahead(DAY)));
    const refusal = /violates check constraint "camera_status_not_ahead"/;
    await expect(record(new Date(ahead(26 * HOUR)))).rejects.toThrow(refusal);
    await expect(sql(`update camera_status set recorded_at = '${ahead(26 * HOUR)}'`)).rejects.toThrow(refusal);
  });

  test('keeps the latest record, whoever inserts, changes, moves or deletes records', async () => {
    for (const change of [
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
    ]) {
      await sql(change);
      expect({ change, stale: await stale() }).toEqual({ change, stale: [] });
    }
  });

  test('keeps the latest record if several transactions delete the latest ones at the same time', async () => {
    await sql(`insert into camera_status (camera_id, recorded_at, online)
      select 'cam 1', now() + n * interval '1 hour', true from generate_series(1, 6) n`);
    const others = [1, 2, 3].map(() => new Client({ connectionString: fresh.url }));
    await Promise.all(others.map((other) => other.connect()));
    const newest = "(select recorded_at from camera_status where camera_id = 'cam 1' order by 1 desc offset";
    const deletions: Promise<unknown>[] = [];
    for (const [n, other] of others.entries()) {
      await other.query('begin');
      deletions.push(other.query(`delete from camera_status where recorded_at = ${newest} ${n} limit 1)`));
      // The first transaction holds the camera before the others ask for it.
      if (n === 0) await deletions[0];
      else await until(`${n} deletions wait`, () => sql(WAITING_FOR_LOCKS), atLeast(n));
    }
    for (const [n, other] of others.entries()) {
      await deletions[n];
      await other.query('commit');
      await other.end();
    }
    expect(await stale()).toEqual([]);
  });

  test('the maintenance gives up after 250 ms if a reader holds the table, and delays no other request longer', async () => {
    const before = await partitions();
    await driver.withSession(async (reader) => {
      await reader('begin');
      await reader('select count(*) from camera_status');
      const attempt = expect(maintainStatusLog(driver, null, later(4 * WEEK))).rejects.toThrow(/lock timeout/);
      await Promise.all([attempt, record(NOW)]);
      await reader('commit');
    });
    expect(await partitions()).toEqual(before);
    await maintainStatusLog(driver, null, later(4 * WEEK));
    expect((await partitions()).length).toBeGreaterThan(before.length);
    expect(await rows()).toHaveLength(1);
  });
});

const REFUSAL = 'recordedAt must be at most 24 hours ahead of the clock of the gateway';
const RECORD = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { recordedAt } }';

describe('a record from the future', () => {
  const gateway = useGateway('server');

  test('may be at most a day ahead, and not older than the log; else nothing of its call is stored', async () => {
    const cameraId = await makeCamera(gateway);
    await recordStatuses(gateway, cameraId, [{ recordedAt: ahead(DAY - 60_000) }, { recordedAt: ahead(-30 * DAY) }]);
    // As the retention leaves it.
    await gateway.sql('drop table camera_status_earlier');
    const tooOld = 'recordedAt must not be older than the log is kept';
    for (const [recordedAt, refusal] of [
      [ahead(DAY + 60_000), REFUSAL],
      [ahead(-40 * DAY), tooOld],
      [ahead(-20 * DAY), tooOld],
    ]) {
      const input = [
        { cameraId, online: true },
        { cameraId, online: true, recordedAt },
      ];
      expect(expectCode(await gateway.graphql(RECORD, { input }), 'BAD_USER_INPUT')).toBe(refusal);
    }
    expect(await gateway.sql(`select from camera_status where camera_id = '${cameraId}'`)).toHaveLength(1);
  });

  test('does not hide the next record without a time, and causes no search', async () => {
    const cameraId = await makeCamera(gateway);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select '${cameraId}', now() + n * interval '1 ms', true from generate_series(-1000, 20000) n`);
    const [{ at }] = await gateway.sql(
      `select recorded_at as at from camera_latest_status where camera_id = '${cameraId}'`,
    );
    const sent = await statementsOf(async () => {
      const answer = expectData(await gateway.graphql(RECORD, { input: [{ cameraId, online: false }] }));
      expect(answer.recordCameraStatuses).toEqual([{ recordedAt: new Date(at.getTime() + 1).toISOString() }]);
    });
    expect(sent).toEqual([expect.stringContaining('/* statusLog.record */')]);
    const last = 'query ($id: ID!) { camera(id: $id) { lastStatus { online } } }';
    const { camera } = expectData(await gateway.graphql(last, { id: cameraId }));
    expect(camera).toEqual({ lastStatus: { online: false } });
  });
});

describeOnDatabases('a gateway whose clock is days ahead of the database', (kind) => {
  test('is refused alone and in a transaction, and no other call is refused with it', async () => {
    const fresh = await freshDatabase(kind);
    const database = await openDatabase(fresh.target, undefined, PATIENT.budget);
    await database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('cam', 'c')`;
    const now = ahead(0);
    const record = (log: StatusLogStore, recordedAt: string) =>
      log.record([{ cameraId: 'cam', online: true, recordedAt }], requestAt(now));
    const log = new StatusLogStore(database);
    const [wrong, right] = await Promise.allSettled([record(log, ahead(48 * HOUR)), record(log, now)]);
    expect(wrong).toMatchObject({ status: 'rejected', reason: { message: REFUSAL } });
    expect(right).toMatchObject({ status: 'fulfilled', value: { stored: [{ recordedAt: now }] } });
    await database.transaction(async (transaction) => {
      const inside = new StatusLogStore(transaction);
      await expect(record(inside, ahead(48 * HOUR))).rejects.toThrow(BadInput);
      await record(inside, ahead(HOUR));
    });
    expect(await database.prisma.cameraStatus.count()).toBe(2);
    await database.close();
    await fresh.drop();
  });
});

test('a database whose clock was two years ahead gets no empty partitions, and its records are set aside', async () => {
  const fresh = await emptyDatabase('server');
  const driver = await openDriver(fresh.target);
  await driver.withSession(async (run) => {
    // The triggers, which the start creates, would refuse such records.
    await applyMigrations(run);
    // What the maintenance of such a clock created.
    await run(`drop table camera_status_later;
        do $$
        declare
          monday timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC';
        begin
          for n in 0..103 loop
            execute format('create table camera_status_%s partition of camera_status for values from (%L) to (%L)',
              n, monday + n * interval '7 days', monday + (n + 1) * interval '7 days');
          end loop;
          execute format('create table camera_status_later partition of camera_status for values from (%L) to (maxvalue)',
            monday + 104 * interval '7 days');
        end $$`);
    await run(`insert into cameras (camera_id, friendly_name) values ('cam', 'c')`);
    await run(`insert into camera_status (camera_id, recorded_at, online) values ('cam', now(), true)`);
    await run(`insert into camera_status (camera_id, recorded_at)
        select 'cam', now() + interval '20 years' + n * interval '1 hour' from generate_series(1, 500) n`);
    await run('insert into camera_latest_status select * from camera_status order by recorded_at desc limit 1');
  });
  await driver.close();
  const database = await openDatabase(fresh.target, undefined, PATIENT.budget);
  const [step] = await maintainStatusLog(database, null);
  expect(step).toBe('500 records that were more than a day ahead were moved to camera_status_set_aside.');
  const [partitions] = await database.prisma.$queryRaw<{ n: number }[]>`
      select count(*)::int as n from camera_status_partitions()`;
  expect(partitions?.n).toBeLessThan(20);
  const latest = await database.prisma.cameraLatestStatus.findMany();
  expect(latest).toMatchObject([{ cameraId: 'cam', online: true }]);
  expect(await database.prisma.cameraStatusSetAside.count()).toBe(500);
  expect(await maintainStatusLog(database, null)).toEqual([]);
  await database.close();
  await fresh.drop();
});
