// The outbox holds what it promises: each notification once, whoever stops it and wherever, and nothing from before.

import type { Queryable } from '../../../src/database/queryable';
import { ChangeStore } from '../../../src/farm/changes/change.store';
import { cursorOfNow } from '../../support/changes';
import { describeOnDatabases } from '../../support/databases';
import { type Farm, makeCamera, makeFarm, makeJob, recordStatuses } from '../../support/farm';
import { expectStatus, test, useGateway } from '../../support/gateway';
import { addTarget, enable, outboxOn, reader, shortTo, takeLease, toldTo } from '../../support/notifications';
import { makePrint } from '../../support/prints';

const RUNNING = { outcome: 'RUNNING', endedAt: null, filament: null };

/** Throws before the statement with this number, of all those in transactions; 0 for none. */
function dyingAt(database: Queryable, number: number): Queryable {
  let count = 0;
  const counted = (transaction: Queryable): Queryable =>
    new Proxy(transaction, {
      get: (target, name: keyof Queryable) =>
        ['json', 'cells', 'rows'].includes(name)
          ? (...given: unknown[]) => {
              count += 1;
              if (count === number) throw new Error('This process was killed');
              return (target[name] as (...of: unknown[]) => unknown)(...given);
            }
          : target[name],
    });
  return new Proxy(database, {
    get: (target, name: keyof Queryable) =>
      name === 'transaction'
        ? (work: (transaction: Queryable) => Promise<unknown>) => target.transaction((one) => work(counted(one)))
        : target[name],
  });
}

