// Holds the statements of the health of cameras: their liveness now, and sums over ranges of their logs.
import type { Queryable } from '../../database/queryable';
import { columnMember, recordType, rowShape } from '../../database/rows';
import { matchesOneOf } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { DAY_MS, findEarliest, findLatest, subtractMs } from '../../values/instant';
import { MAX_INTERVAL_SEC } from './camera.limits';
import type { CameraAvailability, CameraGap, CameraLiveness, CameraSample } from './health.types';
import { MAX_GAPS } from './health.types';
import { LIVENESS, selectCamerasAt, VALID_SEC } from './liveness.rows';

/** Summing one day of the log of one camera costs as much as returning this many rows. */
export const ROWS_OF_LOG_DAY = 200;
/** The most records of one camera that one field sums, in about 0.2 s. A record every second makes 86,400 a day. */
export const MAX_LOG_RECORDS = 250_000;

/** A range of the log of a camera, with `from` included and `to` excluded. */
export interface LogRange {
  cameraId: string;
  from: string;
  to: string;
}

/** A range that is divided into steps of equal length. */
interface SeriesRange extends LogRange {
  stepMs: number;
}

/** If there are more than MAX_LOG_RECORDS records, reading stopped early, and the figures do not cover the whole range. */
export interface LogSums<Figures> {
  records: number;
  figures: Figures;
}

/** The columns of a step `g` of a range with its last record `s`. */
const SAMPLE = rowShape<CameraSample, 'from' | 'records' | 'batteryPctMin'>(
  's',
  { batteryPct: 'float8', videoRemainingSec: 'int', recordingState: 'text', online: 'boolean' },
  {
    from: columnMember('g.begin', 'timestamptz'),
    records: columnMember('g.records', 'int'),
    batteryPctMin: columnMember('g.battery_pct_min', 'float8'),
  },
);
const GAP = rowShape<CameraGap, 'from' | 'to'>(
  'g',
  {},
  { from: columnMember('g.begin', 'timestamptz'), to: columnMember('g.until', 'timestamptz') },
);

export class HealthStore {
  constructor(private readonly database: Queryable) {}

  /** Evaluated at the `now` of the newest request of the batch. */
  readonly liveness = batchedRead<{ cameraId: string; now: string }, CameraLiveness>(
    async (keys) => {
      const ids = keys.map(({ cameraId }) => cameraId);
      const now = findLatest(keys.map((key) => key.now));
      const found = await this.database.json<[string, CameraLiveness][]>(
        'health.liveness',
        Prisma.sql`
        select coalesce(json_agg(json_build_array(c.camera_id, ${LIVENESS})), '[]') as value
        from ${selectCamerasAt(now)}
        where ${matchesOneOf('c.camera_id', ids, 'text')}`,
      );
      return new Map(found);
    },
    ({ cameraId }) => cameraId,
  );

  readonly series = readInTwoSteps<SeriesRange, CameraSample[]>(
    async (ranges, maxRecords) => {
      const found = await this.database.json<unknown[][][]>(
        'health.series',
        Prisma.sql`
        select json_agg((
          select coalesce(json_agg(${SAMPLE.json} order by g.begin), '[]') from (
            select date_bin(k.step_ms * interval '1 ms', r.recorded_at, k.begin)::timestamptz(3) as begin,
              count(*) as records, min(r.battery_pct) as battery_pct_min, max(r.recorded_at) as last_at
            from (
              select s.recorded_at, s.battery_pct from camera_status s
              where ${isInRange(ranges, 0)} and s.recorded_at >= k.begin limit k.max_records
            ) r group by 1
          ) g cross join lateral (
            select * from camera_status s where ${isInRange(ranges, 0)} and s.recorded_at = g.last_at
            order by s.id desc limit 1
          ) s
        ) order by k.n) as value
        from ${selectRanges(ranges, maxRecords, { stepMs: 'float8' })} as k (camera_id, begin, until, max_records, step_ms, n)`,
      );
      return mapResultsByRange(ranges, found, (rows) => {
        const figures = rows.map(SAMPLE.read);
        return { records: figures.reduce((sum, { records }) => sum + records, 0), figures };
      });
    },
    (range) => Math.max(calculateWeight(range), calculateLengthMs(range) / range.stepMs),
  );

