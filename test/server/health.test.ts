// Liveness, series and availability from the log of a camera, exactly, compared with plain computations.

import { type Database, openDatabase } from '../../src/database/database';
import { CameraStore } from '../../src/farm/cameras/camera.store';
import type { Camera } from '../../src/farm/cameras/camera.types';
import { HealthService } from '../../src/farm/cameras/health.service';
import { HealthStore, MAX_LOG_RECORDS } from '../../src/farm/cameras/health.store';
import { maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { unique } from '../support/farm';
import { PATIENT, test } from '../support/gateway';
import fc from '../support/generated';
import { requestAt } from '../support/request-time';

const DAY = 24 * 60 * 60 * 1000;
/** A partition of the log starts here: this week's Monday. */
const MONDAY = (Math.floor((Date.now() / DAY + 3) / 7) * 7 - 3) * DAY;
const at = (seconds: number) => new Date(MONDAY + seconds * 1000).toISOString();

interface Given {
  second: number;
  online: boolean;
  battery: number | null;
}

describe('the log of a camera, in two partitions', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let health: HealthService;
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    database = await openDatabase(fresh.target, undefined, PATIENT.budget);
    await maintainStatusLog(database, null);
    health = new HealthService(new HealthStore(database));
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  const run = (sql: string) => database.prisma.$executeRawUnsafe(sql);

  /** A camera with these records, stored in this order. */
  async function cameraWith(records: Given[], { created = -DAY / 1000, interval = null as number | null } = {}) {
    const id = unique('cam');
    await run(`insert into cameras (camera_id, friendly_name, created_at, expected_interval_sec)
      values ('${id}', 'c', '${at(created)}', ${interval})`);
    if (records.length > 0) {
      const rows = records.map(
        ({ second, online, battery }) =>
          `('${id}', '${at(second)}', ${online}, ${battery}::float8, ${battery === null ? null : `'b${battery}'`})`,
      );
      await run(
        `insert into camera_status (camera_id, recorded_at, online, battery_pct, recording_state) values ${rows.join(', ')}`,
      );
    }
    return { id, createdAt: at(created) } as Camera;
  }

  /** As in the log: by time, and at one time in the order in which they were stored. */
  const inOrder = (records: Given[]) =>
    records.map((record, n) => ({ ...record, n })).sort((a, b) => a.second - b.second || a.n - b.n);

  const given = fc.record({
    second: fc.integer({ min: -400, max: 400 }),
    online: fc.boolean(),
    battery: fc.option(fc.integer({ min: 0, max: 100 })),
  });

  for (const interval of [null, 7]) {
    test(`decides the liveness by the interval ${interval}, to the millisecond`, async () => {
      const online = [{ second: 0, online: true, battery: null }];
      const offline = [...online, { second: 1, online: false, battery: null }];
      const cameras = await Promise.all([[], online, offline].map((records) => cameraWith(records, { interval })));
      const store = new CameraStore(database);
      const counts = [];
      for (const [ms, live] of [
        [0, 'LIVE'],
        [1, 'SILENT'],
        // A clock ahead of the gateway's makes no camera silent.
        [-3_600_000, 'LIVE'],
      ] as const) {
        const now = new Date(MONDAY + (interval ?? 300) * 1000 + ms).toISOString();
        const found = await Promise.all(cameras.map(({ id }) => health.liveness(id, now)));
        expect(found).toEqual(['NEVER_SEEN', live, 'OFFLINE']);
        counts.push((await store.countByLiveness(now)).LIVE ?? 0);
      }
      expect([counts[0]! - counts[1]!, counts[2]! - counts[0]!]).toEqual([1, expect.any(Number)]);
    });
  }

  test('a series equals the result of a plain computation', async () => {
    const range = fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: 0, max: 300 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 60 }),
        range,
        fc.integer({ min: -1, max: 70 }),
        async (records, [from, length], points) => {
          const camera = await cameraWith(records);
          const step = Math.max(1, Math.ceil((length * 1000) / Math.max(points, 2)));
          const stretches = new Map<number, Given[]>();
          for (const record of inOrder(records)) {
            if (record.second < from || record.second >= from + length) continue;
            const stretch = Math.floor(((record.second - from) * 1000) / step);
            stretches.set(stretch, [...(stretches.get(stretch) ?? []), record]);
          }
          const expected = [...stretches].map(([stretch, its]) => {
            const last = its.at(-1) as Given;
            const batteries = its.flatMap(({ battery }) => (battery === null ? [] : [battery]));
            return {
              from: new Date(MONDAY + from * 1000 + stretch * step).toISOString(),
              records: its.length,
              batteryPct: last.battery,
              batteryPctMin: batteries.length === 0 ? null : Math.min(...batteries),
              videoRemainingSec: null,
              recordingState: last.battery === null ? null : `b${last.battery}`,
              online: last.online,
            };
          });
          expect(await health.series(camera.id, at(from), at(from + length), points, requestAt(at(1000)))).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  test('an availability equals the result of a plain computation', async () => {
    const seconds = fc.integer({ min: -350, max: 350 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 40 }),
        fc.record({ a: seconds, b: seconds, now: seconds, created: fc.integer({ min: -600, max: 200 }) }),
        fc.integer({ min: 1, max: 120 }),
        async (records, { a, b, now, created }, interval) => {
          const [from, to] = a < b ? [a, b] : [b, a];
          const camera = await cameraWith(records, { created, interval });
          const [begin, end] = [Math.max(from, created), Math.min(to, now)];
          const ordered = inOrder(records);
          /** Second by second: the latest record reports online, and is recent enough. */
          const isVouchedFor = (second: number) => {
            const latest = ordered.findLast((record) => record.second <= second);
            return latest?.online === true && second - latest.second < interval;
          };
          const gaps: [number, number][] = [];
          let vouched = 0;
          for (let second = begin; second < end; second += 1) {
            const last = gaps.at(-1);
            if (isVouchedFor(second)) vouched += 1;
            else if (last?.[1] === second) last[1] += 1;
            else gaps.push([second, second + 1]);
          }
          gaps.sort(([a, b], [c, d]) => d - c - (b - a) || a - c);
          const found = await health.availability(camera, at(from), at(to), requestAt(at(now)));
          expect(found).toEqual({
            fraction: begin < end ? expect.closeTo(vouched / (end - begin), 12) : null,
            gaps: gaps.map(([first, last]) => ({ from: at(first), to: at(last) })),
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  test('an availability has the 100 longest gaps', async () => {
    // Gaps of 1 to 9 seconds, repeated, between records that each count for a second.
    const starts = [0];
    for (let n = 0; n < 150; n += 1) starts.push((starts.at(-1) as number) + 2 + (n % 9));
    const camera = await cameraWith(
      starts.map((second) => ({ second, online: true, battery: null })),
      { interval: 1 },
    );
    const end = starts.at(-1) as number;
    const { fraction, gaps } = await health.availability(camera, at(0), at(end), requestAt(at(end)));
    expect(fraction).toBeCloseTo(150 / end, 12);
    const lengths = gaps.map(({ from, to }) => Date.parse(to) - Date.parse(from));
    expect(lengths).toHaveLength(100);
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
    expect([lengths[0], lengths.at(-1)]).toEqual([9000, 3000]);
  });

  test('a range of more records than the limit is refused', async () => {
    const BEGIN = Date.parse(at(-3600));
    const camera = await cameraWith([]);
    // Only the log is written: otherwise each record would also write its changes, and look up its camera.
    await run('alter table camera_status disable trigger all');
    await run(`insert into camera_status (camera_id, recorded_at, online)
      select '${camera.id}', '${at(-3600)}'::timestamptz + n * interval '1 ms', true from generate_series(0, ${MAX_LOG_RECORDS}) n`);
    await run('alter table camera_status enable trigger all');
    const now = requestAt(at(0));
    const [from, to, later] = [0, MAX_LOG_RECORDS, MAX_LOG_RECORDS + 1].map((ms) =>
      new Date(BEGIN + ms).toISOString(),
    ) as [...[string, string, string]];
    const message = `from must be later: the range has more than ${MAX_LOG_RECORDS} records`;
    await expect(health.series(camera.id, from, later, 10, now)).rejects.toThrow(message);
    await expect(health.availability(camera, from, later, now)).rejects.toThrow(message);
    const series = await health.series(camera.id, from, to, 10, now);
    expect(series.map(({ records }) => records)).toEqual(Array(10).fill(MAX_LOG_RECORDS / 10));
    expect(await health.availability(camera, from, to, now)).toEqual({ fraction: 1, gaps: [] });
  });
});
