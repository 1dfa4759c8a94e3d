// What is told of prints and of jobs: each event by its real path, once, to whom it concerns.
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { encodeNodeId } from '../../../src/farm/graph/node';
import { collectorOn } from '../../support/collecting';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { ago, type Farm, makeFarm, makeJob } from '../../support/farm';
import { expectData, expectStatus, type Gateway, test, useGateway } from '../../support/gateway';
import { addTarget, enable, reader, reporterOn, shortTo, takeLease, toldTo } from '../../support/notifications';
import { makePrint } from '../../support/prints';
import { is, until } from '../../support/waiting';

const PATCH = async (gateway: Gateway, id: string, status: string) =>
  expectStatus(await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: status }), 200).body;
const ASSIGN = `mutation ($id: ID!, $spoolId: ID!) {
  assignSpools(printId: $id, spools: [{ slot: "tool:0", spoolId: $spoolId }]) { id } }`;

// The collector writes while the reporter reads: on one connection.
describeOnDatabases('notifications of prints', (kind) => {
  const gateway = useGateway(kind, {});
  const open: { close(): Promise<unknown> }[] = [];
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from notification_targets');
    await (await reader(gateway)).read();
    farm = await makeFarm(gateway);
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
    await gateway.sql('delete from devices');
  });
  const mutate = async (document: string, variables: object) => expectData(await gateway.graphql(document, variables));

  /** A fake machine of the farm's printer that is listened to. */
  async function machine(): Promise<FakeMoonraker> {
    const fake = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
    await fake.listen(0);
    open.push(fake);
    await gateway.sql(`insert into devices (id, kind, printer_id, address, state)
      values (gen_random_uuid(), 'MOONRAKER', '${farm.printerId}', '127.0.0.1:${fake.port}', 'CONNECTING')`);
    const collector = collectorOn(gateway.database());
    open.push(collector);
    collector.start();
    await until('the printer is idle', activity, is('IDLE'));
    return fake;
  }
  const activity = async () =>
    (await gateway.sql(`select activity from printer_states where printer_id = '${farm.printerId}'`))[0]?.activity;
  const outcomes = async () =>
    (
      await gateway.sql(
        `select outcome from observed_prints where printer_id = '${farm.printerId}' order by created_at`,
      )
    )
      .map(({ outcome }) => outcome)
      .join();
  const load = () =>
    gateway.sql(`insert into slot_loads (printer_id, slot, spool_id, "from")
      values ('${farm.printerId}', 'tool:0', '${farm.spoolId}', now() - interval '1 hour')`);

  test('a print that waits for its spool or its outcome is told of, and not again when a person says it', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const fake = await machine();
    fake.print.start();
    await until('the print runs', outcomes, is('RUNNING'));
    expect(await read()).toBe(2);
    const [{ id, name }] = await gateway.sql(
      `select id, name from observed_prints where printer_id = '${farm.printerId}'`,
    );
    expect((await toldTo(gateway, target))[1]).toMatchObject({
      event: 'PRINT_WAITS',
      title: `${name} waits for its spool`,
      text: `Print ${name} on ${farm.printerName} waits for its spool. No spool was in tool:0 when the print started. Choose the spool of this print.`,
      data: { job: null },
    });
    await mutate(ASSIGN, { id, spoolId: farm.spoolId });
    expect(await read()).toBe(0);
    fake.print.cancel();
    await until('the print is cancelled', outcomes, is('CANCELLED'));
    expect(await read()).toBe(1);
    // Its end was not seen: as the collector writes it.
    const lost = await makePrint(gateway, farm.printerId, {
      name: 'Vase',
      outcome: 'RUNNING',
      endedAt: null,
      filament: null,
    });
    expect(await read()).toBe(2);
    await gateway.sql(`update observed_prints set outcome = 'UNRESOLVED' where id = '${lost}'`);
    expect(await read()).toBe(1);
    await mutate('mutation ($id: ID!) { resolvePrint(printId: $id, outcome: COMPLETED) { id } }', { id: lost });
    // It waits for its spool again.
    expect(await read()).toBe(2);
    await mutate('mutation ($id: ID!) { ignorePrint(printId: $id, ignored: true) { id } }', { id: lost });
    await gateway.sql(`update observed_prints set outcome = 'FAILED' where id = '${lost}'`);
    expect(await read()).toBe(0);
    expect(await shortTo(gateway, target)).toEqual([
      `PRINT_BEGAN ${name}`,
      `PRINT_WAITS ${name} SPOOL`,
      `PRINT_ENDED ${name} CANCELLED`,
      'PRINT_BEGAN Vase',
      'PRINT_WAITS Vase SPOOL',
      'PRINT_WAITS Vase OUTCOME',
      'PRINT_ENDED Vase COMPLETED',
      'PRINT_WAITS Vase SPOOL',
    ]);
  });

  if (isTestedAlready(kind)) return;

  test('a job without a print is told of when it begins, when it ends, and when its outcome is changed', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const [cancelled, failed] = [
      await makeJob(gateway, farm, {}, 'Cancelled'),
      await makeJob(gateway, farm, {}, 'Failed'),
    ];
    await PATCH(gateway, failed.Id, 'Cancelled');
    const { Id: id } = await makeJob(gateway, farm, { PrintName: 'Planter' });
    expect(await read()).toBe(0);
    expect(cancelled.Status).toBe('Cancelled');
    await PATCH(gateway, id, 'Printing');
    expect(await read()).toBe(1);
    await gateway.sql(`update print_jobs set notes = 'looks fine' where id = '${id}'`);
    expect(await read()).toBe(0);
    await PATCH(gateway, id, 'Completed');
    expect(await read()).toBe(1);
    await PATCH(gateway, id, 'Failed');
    await PATCH(gateway, id, 'Cancelled');
    expect(await read()).toBe(1);
    expect(await read()).toBe(0);
    const told = await toldTo(gateway, target);
    const { StartedAt, CompletedAt, ...job } = (await gateway.rest('GET', `/api/printjobs/${id}`)).body;
    expect([StartedAt, CompletedAt, job.Status]).toEqual([expect.any(String), expect.any(String), 'Cancelled']);
    expect(
      told.map(({ event, title, text, state, severity }) => [
        event,
        title,
        text.replace(/after \d+ min/, 'after 1 min'),
        state,
        severity,
      ]),
    ).toEqual([
      ...[
        ['PRINT_BEGAN', 'Planter started', `Job Planter started on ${farm.printerName}. Its job has 3.5 g, 0.75 EUR.`],
        [
          'PRINT_ENDED',
          'Planter completed',
          `Job Planter on ${farm.printerName} completed after 1 min: 3.5 g, 0.75 EUR.`,
        ],
        [
          'PRINT_ENDED',
          'Planter was cancelled',
          `Job Planter on ${farm.printerName} was cancelled after 1 min: 3.5 g, 0.75 EUR.`,
        ],
      ].map((one) => [...one, 'WAITING', null]),
    ]);
    expect(told[1].data).toEqual({
      print: null,
      job: {
        id,
        nodeId: encodeNodeId('PrintJob', [id]),
        name: 'Planter',
        status: 'COMPLETED',
        grams: '3.5',
        cost: '0.75',
        currency: 'EUR',
      },
      printer: { id: farm.printerId, nodeId: encodeNodeId('Printer', [farm.printerId]), name: farm.printerName },
    });
  });

  test('the print of a machine is told of once, and not as its job too', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    await load();
    const fake = await machine();
    fake.print.start();
    fake.print.advance(50);
    await until('the print runs', outcomes, is('RUNNING'));
    expect(await read()).toBe(1);
    fake.print.complete();
    await until('the print is completed', outcomes, is('COMPLETED'));
    expect(await read()).toBe(1);
    const [began, ended] = await toldTo(gateway, target);
    const [{ id, job_id: jobId }] = await gateway.sql(
      `select id, job_id from observed_prints where printer_id = '${farm.printerId}'`,
    );
    expect([began.event, began.data.print.outcome, began.data.job.status]).toEqual([
      'PRINT_BEGAN',
      'RUNNING',
      'PRINTING',
    ]);
    expect(ended.data).toEqual({
      print: {
        id,
        nodeId: encodeNodeId('ObservedPrint', [id]),
        name: began.data.print.name,
        outcome: 'COMPLETED',
        waitsFor: null,
        startedAt: expect.stringMatching(/Z$/),
        endedAt: expect.stringMatching(/Z$/),
      },
      job: {
        id: jobId,
        nodeId: encodeNodeId('PrintJob', [jobId]),
        name: began.data.print.name,
        status: 'COMPLETED',
        grams: '2.98',
        cost: '0.0745',
        currency: 'EUR',
      },
      printer: { id: farm.printerId, nodeId: encodeNodeId('Printer', [farm.printerId]), name: farm.printerName },
    });
    expect(ended.text).toMatch(/^Print .+ completed after \d+ min: 2.98 g, 0.07 EUR\.$/);
    // A person knows better.
    await PATCH(gateway, jobId, 'Failed');
    expect(await read()).toBe(1);
    expect((await shortTo(gateway, target)).at(-1)).toBe(`PRINT_ENDED ${began.data.print.name} FAILED`);
  });

  test('a job that a person set to printing is not told of again as the print of its machine', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const job = await makeJob(gateway, farm, {}, 'Printing');
    expect(await read()).toBe(1);
    const running = { outcome: 'RUNNING', endedAt: null, filament: null, jobId: job.Id };
    const print = await makePrint(gateway, farm.printerId, running);
    expect(await read()).toBe(0);
    await gateway.sql(`update observed_prints set outcome = 'COMPLETED', ended_at = now() where id = '${print}'`);
    await PATCH(gateway, job.Id, 'Completed');
    expect(await read()).toBe(1);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Benchy', 'PRINT_ENDED Benchy COMPLETED']);
  });

  test('a target is told of what happens after it was added and while it is enabled, and of what it chose', async () => {
    const other = await makeFarm(gateway);
    const running = { outcome: 'RUNNING', endedAt: null, filament: null };
    const before = await makePrint(gateway, farm.printerId, { ...running, name: 'Before' });
    const over = await makePrint(gateway, farm.printerId, { name: 'Over' });
    const first = await addTarget(gateway);
    const { read } = await reader(gateway);
    await makePrint(gateway, farm.printerId, { ...running, name: 'First' });
    const [second, ends, elsewhere] = [
      await addTarget(gateway),
      await addTarget(gateway, { events: ['PRINT_ENDED'] }),
      await addTarget(gateway, { printerIds: [other.printerId] }),
    ];
    const complete = (id: string) => gateway.sql(`update observed_prints set outcome = 'COMPLETED' where id = '${id}'`);
    await complete(before);
    await gateway.sql(`update observed_prints set reason = 'seen' where id = '${over}'`);
    await read();
    await enable(gateway, first, false);
    const missed = await makePrint(gateway, other.printerId, { ...running, name: 'Missed' });
    await read();
    await complete(missed);
    await enable(gateway, first, true);
    await read();
    // A print of last week, of which its machine tells now.
    await makePrint(gateway, other.printerId, { name: 'History', startedAt: ago(300_000), endedAt: ago(73 * 3600) });
    await read();
    expect(await shortTo(gateway, first)).toEqual([
      'PRINT_BEGAN First',
      'PRINT_WAITS First SPOOL',
      'PRINT_ENDED Before COMPLETED',
    ]);
    expect(await shortTo(gateway, second)).toEqual([
      'PRINT_ENDED Before COMPLETED',
      'PRINT_BEGAN Missed',
      'PRINT_WAITS Missed SPOOL',
      'PRINT_ENDED Missed COMPLETED',
    ]);
    expect(await shortTo(gateway, ends)).toEqual(['PRINT_ENDED Before COMPLETED', 'PRINT_ENDED Missed COMPLETED']);
    expect(await shortTo(gateway, elsewhere)).toEqual([
      'PRINT_BEGAN Missed',
      'PRINT_WAITS Missed SPOOL',
      'PRINT_ENDED Missed COMPLETED',
    ]);
  });

  test('two records of one print that become one are told of as one', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const job = await makeJob(gateway, farm, {}, 'Printing');
    const running = { outcome: 'RUNNING', endedAt: null, filament: null, jobId: job.Id };
    const younger = await makePrint(gateway, farm.printerId, running);
    expect(await read()).toBe(1);
    await gateway.sql(`delete from observed_prints where id = '${younger}'`);
    await PATCH(gateway, job.Id, 'Cancelled');
    expect(await read()).toBe(0);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Benchy']);
  });

  test('what happens while nobody reports is told as it happened: each begin and each end, in their order, with its own time', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_BEGAN', 'PRINT_ENDED'] });
    const { read } = await reader(gateway);
    const names = Array.from({ length: 60 }, (_, number) => `Job ${number}`);
    const ids: string[] = [];
    for (const PrintName of names) ids.push((await makeJob(gateway, farm, { PrintName }, 'Printing')).Id);
    for (const id of ids.toReversed()) await PATCH(gateway, id, 'Completed');
    expect(await read()).toBe(120);
    expect(await shortTo(gateway, target)).toEqual([
      ...names.map((name) => `PRINT_BEGAN ${name}`),
      ...names.toReversed().map((name) => `PRINT_ENDED ${name} COMPLETED`),
    ]);
    const told =
      await gateway.sql(`select n.event, n.at, d.waiting_since, n.data->'job'->>'id' as id, n.data->'job'->>'status' as status
      from notifications n join notification_deliveries d on d.notification_id = n.id where d.target_id = '${target}' order by n.id`);
    const changes = await gateway.sql(`select job_id, at from print_job_status_changes where to_status = 'Completed'`);
    for (const { event, at, waiting_since: since, id, status } of told) {
      expect(status).toBe(event === 'PRINT_BEGAN' ? 'PRINTING' : 'COMPLETED');
      expect(since).toEqual(at);
      if (event === 'PRINT_BEGAN') continue;
      // Its own end, and not that of the last one.
      const ended = changes.find(({ job_id: job }) => job === id);
      const next = told[told.findIndex((one) => one.id === id && one.event === event) + 1];
      expect(at.getTime()).toBeGreaterThanOrEqual(ended?.at.getTime());
      if (next !== undefined) {
        const after = changes.find(({ job_id: job }) => job === next.id)?.at.getTime();
        expect(at.getTime()).toBeLessThanOrEqual(Math.max(after, next.at.getTime()));
      }
    }
  });

  test('a print that is over when it is first heard of has begun and has ended, each at its own time', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const [startedAt, endedAt] = [ago(7200), ago(3600)];
    await makePrint(gateway, farm.printerId, { name: 'Night', startedAt, endedAt });
    expect(await read()).toBe(3);
    expect(await shortTo(gateway, target)).toEqual([
      'PRINT_BEGAN Night',
      'PRINT_ENDED Night COMPLETED',
      'PRINT_WAITS Night SPOOL',
    ]);
    const told = await gateway.sql(
      `select n.at, n.data->'print' as print from notifications n where n.data->'print'->>'name' = 'Night' order by n.id`,
    );
    expect(told.slice(0, 2).map(({ at }) => at.toISOString())).toEqual([startedAt, endedAt]);
    expect(told[0].print).toMatchObject({ outcome: 'RUNNING', startedAt, endedAt: null });
    expect(told[1].print).toMatchObject({ outcome: 'COMPLETED', startedAt, endedAt });
    // A clock of a machine makes nothing too old to be told.
    const wrong = { name: 'Wrong', startedAt: '2001-01-01T00:00:00.000Z', outcome: 'UNRESOLVED', endedAt: null };
    await makePrint(gateway, farm.printerId, wrong);
    expect(await read()).toBe(2);
    const [{ old }] = await gateway.sql(
      `select count(*)::int as old from notification_deliveries where waiting_since < now() - interval '1 hour'`,
    );
    expect(old).toBe(0);
  });

  test('a target hears the end of what began before it was added, though both are read at once', async () => {
    await addTarget(gateway);
    const { read } = await reader(gateway);
    const { Id: id } = await makeJob(gateway, farm, {}, 'Printing');
    const later = await addTarget(gateway);
    await gateway.sql(`update print_jobs set notes = 'seen' where id = '${id}'`);
    await PATCH(gateway, id, 'Completed');
    await read();
    expect(await shortTo(gateway, later)).toEqual(['PRINT_ENDED Benchy COMPLETED']);
  });

  test('a slow transaction holds nothing up, and what it changed is told when it is over', async () => {
    const target = await addTarget(gateway);
    const { read } = await reader(gateway);
    const [slow, other] = [await makeJob(gateway, farm), await makeJob(gateway, farm, { PrintName: 'Vase' })];
    const begin = (id: string) => `update print_jobs set status = 'Printing' where id = '${id}'`;
    // The built-in database has one session, and no other transaction beside one.
    if (kind === 'server') {
      await gateway.database().transaction(async (transaction) => {
        await transaction.prisma.$executeRawUnsafe(begin(slow.Id));
        await gateway.sql(begin(other.Id));
        expect(await reporterOn(gateway).reportPrints(await takeLease(gateway))).toBe(1);
      });
    } else for (const { Id } of [other, slow]) await gateway.sql(begin(Id));
    await (await reader(gateway)).read();
    expect(await read()).toBe(0);
    expect(await shortTo(gateway, target)).toEqual(['PRINT_BEGAN Vase', 'PRINT_BEGAN Benchy']);
  });
});
