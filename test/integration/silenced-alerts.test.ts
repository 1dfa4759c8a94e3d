// One alert per printer for all of its prints, and silenced alerts: by whom, until when, and what ends the silence.
import { describeOnDatabases, isTestedAlready } from '../support/databases';
import { ago, type Farm, makeCamera, makeFarm, makeJob, recordStatuses } from '../support/farm';
import { expectCode, expectData, type Parsed, test, useGateway } from '../support/gateway';
import { createPlan, makePrint } from '../support/prints';

const MEMBERS = 'kind since message objectId prints printer { id } print { id } silence { by at until }';

// Silences are upserts and deletes with lists as parameters.
describeOnDatabases('alerts', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeEach(async () => {
    farm = await makeFarm(gateway);
  });
  const run = async (document: string, variables?: object): Promise<Parsed> =>
    expectData(await gateway.graphql(document, variables));
  const readAlerts = async (id: string, silenced: boolean | null = false): Promise<Parsed[]> =>
    (
      await run(`query ($silenced: Boolean) { alerts(silenced: $silenced) { ${MEMBERS} } }`, { silenced })
    ).alerts.filter(({ objectId }: Parsed) => objectId === id);
  const silence = (id: string, until?: string, kind = 'CAMERA_LOST') =>
    gateway.graphql(
      `mutation ($kind: AlertKind!, $id: ID!, $until: DateTime) { silenceAlert(kind: $kind, id: $id, until: $until) { ${MEMBERS} } }`,
      { kind, id, until },
    );
  const end = (id: string) =>
    gateway.graphql(`mutation ($id: ID!) { endSilence(kind: CAMERA_LOST, id: $id) { ${MEMBERS} } }`, { id });
  const lostCamera = async () => {
    const id = await makeCamera(gateway);
    await recordStatuses(gateway, id, [{ recordedAt: ago(20), online: false }]);
    return id;
  };

  test('silenced alerts are left out by default, come last if they are included, and have who silenced them and until when', async () => {
    const [id, other] = [await lostCamera(), await lostCamera()];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { silenceAlert } = expectData(await silence(id, until));
    expect(silenceAlert).toMatchObject({ objectId: id, silence: { by: null, until } });
    expect(await readAlerts(id)).toEqual([]);
    expect(await readAlerts(other, true)).toEqual([]);
    expect(await readAlerts(id, true)).toEqual([silenceAlert]);
    const { alerts } = await run('{ alerts(silenced: null) { objectId } }');
    expect(alerts.at(-1)).toEqual({ objectId: id });
    expect(alerts).toContainEqual({ objectId: other });
    expect((await run('{ alerts(silenced: null, first: 1) { objectId } }')).alerts).not.toContainEqual({
      objectId: id,
    });
    expect(expectData(await silence(id)).silenceAlert.silence.until).toBeNull();
    expect(expectData(await end(id)).endSilence).toMatchObject({ objectId: id, silence: null });
    expect(await readAlerts(id)).toHaveLength(1);
    expect(expectCode(await end(id), 'NOT_FOUND')).toBe(`There is no silence of an alert CAMERA_LOST, ${id}`);
  });

  if (isTestedAlready(kind)) return;

  test('prints that wait are one alert for each printer: their number, the newest, and since when the oldest waits', async () => {
    const { printerId, printerName } = farm;
    const made: string[] = [];
    for (let hour = 1; hour <= 6; hour += 1)
      made.push(await makePrint(gateway, printerId, { name: `Part ${hour}`, createdAt: `2026-01-01T0${hour}:00:00Z` }));
    await makePrint(gateway, (await makeFarm(gateway)).printerId);
    const waits = (prints: number, since: string) => [
      {
        kind: 'PRINT_WAITS',
        since,
        message: `${prints} prints on ${printerName} wait for their spools. The newest is Part 6. No spool was in tool:0 when the print started. Choose the spool of this print.`,
        objectId: printerId,
        prints,
        printer: { id: printerId },
        print: { id: made.at(-1) },
        silence: null,
      },
    ];
    expect(await readAlerts(printerId)).toEqual(waits(6, '2026-01-01T01:00:00.000Z'));
    await gateway.sql(`update observed_prints set ignored_at = now() where id = '${made[0]}'`);
    expect(await readAlerts(printerId)).toEqual(waits(5, '2026-01-01T02:00:00.000Z'));
    await gateway.sql(`update observed_prints set ignored_at = now() where printer_id = '${printerId}'`);
    expect(await readAlerts(printerId)).toEqual([]);
  });

  test('prints with unknown filament are one alert for each printer, since the end of the oldest', async () => {
    const filament = [{ slot: 'tool:0', mm: null, grams: null, basis: 'UNKNOWN' }];
    const ends = [ago(7200), ago(3600)];
    for (const endedAt of ends) {
      const job = await makeJob(gateway, farm);
      await makePrint(gateway, farm.printerId, { jobId: job.Id, jobUpdatedAt: job.UpdatedAt, filament, endedAt });
    }
    expect(await readAlerts(farm.printerId)).toMatchObject([
      {
        kind: 'FILAMENT_UNKNOWN',
        since: ends[0],
        prints: 2,
        message: `Filament use of 2 prints on ${farm.printerName} is unknown, so their jobs have 0 g. The newest is Benchy. Enter the grams of these jobs.`,
      },
    ]);
  });

  test('an alert is silenced by a GUID in any case, and two simultaneous silences leave one', async () => {
    const { printerId } = farm;
    await makePrint(gateway, printerId);
    const made = await Promise.all(
      [printerId.toUpperCase(), printerId].map((id) => silence(id, undefined, 'PRINT_WAITS')),
    );
    for (const one of made) expect(expectData(one).silenceAlert.objectId).toBe(printerId);
    expect(
      await gateway.sql(`select count(*)::int as count from alert_silences where object_id = '${printerId}'`),
    ).toEqual([{ count: 1 }]);
  });

  test('a silence until a time in the past, or of an alert that does not exist, is refused', async () => {
    const id = await lostCamera();
    const refusals = [
      [await silence(id, '2026-01-01T00:00:00Z'), 'until', 'must be later than now'],
      [await silence(farm.printerId), 'id', 'must be the id of an object with an active alert CAMERA_LOST'],
      [
        await silence(id, undefined, 'PRINT_WAITS'),
        'id',
        'must be the id of an object with an active alert PRINT_WAITS',
      ],
    ] as const;
    for (const [answer, member, message] of refusals)
      expect(expectCode(answer, 'BAD_USER_INPUT')).toContain(`${member} ${message}`);
    expect(await gateway.sql(`select * from alert_silences where object_id = '${id}'`)).toEqual([]);
  });

  test('an alert is no longer silenced when its time has passed', async () => {
    const id = await lostCamera();
    expectData(await silence(id));
    await gateway.sql(`update alert_silences set until = now() where object_id = '${id}'`);
    expect(await readAlerts(id)).toMatchObject([{ silence: null }]);
  });

  test('an alert that became CRITICAL since it was silenced is no longer silenced, until it is silenced again', async () => {
    const id = await makeCamera(gateway);
    const report = (secondsAgo: number, members: object) =>
      recordStatuses(gateway, id, [{ recordedAt: ago(secondsAgo), ...members }]);
    await report(30, { batteryPct: 9, videoRemainingSec: 300 });
    for (const kind of ['BATTERY_LOW', 'STORAGE_LOW']) expectData(await silence(id, undefined, kind));
    expect(await readAlerts(id)).toEqual([]);
    await report(20, { batteryPct: 6, videoRemainingSec: 121 });
    expect(await readAlerts(id)).toEqual([]);
    await report(10, { batteryPct: 5, videoRemainingSec: 120 });
    expect(await readAlerts(id)).toMatchObject([
      { kind: 'BATTERY_LOW', silence: null },
      { kind: 'STORAGE_LOW', silence: null },
    ]);
    const ended = await gateway.graphql(`mutation ($id: ID!) { endSilence(kind: BATTERY_LOW, id: $id) { kind } }`, {
      id,
    });
    expectCode(ended, 'NOT_FOUND');
    for (const kind of ['BATTERY_LOW', 'STORAGE_LOW']) expectData(await silence(id, undefined, kind));
    await report(5, { batteryPct: 1, videoRemainingSec: 0 });
    expect(await readAlerts(id)).toEqual([]);
    expect(await readAlerts(id, true)).toHaveLength(2);
  });

  test('all prints whose slots fit get their spools in one request, and the others stay', async () => {
    const { printerId, spoolId } = farm;
    const fits = [await makePrint(gateway, printerId), await makePrint(gateway, printerId)];
    const two = await makePrint(gateway, printerId, { plan: createPlan(['tool:0', '1', null], ['tool:1', '2', null]) });
    const printIds = [...fits, two];
    const assign = (spools: object[], ids = printIds) =>
      gateway.graphql(
        `mutation ($ids: [ID!]!, $spools: [SlotSpoolInput!]!) {
          assignSpoolsToPrints(printIds: $ids, spools: $spools) { id waitsFor job { spool { id } } } }`,
        { ids, spools },
      );
    const none = '00000000-0000-0000-0000-000000000000';
    expectCode(await assign([{ slot: 'tool:0', spoolId: none }]), 'BAD_USER_INPUT');
    expectCode(await assign([{ slot: 'tool:0', spoolId }], [none]), 'NOT_FOUND');
    const tooMany = await assign(
      [],
      Array.from({ length: 101 }, () => none),
    );
    expect(expectCode(tooMany, 'BAD_USER_INPUT')).toContain('printIds must have at most 100 ids');
    expect(await readAlerts(printerId)).toMatchObject([{ prints: 3 }]);
    const job = { spool: { id: spoolId } };
    const done = fits.map((id) => ({ id, waitsFor: null, job }));
    for (const spools of [
      [{ slot: 'tool:0', spoolId }],
      [{ slot: 'tool:0', spoolId }],
      [
        { slot: 'ext:0', spoolId },
        { slot: 'tool:0', spoolId },
      ],
    ])
      expect(expectData(await assign(spools)).assignSpoolsToPrints).toEqual([
        ...done,
        { id: two, waitsFor: 'SPOOL', job: null },
      ]);
    const all = [
      { slot: 'tool:0', spoolId },
      { slot: 'tool:1', spoolId },
    ];
    expect(expectData(await assign(all)).assignSpoolsToPrints).toEqual([...done, { id: two, waitsFor: null, job }]);
    expect(await readAlerts(printerId)).toEqual([]);
  });

  test('all prints with an unknown outcome get their outcomes in one request, and the others stay', async () => {
    const { printerId } = farm;
    const make = (outcome: string) => makePrint(gateway, printerId, { outcome, ignoredAt: null });
    const [one, two, ended] = [await make('UNRESOLVED'), await make('UNRESOLVED'), await make('FAILED')];
    const resolve = (outcomes: object[]) =>
      gateway.graphql(
        'mutation ($outcomes: [PrintOutcomeInput!]!) { resolvePrints(outcomes: $outcomes) { id outcome endedAtEstimated } }',
        { outcomes },
      );
    const none = '00000000-0000-0000-0000-000000000000';
    expectCode(await resolve([{ printId: none, outcome: 'FAILED' }]), 'NOT_FOUND');
    const tooMany = Array.from({ length: 101 }, () => ({ printId: none, outcome: 'FAILED' }));
    expect(expectCode(await resolve(tooMany), 'BAD_USER_INPUT')).toContain('outcomes must have at most 100 items');
    // Nothing is entered, although the first outcome is right.
    const wrong = await resolve([
      { printId: one, outcome: 'COMPLETED' },
      { printId: two, outcome: 'UNRESOLVED' },
    ]);
    expect(expectCode(wrong, 'BAD_USER_INPUT')).toContain('outcome must be one of COMPLETED, CANCELLED, FAILED');
    expect(await readAlerts(printerId)).toContainEqual(
      expect.objectContaining({ kind: 'PRINT_UNRESOLVED', prints: 2 }),
    );
    for (const _ of ['the first time', 'again'])
      expect(
        expectData(
          await resolve([
            { printId: two, outcome: 'CANCELLED' },
            { printId: ended, outcome: 'COMPLETED' },
            { printId: one, outcome: 'COMPLETED' },
          ]),
        ).resolvePrints,
      ).toMatchObject([
        { id: two, outcome: 'CANCELLED', endedAtEstimated: true },
        { id: ended, outcome: 'FAILED' },
        { id: one, outcome: 'COMPLETED', endedAtEstimated: true },
      ]);
    expect(await readAlerts(printerId)).not.toContainEqual(expect.objectContaining({ kind: 'PRINT_UNRESOLVED' }));
  });
});