describeOnDatabases('the outbox', (kind) => {
  const gateway = useGateway(kind, {});
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from notification_targets');
    await (await reader(gateway)).read();
    farm = await makeFarm(gateway);
  });
  const outbox = async () => (await gateway.sql('select * from notification_outbox'))[0];

  test('a farm whose last target is gone reads nothing, and keeps no changes', async () => {
    const target = await addTarget(gateway);
    await (await reader(gateway)).read();
    expect((await outbox()).position).not.toBeNull();
    await gateway.sql(`delete from notification_targets where id = '${target}'`);
    await (await reader(gateway)).read();
    expect(await outbox()).toMatchObject({ feed: null, position: null, change_id: null });
    const next = await addTarget(gateway);
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Vase' });
    await (await reader(gateway)).read();
    expect(await shortTo(gateway, next)).toEqual(['PRINT_BEGAN Vase', 'PRINT_WAITS Vase SPOOL']);
  });

  test('a process that is killed at any statement has told nothing, and the next one tells all once', async () => {
    const target = await addTarget(gateway);
    const expected: string[] = [];
    for (let number = 1, isKilled = true; isKilled; number += 1) {
      const print = await makePrint(gateway, farm.printerId, { ...RUNNING, name: `Vase ${number}` });
      await cursorOfNow(gateway);
      const dying = outboxOn(gateway, dyingAt(gateway.database(), number));
      isKilled = await dying.readFeed(await takeLease(gateway)).then(
        () => false,
        () => true,
      );
      if (isKilled) expect(await shortTo(gateway, target)).toEqual(expected);
      await (await reader(gateway)).read();
      expected.push(`PRINT_BEGAN Vase ${number}`, `PRINT_WAITS Vase ${number} SPOOL`);
      expect(await shortTo(gateway, target)).toEqual(expected);
      await gateway.sql(`update observed_prints set ignored_at = now() where id = '${print}'`);
      // The place, the subjects, the targets, the printer's reason, the notifications, what is known now.
      if (!isKilled) expect(number).toBeGreaterThan(5);
    }
  });

  test('a process that is killed at any statement of an edge has told nothing, and the next one tells it once', async () => {
    const target = await addTarget(gateway, { events: ['ALERT_RAISED'] });
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const look = async (seconds: number) => outboxOn(gateway).lookAtAlerts(await takeLease(gateway), at(seconds));
    await look(0);
    const expected: string[] = [];
    let number = 1;
    for (let isKilled = true; isKilled; number += 1) {
      await makePrint(gateway, farm.printerId, { name: `Vase ${number}`, outcome: 'UNRESOLVED' });
      await look(0);
      const dying = outboxOn(gateway, dyingAt(gateway.database(), number));
      isKilled = await dying.lookAtAlerts(await takeLease(gateway), at(61)).then(
        () => false,
        () => true,
      );
      if (isKilled) expect(await shortTo(gateway, target)).toEqual(expected);
      await look(61);
      expected.push('ALERT_RAISED PRINT_UNRESOLVED');
      expect(await shortTo(gateway, target)).toEqual(expected);
    }
    // The lease, the states, the targets, the printers, the notifications, the states as they are now.
    expect(number).toBeGreaterThan(6);
  });

  test('of two processes the one with the lease tells, and one that lost it tells nothing', async () => {
    const target = await addTarget(gateway);
    const [first, second] = [await reader(gateway), await reader(gateway)];
    await makePrint(gateway, farm.printerId, RUNNING);
    await cursorOfNow(gateway);
    const told = await Promise.all([first.outbox.readFeed(first.lease), second.outbox.readFeed(second.lease)]);
    expect(told).toEqual([0, 2]);
    // Both believe that they hold it.
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Vase' });
    await cursorOfNow(gateway);
    const both = await Promise.all([1, 2, 3].map(() => outboxOn(gateway).readFeed(second.lease)));
    expect(both.toSorted()).toEqual([0, 0, 2]);
    expect(await shortTo(gateway, target)).toEqual([
      ...['PRINT_BEGAN Benchy', 'PRINT_WAITS Benchy SPOOL', 'PRINT_BEGAN Vase', 'PRINT_WAITS Vase SPOOL'],
    ]);
  });

  test('what changes while it is read, and what is read in parts, is told once', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_ENDED'] });
    const { read, lease } = await reader(gateway);
    const patched = async (id: string, Status: string) =>
      expectStatus(await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status }), 200);
    const job = await makeJob(gateway, farm, {}, 'Completed');
    await cursorOfNow(gateway);
    const late = new Proxy(gateway.database(), {
      get: (database, name: keyof Queryable) =>
        name === 'transaction'
          ? async (work: (transaction: Queryable) => Promise<unknown>) => {
              await patched(job.Id, 'Failed');
              return database.transaction(work);
            }
          : database[name],
    });
    expect(await outboxOn(gateway, late).readFeed(lease)).toBe(1);
    expect(await read()).toBe(0);
    // 120 changes of jobs, and 120 of prints and of their jobs.
    const columns = 'id, printer_id, spool_id, print_name, gcode_file_path, mm_extruded, grams_derived, cost_per_print';
    const others =
      'status, data_source, filament_diameter_at_print_mm, material_density_at_print, created_at, updated_at';
    const insert = (name: string) => `insert into print_jobs (${columns}, ${others})
      select gen_random_uuid(), '${farm.printerId}', '${farm.spoolId}', '${name} ' || i, '', 0, 0, 0, 'Queued', 'Manual', 1, 1, now(), now()
      from generate_series(1, 60) i`;
    const set = (name: string, status: string) =>
      `update print_jobs set status = '${status}' where print_name like '${name} %'`;
    for (const name of ['Job', 'Print']) {
      for (const statement of [insert(name), set(name, 'Printing')]) await gateway.sql(statement);
    }
    await gateway.sql(`insert into observed_prints (id, printer_id, name, started_at_estimated, outcome, seen_at, measured, job_id)
      select gen_random_uuid(), printer_id, print_name, false, 'COMPLETED', now(), '[]', id
      from print_jobs where print_name like 'Print %'`);
    for (const name of ['Job', 'Print']) await gateway.sql(set(name, 'Completed'));
    expect(await read()).toBe(120);
    await gateway.sql(set('Print', 'Failed'));
    expect(await read()).toBe(60);
    const told = await shortTo(gateway, target);
    expect(told).toHaveLength(181);
    expect(new Set(told).size).toBe(181);
    expect(told[0]).toBe('PRINT_ENDED Benchy FAILED');
  });

  test('nothing is told of what was rolled back', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    await gateway
      .database()
      .transaction(async (transaction) => {
        await transaction.prisma.$executeRawUnsafe(`update printers set name = 'gone' where id = '${farm.printerId}'`);
        await makePrint({ sql: (text) => transaction.prisma.$queryRawUnsafe(text) }, farm.printerId, RUNNING);
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await read()).toBe(0);
    expect(await toldTo(gateway, target)).toEqual([]);
  });

  test('without a target nothing is read, and the first one begins with what happens then', async () => {
    const { read } = await reader(gateway);
    await makeJob(gateway, farm, {}, 'Printing');
    expect(await read()).toBe(0);
    const target = await addTarget(gateway, { enabled: false });
    const before = await outbox();
    await cursorOfNow(gateway);
    await enable(gateway, target, true);
    const place = ({ position }: { position: string | null }) => Number(position ?? 0);
    expect(place(await outbox())).toBeGreaterThan(place(before));
    expect(await outbox()).toMatchObject({ feed: expect.any(String), knows_alerts: false });
    await makeJob(gateway, farm, { PrintName: 'Vase' }, 'Printing');
    expect(await read()).toBe(1);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Vase']);
  });

  test('the feed keeps what was not read, and a place that is gone makes one OMITTED', async () => {
    const [target, disabled] = [await addTarget(gateway), await addTarget(gateway, { enabled: false })];
    const { read } = await reader(gateway);
    const job = await makeJob(gateway, farm, {}, 'Printing');
    await cursorOfNow(gateway);
    const changes = new ChangeStore(gateway.database());
    await changes.forgetOlderThan(0);
    expect(await read()).toBe(1);
    expect((await changes.after(null, 1)).length).toBe(1);
    await changes.forgetOlderThan(0);
    expect(await read()).toBe(0);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Benchy']);
    const patched = (id: string, Status: string) => gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status });
    const lose = {
      expired: `update changes set at = now() - interval '73 hours'`,
      foreign: `update notification_outbox set feed = 'another'`,
    };
    for (const [way, statement] of Object.entries(lose)) {
      const lost = await makeJob(gateway, farm, { PrintName: 'Lost' }, 'Printing');
      const print = await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Lost' });
      await cursorOfNow(gateway);
      await gateway.sql(statement);
      await changes.forgetOlderThan(0);
      expect([way, await read()]).toEqual([way, 1]);
      expect((await toldTo(gateway, target)).at(-1)).toMatchObject({
        ...{ event: 'OMITTED', data: { count: null }, title: 'Notifications were left out' },
      });
      // It goes on from there.
      expectStatus(await patched(lost.Id, 'Completed'), 200);
      await gateway.sql(`update observed_prints set outcome = 'FAILED' where id = '${print}'`);
      expect([way, await read()]).toEqual([way, 2]);
    }
    expectStatus(await patched(job.Id, 'Completed'), 200);
    await read();
    const after = ['OMITTED', 'PRINT_ENDED Lost COMPLETED', 'PRINT_ENDED Lost FAILED'];
    expect(await shortTo(gateway, target)).toEqual([
      'PRINT_BEGAN Benchy',
      ...after,
      ...after,
      'PRINT_ENDED Benchy COMPLETED',
    ]);
    expect(await toldTo(gateway, disabled)).toEqual([]);
  });

  test('a step reads the feed and looks at the alerts', async () => {
    const target = await addTarget(gateway);
    await makeJob(gateway, farm, {}, 'Printing');
    await cursorOfNow(gateway);
    expect(await outboxOn(gateway).step(await takeLease(gateway))).toBe(1);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Benchy']);
    expect(await outbox()).toMatchObject({ knows_alerts: true });
  });

  test('what tells nothing writes nothing', async () => {
    await addTarget(gateway);
    const { outbox: one, lease, read } = await reader(gateway);
    const camera = await makeCamera(gateway);
    await read();
    const before = await outbox();
    await recordStatuses(
      gateway,
      camera,
      Array.from({ length: 50 }, () => ({})),
    );
    await gateway.sql(`update printers set name = 'Another' where id = '${farm.printerId}'`);
    await cursorOfNow(gateway);
    const names: string[] = [];
    const noting = new Proxy(gateway.database(), {
      get: (target, name: keyof Queryable) =>
        ['json', 'cells', 'rows', 'transaction'].includes(name)
          ? (...given: unknown[]) => {
              names.push(typeof given[0] === 'string' ? given[0] : name);
              return (target[name] as (...of: unknown[]) => unknown)(...given);
            }
          : target[name],
    });
    expect(await outboxOn(gateway, noting).readFeed(lease)).toBe(0);
    expect(names).toEqual(['notifications.place', 'changes.ofPrints']);
    expect(await one.readFeed(lease)).toBe(0);
    expect(await outbox()).toEqual(before);
  });
});
