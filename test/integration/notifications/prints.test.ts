// Notifications about prints and jobs: each event as it really happens, once, for the targets that want it.
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { encodeNodeId } from '../../../src/farm/graph/node';
import { createCollector } from '../../support/collectors';
import { describeOnDatabases, isTestedAlready } from '../../support/databases';
import { ago, type Farm, makeFarm, makeJob } from '../../support/farm';
import { expectData, expectStatus, type Gateway, test, useGateway } from '../../support/gateway';
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
import { is, until } from '../../support/waiting';

const PATCH = async (gateway: Gateway, id: string, status: string) =>
  expectStatus(await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: status }), 200).body;
const ASSIGN = `mutation ($id: ID!, $spoolId: ID!) {
  assignSpools(printId: $id, spools: [{ slot: "tool:0", spoolId: $spoolId }]) { id } }`;

// The collector writes while the reporter reads, on one connection.
describeOnDatabases('notifications of prints', (kind) => {
  const gateway = useGateway(kind, {});
  const open: { close(): Promise<unknown> }[] = [];
  let farm: Farm;
  beforeEach(async () => {
    await gateway.sql('delete from notification_targets');
    await (await startReporter(gateway)).read();
    farm = await makeFarm(gateway);
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
    await gateway.sql('delete from devices');
  });
  const mutate = async (document: string, variables: object) => expectData(await gateway.graphql(document, variables));

  /** Connects a fake machine to the farm's printer. */
  async function machine(): Promise<FakeMoonraker> {
    const fake = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
    await fake.listen(0);
    open.push(fake);
    await gateway.sql(`insert into devices (id, kind, printer_id, address, state)
      values (gen_random_uuid(), 'MOONRAKER', '${farm.printerId}', '127.0.0.1:${fake.port}', 'CONNECTING')`);
    const collector = createCollector(gateway.database());
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

  test('a print that waits for its spool or its outcome is reported, and not again when a user enters it', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const fake = await machine();
    fake.print.start();
    await until('the print runs', outcomes, is('RUNNING'));
    expect(await read()).toBe(2);
    const [{ id, name }] = await gateway.sql(
      `select id, name from observed_prints where printer_id = '${farm.printerId}'`,
    );
    expect((await readDeliveries(gateway, target))[1]).toMatchObject({
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
    // Its end was not seen, so it is written as the collector does.
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
    // The print waits for its spool again.
    expect(await read()).toBe(2);
    await mutate('mutation ($id: ID!) { ignorePrint(printId: $id, ignored: true) { id } }', { id: lost });
    await gateway.sql(`update observed_prints set outcome = 'FAILED' where id = '${lost}'`);
    expect(await read()).toBe(0);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
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

  test('a job without a print is reported when it starts, when it ends, and when its outcome changes', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
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
    const deliveries = await readDeliveries(gateway, target);
    const { StartedAt, CompletedAt, ...job } = (await gateway.rest('GET', `/api/printjobs/${id}`)).body;
    expect([StartedAt, CompletedAt, job.Status]).toEqual([expect.any(String), expect.any(String), 'Cancelled']);
    expect(
      deliveries.map(({ event, title, text, state, severity }) => [
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
    expect(deliveries[1].data).toEqual({
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

  test('the print of a machine is reported once, and not a second time as its job', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    await load();
    const fake = await machine();
    fake.print.start();
    fake.print.advance(50);
    await until('the print runs', outcomes, is('RUNNING'));
    expect(await read()).toBe(1);
    fake.print.complete();
    await until('the print is completed', outcomes, is('COMPLETED'));
    expect(await read()).toBe(1);
    const [began, ended] = await readDeliveries(gateway, target);
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
    // A user corrects the outcome.
    await PATCH(gateway, jobId, 'Failed');
    expect(await read()).toBe(1);
    expect((await summarizeDeliveries(gateway, target)).at(-1)).toBe(`PRINT_ENDED ${began.data.print.name} FAILED`);
  });

  test('a job that a user set to printing is not reported again as the print of its machine', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const job = await makeJob(gateway, farm, {}, 'Printing');
    expect(await read()).toBe(1);
    const running = { outcome: 'RUNNING', endedAt: null, filament: null, jobId: job.Id };
    const print = await makePrint(gateway, farm.printerId, running);
    expect(await read()).toBe(0);
    await gateway.sql(`update observed_prints set outcome = 'COMPLETED', ended_at = now() where id = '${print}'`);
    await PATCH(gateway, job.Id, 'Completed');
    expect(await read()).toBe(1);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_BEGAN Benchy', 'PRINT_ENDED Benchy COMPLETED']);
  });

  test('a target gets what happens after it was added, while it is enabled, and what it chose', async () => {
    const other = await makeFarm(gateway);
    const running = { outcome: 'RUNNING', endedAt: null, filament: null };
    const before = await makePrint(gateway, farm.printerId, { ...running, name: 'Before' });
    const over = await makePrint(gateway, farm.printerId, { name: 'Over' });
    const first = await addTarget(gateway);
    const { read } = await startReporter(gateway);
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
    await setEnabled(gateway, first, false);
    const missed = await makePrint(gateway, other.printerId, { ...running, name: 'Missed' });
    await read();
    await complete(missed);
    await setEnabled(gateway, first, true);
    await read();
    // A print of last week that its machine reports now.
    await makePrint(gateway, other.printerId, { name: 'History', startedAt: ago(300_000), endedAt: ago(73 * 3600) });
    await read();
    expect(await summarizeDeliveries(gateway, first)).toEqual([
      'PRINT_BEGAN First',
      'PRINT_WAITS First SPOOL',
      'PRINT_ENDED Before COMPLETED',
    ]);
    expect(await summarizeDeliveries(gateway, second)).toEqual([
      'PRINT_ENDED Before COMPLETED',
      'PRINT_BEGAN Missed',
      'PRINT_WAITS Missed SPOOL',
      'PRINT_ENDED Missed COMPLETED',
    ]);
    expect(await summarizeDeliveries(gateway, ends)).toEqual([
      'PRINT_ENDED Before COMPLETED',
      'PRINT_ENDED Missed COMPLETED',
    ]);
    expect(await summarizeDeliveries(gateway, elsewhere)).toEqual([
      'PRINT_BEGAN Missed',
      'PRINT_WAITS Missed SPOOL',
      'PRINT_ENDED Missed COMPLETED',
    ]);
  });

  test('two records of one print that are merged are reported as one', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const job = await makeJob(gateway, farm, {}, 'Printing');
    const running = { outcome: 'RUNNING', endedAt: null, filament: null, jobId: job.Id };
    const younger = await makePrint(gateway, farm.printerId, running);
    expect(await read()).toBe(1);
    await gateway.sql(`delete from observed_prints where id = '${younger}'`);
    await PATCH(gateway, job.Id, 'Cancelled');
    expect(await read()).toBe(0);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_BEGAN Benchy']);
  });

  test('what happened while no process reported is reported in order: each start and each end with its original time', async () => {
    const target = await addTarget(gateway, { events: ['PRINT_BEGAN', 'PRINT_ENDED'] });
    const { read } = await startReporter(gateway);
    const names = Array.from({ length: 60 }, (_, number) => `Job ${number}`);
    const ids: string[] = [];
    for (const PrintName of names) ids.push((await makeJob(gateway, farm, { PrintName }, 'Printing')).Id);
    for (const id of ids.toReversed()) await PATCH(gateway, id, 'Completed');
    expect(await read()).toBe(120);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
      ...names.map((name) => `PRINT_BEGAN ${name}`),
      ...names.toReversed().map((name) => `PRINT_ENDED ${name} COMPLETED`),
    ]);
    const deliveries =
      await gateway.sql(`select n.event, n.at, d.waiting_since, n.data->'job'->>'id' as id, n.data->'job'->>'status' as status
      from notifications n join notification_deliveries d on d.notification_id = n.id where d.target_id = '${target}' order by n.id`);
    const changes = await gateway.sql(`select job_id, at from print_job_status_changes where to_status = 'Completed'`);
    for (const { event, at, waiting_since: since, id, status } of deliveries) {
      expect(status).toBe(event === 'PRINT_BEGAN' ? 'PRINTING' : 'COMPLETED');
      expect(since).toEqual(at);
      if (event === 'PRINT_BEGAN') continue;
      // The end of this print, not of the last one.
      const ended = changes.find(({ job_id: job }) => job === id);
      const next = deliveries[deliveries.findIndex((one) => one.id === id && one.event === event) + 1];
      expect(at.getTime()).toBeGreaterThanOrEqual(ended?.at.getTime());
      if (next !== undefined) {
        const after = changes.find(({ job_id: job }) => job === next.id)?.at.getTime();
        expect(at.getTime()).toBeLessThanOrEqual(Math.max(after, next.at.getTime()));
      }
    }
  });

  test('a print that has ended when it is first received is reported as started and ended, each at its original time', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const [startedAt, endedAt] = [ago(7200), ago(3600)];
    await makePrint(gateway, farm.printerId, { name: 'Night', startedAt, endedAt });
    expect(await read()).toBe(3);
    expect(await summarizeDeliveries(gateway, target)).toEqual([
      'PRINT_BEGAN Night',
      'PRINT_ENDED Night COMPLETED',
      'PRINT_WAITS Night SPOOL',
    ]);
    const deliveries = await gateway.sql(
      `select n.at, n.data->'print' as print from notifications n where n.data->'print'->>'name' = 'Night' order by n.id`,
    );
    expect(deliveries.slice(0, 2).map(({ at }) => at.toISOString())).toEqual([startedAt, endedAt]);
    expect(deliveries[0].print).toMatchObject({ outcome: 'RUNNING', startedAt, endedAt: null });
    expect(deliveries[1].print).toMatchObject({ outcome: 'COMPLETED', startedAt, endedAt });
    // The clock of a machine makes no event too old to be reported.
    const wrong = { name: 'Wrong', startedAt: '2001-01-01T00:00:00.000Z', outcome: 'UNRESOLVED', endedAt: null };
    await makePrint(gateway, farm.printerId, wrong);
    expect(await read()).toBe(2);
    const [{ old }] = await gateway.sql(
      `select count(*)::int as old from notification_deliveries where waiting_since < now() - interval '1 hour'`,
    );
    expect(old).toBe(0);
  });

  test('a target gets the end of a print that started before it was added, though both are read together', async () => {
    await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const { Id: id } = await makeJob(gateway, farm, {}, 'Printing');
    const later = await addTarget(gateway);
    await gateway.sql(`update print_jobs set notes = 'seen' where id = '${id}'`);
    await PATCH(gateway, id, 'Completed');
    await read();
    expect(await summarizeDeliveries(gateway, later)).toEqual(['PRINT_ENDED Benchy COMPLETED']);
  });

  test('a slow transaction delays nothing, and its changes are reported when it commits', async () => {
    const target = await addTarget(gateway);
    const { read } = await startReporter(gateway);
    const [slow, other] = [await makeJob(gateway, farm), await makeJob(gateway, farm, { PrintName: 'Vase' })];
    const createStartSql = (id: string) => `update print_jobs set status = 'Printing' where id = '${id}'`;
    // The embedded database has one session, so no second transaction can be open.
    if (kind === 'server') {
      await gateway.database().transaction(async (transaction) => {
        await transaction.prisma.$executeRawUnsafe(createStartSql(slow.Id));
        await gateway.sql(createStartSql(other.Id));
        expect(await createReporter(gateway).reportPrints(await takeLease(gateway))).toBe(1);
      });
    } else for (const { Id } of [other, slow]) await gateway.sql(createStartSql(Id));
    await (await startReporter(gateway)).read();
    expect(await read()).toBe(0);
    expect(await summarizeDeliveries(gateway, target)).toEqual(['PRINT_BEGAN Vase', 'PRINT_BEGAN Benchy']);
  });
});
