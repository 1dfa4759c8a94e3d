// Clocks that are wrong: the records that a gateway refuses, and those of the far future, which it sets aside.
import { randomUUID } from 'node:crypto';
import { maintainStatusLog } from '../../src/cameras/status-log.maintenance';
import { StatusLogStore } from '../../src/cameras/status-log.store';
import { openDatabase, openDriver } from '../../src/database/database';
import { applyMigrations } from '../../src/database/migrations';
import { BadInput } from '../../src/errors';
import { describeOnDatabases, describeOnServer, emptyDatabase, freshDatabase } from '../support/databases';
import { makeCamera, recordStatuses } from '../support/farm';
import { expectCode, expectData, PATIENT, test, useGateway } from '../support/gateway';
import { momentAt } from '../support/moment';
import { statementsOf } from '../support/statements';

const HOUR = 60 * 60 * 1000;
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
const RECORD = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { recordedAt } }';
const REFUSAL = 'recordedAt must be at most 24 hours ahead of the clock of the gateway';

describeOnServer('a record of the future', () => {
  const gateway = useGateway('server');

  test('may be a day ahead and not more, and nothing of its call is stored', async () => {
    const cameraId = await makeCamera(gateway);
    const status = { cameraId, online: true };
    const input = [status, { ...status, recordedAt: ahead(24 * HOUR + 60_000) }];
    expect(expectCode(await gateway.graphql(RECORD, { input }), 'BAD_USER_INPUT')).toBe(REFUSAL);
    expect(await gateway.sql(`select from camera_status where camera_id = '${cameraId}'`)).toEqual([]);
    await recordStatuses(gateway, cameraId, [{ recordedAt: ahead(24 * HOUR - 60_000) }]);
  });

  test('does not hide the next record without a time, and costs it no search', async () => {
    const cameraId = await makeCamera(gateway);
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select '${cameraId}', now() + n * interval '1 ms', true from generate_series(-1000, 20000) n`);
    const [{ latest }] = await gateway.sql(
      `select recorded_at as latest from camera_latest_status where camera_id = '${cameraId}'`,
    );
    const sent = await statementsOf(async () => {
      const answer = expectData(await gateway.graphql(RECORD, { input: [{ cameraId, online: false }] }));
      const recordedAt = new Date(latest.getTime() + 1).toISOString();
      expect(answer.recordCameraStatuses).toEqual([{ recordedAt }]);
    });
    expect(sent).toEqual([expect.stringContaining('/* statusLog.record */')]);
    const { lastStatus } = expectData(
      await gateway.graphql('query ($id: ID!) { camera(id: $id) { lastStatus { online } } }', { id: cameraId }),
    ).camera;
    expect(lastStatus).toEqual({ online: false });
  });
});

describeOnDatabases('a record that is older than the log is kept', (kind) => {
  const gateway = useGateway(kind);

  test('is refused, and nothing of its call is stored', async () => {
    const cameraId = await makeCamera(gateway);
    const status = { cameraId, online: true };
    await recordStatuses(gateway, cameraId, [{ recordedAt: ahead(-30 * 24 * HOUR) }]);
    // As the retention leaves it.
    await gateway.sql('drop table camera_status_earlier');
    for (const recordedAt of [ahead(-40 * 24 * HOUR), ahead(-20 * 24 * HOUR)]) {
      const message = expectCode(
        await gateway.graphql(RECORD, { input: [status, { ...status, recordedAt }] }),
        'BAD_USER_INPUT',
      );
      expect(message).toBe('recordedAt must not be older than the log is kept');
    }
    expect(await gateway.sql(`select from camera_status where camera_id = '${cameraId}'`)).toEqual([]);
    await recordStatuses(gateway, cameraId, [{}]);
  });
});

describeOnDatabases('a gateway whose clock is days ahead of the database', (kind) => {
  test('is refused with the same words, alone and in a transaction, and no other call with it', async () => {
    const fresh = await freshDatabase(kind);
    const database = await openDatabase(fresh.target, {}, PATIENT.budget);
    try {
      const now = new Date().toISOString();
      await database.prisma.camera.create({
        data: { cameraId: 'cam', friendlyName: 'c', createdAt: now, updatedAt: now },
      });
      const record = (log: StatusLogStore, recordedAt: string) =>
        log.record([{ cameraId: 'cam', online: true, recordedAt }], momentAt(now));
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
    } finally {
      await database.close();
      await fresh.drop();
    }
  });
});

describeOnDatabases('a database whose clock was years ahead', (kind) => {
  // The embedded database takes 8 s to make partitions for four years.
  const weeks = kind === 'server' ? 520 : 208;
  test('loses the empty partitions of those years at the start, and the records of the future are set aside', async () => {
    const fresh = await emptyDatabase(kind);
    const driver = await openDriver(fresh.target);
    await driver.withSession(async (run) => {
      // The triggers, which the start makes, would refuse such records.
      await applyMigrations(run);
      // What its maintenance made of a clock that was years ahead.
      await run('drop table camera_status_later');
      for (let week = 0; week < weeks; week += 52) {
        await run(`set local statement_timeout = 0;
          do $$
          declare
            "monday" timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC';
          begin
            for n in ${week}..${week + 51} loop
              execute format('create table camera_status_%s partition of camera_status for values from (%L) to (%L)',
                n, monday + n * interval '7 days', monday + (n + 1) * interval '7 days');
            end loop;
          end $$`);
      }
      await run(`do $$ begin
        execute format('create table camera_status_later partition of camera_status for values from (%L) to (maxvalue)',
          date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' + ${weeks} * interval '7 days');
      end $$`);
      await run(`insert into cameras (camera_id, friendly_name) values ('cam', 'c'), ('${randomUUID()}', 'c')`);
      await run(`insert into camera_status (camera_id, recorded_at, online) values ('cam', now(), true)`);
      await run(`insert into camera_status (camera_id, recorded_at)
        select 'cam', now() + interval '20 years' + n * interval '1 hour' from generate_series(1, 5000) n`);
      await run('insert into camera_latest_status select * from camera_status order by recorded_at desc limit 1');
    });
    await driver.close();
    const database = await openDatabase(fresh.target, {}, PATIENT.budget);
    const steps = await maintainStatusLog(database, null);
    expect(steps[0]).toBe('5000 records of more than a day ahead were moved to camera_status_set_aside');
    const [partitions] = await database.prisma.$queryRaw<{ n: number }[]>`
      select count(*)::int as n from camera_status_partitions()`;
    expect(partitions?.n).toBeLessThan(20);
    const latest = await database.prisma.cameraLatestStatus.findMany();
    expect(latest).toMatchObject([{ cameraId: 'cam', online: true }]);
    expect(await database.prisma.cameraStatusSetAside.count()).toBe(5000);
    expect(await maintainStatusLog(database, null)).toEqual([]);
    await database.close();
    await fresh.drop();
  });
});