  // `seen` has the records of the range, and the records before it that may still be valid in it, each with the time of the next record.
  // `online` has the times for which an online record is valid. An empty time at the start of the range lets a gap start there.
  // `gaps` has the times between these times and after the last one, the longest first.
  readonly availability = readInTwoSteps<LogRange, CameraAvailability>(async (ranges, maxRecords) => {
    const found = await this.database.json<[number, number, unknown[][]][]>(
      'health.availability',
      Prisma.sql`
        select json_agg(a.value order by k.n) as value
        from ${selectRanges(ranges, maxRecords, {})} as k (camera_id, begin, until, max_records, n) cross join lateral (
          with seen as (
            select s.recorded_at, s.online, c.valid, lead(s.recorded_at) over (order by s.recorded_at, s.id) as next
            from (select ${VALID_SEC} * interval '1 second' as valid from cameras c where c.camera_id = k.camera_id) c cross join lateral (
              select s.recorded_at, s.id, s.online from camera_status s
              where ${isInRange(ranges, MAX_INTERVAL_SEC * 1000)} and s.recorded_at >= k.begin - c.valid
              order by s.recorded_at, s.id limit k.max_records
            ) s
          ), online as (
            select greatest(s.recorded_at, k.begin) as begin, least(s.recorded_at + s.valid, s.next, k.until) as until
            from seen s where s.online and least(s.recorded_at + s.valid, s.next) > greatest(s.recorded_at, k.begin)
            union all select k.begin, k.begin
          ), gaps as (
            select g.begin, g.until from (
              select v.until as begin, coalesce(lead(v.begin) over (order by v.begin, v.until), k.until) as until from online v
            ) g where g.until > g.begin order by g.until - g.begin desc, g.begin limit ${MAX_GAPS}::bigint
          )
          select json_build_array(
            (select count(*) from seen),
            (select extract(epoch from sum(v.until - v.begin)) / extract(epoch from k.until - k.begin) from online v),
            (select coalesce(json_agg(${GAP.json} order by g.until - g.begin desc, g.begin), '[]') from gaps g)
          ) as value
        ) a`,
    );
    return mapResultsByRange(ranges, found, ([records, fraction, gaps]) => ({
      records,
      figures: { fraction, gaps: gaps.map(GAP.read) },
    }));
  }, calculateWeight);
}

/** The most records per day for a range that shares a statement with other ranges. A record every 30 seconds makes 2,880 a day. */
const RECORDS_WITH_OTHERS = 3000;

/**
 * Ranges with few records share a statement. The other ranges are then read again, each by a separate statement: 50 ranges of 20,000 records
 * in one statement blocked the embedded database for 0.9 s, and MAX_LOG_RECORDS would allow 11 s.
 * @param read reads the ranges, at most `maxRecords` records of each
 */
function readInTwoSteps<Range extends LogRange, Figures>(
  read: (ranges: readonly Range[], maxRecords: (range: Range) => number) => Promise<Map<string, LogSums<Figures>>>,
  weight: (range: Range) => number,
) {
  const sharedLimit = (range: Range) => Math.min(RECORDS_WITH_OTHERS * countDays(range), MAX_LOG_RECORDS);
  const readShared = batchedRead<Range, LogSums<Figures>>(
    (ranges) => read(ranges, (range) => sharedLimit(range) + 1),
    JSON.stringify,
    weight,
  );
  const readSeparately = batchedRead<Range, LogSums<Figures>>(
    (ranges) => read(ranges, () => MAX_LOG_RECORDS + 1),
    JSON.stringify,
    () => Number.POSITIVE_INFINITY,
  );
  return {
    async load(range: Range, deadline: number): Promise<LogSums<Figures> | null> {
      const found = await readShared.load(range, deadline);
      return found === null || found.records <= sharedLimit(range) ? found : readSeparately.load(range, deadline);
    },
  };
}

/** The ranges as numbered rows. @param otherMembers the types of further members of the ranges */
const selectRanges = <Range extends LogRange>(
  ranges: readonly Range[],
  maxRecords: (range: Range) => number,
  otherMembers: { stepMs?: 'float8' },
) => Prisma.sql`
  rows from (json_to_recordset(${JSON.stringify(ranges.map((range) => ({ ...range, maxRecords: maxRecords(range) })))}::json)
    as (${recordType({ cameraId: 'text', from: 'timestamptz', to: 'timestamptz', maxRecords: 'int', ...otherMembers })})) with ordinality`;

/**
 * The condition that a record `s` is in the range `k` or at most `beforeMs` before it. The earliest start of all ranges is a value in the
 * statement, so that PostgreSQL does not plan older partitions.
 */
function isInRange(ranges: readonly LogRange[], beforeMs: number): Prisma.Sql {
  const earliest = subtractMs(findEarliest(ranges.map(({ from }) => from)), beforeMs);
  return Prisma.sql`s.camera_id = k.camera_id and s.recorded_at < k.until and s.recorded_at >= ${earliest}::timestamptz`;
}

const mapResultsByRange = <Found, Row>(ranges: readonly LogRange[], found: Found[], read: (result: Found) => Row) =>
  new Map(ranges.map((range, index) => [JSON.stringify(range), read(found[index] as Found)]));

const calculateLengthMs = ({ from, to }: LogRange) => Date.parse(to) - Date.parse(from);

/** Days are rounded up. */
const countDays = (range: LogRange) => Math.ceil(calculateLengthMs(range) / DAY_MS);

const calculateWeight = (range: LogRange) => ROWS_OF_LOG_DAY * countDays(range);
