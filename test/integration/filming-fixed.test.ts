// What cameras recorded of prints, over time: who watched when, what is fixed a day after the end, what retention and removals take.
import { randomUUID } from 'node:crypto';
import { forgetRemovedCameras, maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { finalizeFilming } from '../../src/farm/filming/filming.maintenance';
import { maintainEveryHour } from '../../src/farm/maintenance';
import { holdClock } from '../support/clock';
import { describeOnDatabases, describeOnServer, isTestedAlready } from '../support/databases';
import { type Farm, makeCamera, makeFarm } from '../support/farm';
import {
  at,
  filmingOf,
  saying,
  storeCamera,
  storeCameras,
  storeJob,
  storePrinters,
  storeRecords,
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

  test('stay without their printer when it is removed', async () => {
    const id = await makeCamera(gateway);
    await move(id, printers[0] as string);
    expectData(await gateway.graphql(`mutation { removePrinter(id: "${printers[0]}") }`));
    expect(await watchesOf(id)).toEqual([{ printer: null, from: 'createdAt', to: expect.any(String) }]);
    await move(id, printers[1] as string);
    expect(await watchesOf(id)).toHaveLength(2);
  });

  if (isTestedAlready(kind)) return;

  test('begin when it was registered, and go on from printer to printer, whoever moves it', async () => {
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

  test('have no rows that are empty, and none twice, when a camera comes back at once', async () => {
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

  test('one statement reads the filming of all jobs of a page, and none when it is not asked for', async () => {
    const [farm, printer] = [await makeFarm(gateway), randomUUID()];
    await storePrinters(gateway, [printer]);
    for (let n = 0; n < 5; n += 1) await storeJob(gateway, farm, printer, [NOW - HOUR, NOW]);
    for (let n = 0; n < 2; n += 1) await storeCamera(gateway, printer, saying('recording', NOW - HOUR, NOW));
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

  test('two moves of a camera are in the order in which they were committed, although the second one began first', async () => {
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

// Maintenance has a session of the driver, without Prisma, and lists of texts are its parameters.
describeOnDatabases('the filming of a job that has ended', (kind) => {
  // Of its own: partitions of the log are dropped.
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
  const filming = async (id: string): Promise<Parsed> => (await filmingOf(gateway, id))[0];
  const fix = (now = NOW) => finalizeFilming(gateway.database(), STATES, new Date(now));
  const gaps = ({ gaps: all }: Parsed) => all.map(({ reason }: Parsed) => reason);
  const [T, END] = [NOW - DAY - 2 * HOUR, NOW - DAY - HOUR];

  test('is fixed a day after the end, and not changed by what comes later, nor when the log is gone', async () => {
    const [old, young] = [await job(T, END), await job(T + 2 * HOUR, END + 2 * HOUR)];
    const camera = await storeCamera(gateway, printer, saying('recording', T, T + 30 * MINUTE));
    const before = await filming(old);
    expect(before).toMatchObject({ final: false, recordedSec: 34 * 60 });
    expect(await fix()).toBe(1);
    expect(await filming(old)).toEqual({ ...before, final: true });
    expect(await filming(young)).toMatchObject({ final: false });
    await storeRecords(gateway, camera, saying('idle', T, END));
    await gateway.sql(`update cameras set printer_id = null where camera_id = '${camera}'`);
    expect(await filming(old)).toEqual({ ...before, final: true });
    await gateway.sql(`delete from camera_status where camera_id = '${camera}'`);
    expect(await filming(old)).toEqual({ ...before, final: true });
    expect(await fix()).toBe(0);
    await gateway.sql('delete from print_jobs');
    expect(await gateway.sql('select * from job_filming')).toEqual([]);
  });

  test('has every recording state of RECORDING_STATES, before and after', async () => {
    const id = await job(T, END);
    await storeCamera(gateway, printer, [
      ...saying('Shooting', T, T + HOUR),
      ...saying('shooting now', T, T + MINUTE, MINUTE),
    ]);
    const before = await filming(id);
    expect(before).toMatchObject({ recordedSec: 3540 });
    await fix();
    expect(await filming(id)).toEqual({ ...before, final: true });
  });

  test('is fixed too when the job ended without a completedAt, and when another program wrote it long ago', async () => {
    const [late, old] = [
      await job(T, END, 'Failed'),
      await job(Date.parse('0001-01-02T00:00:00Z'), Date.parse('0001-01-03T00:00:00Z')),
    ];
    await gateway.sql(`update print_jobs set completed_at = null where id = '${late}'`);
    const since = Date.parse('0001-01-01T00:00:00Z');
    const records = saying('recording', Date.parse('0001-01-02T00:00:00Z'), Date.parse('0001-01-03T00:00:00Z'), MINUTE);
    await storeCamera(gateway, printer, records, { watches: [{ printer, from: since, to: null }] });
    expect(await fix()).toBe(2);
    expect(await filming(late)).toMatchObject({ final: true, share: 0 });
    expect(await filming(old)).toMatchObject({ final: true, share: 1 });
  });

  test('is computed again when the job gets other times or another printer, and then fixed again', async () => {
    const id = await job(T, END);
    await storeCamera(gateway, printer, saying('recording', T, T + 30 * MINUTE));
    await fix();
    await gateway.sql(`update print_jobs set completed_at = '${at(T + 10 * MINUTE)}' where id = '${id}'`);
    expect(await filming(id)).toMatchObject({ final: false, share: 1, windowSec: 600 });
    expect(await fix()).toBe(1);
    expect(await filming(id)).toMatchObject({ final: true, share: 1, windowSec: 600 });
    const other = randomUUID();
    await storePrinters(gateway, [other]);
    await gateway.sql(`update print_jobs set printer_id = '${other}' where id = '${id}'`);
    expect(await filmingOf(gateway, id)).toEqual([]);
  });

  test('goes with its job and its camera when another program gives them another id', async () => {
    const [id, renamed] = [await job(T, END), randomUUID()];
    const camera = await storeCamera(gateway, printer, saying('recording', T, T + 30 * MINUTE));
    await fix();
    await gateway.sql(`update cameras set camera_id = 'new ${camera}' where camera_id = '${camera}'`);
    await gateway.sql(`update print_jobs set id = '${renamed}' where id = '${id}'`);
    expect(await filmingOf(gateway, renamed)).toMatchObject([{ cameraId: `new ${camera}`, final: true }]);
    expect(await fix()).toBe(0);
  });

  test('of a camera that is removed is fixed before its log goes, also while the job prints', async () => {
    const [ended, printing] = [await job(T, END), await job(NOW - HOUR, NOW, 'Printing')];
    const camera = await storeCamera(gateway, printer, [
      ...saying('recording', T, END),
      ...saying('recording', NOW - HOUR, NOW - 30 * MINUTE),
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
      `update print_jobs set status = 'Completed', completed_at = '${at(NOW)}' where id = '${printing}'`,
    );
    await fix(NOW + 2 * DAY);
    expect(await answer(printing)).toEqual([
      { cameraId: camera, camera: null, recordedSec: before[1].recordedSec, final: true },
    ]);
  });

  test('is one film where the camera is registered again with its id while the job prints, also when it is fixed', async () => {
    const id = await job(NOW - HOUR, NOW, 'Printing');
    const camera = await storeCamera(gateway, printer, saying('recording', NOW - HOUR, NOW - 30 * MINUTE));
    await gateway.sql(`update cameras set printer_id = '${printer}' where camera_id = '${camera}'`);
    expectData(await gateway.graphql('mutation ($id: ID!) { removeCamera(id: $id) }', { id: camera }));
    await forgetRemovedCameras(gateway.database());
    holdClock(NOW + HOUR);
    const watches = [{ printer, from: NOW + 30 * MINUTE, to: null }];
    const records = saying('recording', NOW + 30 * MINUTE, NOW + HOUR);
    await storeCameras(gateway, [{ id: camera, intervalSec: null, records, watches }]);
    await gateway.sql(`update cameras set created_at = '${at(NOW + 30 * MINUTE)}' where camera_id = '${camera}'`);
    const whole = {
      from: at(NOW - HOUR),
      to: at(NOW + HOUR),
      windowSec: 90 * 60,
      recordedSec: 64 * 60,
      gaps: [{ from: at(NOW - 26 * MINUTE), to: at(NOW), reason: 'SILENT' }],
    };
    expect(await filmingOf(gateway, id)).toMatchObject([{ cameraId: camera, ...whole, final: false }]);
    await gateway.sql(
      `update print_jobs set status = 'Completed', completed_at = '${at(NOW + HOUR)}' where id = '${id}'`,
    );
    await fix(NOW + 3 * DAY);
    expect(await filmingOf(gateway, id)).toMatchObject([{ cameraId: camera, ...whole, final: true }]);
  });

  test('is kept when retention deletes the log; of a job that still prints, or ended in the last day, that time is LOG_DELETED for good', async () => {
    const long = NOW - 20 * DAY;
    const [ended, printing] = [await job(long, long + HOUR), await job(long, NOW, 'Printing')];
    const camera = await storeCamera(gateway, printer, saying('recording', long, long + HOUR));
    await storeRecords(gateway, camera, saying('recording', NOW - HOUR, NOW));
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
    // A record that was deleted may have spoken for 300 s.
    const unknown = at(Date.parse(deleted) + 300_000);
    expect(after.gaps[0]).toEqual({ from: at(long), to: unknown, reason: 'LOG_DELETED' });
    await gateway.sql(`update print_jobs set status = 'Failed', completed_at = '${at(NOW)}' where id = '${printing}'`);
    await fix(NOW + 2 * DAY);
    expect(await filming(printing)).toMatchObject({ final: true, gaps: after.gaps });
  });

  test('is fixed by the maintenance of every hour before this deletes the log, and the start deletes nothing', async () => {
    const begin = Date.parse('2021-02-03T12:00:00Z');
    // As if a gateway had been there then.
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
    await storeCamera(gateway, printer, saying('recording', begin, begin + HOUR));
    const before = await filming(id);
    expect(before).toMatchObject({ final: false, share: 1 });
    const said: string[] = [];
    const nothing = async () => {};
    jest.useRealTimers();
    jest.useFakeTimers({
      doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'hrtime'],
    });
    const database = gateway.database();
    const ran = new Promise<void>((done) => {
      const parts = {
        idempotency: { forgetExpired: nothing as () => Promise<never> },
        farm: { foldCounts: nothing, forgetOldNotifications: nothing, forgetOldPlans: nothing },
        changes: { forgetOlderThan: nothing as () => Promise<never> },
        database: { ...database, vacuum: async () => done() },
        log: {
          info: ({ steps }: { steps: string[] }) => said.push(...steps),
          warn: (error: unknown) => said.push(String(error)),
        } as never,
      };
      const settings = { changesRetentionHours: 1, statusRetentionDays: 100, recordingStates: STATES };
      const { first: started } = maintainEveryHour(parts, settings);
      started
        .then(async () => {
          expect(said.join()).not.toMatch(/dropped|emptied/);
          await jest.advanceTimersByTimeAsync(MINUTE);
        })
        .catch((error) => said.push(String(error)));
    });
    await ran;
    jest.useRealTimers();
    expect(said).toContain('The partition camera_status_20210201 was dropped.');
    expect(await filming(id)).toEqual({ ...before, final: true });
  });
});
