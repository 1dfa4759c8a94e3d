// Films over time: which camera watched when, what is final a day after the end, and what retention and removals delete.
import { randomUUID } from 'node:crypto';
import { forgetRemovedCameras, maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { finalizeFilming } from '../../src/farm/filming/filming.maintenance';
import { maintainEveryHour } from '../../src/farm/maintenance';
import { holdClock } from '../support/clock';
import { describeOnDatabases, describeOnServer, isTestedAlready } from '../support/databases';
import { type Farm, makeCamera, makeFarm } from '../support/farm';
import {
  createRecords,
  readFilming,
  storeCamera,
  storeCameras,
  storeJob,
  storePrinters,
  storeRecords,
  toInstant,
} from '../support/films';
import { expectData, type Parsed, test, useGateway } from '../support/gateway';
import { statementsOf } from '../support/statements';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STATES = ['recording', 'shooting'];
const NOW = Math.floor(Date.now() / 1000) * 1000;

// Watches are ranges of time.
describeOnDatabases('the watches of a camera', (kind) => {
  const gateway = useGateway(kind);
  let printers: string[];
  beforeEach(async () => {
    printers = [randomUUID(), randomUUID()];
    await storePrinters(gateway, printers);
  });

  const move = async (id: string, printerId: string | null) =>
    expectData(
      await gateway.graphql(
        'mutation ($id: ID!, $input: UpdateCameraInput!) { updateCamera(id: $id, input: $input) { id } }',
        {
          id,
          input: { printerId },
        },
      ),
    );
  const watchesOf = async (
    id: string,
  ): Promise<{ printer: { id: string } | null; from: string; to: string | null }[]> => {
    const query = 'query ($id: ID!) { camera(id: $id) { createdAt watches { printer { id } from to } } }';
    const { camera } = expectData(await gateway.graphql(query, { id }));
    return camera.watches.map((one: Parsed) => ({
      ...one,
      from: one.from === camera.createdAt ? 'createdAt' : one.from,
    }));
  };

  test('watches keep their times when their printer is removed', async () => {
    const id = await makeCamera(gateway);
    await move(id, printers[0] as string);
    expectData(await gateway.graphql(`mutation { removePrinter(id: "${printers[0]}") }`));
    expect(await watchesOf(id)).toEqual([{ printer: null, from: 'createdAt', to: expect.any(String) }]);
    await move(id, printers[1] as string);
    expect(await watchesOf(id)).toHaveLength(2);
  });

  if (isTestedAlready(kind)) return;

  test('watches start at the registration and continue from printer to printer, whoever moves the camera', async () => {
    const id = await makeCamera(gateway);
    expect(await watchesOf(id)).toEqual([]);
    const [one, two] = printers.map((printer) => ({ id: printer }));
    await move(id, printers[0] as string);
    await move(id, printers[0] as string);
    expect(await watchesOf(id)).toEqual([{ printer: one, from: 'createdAt', to: null }]);
    const before = Date.now();
    await gateway.sql(`update cameras set printer_id = '${printers[1]}' where camera_id = '${id}'`);
    await move(id, null);
    await move(id, printers[0] as string);
    const [third, second, first] = await watchesOf(id);
    expect(first).toEqual({ printer: one, from: 'createdAt', to: second?.from });
    expect(second).toMatchObject({ printer: two });
    expect(third).toMatchObject({ printer: one, to: null });
    const times = [second?.from, second?.to, third?.from].map((time) => Date.parse(time as string));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(before - 1000);
  });

  test('a camera that returns immediately leaves no empty watch and no duplicate', async () => {
    const id = await makeCamera(gateway);
    const moves = ['0', '1', '0', '1', '0'].map(
      (n) => `update cameras set printer_id = '${printers[Number(n)]}' where camera_id = '${id}'`,
    );
    for (let n = 0; n < 20; n += 1) for (const one of moves) await gateway.sql(one);
    const watches = (await watchesOf(id)).toReversed();
    for (const [n, { from, to, printer }] of watches.entries()) {
      const next = watches[n + 1];
      expect(to).toBe(next?.from ?? null);
      expect(printer?.id).not.toBe(next?.printer?.id);
      if (n > 0 && to !== null) expect(from < to).toBe(true);
    }
    expect(watches.at(-1)?.printer?.id).toBe(printers[0]);
  });
});

describeOnServer('on a server', () => {
  const gateway = useGateway('server');

  test('one statement reads the filming of all jobs of a page, and none runs if it is not selected', async () => {
    const [farm, printer] = [await makeFarm(gateway), randomUUID()];
    await storePrinters(gateway, [printer]);
    for (let n = 0; n < 5; n += 1) await storeJob(gateway, farm, printer, [NOW - HOUR, NOW]);
    for (let n = 0; n < 2; n += 1) await storeCamera(gateway, printer, createRecords('recording', NOW - HOUR, NOW));
    const ask = (fields: string) =>
      statementsOf(async () =>
        expectData(await gateway.graphql(`{ printJobs(filter: { printerId: "${printer}" }) { nodes { ${fields} } } }`)),
      );
    expect(await ask('id filming { share gaps { reason } }')).toEqual([
      expect.stringMatching(/printJobs.page/),
      expect.stringMatching(/filming.ofJob/),
    ]);
    expect(await ask('id')).toHaveLength(1);
  });

  test('two moves of a camera are in the order of their commits, although the second transaction started first', async () => {
    const printers = [randomUUID(), randomUUID()];
    await storePrinters(gateway, printers);
    const id = await makeCamera(gateway);
    await gateway.sql(`update cameras set printer_id = '${printers[0]}' where camera_id = '${id}'`);
    const database = gateway.database();
    const late = database.prisma.$transaction(async (other) => {
      await other.$queryRawUnsafe('select now()::text');
      await database.prisma.$transaction(async (first) => {
        await first.$executeRawUnsafe(`update cameras set printer_id = '${printers[1]}' where camera_id = '${id}'`);
      });
      await other.$executeRawUnsafe(`update cameras set printer_id = null where camera_id = '${id}'`);
    });
    await late;
    const watches = await gateway.sql(
      `select printer_id, "from" < coalesce("to", now()) as runs from camera_watches where camera_id = '${id}' order by "from"`,
    );
    expect(watches).toEqual(printers.map((printer_id) => ({ printer_id, runs: true })));
  });
});

// Maintenance uses a session of the driver, without Prisma, and lists of texts as parameters.
describeOnDatabases('the filming of a job that has ended', (kind) => {
  // A separate gateway, because partitions of the log are dropped.
  const gateway = useGateway(kind, { recordingStates: STATES });
  let farm: Farm;
  let printer: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });
  beforeEach(async () => {
    holdClock(NOW);
    printer = randomUUID();
    await storePrinters(gateway, [printer]);
  });
  afterEach(() => void jest.useRealTimers());

  const job = (from: number, to: number, status?: string) => storeJob(gateway, farm, printer, [from, to], status);
  const filming = async (id: string): Promise<Parsed> => (await readFilming(gateway, id))[0];
  const fix = (now = NOW) => finalizeFilming(gateway.database(), STATES, new Date(now));
  const gaps = ({ gaps: all }: Parsed) => all.map(({ reason }: Parsed) => reason);
  const [T, END] = [NOW - DAY - 2 * HOUR, NOW - DAY - HOUR];

  test('a film is final a day after the end of its job, and neither later records nor a deleted log change it', async () => {
    const [old, young] = [await job(T, END), await job(T + 2 * HOUR, END + 2 * HOUR)];
    const camera = await storeCamera(gateway, printer, createRecords('recording', T, T + 30 * MINUTE));
    const before = await filming(old);
    expect(before).toMatchObject({ final: false, recordedSec: 34 * 60 });
    expect(await fix()).toBe(1);
    expect(await filming(old)).toEqual({ ...before, final: true });
    expect(await filming(young)).toMatchObject({ final: false });
    await storeRecords(gateway, camera, createRecords('idle', T, END));
    await gateway.sql(`update cameras set printer_id = null where camera_id = '${camera}'`);
    expect(await filming(old)).toEqual({ ...before, final: true });
    await gateway.sql(`delete from camera_status where camera_id = '${camera}'`);
    expect(await filming(old)).toEqual({ ...before, final: true });
    expect(await fix()).toBe(0);
    await gateway.sql('delete from print_jobs');
    expect(await gateway.sql('select * from job_filming')).toEqual([]);
  });

  test('jobs are listed by how much of them was recorded, as soon as that is final', async () => {
    const unwatched = randomUUID();
    await storePrinters(gateway, [unwatched]);
    const list = async (printerId: string, recording: string) => {
      const query = `query ($id: ID, $recording: [PrintJobRecording!]) {
        printJobs(filter: { printerId: $id }, recording: $recording) { totalCount nodes { id } } }`;
      const variables = { id: printerId, recording: [recording] };
      const { nodes, totalCount } = expectData(await gateway.graphql(query, variables)).printJobs;
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ id }: Parsed) => id);
    };
    const [full, part] = [await job(T - 4 * HOUR, END - 4 * HOUR), await job(T, END)];
    const [missed, young] = [await job(T - 8 * HOUR, END - 8 * HOUR), await job(T + 2 * HOUR, END + 2 * HOUR)];
    const printing = await job(NOW - HOUR, NOW, 'Printing');
    await job(T, END, 'Queued');
    const other = await storeJob(gateway, farm, unwatched, [NOW - 2 * HOUR, NOW - HOUR]);
    await storeCamera(gateway, printer, [
      ...createRecords('recording', T - 4 * HOUR, END - 4 * HOUR),
      ...createRecords('recording', T, T + 30 * MINUTE),
    ]);
    await fix();
    expect(await list(printer, 'COMPLETE')).toEqual([full]);
    expect(await list(printer, 'PARTIAL')).toEqual([part]);
    expect(await list(printer, 'NONE')).toEqual([missed]);
    expect(await list(printer, 'PRELIMINARY')).toEqual([printing, young]);
    expect(await list(unwatched, 'NONE')).toEqual([other]);
    const download = async (report: string, recording: string) => {
      const { text } = await gateway.rest('GET', `/reports/${report}.csv?printerId=${printer}&recording=${recording}`);
      return text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
    };
    expect(await download('print-jobs', 'complete')).toEqual([full]);
    expect(await download('filming', 'PARTIAL,COMPLETE')).toEqual([part, full]);
    expect(await download('print-job-parts', 'none&recording=partial')).toEqual([part, missed]);
    const inOrder = async (orderBy: string, after: string | null = null): Promise<string[]> => {
      const query = `query ($id: ID, $orderBy: PrintJobOrder, $after: String) { printJobs(first: 1, after: $after,
        filter: { printerId: $id, status: [COMPLETED, PRINTING] }, orderBy: $orderBy) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
      const { nodes, pageInfo } = expectData(await gateway.graphql(query, { id: printer, orderBy, after })).printJobs;
      const rest = pageInfo.hasNextPage ? await inOrder(orderBy, pageInfo.endCursor) : [];
      return [...nodes.map(({ id }: Parsed) => id), ...rest];
    };
    const isFinal = (id: string) => id !== young && id !== printing;
    expect((await inOrder('RECORDED_DESC')).filter(isFinal)).toEqual([full, part, missed]);
    expect((await inOrder('RECORDED_ASC')).filter(isFinal)).toEqual([missed, part, full]);
    for (const order of ['RECORDED_ASC', 'RECORDED_DESC'])
      expect((await inOrder(order)).slice(3).sort()).toEqual([young, printing].sort());
  });

  test('a film has every recording state of RECORDING_STATES, before and after it is final', async () => {
    const id = await job(T, END);
    await storeCamera(gateway, printer, [
      ...createRecords('Shooting', T, T + HOUR),
      ...createRecords('shooting now', T, T + MINUTE, MINUTE),
    ]);
    const before = await filming(id);
    expect(before).toMatchObject({ recordedSec: 3540 });
    await fix();
    expect(await filming(id)).toEqual({ ...before, final: true });
  });

  test('a film also becomes final if the job ended without a completedAt, or was written by another program long ago', async () => {
    const [late, old] = [
      await job(T, END, 'Failed'),
      await job(Date.parse('0001-01-02T00:00:00Z'), Date.parse('0001-01-03T00:00:00Z')),
    ];
    await gateway.sql(`update print_jobs set completed_at = null where id = '${late}'`);
    const since = Date.parse('0001-01-01T00:00:00Z');
    const records = createRecords(
      'recording',
      Date.parse('0001-01-02T00:00:00Z'),
      Date.parse('0001-01-03T00:00:00Z'),
      MINUTE,
    );
    await storeCamera(gateway, printer, records, { watches: [{ printer, from: since, to: null }] });
    expect(await fix()).toBe(2);
    expect(await filming(late)).toMatchObject({ final: true, share: 0 });
    expect(await filming(old)).toMatchObject({ final: true, share: 1 });
  });

  test('a film is computed again when its job gets other times or another printer, and becomes final again', async () => {
    const id = await job(T, END);
    await storeCamera(gateway, printer, createRecords('recording', T, T + 30 * MINUTE));
    await fix();
    await gateway.sql(`update print_jobs set completed_at = '${toInstant(T + 10 * MINUTE)}' where id = '${id}'`);
    expect(await filming(id)).toMatchObject({ final: false, share: 1, windowSec: 600 });
    expect(await fix()).toBe(1);
    expect(await filming(id)).toMatchObject({ final: true, share: 1, windowSec: 600 });
    const other = randomUUID();
    await storePrinters(gateway, [other]);
    await gateway.sql(`update print_jobs set printer_id = '${other}' where id = '${id}'`);
    expect(await readFilming(gateway, id)).toEqual([]);
  });

  test('a film keeps its job and its camera when another program gives them another id', async () => {
    const [id, renamed] = [await job(T, END), randomUUID()];
    const camera = await storeCamera(gateway, printer, createRecords('recording', T, T + 30 * MINUTE));
    await fix();
    await gateway.sql(`update cameras set camera_id = 'new ${camera}' where camera_id = '${camera}'`);
    await gateway.sql(`update print_jobs set id = '${renamed}' where id = '${id}'`);
    expect(await readFilming(gateway, renamed)).toMatchObject([{ cameraId: `new ${camera}`, final: true }]);
    expect(await fix()).toBe(0);
  });

  test('the film of a removed camera becomes final before its log is deleted, also while the job prints', async () => {
    const [ended, printing] = [await job(T, END), await job(NOW - HOUR, NOW, 'Printing')];
    const camera = await storeCamera(gateway, printer, [
      ...createRecords('recording', T, END),
      ...createRecords('recording', NOW - HOUR, NOW - 30 * MINUTE),
    ]);
    await gateway.sql(`update cameras set printer_id = '${printer}' where camera_id = '${camera}'`);
    const before = [await filming(ended), await filming(printing)];
    const other = await storeCamera(gateway, printer);
    expectData(await gateway.graphql('mutation ($id: ID!) { removeCamera(id: $id) }', { id: camera }));
    await forgetRemovedCameras(gateway.database());
    const answer = async (id: string) => {
      const query = 'query ($id: ID!) { printJob(id: $id) { filming { cameraId camera { id } recordedSec final } } }';
      return expectData(await gateway.graphql(query, { id })).printJob.filming.filter(
        ({ cameraId }: Parsed) => cameraId !== other,
      );
    };
    for (const [n, id] of [ended, printing].entries())
      expect(await answer(id)).toEqual([
        { cameraId: camera, camera: null, recordedSec: before[n].recordedSec, final: true },
      ]);
    // Nothing else is there of it.
    await gateway.sql(
      `update print_jobs set status = 'Completed', completed_at = '${toInstant(NOW)}' where id = '${printing}'`,
    );
    await fix(NOW + 2 * DAY);
    expect(await answer(printing)).toEqual([
      { cameraId: camera, camera: null, recordedSec: before[1].recordedSec, final: true },
    ]);
  });

  test('a camera that is registered again with its id while the job prints continues the same film, also when final', async () => {
    const id = await job(NOW - HOUR, NOW, 'Printing');
    const camera = await storeCamera(gateway, printer, createRecords('recording', NOW - HOUR, NOW - 30 * MINUTE));
    await gateway.sql(`update cameras set printer_id = '${printer}' where camera_id = '${camera}'`);
    expectData(await gateway.graphql('mutation ($id: ID!) { removeCamera(id: $id) }', { id: camera }));
    await forgetRemovedCameras(gateway.database());
    holdClock(NOW + HOUR);
    const watches = [{ printer, from: NOW + 30 * MINUTE, to: null }];
    const records = createRecords('recording', NOW + 30 * MINUTE, NOW + HOUR);
    await storeCameras(gateway, [{ id: camera, intervalSec: null, records, watches }]);
    await gateway.sql(
      `update cameras set created_at = '${toInstant(NOW + 30 * MINUTE)}' where camera_id = '${camera}'`,
    );
    const whole = {
      from: toInstant(NOW - HOUR),
      to: toInstant(NOW + HOUR),
      windowSec: 90 * 60,
      recordedSec: 64 * 60,
      gaps: [{ from: toInstant(NOW - 26 * MINUTE), to: toInstant(NOW), reason: 'SILENT' }],
    };
    expect(await readFilming(gateway, id)).toMatchObject([{ cameraId: camera, ...whole, final: false }]);
    await gateway.sql(
      `update print_jobs set status = 'Completed', completed_at = '${toInstant(NOW + HOUR)}' where id = '${id}'`,
    );
    await fix(NOW + 3 * DAY);
    expect(await readFilming(gateway, id)).toMatchObject([{ cameraId: camera, ...whole, final: true }]);
  });

  test('a final film survives retention; for a job that prints or ended in the last day, the deleted time is LOG_DELETED', async () => {
    const long = NOW - 20 * DAY;
    const [ended, printing] = [await job(long, long + HOUR), await job(long, NOW, 'Printing')];
    const camera = await storeCamera(gateway, printer, createRecords('recording', long, long + HOUR));
    await storeRecords(gateway, camera, createRecords('recording', NOW - HOUR, NOW));
    const before = await filming(ended);
    expect(gaps(await filming(printing))).toEqual(['SILENT']);
    await fix();
    const steps = await maintainStatusLog(gateway.database(), 1, new Date(NOW + 7 * DAY), false);
    expect(steps.join()).not.toMatch(/dropped|emptied/);
    const dropped = await maintainStatusLog(gateway.database(), 7, new Date(NOW + 7 * DAY));
    expect(dropped.join()).toMatch(/emptied/);
    expect(await filming(ended)).toEqual({ ...before, final: true });
    const [{ until: deleted }] = await gateway.sql('select deleted_until::text as until from status_log_retention');
    const after = await filming(printing);
    // A deleted record may have counted for 300 s.
    const unknown = toInstant(Date.parse(deleted) + 300_000);
    expect(after.gaps[0]).toEqual({ from: toInstant(long), to: unknown, reason: 'LOG_DELETED' });
    await gateway.sql(
      `update print_jobs set status = 'Failed', completed_at = '${toInstant(NOW)}' where id = '${printing}'`,
    );
    await fix(NOW + 2 * DAY);
    expect(await filming(printing)).toMatchObject({ final: true, gaps: after.gaps });
  });

  test('the hourly maintenance makes films final before it deletes the log, and a start deletes nothing', async () => {
    const begin = Date.parse('2021-02-03T12:00:00Z');
    // As if a gateway had run at that time.
    const [{ first }] = await gateway.sql(
      `select "end"::text as first from camera_status_partitions() where name = 'camera_status_earlier'`,
    );
    await gateway.sql('drop table camera_status_earlier');
    for (const [name, from, to] of [
      ['earlier', 'minvalue', `'2021-02-01Z'`],
      ['20210201', `'2021-02-01Z'`, `'2021-02-08Z'`],
      ['20210208', `'2021-02-08Z'`, `'${first}'`],
    ])
      await gateway.sql(
        `create table camera_status_${name} partition of camera_status for values from (${from}) to (${to})`,
      );
    const id = await job(begin, begin + HOUR);
    await storeCamera(gateway, printer, createRecords('recording', begin, begin + HOUR));
    const before = await filming(id);
    expect(before).toMatchObject({ final: false, share: 1 });
    const logged: string[] = [];
    const nothing = async () => {};
    jest.useRealTimers();
    jest.useFakeTimers({
      doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'hrtime'],
    });
    const database = gateway.database();
    const ran = new Promise<void>((done) => {
      const parts = {
        idempotency: { forgetExpired: nothing as () => Promise<never> },
        farm: {
          foldCounts: nothing,
          forgetOldImports: nothing,
          forgetOldNotifications: nothing,
          forgetOldPlans: nothing,
          forgetOldReports: nothing,
        },
        changes: { forgetOlderThan: nothing as () => Promise<never> },
        database: { ...database, vacuum: async () => done() },
        log: {
          info: ({ steps }: { steps: string[] }) => logged.push(...steps),
          warn: (error: unknown) => logged.push(String(error)),
        } as never,
      };
      const settings = { changesRetentionHours: 1, statusRetentionDays: 100, recordingStates: STATES };
      const { first: started } = maintainEveryHour(parts, settings);
      started
        .then(async () => {
          expect(logged.join()).not.toMatch(/dropped|emptied/);
          await jest.advanceTimersByTimeAsync(MINUTE);
        })
        .catch((error) => logged.push(String(error)));
    });
    await ran;
    jest.useRealTimers();
    expect(logged).toContain('The partition camera_status_20210201 was dropped.');
    expect(await filming(id)).toEqual({ ...before, final: true });
  });
});
