// The reporter keeps its promise: each notification once, whoever stops it at whatever moment, and nothing from before.

import type { Queryable } from '../../../src/database/queryable';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { ago, type Farm, makeCamera, makeFarm, makeJob, recordStatuses } from '../../support/farm';
import { expectStatus, test, useGateway } from '../../support/gateway';
import {
  addTarget,
  createReporter,
  readDeliveries,
  setEnabled,
  startReporter,
  summarizeDeliveries,
  takeLease,
} from '../../support/notifications';
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

// A lease is requested inside a transaction.
describeOnDatabases('the reporter of events', (kind) => {
  const gateway = useGateway(kind, {});
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from notification_targets');
    await (await startReporter(gateway)).read();
    farm = await makeFarm(gateway);
  });
  const notes = async () => (await gateway.sql('select count(*)::int as count from unreported_changes'))[0].count;

  test('of two processes the one with the lease reports, and one that lost the lease reports nothing', async () => {
    const target = await addTarget(gateway);
    const [first, second] = [await startReporter(gateway), await startReporter(gateway)];
    await makePrint(gateway, farm.printerId, RUNNING);
    const results = await Promise.all([
      first.reporter.reportPrints(first.lease),
      second.reporter.reportPrints(second.lease),
    ]);
    expect(results).toEqual([0, 2]);
    // Both processes believe that they hold the lease.
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Vase' });
    const both = await Promise.all([1, 2, 3].map(() => createReporter(gateway).reportPrints(second.lease)));
    expect(both.toSorted()).toEqual([0, 0, 2]);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
      'PRINT_BEGAN Benchy',
      'PRINT_WAITS Benchy SPOOL',
      'PRINT_BEGAN Vase',
      'PRINT_WAITS Vase SPOOL',
    ]);
  });

  if (isTestedAlready(kind)) return;

  test('a farm whose last target was removed notes no events, and deletes its notes', async () => {
    const target = await addTarget(gateway);
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Early' });
    expect(await notes()).toBe(1);
    await gateway.sql(`delete from notification_targets where id = '${target}'`);
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Unheard' });
    await (await startReporter(gateway)).read();
    expect(await notes()).toBe(0);
    const next = await addTarget(gateway);
    await makePrint(gateway, farm.printerId, { ...RUNNING, name: 'Vase' });
    await (await startReporter(gateway)).read();
    expect(await summarizeDeliveries(gateway, next)).toEqual(['PRINT_BEGAN Vase', 'PRINT_WAITS Vase SPOOL']);
    expect(await notes()).toBe(0);
  });

  test('if a program writes very many changes in one transaction, one pass reads the first of them and the next pass the rest', async () => {
    await addTarget(gateway);
    await gateway.sql(`insert into unreported_changes (type, entity, status)
      select 'JOB', gen_random_uuid(), 'Queued' from generate_series(1, 1500)`);
    const { read } = await startReporter(gateway);
    await read();
    expect(await notes()).toBeGreaterThan(0);
    await read();
    expect(await notes()).toBe(0);
  });

  test('a process that is killed at any statement has reported nothing, and the next process reports all events once', async () => {
    const target = await addTarget(gateway);
    const expected: string[] = [];
    for (let number = 1, isKilled = true; isKilled; number += 1) {
      const print = await makePrint(gateway, farm.printerId, { ...RUNNING, name: `Vase ${number}` });
      const dying = createReporter(gateway, dyingAt(gateway.database(), number));
      isKilled = await dying.reportPrints(await takeLease(gateway)).then(
        () => false,
        () => true,
      );
      if (isKilled) expect(await summarizeDeliveries(gateway, target)).toEqual(expected);
      await (await startReporter(gateway)).read();
      expected.push(`PRINT_BEGAN Vase ${number}`, `PRINT_WAITS Vase ${number} SPOOL`);
      expect(await summarizeDeliveries(gateway, target)).toEqual(expected);
      await gateway.sql(`update observed_prints set ignored_at = now() where id = '${print}'`);
      // The lease, the targets, the notes, the printer's reason, the notifications, the notes that are read.
      if (!isKilled) expect(number).toBeGreaterThan(5);
    }
  });

  test('a process that is killed at any statement of an alert edge has reported nothing, and the next one reports it once', async () => {
    const target = await addTarget(gateway, { events: ['ALERT_RAISED'] });
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const look = async (seconds: number) => createReporter(gateway).lookAtAlerts(await takeLease(gateway), at(seconds));
    await look(0);
    const expected: string[] = [];
    let number = 1;
    for (let isKilled = true; isKilled; number += 1) {
      await makePrint(gateway, (await makeFarm(gateway)).printerId, { name: `Vase ${number}`, outcome: 'UNRESOLVED' });
      await look(0);
      const dying = createReporter(gateway, dyingAt(gateway.database(), number));
      isKilled = await dying.lookAtAlerts(await takeLease(gateway), at(61)).then(
        () => false,
        () => true,
      );
      if (isKilled) expect(await summarizeDeliveries(gateway, target)).toEqual(expected);
      await look(61);
      expected.push('ALERT_RAISED PRINT_UNRESOLVED');
      expect(await summarizeDeliveries(gateway, target)).toEqual(expected);
    }
    // The lease, the states, the targets, the printers, the notifications, the states as they are now.
    expect(number).toBeGreaterThan(6);
  });

  test('a change that is written during a read, and a change that is read in parts, is reported once', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_ENDED'] });
    const { read, lease } = await startReporter(gateway);
    const patched = async (id: string, Status: string) =>
      expectStatus(await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status }), 200);
    const job = await makeJob(gateway, farm, {}, 'Completed');
    const late = new Proxy(gateway.database(), {
      get: (database, name: keyof Queryable) =>
        name === 'transaction'
          ? async (work: (transaction: Queryable) => Promise<unknown>) => {
              await patched(job.Id, 'Failed');
              return database.transaction(work);
            }
          : database[name],
    });
    expect(await createReporter(gateway, late).reportPrints(lease)).toBe(1);
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
    const results = await summarizeDeliveries(gateway, target);
    expect(results).toHaveLength(181);
    expect(new Set(results).size).toBe(181);
    expect(results[0]).toBe('PRINT_ENDED Benchy FAILED');
  });

  test('nothing that was rolled back is reported', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    await gateway
      .database()
      .transaction(async (transaction) => {
        await transaction.prisma.$executeRawUnsafe(`update printers set name = 'gone' where id = '${farm.printerId}'`);
        await makePrint({ sql: (text) => transaction.prisma.$queryRawUnsafe(text) }, farm.printerId, RUNNING);
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await read()).toBe(0);
    expect(await readDeliveries(gateway, target)).toEqual([]);
  });

  test('without a target nothing is read, and the first target gets only what happens from then on', async () => {
    const { read } = await startReporter(gateway);
    const { Id: before } = await makeJob(gateway, farm, {}, 'Printing');
    expect(await read()).toBe(0);
    const target = await addTarget(gateway, { enabled: false });
    expect(await notes()).toBe(0);
    await setEnabled(gateway, target, true);
    await makeJob(gateway, farm, { PrintName: 'Vase' }, 'Printing');
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${before}/status`, { Status: 'Completed' }), 200);
    expect(await read()).toBe(2);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_BEGAN Vase', 'PRINT_ENDED Benchy COMPLETED']);
  });

  test('events that no process reported for more than 72 hours are dropped like deliveries, and the rest is reported', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const { Id: id } = await makeJob(gateway, farm, {}, 'Printing');
    await gateway.sql(`update unreported_changes set at = now() - interval '73 hours'`);
    expectStatus(await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: 'Completed' }), 200);
    expect(await read()).toBe(2);
    const old =
      await gateway.sql(`select n.event from notification_deliveries d join notifications n on n.id = d.notification_id
      where d.target_id = '${target}' and d.waiting_since < now() - interval '72 hours'`);
    expect(old).toEqual([{ event: 'PRINT_BEGAN' }]);
  });

  test('alerts that other programs raised and ended more than 72 hours ago, while no gateway ran, are dropped like deliveries', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_ENDED'] });
    const { Id: job } = await makeJob(gateway, farm, {}, 'Completed');
    const print = await makePrint(gateway, farm.printerId, { name: 'Vase' });
    await gateway.sql(`update unreported_changes set at = now() - interval '80 hours'`);
    await gateway.sql(`update print_jobs set completed_at = now() - interval '81 hours' where id = '${job}'`);
    await gateway.sql(`update observed_prints set ended_at = now() - interval '81 hours' where id = '${print}'`);
    // The print ended longer ago than that when it is first received.
    await makePrint(gateway, farm.printerId, { name: 'Old', endedAt: ago(73 * 3600) });
    await (await startReporter(gateway)).read();
    const waiting = await gateway.sql(`select n.data->'job'->>'id' as job, n.data->'print'->>'id' as print
      from notification_deliveries d join notifications n on n.id = d.notification_id
      where d.target_id = '${target}' and d.waiting_since < now() - interval '72 hours' order by n.id`);
    expect(await summarizeDeliveries(gateway, target)).toHaveLength(2);
    expect(waiting).toEqual([
      { job, print: null },
      { job: null, print },
    ]);
  });

  test('writes of other programs to the tables make events, and a truncate makes none', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const { Id: id } = await makeJob(gateway, farm, {}, 'Printing');
    await gateway.sql(`update print_jobs set status = 'Failed' where id = '${id}'`);
    expect(await read()).toBe(2);
    await makeJob(gateway, farm, { PrintName: 'Emptied' }, 'Printing');
    await gateway.sql('truncate print_jobs');
    expect(await read()).toBe(0);
    expect(await notes()).toBe(0);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_BEGAN Benchy', 'PRINT_ENDED Benchy FAILED']);
  });

  test('a change that is no event writes nothing', async () => {
    await addTarget(gateway);
    const { lease, read } = await startReporter(gateway);
    const camera = await makeCamera(gateway);
    const { Id: id } = await makeJob(gateway, farm);
    const print = await makePrint(gateway, farm.printerId, RUNNING);
    await read();
    await recordStatuses(
      gateway,
      camera,
      Array.from({ length: 50 }, () => ({})),
    );
    await gateway.sql(`update printers set name = 'Another' where id = '${farm.printerId}'`);
    await gateway.sql(`update print_jobs set notes = 'queued still', updated_at = now() where id = '${id}'`);
    await gateway.sql(`update observed_prints set progress = 0.5, seen_at = now() where id = '${print}'`);
    expect(await notes()).toBe(0);
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
    expect(await createReporter(gateway, noting).reportPrints(lease)).toBe(0);
    expect(names).toEqual(['reporter.work']);
  });
});
