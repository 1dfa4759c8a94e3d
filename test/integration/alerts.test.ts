// Tests the alerts: each kind with its limits, in the order of urgency, with its objects.
import { FarmStatesStore } from '../../src/notifications/mqtt/states.store';
import { describeMachineFault, describeRecordingFault } from '../../src/wire/fault-sentences';
import { anyDatabase } from '../support/databases';
import { ago, makeCamera, makeFarm, makeJob, recordStatuses, unique } from '../support/farm';
import { expectData, type Gateway, type Parsed, test, useGateway } from '../support/gateway';
import { makeDevice, makePrint } from '../support/prints';

const ALERTS = `{ alerts {
  kind severity message since camera { id friendlyName liveness } printJob { id status } spool { id }
  printer { id } print { id } prints objectId silence { by at until }
} }`;
const readAlerts = async (gateway: Gateway): Promise<Parsed[]> => expectData(await gateway.graphql(ALERTS)).alerts;
const DAY = 24 * 60 * 60;

describe('alerts', () => {
  const gateway = useGateway(anyDatabase);
  /** The alerts about one camera, job or spool. */
  const about = async (id: string) =>
    (await readAlerts(gateway)).filter(({ camera, printJob, spool, printer, print }) =>
      [camera, printJob, spool, printer, print].some((one) => one?.id === id),
    );
  const cameraWith = async (...records: Record<string, unknown>[]) => {
    const id = await makeCamera(gateway, { friendly_name: unique('Bay') });
    await recordStatuses(gateway, id, records);
    return id;
  };

  test('CAMERA_OFFLINE is raised for a camera that is offline or silent, and not for a camera that never reported', async () => {
    const [never, live] = [await makeCamera(gateway), await cameraWith({ recordedAt: ago(200) })];
    const [lastHeard, lastSeen] = [ago(400), ago(10)];
    const silent = await cameraWith({ recordedAt: lastHeard });
    const offline = await cameraWith({ recordedAt: ago(20) }, { recordedAt: lastSeen, online: false });
    expect(await about(never)).toEqual([]);
    expect(await about(live)).toEqual([]);
    for (const [id, since, liveness, says] of [
      [
        silent,
        new Date(Date.parse(lastHeard) + 300_000).toISOString(),
        'SILENT',
        'has sent no status for more than 300 seconds',
      ],
      [offline, lastSeen, 'OFFLINE', 'is offline'],
    ] as const) {
      const [alert] = await about(id);
      const message = `Camera ${alert.camera.friendlyName} (${id}) ${says}. Check its power and its network.`;
      expect(alert).toMatchObject({ kind: 'CAMERA_LOST', severity: 'CRITICAL', since, camera: { liveness }, message });
    }
    await recordStatuses(gateway, offline, [{}]);
    expect(await about(offline)).toEqual([]);
  });

  test('a camera that reports offline again and again has one alert since its first offline record', async () => {
    const createRecord = (seconds: number, online: boolean) => ({ recordedAt: ago(seconds), online });
    const since = ago(50);
    const records = [
      createRecord(70, false),
      createRecord(60, true),
      { recordedAt: since, online: false },
      createRecord(40, false),
      createRecord(10, false),
    ];
    const [again, always] = [
      await cameraWith(...records),
      await cameraWith(createRecord(30, false), createRecord(20, false)),
    ];
    expect(await about(again)).toMatchObject([{ kind: 'CAMERA_LOST', since }]);
    const [first] = await gateway.sql(
      `select min(recorded_at)::text as at from camera_status where camera_id = '${always}'`,
    );
    expect(await about(always)).toMatchObject([{ kind: 'CAMERA_LOST', since: new Date(first.at).toISOString() }]);
  });

  test('an alert uses the newest record that is not in the future, and lastStatus is the record with the greatest time', async () => {
    const fromFuture = { recordedAt: ago(-7200), batteryPct: 80, videoRemainingSec: 9000 };
    const low = await cameraWith({ recordedAt: ago(20), batteryPct: 90 }, fromFuture, {
      recordedAt: ago(5),
      batteryPct: 15,
      videoRemainingSec: 500,
    });
    const offline = await cameraWith(fromFuture, { recordedAt: ago(5), online: false });
    const silent = await cameraWith(fromFuture, { recordedAt: ago(400) });
    const onlyFuture = await cameraWith(fromFuture, { ...fromFuture, recordedAt: ago(-7300), online: false });
    const kinds = async (id: string) => (await about(id)).map(({ kind }) => kind);
    expect(await kinds(low)).toEqual(['BATTERY_LOW', 'STORAGE_LOW']);
    expect(await kinds(offline)).toEqual(['CAMERA_LOST']);
    expect((await about(silent))[0]).toMatchObject({
      kind: 'CAMERA_LOST',
      message: expect.stringContaining('300 seconds'),
    });
    expect(await kinds(onlyFuture)).toEqual(['CAMERA_LOST']);
    const asked = 'query ($id: ID!) { camera(id: $id) { liveness lastStatus { batteryPct online } } }';
    const shown = async (id: string) => expectData(await gateway.graphql(asked, { id })).camera;
    const lastStatus = { batteryPct: 80, online: true };
    expect(await shown(low)).toEqual({ liveness: 'LIVE', lastStatus });
    expect(await shown(offline)).toEqual({ liveness: 'OFFLINE', lastStatus });
    expect(await shown(silent)).toEqual({ liveness: 'SILENT', lastStatus });
    expect(await shown(onlyFuture)).toEqual({ liveness: 'OFFLINE', lastStatus: { ...lastStatus, online: false } });
    const { farm } = expectData(await gateway.graphql('{ farm { cameras camerasLive } }'));
    const byLiveness = await new FarmStatesStore(gateway.database()).cameras(new Date().toISOString());
    expect(farm.camerasLive).toBe(byLiveness.filter(({ liveness }) => liveness === 'LIVE').length);
    expect(byLiveness.find(({ id }) => id === low)).toMatchObject({ batteryPct: 15, videoRemainingSec: 500 });
    expect(byLiveness.find(({ id }) => id === offline)).toMatchObject({ liveness: 'OFFLINE' });
    await recordStatuses(gateway, offline, [{ recordedAt: ago(1) }]);
    expect(await kinds(offline)).toEqual([]);
    await gateway.sql(`delete from camera_status where recorded_at > now() + interval '1 hour'`);
  });

  test('a camera that records in a loop raises no alert about low storage', async () => {
    const looping = await cameraWith({ recordedAt: ago(5), videoRemainingSec: 10, mode: 'Looping' });
    expect(await about(looping)).toEqual([]);
  });

  test('low battery and low storage are alerts while the camera is live', async () => {
    const recordedAt = ago(5);
    const fine = await cameraWith({ recordedAt, batteryPct: 15.01, videoRemainingSec: 600 });
    const low = await cameraWith({ recordedAt, batteryPct: 15, videoRemainingSec: 599 });
    const lost = await cameraWith({ recordedAt, batteryPct: 1, videoRemainingSec: 0, online: false });
    const unknown = await cameraWith({ recordedAt, batteryPct: null, videoRemainingSec: null });
    expect(await about(fine)).toEqual([]);
    expect(await about(unknown)).toEqual([]);
    expect((await about(lost)).map((alert) => alert.kind)).toEqual(['CAMERA_LOST']);
    const found = await about(low);
    const name = `Camera ${found[0].camera.friendlyName} (${low})`;
    expect(found.map(({ kind, severity, since, message }) => [kind, severity, since, message])).toEqual([
      ['BATTERY_LOW', 'WARNING', recordedAt, `${name} has 15 % battery left. Charge the camera or change its battery.`],
      [
        'STORAGE_LOW',
        'WARNING',
        recordedAt,
        `${name} has room for 599 s of video. Free space on its card or change the card.`,
      ],
    ]);
  });

  test('a battery of 5 percent and two minutes of recording time are CRITICAL and come first', async () => {
    const recordedAt = ago(5);
    const low = await cameraWith({ recordedAt, batteryPct: 5.01, videoRemainingSec: 121 });
    const empty = await cameraWith({ recordedAt: ago(4), batteryPct: 5, videoRemainingSec: 120 });
    const severities = async (id: string) => (await about(id)).map(({ kind, severity }) => [kind, severity]);
    expect(await severities(low)).toEqual([
      ['BATTERY_LOW', 'WARNING'],
      ['STORAGE_LOW', 'WARNING'],
    ]);
    expect(await severities(empty)).toEqual([
      ['BATTERY_LOW', 'CRITICAL'],
      ['STORAGE_LOW', 'CRITICAL'],
    ]);
    const order = (await readAlerts(gateway)).flatMap(({ kind, camera }) =>
      kind === 'BATTERY_LOW' ? [camera.id] : [],
    );
    expect(order.indexOf(empty)).toBeLessThan(order.indexOf(low));
  });

  test('a job that prints for more than seven days without an update is an alert', async () => {
    const farm = await makeFarm(gateway);
    const [stuck, young, queued] = [
      await makeJob(gateway, farm, { PrintName: 'Planter' }, 'Printing'),
      await makeJob(gateway, farm, {}, 'Printing'),
      await makeJob(gateway, farm),
    ];
    const [long, short] = [ago(7 * DAY + 60), ago(7 * DAY - 60)];
    for (const [job, updated] of [
      [stuck, long],
      [young, short],
      [queued, long],
    ]) {
      await gateway.sql(`update print_jobs set updated_at = '${updated}' where id = '${job.Id}'`);
    }
    expect(await about(young.Id)).toEqual([]);
    expect(await about(queued.Id)).toEqual([]);
    expect(await about(stuck.Id)).toMatchObject([
      {
        kind: 'JOB_STUCK',
        severity: 'WARNING',
        printJob: { id: stuck.Id, status: 'PRINTING' },
        camera: null,
        message: `Job Planter has been printing on ${farm.printerName} for more than 7 days without an update. If the print is over, set the status of the job.`,
        since: new Date(Date.parse(long) + 7 * DAY * 1000).toISOString(),
      },
    ]);
  });

  test('a print that waits for its spool or its outcome is an alert until it has them or is ignored', async () => {
    const farm = await makeFarm(gateway);
    const printing = { outcome: 'RUNNING', endedAt: null, filament: null, createdAt: '2026-01-01T00:00:00Z' };
    const waits = await makePrint(gateway, farm.printerId, printing);
    const lost = await makePrint(gateway, farm.printerId, { outcome: 'UNRESOLVED', seenAt: '2026-01-02T00:00:00Z' });
    expect(await about(waits)).toMatchObject([
      {
        kind: 'PRINT_WAITS',
        severity: 'WARNING',
        since: '2026-01-01T00:00:00.000Z',
        printer: { id: farm.printerId },
        objectId: farm.printerId,
        print: { id: waits },
        prints: 1,
        silence: null,
        message: `Print Benchy on ${farm.printerName} waits for its spool. No spool was in tool:0 when the print started. Choose the spool of this print.`,
      },
    ]);
    expect(await about(lost)).toMatchObject([
      {
        kind: 'PRINT_UNRESOLVED',
        severity: 'WARNING',
        since: '2026-01-02T00:00:00.000Z',
        printer: { id: farm.printerId },
        objectId: farm.printerId,
        print: { id: lost },
        prints: 1,
        message: `How did print Benchy on ${farm.printerName} end? The gateway did not see its end. Enter its outcome.`,
      },
    ]);
    await makePrint(gateway, farm.printerId, { name: 'Vase', outcome: 'UNRESOLVED', seenAt: '2026-01-03T00:00:00Z' });
    const [, both] = await about(farm.printerId);
    expect(both).toMatchObject({ kind: 'PRINT_UNRESOLVED', since: '2026-01-02T00:00:00.000Z', prints: 2 });
    expect(both.message).toBe(
      `How did 2 prints on ${farm.printerName} end? The newest is Vase. The gateway did not see their ends. Enter their outcomes.`,
    );
    const job = await makeJob(gateway, farm);
    await gateway.sql(`update observed_prints set job_id = '${job.Id}' where id = '${waits}'`);
    await gateway.sql(`update observed_prints set ignored_at = now() where outcome = 'UNRESOLVED'`);
    expect([await about(waits), await about(lost)]).toEqual([[], []]);
  });

  test('a machine that rejects the credentials of the gateway is an alert', async () => {
    const [farm, camera] = [await makeFarm(gateway), await cameraWith({})];
    const refused = { state: 'REFUSED', stateSince: '2026-01-01T00:00:00Z', fault: 'CREDENTIALS_REFUSED' };
    const device = await makeDevice(gateway, { printerId: farm.printerId, ...refused });
    await makeDevice(gateway, { cameraId: camera, kind: 'OPEN_GOPRO', ...refused });
    const [alert] = await about(farm.printerId);
    expect(alert).toMatchObject({ kind: 'DEVICE_REFUSED', severity: 'WARNING', since: '2026-01-01T00:00:00.000Z' });
    expect(alert.message).toBe(
      `The gateway cannot connect to printer ${farm.printerName}. ${describeMachineFault('CREDENTIALS_REFUSED', 'MOONRAKER')}`,
    );
    expect((await about(camera)).map((one) => [one.kind, one.printer])).toEqual([['DEVICE_REFUSED', null]]);
    await gateway.sql(`update devices set enabled = false where id = '${device}'`);
    expect(await about(farm.printerId)).toEqual([]);
  });

  test('a fault or a pause of a printer is an alert with the text of the printer, unless a user paused it', async () => {
    const farm = await makeFarm(gateway);
    const device = await makeDevice(gateway, { printerId: farm.printerId, lastMessageAt: ago(1) });
    const since = ago(30);
    const state = async (columns: string) => {
      await gateway.sql(`update printer_states set ${columns} where printer_id = '${farm.printerId}'`);
      return (await about(farm.printerId)).map(({ kind, severity, message }) => [kind, severity, message]);
    };
    await gateway.sql(`insert into printer_states (printer_id, activity, message, heard_at, activity_since)
      values ('${farm.printerId}', 'ERROR', 'Thermal runaway.', now(), '${since}')`);
    expect(await about(farm.printerId)).toMatchObject([
      {
        kind: 'PRINTER_FAULT',
        severity: 'CRITICAL',
        since,
        printer: { id: farm.printerId },
        message: `Printer ${farm.printerName} reports a fault: Thermal runaway. Correct the fault at the printer.`,
      },
    ]);
    const paused = `Printer ${farm.printerName} paused its print`;
    const remedy = 'Check the printer, then resume the print there.';
    expect(await state(`activity = 'PAUSED', message = 'Out of filament'`)).toEqual([
      ['PRINTER_PAUSED', 'WARNING', `${paused}: Out of filament. ${remedy}`],
    ]);
    expect(await state('message = null')).toEqual([['PRINTER_PAUSED', 'WARNING', `${paused}. ${remedy}`]]);
    expect(await state('is_paused_by_user = true')).toEqual([]);
    expect(await state(`is_paused_by_user = false, activity = 'PRINTING'`)).toEqual([]);
    expect(await state(`activity = 'ERROR'`)).toHaveLength(1);
    // What the printer reports now is unknown, so its last fault is no alert.
    await gateway.sql(`update devices set last_message_at = now() - interval '1 hour' where id = '${device}'`);
    expect(await state(`heard_at = now() - interval '1 hour'`)).toEqual([]);
  });

  test('a connected machine whose prints are not all recorded is an alert', async () => {
    const farm = await makeFarm(gateway);
    const since = { stateSince: '2026-01-01T00:00:00Z', fault: 'TOO_MUCH_DATA' };
    const device = await makeDevice(gateway, { printerId: farm.printerId, ...since });
    const [alert] = await about(farm.printerId);
    expect(alert).toMatchObject({ kind: 'PRINTS_LEFT_OUT', severity: 'CRITICAL', since: '2026-01-01T00:00:00.000Z' });
    expect(alert.message).toBe(
      `Not every print of printer ${farm.printerName} is recorded. ${describeRecordingFault('TOO_MUCH_DATA', 'MOONRAKER')}`,
    );
    await gateway.sql(`update devices set fault = 'PROTOCOL_ERROR' where id = '${device}'`);
    expect((await about(farm.printerId)).map(({ message }) => message)).toEqual([
      `Not every print of printer ${farm.printerName} is recorded. ${describeRecordingFault('PROTOCOL_ERROR', 'MOONRAKER')}`,
    ]);
    // The process that held the connection is gone, so the device is connecting.
    const heldUntil = (at: string) =>
      gateway.sql(`insert into leases (name, device_id, holder, until) values ('${device}', '${device}', 'gone', ${at})
        on conflict (name) do update set until = excluded.until`);
    await heldUntil(`now() - interval '1 hour'`);
    expect(await about(farm.printerId)).toEqual([]);
    await heldUntil('null');
    expect(await about(farm.printerId)).toHaveLength(1);
    await gateway.sql(`update devices set fault = null where id = '${device}'`);
    expect(await about(farm.printerId)).toEqual([]);
  });

  test('a printer that falls silent while it prints is an alert', async () => {
    const farm = await makeFarm(gateway);
    const deviceId = await makeDevice(gateway, { printerId: farm.printerId, lastMessageAt: ago(60) });
    const kinds = async () => (await about(farm.printerId)).map((alert) => alert.kind);
    expect(await kinds()).toEqual([]);
    const job = await makeJob(gateway, farm);
    const printing = { outcome: 'RUNNING', endedAt: null, filament: null, deviceId, jobId: job.Id };
    await makePrint(gateway, farm.printerId, printing);
    const [alert] = await about(farm.printerId);
    expect(alert).toMatchObject({ kind: 'PRINTER_LOST', severity: 'CRITICAL', printer: { id: farm.printerId } });
    expect(alert.message).toBe(
      `No contact with printer ${farm.printerName} while it prints Benchy. Check its power and its network.`,
    );
    const device = (columns: string) => gateway.sql(`update devices set ${columns} where id = '${deviceId}'`);
    await device(`kind = 'BAMBU'`);
    expect(await kinds()).toEqual([]);
    await device(`last_message_at = now() - interval '190 seconds'`);
    expect(await kinds()).toEqual(['PRINTER_LOST']);
    await device(`last_message_at = now()`);
    expect(await kinds()).toEqual([]);
    await device(`state = 'OFFLINE'`);
    expect(await kinds()).toEqual(['PRINTER_LOST']);
    await device(`enabled = false`);
    expect(await kinds()).toEqual([]);
  });

  test('a print with unknown filament is an alert for seven days, or until a user changes its job', async () => {
    const farm = await makeFarm(gateway);
    const unknown = [{ slot: 'tool:0', mm: null, grams: null, basis: 'UNKNOWN' }];
    const createPrint = async (members: Record<string, unknown> = {}) => {
      const job = await makeJob(gateway, farm);
      const made = { jobId: job.Id, jobUpdatedAt: job.UpdatedAt, filament: unknown, ...members };
      return { job, id: await makePrint(gateway, farm.printerId, made) };
    };
    const endedAt = ago(6 * DAY);
    const { job, id } = await createPrint({ endedAt });
    expect(await about(id)).toMatchObject([
      {
        kind: 'FILAMENT_UNKNOWN',
        severity: 'WARNING',
        since: endedAt,
        print: { id },
        message: `Filament use of print Benchy on ${farm.printerName} is unknown, so its job has 0 g. Enter the grams of the job.`,
      },
    ]);
    const others = [
      await createPrint({ endedAt: ago(8 * DAY) }),
      await createPrint({ ignoredAt: endedAt }),
      await createPrint({ outcome: 'RUNNING', endedAt: null, filament: null }),
      await createPrint({ filament: [{ slot: 'tool:0', mm: '1', grams: null, basis: 'PLANNED' }] }),
    ];
    for (const other of others) expect(await about(other.id)).toEqual([]);
    await gateway.sql(`update print_jobs set updated_at = now() where id = '${job.Id}'`);
    expect(await about(id)).toEqual([]);
  });

  test('a spool with too little filament for its queued and printing jobs is an alert', async () => {
    const farm = await makeFarm(gateway);
    await gateway.sql(`update spools set weight_total_grams = 100 where id = '${farm.spoolId}'`);
    const grams = { AutoDeriveGrams: false, GramsDerived: 60.25 };
    const ended = await makeJob(gateway, farm, grams, 'Printing');
    const queued = await makeJob(gateway, farm, { ...grams, GramsDerived: 39.75 });
    expect(await about(farm.spoolId)).toEqual([]);
    const printing = await makeJob(gateway, farm, { ...grams, GramsDerived: 0.5 }, 'Printing');
    const short = {
      kind: 'SPOOL_SHORT',
      severity: 'WARNING',
      since: printing.CreatedAt,
      spool: { id: farm.spoolId },
      message: `Spool ${farm.spoolSerial} is 0.5 g short for its queued and printing jobs. Have another spool ready, or move a job to it.`,
    };
    expect(await about(farm.spoolId)).toMatchObject([short]);
    await gateway.rest('PATCH', `/api/printjobs/${ended.Id}/status`, { Status: 'Completed' });
    expect(await about(farm.spoolId)).toMatchObject([short]);
    for (const { Id } of [queued, printing]) await gateway.rest('DELETE', `/api/printjobs/${Id}`);
    expect(await about(farm.spoolId)).toEqual([]);
  });

  test('alerts come with the most urgent first, then the oldest, and a large farm gets all of them', async () => {
    await gateway.sql(
      `insert into cameras (camera_id, friendly_name) select 'many ' || n, 'c' from generate_series(1, 1200) n`,
    );
    await gateway.sql(`insert into camera_status (camera_id, recorded_at, online)
      select 'many ' || n, now() - case when n > 400 then interval '1 hour' else '0' end, n <= 400 or n % 2 = 0
      from generate_series(1, 1200) n`);
    // As docs/reference/database.md says of many rows: without ANALYZE PostgreSQL reads the whole table for each 500 cameras.
    await gateway.sql('analyze');
    const alerts = await readAlerts(gateway);
    expect(alerts.filter(({ camera }) => camera?.id.startsWith('many '))).toHaveLength(800);
    expect(new Set(alerts.map(({ severity }) => severity)).size).toBe(2);
    const order = alerts.map(
      ({ severity, since, kind, camera, printJob, spool, printer, print }) =>
        `${severity} ${since} ${kind} ${(camera ?? printJob ?? spool ?? printer ?? print).id}`,
    );
    expect(order).toEqual([...order].sort());
    for (const [first, length] of [
      [3, 3],
      [0, 1],
      [1_000_000, alerts.length],
    ] as const) {
      const answer = await gateway.graphql('query ($first: Int) { alerts(first: $first) { kind since } }', { first });
      const expected = alerts.slice(0, length).map(({ kind, since }) => ({ kind, since }));
      expect(expectData(answer).alerts).toEqual(expected);
    }
  });
});
