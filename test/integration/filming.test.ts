// Compares films of prints with a model over random scenes, and checks cases that are easy to get wrong, and the cost.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { finalizeFilming } from '../../src/farm/filming/filming.maintenance';
import type { PrintJobStatus } from '../../src/generated/web-operations';
import { findPrintSpan } from '../../src/web/films/recorded-share';
import { holdClock } from '../support/clock';
import { anyDatabase } from '../support/databases';
import { type Farm, makeFarm } from '../support/farm';
import { type SceneCamera, walkFilms } from '../support/film-model';
import {
  createRecords,
  FILMING,
  readFilming,
  type StoredJob,
  storeCamera,
  storeCameras,
  storeJob,
  storeJobs,
  storePrinters,
  storeRecords,
  toInstant,
} from '../support/films';
import { expectCode, expectData, expectStatus, type Parsed, test, useGateway } from '../support/gateway';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The clock of the gateway, which stands still. */
const NOW = Math.floor(Date.now() / SECOND) * SECOND;

describe('the filming of jobs', () => {
  const gateway = useGateway(anyDatabase);
  let farm: Farm;
  let printer: string;
  let other: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });
  beforeEach(async () => {
    holdClock(NOW);
    [printer, other] = [randomUUID(), randomUUID()];
    await storePrinters(gateway, [printer, other]);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await gateway.sql('update status_log_retention set deleted_until = null');
  });

  const job = (from: number, to: number, status?: string, of = printer) =>
    storeJob(gateway, farm, of, [from, to], status);
  const camera = (
    ...given: Parameters<typeof storeCamera> extends [unknown, unknown, ...infer Others] ? Others : never
  ) => storeCamera(gateway, printer, ...given);
  const filming = (id: string) => readFilming(gateway, id);
  const readGaps = async (id: string): Promise<string[]> =>
    (await filming(id)).flatMap(({ gaps }) =>
      gaps.map(
        ({ from, to, reason }: Parsed) =>
          `${reason} ${(Date.parse(from) - T) / MINUTE} ${(Date.parse(to) - T) / MINUTE}`,
      ),
    );
  const fix = (now = NOW + 2 * DAY) => finalizeFilming(gateway.database(), ['recording'], new Date(now));
  /** The start of the prints below. */
  const T = NOW - 10 * HOUR;

  test('equals the result of a model that walks over each millisecond, before and after it is final', async () => {
    const begin = NOW - 3 * SECOND;
    const deletedUntil = begin + SECOND;
    const time = (from: number, to: number) =>
      fc
        .oneof(
          fc.integer({ min: from, max: to }),
          fc.integer({ min: from / 500, max: to / 500 }).map((n) => n * 500),
        )
        .map((ms) => begin + ms);
    const record = fc.record({
      at: fc.oneof(time(-3000, 4000), time(-3000, 9000)),
      online: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
      state: fc.constantFrom('recording', 'Recording', 'RECORDING', 'idle', null),
    });
    const printers = fc.array(fc.constantFrom('one', 'one', 'two', null), { minLength: 1, maxLength: 5 });
    const camera = fc.record({
      intervalSec: fc.constantFrom(1, 1, 2, null),
      records: fc.array(record, { maxLength: 25 }),
      moves: fc.tuple(printers, fc.uniqueArray(time(-4000, 5000), { minLength: 6, maxLength: 6 })),
    });
    const job = fc.record({
      printer: fc.constantFrom('one', 'one', 'two'),
      from: time(-500, 2000),
      to: time(500, 3500),
      status: fc.constantFrom('Completed', 'Completed', 'Completed', 'Failed', 'Cancelled', 'Printing', 'Queued'),
      isUpdated: fc.boolean(),
    });
    const scene = fc.record({
      cameras: fc.array(camera, { minLength: 1, maxLength: 3 }),
      jobs: fc.array(job, { minLength: 1, maxLength: 3 }),
    });
    const expected = new Map<string, Parsed[]>();
    const all = { printers: [] as string[], cameras: [] as SceneCamera[], jobs: [] as StoredJob[] };
    for (const { cameras, jobs } of fc.sample(scene, { seed: 7, numRuns: 150 })) {
      const ids = { one: randomUUID(), two: randomUUID() };
      all.printers.push(...Object.values(ids));
      const watching = cameras.map(({ intervalSec, records, moves: [watched, times] }): SceneCamera => {
        const sorted = times.toSorted((a, b) => a - b);
        const watches = watched.flatMap((name, n) => {
          const isLast = n === watched.length - 1;
          return name === null
            ? []
            : { printer: ids[name], from: sorted[n] as number, to: isLast ? null : (sorted[n + 1] as number) };
        });
        // A watch that continues is one watch.
        const joined: typeof watches = [];
        for (const watch of watches) {
          const last = joined.at(-1);
          if (last?.printer === watch.printer && last.to === watch.from) last.to = watch.to;
          else joined.push({ ...watch });
        }
        return { id: `cam ${randomUUID()}`, intervalSec, records, watches: joined };
      });
      all.cameras.push(...watching);
      const stored = jobs.map((one): StoredJob => ({ ...one, id: randomUUID(), printer: ids[one.printer as 'one'] }));
      all.jobs.push(...stored);
      for (const one of stored) {
        const [startedAt, ended] = [toInstant(one.from), toInstant(one.to)];
        const status = one.status.toUpperCase() as PrintJobStatus;
        const printed = { status, startedAt, completedAt: one.isUpdated ? null : ended, updatedAt: ended };
        // In the terms of the dashboard.
        const window = findPrintSpan(printed, NOW);
        expected.set(one.id, window ? walkFilms({ ...one, ...window }, watching, deletedUntil) : []);
      }
    }
    await storePrinters(gateway, all.printers);
    await storeCameras(gateway, all.cameras);
    await storeJobs(gateway, farm, all.jobs);
    await gateway.sql(`update status_log_retention set deleted_until = '${toInstant(deletedUntil)}'`);
    const answer = async () => {
      const { printJobs } = expectData(
        await gateway.graphql(`{ printJobs(first: 1000) { nodes { id status ${FILMING} } } }`),
      );
      return (printJobs.nodes as Parsed[]).filter(({ id }) => expected.has(id));
    };
    const before = await answer();
    expect(before).toHaveLength(expected.size);
    for (const { id, status, filming } of before)
      expect({ id, status, filming }).toEqual({
        id,
        status,
        filming: (expected.get(id) as Parsed[]).map((one) => ({ ...one, final: false })),
      });
    const reasons = new Set(
      [...expected.values()].flat().flatMap(({ gaps }) => gaps.map(({ reason }: Parsed) => reason)),
    );
    expect([...reasons].sort()).toEqual(['LOG_DELETED', 'NOT_RECORDING', 'OFFLINE', 'SILENT']);

    expect(await fix()).toBeGreaterThan(100);
    expect(await fix()).toBe(0);
    for (const { id, status, filming } of await answer())
      expect({ id, status, filming }).toEqual({
        id,
        status,
        filming: (expected.get(id) as Parsed[]).map((one) => ({ ...one, final: status !== 'PRINTING' })),
      });
  });

  test('a camera that restarted during a print has a gap at the start, although its video looks complete', async () => {
    const id = await job(T, T + HOUR);
    await camera([
      ...createRecords('idle', T - MINUTE, T + 20 * MINUTE),
      ...createRecords('recording', T + 20 * MINUTE, T + HOUR),
    ]);
    expect(await readGaps(id)).toEqual(['NOT_RECORDING 0 20']);
    expect(await filming(id)).toMatchObject([
      { windowSec: 3600, recordedSec: 2400, share: 2 / 3, resolutionSec: 60, final: false },
    ]);
  });

  test('a recording belongs to the print at its time, not to the newest print', async () => {
    const [first, second] = [await job(T, T + HOUR), await job(T + HOUR, T + 2 * HOUR)];
    await camera(createRecords('recording', T + HOUR, T + 2 * HOUR));
    expect((await filming(first))[0]).toMatchObject({ share: 0, resolutionSec: null });
    expect((await filming(second))[0]).toMatchObject({ share: 1, gaps: [] });
  });

  test('silence is a gap with its reason: the last record counts only for the interval of the camera', async () => {
    const id = await job(T, T + HOUR);
    const quiet = [
      ...createRecords('recording', T, T + 10 * MINUTE),
      ...createRecords('recording', T + 40 * MINUTE, T + HOUR),
    ];
    await camera(quiet, { intervalSec: 120 });
    expect(await readGaps(id)).toEqual(['SILENT 11 40']);
    expect((await filming(id))[0]).toMatchObject({ resolutionSec: 31 * 60, recordedSec: 31 * 60 });
  });

  test('a cancelled or failed print has its filming up to its end', async () => {
    for (const status of ['Cancelled', 'Failed']) {
      const id = await job(T, T + 30 * MINUTE, status);
      await camera(createRecords('recording', T, T + HOUR));
      expect(new Set((await filming(id)).map(({ to, share }) => `${to} ${share}`))).toEqual(
        new Set([`${toInstant(T + 30 * MINUTE)} 1`]),
      );
    }
  });

  test('late records count in whatever order they arrive, and of one time the record stored last', async () => {
    const id = await job(T, T + HOUR);
    const late = await camera(createRecords('recording', T + 30 * MINUTE, T + HOUR));
    expect(await readGaps(id)).toEqual(['SILENT 0 30']);
    await storeRecords(gateway, late, createRecords('recording', T, T + 30 * MINUTE).toReversed());
    expect(await readGaps(id)).toEqual([]);
    await storeRecords(gateway, late, [{ at: T + 10 * MINUTE, online: false, state: 'recording' }]);
    expect(await readGaps(id)).toEqual(['OFFLINE 10 11']);
  });

  test('follows what the camera reports, also with a full card; a state other than recording is not a recording', async () => {
    const id = await job(T, T + 3 * MINUTE);
    const speaking = await camera([
      ...createRecords('ReCording', T, T + MINUTE),
      ...createRecords(null, T + MINUTE, T + 3 * MINUTE),
    ]);
    await gateway.sql(`update camera_status set video_remaining_sec = 0 where camera_id = '${speaking}'`);
    expect(await readGaps(id)).toEqual(['NOT_RECORDING 1 3']);
  });

  test('a camera that was down and a log that was deleted are two reasons', async () => {
    const id = await job(T, T + HOUR);
    await camera(createRecords('recording', T + 50 * MINUTE, T + HOUR));
    await gateway.sql(`update status_log_retention set deleted_until = '${toInstant(T + 20 * MINUTE)}'`);
    // A deleted record may have counted for 300 s.
    expect(await readGaps(id)).toEqual(['LOG_DELETED 0 25', 'SILENT 25 50']);
  });

  test('a camera that was moved away and back has a window without the time between, and its records there still count', async () => {
    const [id, elsewhere] = [await job(T, T + HOUR), await job(T, T + HOUR, 'Completed', other)];
    const [away, back] = [T + 20 * MINUTE, T + 30 * MINUTE];
    const watches = [
      { printer, from: T - DAY, to: away },
      { printer: other, from: away, to: back },
      { printer, from: back, to: null },
    ];
    await camera([{ at: back - MINUTE, online: true, state: 'recording' }], { watches });
    expect(await filming(id)).toMatchObject([
      { from: toInstant(T), to: toInstant(T + HOUR), windowSec: 50 * 60, recordedSec: 4 * 60, resolutionSec: 31 * 60 },
    ]);
    expect(await readGaps(id)).toEqual(['SILENT 0 20', 'SILENT 34 60']);
    expect(await filming(elsewhere)).toMatchObject([
      { from: toInstant(away), to: toInstant(back), windowSec: 600, recordedSec: 60 },
    ]);
  });

  test('two simultaneous prints of one printer both have what the camera recorded', async () => {
    const [one, two] = [await job(T, T + HOUR), await job(T + 30 * MINUTE, T + 90 * MINUTE)];
    await camera(createRecords('recording', T + 30 * MINUTE, T + HOUR));
    expect((await filming(one))[0]).toMatchObject({ recordedSec: 1800 });
    expect((await filming(two))[0]).toMatchObject({ recordedSec: 34 * 60 });
  });

  test('ends now while the job prints, and is empty without a start time and for times that run backwards', async () => {
    await camera(createRecords('recording', T, NOW + HOUR));
    expect(await filming(await job(T, T, 'Printing'))).toMatchObject([{ to: toInstant(NOW), share: 1, final: false }]);
    expect(await filming(await job(T, T, 'Completed'))).toMatchObject([{ windowSec: 0, share: 0, gaps: [] }]);
    for (const none of [await job(T, T, 'Queued'), await job(T, T - 1), await job(NOW + 1, NOW, 'Printing')])
      expect(await filming(none)).toEqual([]);
    expect(await filming(await job(T, T + HOUR, 'Completed', other))).toEqual([]);
  });

  test('shows the 100 longest gaps, oldest first, and sums the others', async () => {
    const id = await job(T, T + 240 * SECOND);
    const records = Array.from({ length: 240 }, (_, n) => ({
      at: T + n * SECOND + (n % 2 ? n : 0),
      online: true,
      state: n % 2 ? 'idle' : 'recording',
    }));
    await camera(records);
    const [film] = await filming(id);
    // The gap that starts after n seconds and n ms is shorter by that: the last 20 gaps are left out.
    expect(film.gaps.map(({ from }: Parsed) => Date.parse(from) - T)).toEqual(
      Array.from({ length: 100 }, (_, n) => (2 * n + 1) * 1001),
    );
    expect(film.otherGapsSec).toBeCloseTo(
      Array.from({ length: 20 }, (_, n) => 1 - (201 + 2 * n) / 1000).reduce((a, b) => a + b),
      9,
    );
    expect(
      film.recordedSec +
        film.otherGapsSec +
        film.gaps.reduce((sum: number, one: Parsed) => sum + (Date.parse(one.to) - Date.parse(one.from)) / 1000, 0),
    ).toBeCloseTo(240, 9);
  });

  test('has a row for each job and camera in the CSV, with the filter and the order of jobs', async () => {
    const ids = [await job(T, T + HOUR), await job(T + HOUR, NOW, 'Printing'), await job(T, T + HOUR, 'Queued')];
    const cameras = [await camera(createRecords('recording', T, T + 45 * MINUTE)), await camera()].sort();
    const lines = async (query: string) => {
      const { text, headers } = expectStatus(
        await gateway.rest('GET', `/reports/filming.csv?printerId=${printer}${query}`),
        200,
      );
      expect(headers['content-disposition']).toMatch(/filming-.*\.csv/);
      return text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(query === '' ? ',' : ';'));
    };
    const [header = [], ...rows] = await lines('&orderBy=CREATED_AT_ASC&separator=semicolon&decimalMark=comma');
    expect(header.join()).toBe(
      'jobId,printName,printerId,printer,status,createdAt,startedAt,completedAt,updatedAt,cameraId,camera,from,to,windowSec,' +
        'recordedSec,share,resolutionSec,gaps,otherGapsSec,final',
    );
    const cells = (row: string[], ...names: string[]) => names.map((name) => row[header.indexOf(name)]);
    expect(rows.map((row) => cells(row, 'jobId', 'cameraId'))).toEqual(
      ids.slice(0, 2).flatMap((id) => cameras.map((one) => [id, one])),
    );
    const first = rows.find((row) => row.includes('0,8166666666666667')) ?? [];
    expect(
      cells(
        first,
        'printer',
        'status',
        'camera',
        'from',
        'to',
        'windowSec',
        'recordedSec',
        'resolutionSec',
        'gaps',
        'otherGapsSec',
        'final',
      ),
    ).toEqual(['Voron', 'Completed', 'x', toInstant(T), toInstant(T + HOUR), '3600', '2940', '960', '1', '0', 'false']);
    expect((await lines('')).slice(1).map(([id]) => id)).toEqual([ids[1], ids[1], ids[0], ids[0]]);
    expect(await lines('&status=QUEUED')).toHaveLength(1);
    expectStatus(await gateway.rest('GET', '/reports/filming.csv?from=x'), 400);
  });

  test('costs 200 a job', async () => {
    const requestFilming = (jobs: number) =>
      gateway.graphql(
        `{ ${'abc'
          .split('')
          .slice(0, jobs)
          .map((name) => `${name}: printJobs(first: 1000) { nodes { filming { share } } }`)
          .join(' ')} }`,
      );
    expectData(await requestFilming(2));
    expect(expectCode(await requestFilming(3), 'BAD_USER_INPUT')).toMatch(/cost/);
  });

  /** A record of the camera every so many ms. */
  const storeMany = (id: string, count: number, everyMs: number) =>
    gateway.sql(`insert into camera_status (camera_id, recorded_at, online, recording_state)
      select '${id}', '${toInstant(T)}'::timestamptz + n * interval '${everyMs} ms', true, case n / 1000 % 2 when 0 then 'recording' else 'idle' end
      from generate_series(0, ${count - 1}) n`);

  test('reads the same window of several jobs once', async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, () => job(T, T + HOUR)));
    await storeMany(await camera(), 13_000, 276);
    const query = `{ ${jobs.map((id, n) => `j${n}: printJob(id: "${id}") { filming { recordedSec } }`).join(' ')} }`;
    const found = Object.values(expectData(await gateway.graphql(query)));
    expect(found).toEqual(jobs.map(() => ({ filming: [{ recordedSec: 6 * 276 + 288 }] })));
  });
});
