// Alerts are raised after a minute and cleared after a minute, each once, for the targets that want them. The test sets the clock.

import type { Finding } from '../../../src/farm/alerts/alert.store';
import { encodeNodeId } from '../../../src/farm/graph/node';
import { FarmStatesStore } from '../../../src/notifications/mqtt/states.store';

import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { type Farm, makeCamera, makeFarm, makeJob, recordStatuses } from '../../support/farm';
import { type Parsed, test, useGateway } from '../../support/gateway';
import { addTarget as addByMutation, updateTarget } from '../../support/notification-targets';
import {
  addTarget,
  createReporter,
  readDeliveries,
  startReporter,
  summarizeDeliveries,
  takeLease,
} from '../../support/notifications';
import { makeDevice, makePrint } from '../../support/prints';

// The state of each alert is written in the transaction that reads it.
describeOnDatabases('notifications of alerts', (kind) => {
  const gateway = useGateway(kind, {});
  let begin: number;
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from notification_targets');
    await gateway.sql('delete from cameras');
    await gateway.sql('delete from alert_silences');
    await gateway.sql('delete from devices');
    await gateway.sql('delete from observed_prints');
    await (await startReporter(gateway)).read();
    begin = Date.now();
    farm = await makeFarm(gateway);
  });
  const at = (seconds: number) => new Date(begin + seconds * 1000).toISOString();
  /** Checks the alerts that many seconds after the start, each time as another process. */
  const look = async (seconds: number) => createReporter(gateway).lookAtAlerts(await takeLease(gateway), at(seconds));
  const looks = async (...seconds: number[]) => {
    const readReported: number[] = [];
    for (const one of seconds) readReported.push(await look(one));
    return readReported;
  };
  const camera = async (members: object = {}, printerId?: string) => {
    const id = await makeCamera(gateway, { friendly_name: 'Bay' });
    await gateway.sql(`update cameras set expected_interval_sec = 10 where camera_id = '${id}'`);
    await recordStatuses(gateway, id, [{ recordedAt: at(0), ...members }]);
    if (printerId) await gateway.sql(`update cameras set printer_id = '${printerId}' where camera_id = '${id}'`);
    return id;
  };
  const silence = (kind: string, id: string, seconds: number, until: number | null = null, severity = 'CRITICAL') =>
    gateway.sql(`insert into alert_silences (kind, object_id, severity, silenced_at, until)
      values ('${kind}', '${id}', '${severity}', '${at(seconds)}', ${until === null ? 'null' : `'${at(until)}'`})`);
  const silences = () => gateway.sql('select kind from alert_silences');
  const ignoreAll = () => gateway.sql('update observed_prints set ignored_at = now()');

  test('an alert about a target is not sent to that target', async () => {
    const [failing, other] = [await addTarget(gateway), await addTarget(gateway)];
    const finding = {
      kind: 'DEVICE_REFUSED',
      severity: 'WARNING',
      about: 'notificationTarget',
      since: at(0),
      id: failing,
      name: 'Home',
      detail: null,
      silence: null,
    };
    const alerts = {
      listAll: async () => [finding as unknown as Finding],
      buildMessage: async () => 'Home is not told.',
    };
    const outbox = createReporter(gateway, gateway.database(), { createOn: () => alerts });
    const none = createReporter(gateway, gateway.database(), {
      createOn: () => ({ ...alerts, listAll: async () => [] }),
    });
    const lease = await takeLease(gateway);
    await none.lookAtAlerts(lease, at(0));
    await outbox.lookAtAlerts(lease, at(1));
    expect(await outbox.lookAtAlerts(lease, at(61))).toBe(1);
    expect(await readDeliveries(gateway, failing)).toEqual([]);
    expect((await readDeliveries(gateway, other)).map(({ data }) => data.alert.about.type)).toEqual([
      'NotificationTarget',
    ]);
  });

  test('a sentence is stored only for alerts that some target gets', async () => {
    await addTarget(gateway, { events: ['ALERT_RAISED'], minimumSeverity: 'CRITICAL' });
    await look(0);
    const { reporter, asked } = flood(30);
    const lease = await takeLease(gateway);
    await reporter.lookAtAlerts(lease, at(1));
    expect(await reporter.lookAtAlerts(lease, at(62))).toBe(10);
    expect(asked).toHaveLength(10);
    expect(await reporter.lookAtAlerts(lease, at(80))).toBe(0);
  });

  test('the silence of a battery alert ends at 5 percent, and the alert is reported', async () => {
    const target = await addTarget(gateway);
    const counted = async () => (await new FarmStatesStore(gateway.database()).farm()).alerts;
    await look(0);
    const others = await counted();
    const id = await camera({ batteryPct: 12 });
    await gateway.sql('update cameras set expected_interval_sec = 1000');
    await silence('BATTERY_LOW', id, 1, null, 'WARNING');
    expect(await looks(2, 62)).toEqual([0, 0]);
    expect(await counted()).toBe(others);
    await recordStatuses(gateway, id, [{ recordedAt: at(62), batteryPct: 5 }]);
    expect(await looks(63, 78)).toEqual([1, 0]);
    expect(await counted()).toBe(others + 1);
    expect(await silences()).toEqual([]);
    expect((await readDeliveries(gateway, target)).map(({ event, severity }) => [event, severity])).toEqual([
      ['ALERT_RAISED', 'CRITICAL'],
    ]);
  });

  test('an alert that becomes CRITICAL is reported again, once, also to targets that chose CRITICAL alone', async () => {
    const [all, critical] = [await addTarget(gateway), await addTarget(gateway, { minimumSeverity: 'CRITICAL' })];
    const [begun, none] = [await camera({ batteryPct: 12 }), await camera({ batteryPct: 5 })];
    await gateway.sql('update cameras set expected_interval_sec = 1000');
    await look(0);
    const id = await camera({ batteryPct: 12 });
    await gateway.sql('update cameras set expected_interval_sec = 1000');
    expect(await looks(1, 61)).toEqual([0, 1]);
    const report = async (seconds: number, batteryPct: number) => {
      for (const one of [begun, none, id])
        await recordStatuses(gateway, one, [{ recordedAt: at(seconds), batteryPct }]);
    };
    await report(62, 5);
    expect(await looks(63, 64)).toEqual([2, 0]);
    // The battery rises and falls again.
    await report(65, 6);
    await look(66);
    await report(67, 4);
    expect(await looks(68, 130)).toEqual([0, 0]);
    await report(131, 90);
    expect(await looks(132, 192)).toEqual([0, 2]);
    const readReported = async (target: string) =>
      (await readDeliveries(gateway, target)).map(({ event, severity, data }) => [
        event,
        severity,
        data.alert.about.id,
      ]);
    const twice = [begun, id].toSorted();
    const raised = twice.map((one) => ['ALERT_RAISED', 'CRITICAL', one]);
    const cleared = twice.map((one) => ['ALERT_CLEARED', 'CRITICAL', one]);
    expect((await readReported(critical)).toSorted()).toEqual([...cleared, ...raised]);
    expect((await readReported(all)).toSorted()).toEqual([...cleared, ...raised, ['ALERT_RAISED', 'WARNING', id]]);
  });

  test('neither the start nor the end of a silenced alert is reported; what is active when the silence ends is', async () => {
    const target = await addTarget(gateway);
    const counted = async () => (await new FarmStatesStore(gateway.database()).farm()).alerts;
    await look(0);
    const others = await counted();
    const [short, long, fresh] = [await camera(), await camera(), await camera()];
    expect(await looks(11, 71)).toEqual([0, 3]);
    await silence('CAMERA_LOST', short, 72);
    await silence('CAMERA_LOST', long, 72, 300);
    await silence('CAMERA_LOST', fresh, 72, 300);
    // The alert ends before the next check.
    await gateway.sql(`delete from cameras where camera_id = '${fresh}'`);
    expect(await counted()).toBe(others);
    expect(await looks(75, 135)).toEqual([0, 0]);
    expect(await counted()).toBe(others);
    await gateway.sql(`delete from cameras where camera_id = '${short}'`);
    expect(await looks(136, 150, 299)).toEqual([0, 0, 0]);
    expect(await looks(301, 316)).toEqual([1, 0]);
    expect(await counted()).toBe(others + 1);
    expect(await silences()).toEqual([]);
    expect((await readDeliveries(gateway, target)).map(({ event, data }) => [event, data.alert.about.id])).toEqual([
      ...[short, long, fresh].toSorted().map((id) => ['ALERT_RAISED', id]),
      ['ALERT_RAISED', long],
    ]);
  });

  if (isTestedAlready(kind)) return;

  test('an alert is raised after its condition has held for a minute, and cleared a minute after it ended', async () => {
    const target = await addTarget(gateway);
    const id = await camera();
    expect(await looks(0, 15, 30, 45, 60)).toEqual([0, 0, 0, 0, 0]);
    expect(await looks(75, 90)).toEqual([1, 0]);
    const message = `Camera Bay (${id}) has sent no status for more than 10 seconds. Check its power and its network.`;
    const alert = {
      kind: 'CAMERA_LOST',
      severity: 'CRITICAL',
      message,
      since: at(10),
      about: { type: 'Camera', id, nodeId: encodeNodeId('Camera', [id]), name: 'Bay' },
    };
    await recordStatuses(gateway, id, [{ recordedAt: at(110) }]);
    // The camera flaps: live until 120, and then silent again.
    expect(await looks(115, 130, 145, 200)).toEqual([0, 0, 0, 0]);
    await recordStatuses(gateway, id, [{ recordedAt: at(300) }]);
    await gateway.sql(`update cameras set expected_interval_sec = 1000 where camera_id = '${id}'`);
    expect(await looks(301, 316, 350, 361, 376)).toEqual([0, 0, 0, 1, 0]);
    expect(await readDeliveries(gateway, target)).toEqual([
      ...[
        { event: 'ALERT_RAISED', title: 'Camera lost: Bay', text: message },
        { event: 'ALERT_CLEARED', title: 'Resolved: Camera lost: Bay', text: `This alert is resolved: ${message}` },
      ].map((one) => ({ ...one, severity: 'CRITICAL', data: { alert }, state: 'WAITING' })),
    ]);
    expect(await gateway.sql('select * from alert_states')).toEqual([]);
  });

  test('the first target starts without messages about active alerts, and a later target gets no end without a start', async () => {
    const id = await camera({ online: false });
    const first = await addTarget(gateway);
    const stands = await camera({ online: false });
    expect(await looks(0, 60, 120)).toEqual([0, 0, 0]);
    const later = await camera({ online: false });
    expect(await looks(121, 181)).toEqual([0, 1]);
    const second = await addTarget(gateway);
    for (const one of [id, stands, later]) await recordStatuses(gateway, one, [{ recordedAt: at(200) }]);
    await gateway.sql('update cameras set expected_interval_sec = 1000');
    expect(await looks(201, 261)).toEqual([0, 1]);
    expect(await summarizeDeliveries(gateway, first)).toEqual([
      'ALERT_RAISED CAMERA_LOST',
      'ALERT_CLEARED CAMERA_LOST',
    ]);
    expect(await readDeliveries(gateway, second)).toEqual([]);
    // Nothing is reported while there is no target, and the next target starts anew.
    await gateway.sql('delete from notification_targets');
    await camera({ online: false });
    expect(await looks(300, 360)).toEqual([0, 0]);
    const third = await addTarget(gateway);
    expect(await looks(375, 435)).toEqual([0, 0]);
    expect(await readDeliveries(gateway, third)).toEqual([]);
  });

  test('each target gets the severities and the printers that it chose', async () => {
    const other = await makeFarm(gateway);
    const [all, critical, own, waits] = [
      await addTarget(gateway, { events: ['ALERT_RAISED', 'ALERT_CLEARED'] }),
      await addTarget(gateway, { minimumSeverity: 'CRITICAL', events: ['ALERT_RAISED'] }),
      await addTarget(gateway, { printerIds: [farm.printerId], events: ['ALERT_RAISED'] }),
      await addTarget(gateway, { events: ['PRINT_WAITS', 'ALERT_RAISED'] }),
    ];
    await look(0);
    const fault = { state: 'REFUSED', fault: 'CREDENTIALS_REFUSED' };
    await camera({ batteryPct: 10 }, farm.printerId);
    await camera({ batteryPct: 10 }, other.printerId);
    await camera({ online: false });
    await gateway.sql('update cameras set expected_interval_sec = 1000');
    await makeDevice(gateway, { printerId: other.printerId, ...fault });
    await makePrint(gateway, farm.printerId);
    await makePrint(gateway, other.printerId, { outcome: 'UNRESOLVED' });
    for (const { spoolId, printerId } of [farm, other]) {
      await gateway.sql(
        `insert into slot_loads (printer_id, slot, spool_id, "from") values ('${printerId}', 'tool:0', '${spoolId}', now())`,
      );
    }
    await makeJob(gateway, farm, { GramsDerived: 5000, MmExtruded: 1 });
    await makeJob(gateway, other, { GramsDerived: 5000, MmExtruded: 1 });
    const running = await makePrint(gateway, farm.printerId, { outcome: 'RUNNING', endedAt: null, filament: null });
    await makeDevice(gateway, { printerId: farm.printerId, state: 'OFFLINE' });
    await gateway.sql(
      `update observed_prints set device_id = (select id from devices where printer_id = '${farm.printerId}') where id = '${running}'`,
    );
    const stuck = await makeJob(gateway, farm, {}, 'Printing');
    await gateway.sql(`update print_jobs set updated_at = now() - interval '8 days' where id = '${stuck.Id}'`);
    await looks(1, 61);
    const kinds = async (target: string) =>
      (await summarizeDeliveries(gateway, target)).map((one) => one.replace('ALERT_RAISED ', ''));
    const ofOwn = ['BATTERY_LOW', 'JOB_STUCK', 'PRINTER_LOST', 'PRINT_WAITS', 'SPOOL_SHORT'];
    const ofOther = ['BATTERY_LOW', 'DEVICE_REFUSED', 'PRINT_UNRESOLVED', 'SPOOL_SHORT'];
    expect((await kinds(all)).toSorted()).toEqual([...ofOwn, ...ofOther, 'CAMERA_LOST'].toSorted());
    expect((await kinds(critical)).toSorted()).toEqual(['CAMERA_LOST', 'PRINTER_LOST']);
    // A camera that watches no printer belongs to none, and is reported anyway.
    expect((await kinds(own)).toSorted()).toEqual([...ofOwn, 'CAMERA_LOST'].toSorted());
    expect(await kinds(waits)).not.toEqual(expect.arrayContaining(['PRINT_WAITS']));
    expect(await kinds(waits)).not.toEqual(expect.arrayContaining(['PRINT_UNRESOLVED']));
    expect(await kinds(waits)).toHaveLength(8);
    const [{ data }] = (await readDeliveries(gateway, all)).filter(({ data }) => data.alert.kind === 'PRINTER_LOST');
    expect(data.alert.about).toEqual({
      type: 'Printer',
      id: farm.printerId,
      nodeId: encodeNodeId('Printer', [farm.printerId]),
      name: farm.printerName,
    });
  });

  /** Writes a silence as the mutation does. */
  test('six prints that wait at one printer are reported when they start and when they end', async () => {
    const target = await addTarget(gateway, { events: ['ALERT_RAISED', 'ALERT_CLEARED'] });
    await look(0);
    await makePrint(gateway, farm.printerId);
    expect(await looks(1, 61)).toEqual([0, 1]);
    for (let more = 0; more < 5; more += 1) await makePrint(gateway, farm.printerId);
    await gateway.sql(
      `update observed_prints set ignored_at = now() where id = (select id from observed_prints limit 1)`,
    );
    expect(await looks(62, 130)).toEqual([0, 0]);
    await ignoreAll();
    expect(await looks(131, 191)).toEqual([0, 1]);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
      'ALERT_RAISED PRINT_WAITS',
      'ALERT_CLEARED PRINT_WAITS',
    ]);
    const [{ data, title }] = await readDeliveries(gateway, target);
    expect([title, data.alert.about.type]).toEqual([`Print waits: ${farm.printerName}`, 'Printer']);
  });

  test('an unresolved print that an older version reported by itself is not reported as resolved', async () => {
    const target = await addTarget(gateway, { events: ['ALERT_RAISED', 'ALERT_CLEARED'] });
    const print = await makePrint(gateway, farm.printerId, { outcome: 'UNRESOLVED', endedAt: null });
    await look(0);
    const about = { type: 'ObservedPrint', id: print, nodeId: encodeNodeId('ObservedPrint', [print]), name: 'Benchy' };
    const alert = { kind: 'PRINT_UNRESOLVED', severity: 'WARNING', message: 'How did it end?', since: at(0), about };
    await gateway.sql(`insert into alert_states (kind, about, object_id, stands_since, raised_at, severity, alert, reported_to)
      values ('PRINT_UNRESOLVED', 'print', '${print}', '${at(0)}', '${at(0)}', 'WARNING', '${JSON.stringify(alert)}', '{${target}}')`);
    expect(await looks(1, 62, 130)).toEqual([0, 0, 0]);
    expect(await gateway.sql(`select about from alert_states where kind = 'PRINT_UNRESOLVED'`)).toEqual([
      { about: 'printer' },
    ]);
  });

  test('a silence until the alert clears ends a minute after the alert is gone, also without targets', async () => {
    const id = await camera({ online: false });
    await silence('CAMERA_LOST', id, 0);
    await look(1);
    await recordStatuses(gateway, id, [{ recordedAt: at(20) }]);
    await look(21);
    await recordStatuses(gateway, id, [{ recordedAt: at(30), online: false }]);
    await look(31);
    await gateway.sql('delete from cameras');
    await looks(32, 91);
    expect(await silences()).toHaveLength(1);
    await look(92);
    expect(await silences()).toEqual([]);
  });

  test('waiting prints of a printer with a silenced alert are not reported; those that still wait when it ends are', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_WAITS', 'ALERT_RAISED', 'ALERT_CLEARED'] });
    const { read } = await startReporter(gateway);
    await makePrint(gateway, farm.printerId);
    await read();
    await look(0);
    await silence('PRINT_WAITS', farm.printerId, 1, 200);
    await makePrint(gateway, farm.printerId, { name: 'Vase' });
    await (await startReporter(gateway)).read();
    expect(await looks(2, 62)).toEqual([0, 0]);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_WAITS Benchy SPOOL']);
    expect(await looks(201)).toEqual([1]);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
      'PRINT_WAITS Benchy SPOOL',
      'ALERT_RAISED PRINT_WAITS',
    ]);
  });

  test('a process that lost the lease reports nothing, and a time from a clock that was ahead is corrected', async () => {
    const target = await addTarget(gateway);
    await look(0);
    await camera({ online: false });
    await look(1);
    const lost = await takeLease(gateway);
    await takeLease(gateway);
    expect(await createReporter(gateway).lookAtAlerts(lost, at(61))).toBe(0);
    await gateway.sql(`update alert_states set stands_since = stands_since + interval '1 day'`);
    expect(await looks(62, 100)).toEqual([0, 0]);
    const lease = await takeLease(gateway);
    const readReported = await Promise.all([1, 2].map(() => createReporter(gateway).lookAtAlerts(lease, at(122))));
    expect(readReported.toSorted()).toEqual([0, 1]);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['ALERT_RAISED CAMERA_LOST']);
  });

  /** Creates active alerts, every third one CRITICAL; `asked` has those for which a sentence was made. */
  function flood(count: number) {
    const asked: string[] = [];
    const findings = Array.from({ length: count }, (_, number) => ({
      kind: number % 3 === 0 ? 'CAMERA_LOST' : 'BATTERY_LOW',
      severity: number % 3 === 0 ? 'CRITICAL' : 'WARNING',
      about: 'camera',
      since: at(0),
      id: `camera ${number}`,
      name: 'Bay',
      detail: null,
      silence: null,
    })) as Finding[];
    const urgency = ({ kind }: Finding) => (kind === 'CAMERA_LOST' ? 0 : 1);
    const standing = findings.toSorted((one, other) => urgency(one) - urgency(other));
    const alerts = {
      listAll: async () => standing,
      buildMessage: async ({ id }: { id: string }) => {
        asked.push(id);
        return 'It is so.';
      },
    };
    return { asked, alerts, reporter: createReporter(gateway, gateway.database(), { createOn: () => alerts }) };
  }
  const deliveries = async () =>
    (await gateway.sql(`select n.severity, count(*)::int as count from notification_deliveries d
      join notifications n on n.id = d.notification_id group by n.severity order by n.severity`)) as Parsed[];

  test('more alerts than one transaction may hold are reported in parts, the most urgent first', async () => {
    for (let number = 0; number < 50; number += 1) await addTarget(gateway, { events: ['ALERT_RAISED'] });
    await look(0);
    const { reporter } = flood(250);
    const lease = await takeLease(gateway);
    await reporter.lookAtAlerts(lease, at(1));
    // 5,000 deliveries for 50 targets.
    const readReported = [await reporter.lookAtAlerts(lease, at(62))];
    expect(await deliveries()).toEqual([
      { severity: 'CRITICAL', count: 84 * 50 },
      { severity: 'WARNING', count: 16 * 50 },
    ]);
    for (let count = 1; count > 0; readReported.push(count)) count = await reporter.reportAlerts(lease, at(63));
    expect(readReported.filter((count) => count > 0)).toEqual([100, 100, 50]);
    expect((await deliveries()).map(({ count }) => count)).toEqual([84 * 50, 166 * 50]);
    // Another process that continues finds what is left, and reports nothing twice.
    expect(await flood(250).reporter.lookAtAlerts(await takeLease(gateway), at(64))).toBe(0);
  });

  test('a new process reports what the process before it left undone', async () => {
    await addTarget(gateway, { events: ['ALERT_RAISED'] });
    await look(0);
    await flood(250).reporter.lookAtAlerts(await takeLease(gateway), at(1));
    expect(await flood(250).reporter.lookAtAlerts(await takeLease(gateway), at(62))).toBe(200);
    expect(await flood(250).reporter.lookAtAlerts(await takeLease(gateway), at(63))).toBe(50);
  });

  for (const how of ['added', 'enabled again']) {
    test(`what happens after the mutation by which the only target is ${how} is reported, and what was active before is not`, async () => {
      const events = ['ALERT_RAISED', 'ALERT_CLEARED'];
      const input = { kind: 'NTFY', url: 'http://10.0.0.9/t', events, enabled: how === 'added' };
      await camera({ online: false });
      const { target } = await addByMutation(gateway, input);
      if (how !== 'added') await updateTarget(gateway, target.id, { enabled: true });
      const id = await camera({ online: false });
      // The first check of the process that reports.
      expect(await looks(3, 64)).toEqual([0, 1]);
      await recordStatuses(gateway, id, [{ recordedAt: at(70) }]);
      await gateway.sql(`update cameras set expected_interval_sec = 1000 where camera_id = '${id}'`);
      expect(await looks(71, 132)).toEqual([0, 1]);
      expect((await readDeliveries(gateway, target.id)).map(({ event, data }) => [event, data.alert.about.id])).toEqual(
        [
          ['ALERT_RAISED', id],
          ['ALERT_CLEARED', id],
        ],
      );
    });
  }
});
