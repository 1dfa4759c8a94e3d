// Holds the statements of the status log: they read ranges and single records, and add records with the SQL function record_camera_statuses.

import { translateViolations } from '../../database/failures';
import type { Queryable } from '../../database/queryable';
import { columnNames } from '../../database/rows';
import { AFTER_WAIT, arrayParameter, sql } from '../../database/sql';
import { BadInput } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { groupCommit } from '../../sharing/group-commit';
import { findEarliest, findLatest } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import { snake } from '../../values/spelling';
import type { CameraStatusInput } from './camera.inputs';
import { MAX_HOURS_AHEAD } from './camera.limits';
import { RECORD_COLUMNS, statusRow } from './camera.rows';
import type { CameraStatus } from './camera.types';

/** A range of the log of one camera. It is read newest first. */
export interface HistoryRange {
  cameraId: string;
  from: string;
  to: string | null;
  first: number;
}

/** The key of a record in the log. */
interface RecordKey {
  cameraId: string;
  recordedAt: string;
  id: string;
}

/** The stored records in the order given, or the ids of cameras that do not exist. */
type RecordOutcome = { stored: CameraStatus[] } | { unknown: string[] };

/** The records of one call. A record without a time gets the next free millisecond, starting at `now`. */
interface StatusCall {
  records: CameraStatusInput[];
  now: string;
}

const STATUS = statusRow('s');
const COLUMNS = columnNames(RECORD_COLUMNS);
const COLUMN_OF_MEMBER = Object.keys(RECORD_COLUMNS).map((member) => [member, snake(member)] as const);

export class StatusLogStore {
  constructor(private readonly database: Queryable) {}

  readonly history = batchedRead<HistoryRange, CameraStatus[]>(
    async (ranges) => {
      const histories = await this.database.json<unknown[][][]>(
        'statusLog.history',
        Prisma.sql`
      select json_agg((${selectRecords(ranges)}) order by k.n) as value from ${selectRanges(ranges)}`,
      );
      return new Map(
        ranges.map((range, index) => [JSON.stringify(range), STATUS.readColumns(histories[index] as unknown[][])]),
      );
    },
    JSON.stringify,
    ({ first }) => first,
  );

  /** Reads single records. The latest record of a camera is found even if the partition of the record was dropped. */
  readonly byKey = batchedRead<RecordKey, CameraStatus>(async (keys) => {
    const each = (member: keyof RecordKey, type: string) =>
      arrayParameter(
        keys.map((key) => key[member]),
        type,
      );
    const recordIn = (table: string) => Prisma.sql`
        select id, ${COLUMNS} from ${sql(table)} s
        where s.camera_id = k.camera_id and s.recorded_at = k.recorded_at and s.id = k.id`;
    const rows = await this.database.rows(
      'statusLog.byKey',
      STATUS,
      Prisma.sql`
      select ${STATUS.json} as row
      from unnest(${each('cameraId', 'text')}, ${each('recordedAt', 'timestamptz')}, ${each('id', 'bigint')})
        as k (camera_id, recorded_at, id)
      join cameras c on c.camera_id = k.camera_id and c.removed_at is null
      cross join lateral (${recordIn('camera_status')} union all ${recordIn('camera_latest_status')} limit 1) s`,
    );
    return new Map(rows.map((row) => [createKey(row), row]));
  }, createKey);

  /** Stores the records of one call, all or none. Calls that arrive while other calls are being written are then written together. */
  record(records: CameraStatusInput[], { now, deadline }: RequestTime): Promise<RecordOutcome> {
    return translateViolations(CONSTRAINT_ERRORS, () => this.recordInGroup({ records, now }, deadline));
  }

  private readonly recordInGroup = groupCommit<StatusCall, RecordOutcome>(
    (calls, lockMs) => this.recordAll(calls, lockMs),
    ({ records }) => records.length,
  );

  private async recordAll(calls: readonly StatusCall[], lockMs: number): Promise<RecordOutcome[]> {
    const records = calls.flatMap((call) => call.records).sort(compareByCameraAndTime);
    if (records.length === 0) return calls.map(() => ({ stored: [] }));
    const now = findLatest(calls.map((call) => call.now));
    const rows = await this.database.attempt('statusLog.record', (database, name) =>
      database.rows(
        name,
        STATUS,
        Prisma.sql`
        with ${database.lockWait(lockMs)} select ${STATUS.json} as row
        from wait, lateral record_camera_statuses(
          ${toColumnsJson(records)}::json, case when ${AFTER_WAIT} then ${now}::timestamptz end
        ) with ordinality s
        order by s.ordinality`,
      ),
    );
    // If cameras do not exist, the function stores nothing and returns one row for each of them, with only the id of the camera.
    if (rows[0]?.id !== null) {
      const stored = new Map(records.map((record, index) => [record, rows[index] as CameraStatus]));
      return calls.map((call) => ({ stored: call.records.map((record) => stored.get(record) as CameraStatus) }));
    }
    const unknown = new Set(rows.map((row) => row.cameraId));
    const accepted = calls.filter((call) => !call.records.some(({ cameraId }) => unknown.has(cameraId)));
    const outcomes = await this.recordAll(accepted, lockMs);
    return calls.map((call) => {
      const missing = new Set(call.records.map(({ cameraId }) => cameraId).filter((id) => unknown.has(id)));
      return missing.size > 0 ? { unknown: [...missing].sort() } : (outcomes.shift() as RecordOutcome);
    });
  }
}

const CONSTRAINT_ERRORS = new Map<string, () => Error>([
  // The clocks of the gateway and of the database differ by more than an hour.
  ['camera_status_not_ahead', () => createTooFarAheadError('input', 'recordedAt')],
  // If no partition fits a row, because the retention has dropped it, PostgreSQL names the table instead of a constraint.
  ['camera_status', () => new BadInput('must not be older than the log is kept', 'input', 'recordedAt')],
]);

export const createTooFarAheadError = (...path: string[]) =>
  new BadInput(`must be at most ${MAX_HOURS_AHEAD} hours ahead of the clock of the gateway`, ...path);

/** The records with the names of their columns, as JSON. */
function toColumnsJson(records: readonly CameraStatusInput[]): string {
  return JSON.stringify(
    records.map((record) =>
      Object.fromEntries(
        COLUMN_OF_MEMBER.map(([member, column]) => [column, record[member as keyof CameraStatusInput]]),
      ),
    ),
  );
}

/** The order that record_camera_statuses requires: by camera, then by time, with records without a time last. */
function compareByCameraAndTime(a: CameraStatusInput, b: CameraStatusInput): number {
  if (a.cameraId !== b.cameraId) return a.cameraId < b.cameraId ? -1 : 1;
  if (a.recordedAt == null || b.recordedAt == null) return Number(a.recordedAt == null) - Number(b.recordedAt == null);
  if (a.recordedAt === b.recordedAt) return 0;
  return a.recordedAt < b.recordedAt ? -1 : 1;
}

/**
 * The end of a range without an end. With "is null or" instead, PostgreSQL cannot use the end as a bound of the index: a day 40 days ago took
 * 0.2 s, and the statement for one range was planned again each time (W3: 1.2 ms instead of 0.6).
 */
const NO_END = 'infinity';

function selectRanges(ranges: readonly HistoryRange[]): Prisma.Sql {
  const [first, second] = ranges;
  // With plain values instead of lists, PostgreSQL keeps the plan for one range, as in matchesOneOf (W3: 0.7 → 0.5 ms).
  if (first !== undefined && second === undefined) {
    return Prisma.sql`(
      select ${first.cameraId}::text, ${first.from}::timestamptz, ${first.to ?? NO_END}::timestamptz, ${first.first}::int, 1
    ) as k (camera_id, recorded_from, recorded_to, most, n)`;
  }
  const each = (cell: (range: HistoryRange) => string | number, type: string) => arrayParameter(ranges.map(cell), type);
  return Prisma.sql`unnest(
      ${each((range) => range.cameraId, 'text')}, ${each((range) => range.from, 'timestamptz')},
      ${each((range) => range.to ?? NO_END, 'timestamptz')}, ${each((range) => range.first, 'int')}
    ) with ordinality as k (camera_id, recorded_from, recorded_to, most, n)`;
}

/** The records of the range `k`, as a JSON array. */
function selectRecords(ranges: readonly HistoryRange[]): Prisma.Sql {
  // The earliest start of all ranges is a value in the statement, so PostgreSQL does not plan older partitions (W3 with 20 partitions: 0.67 → 0.25 ms).
  const earliest = findEarliest(ranges.map(({ from }) => from));
  return Prisma.sql`
    select ${STATUS.columns} from (
      select * from camera_status s
      where s.camera_id = k.camera_id and s.recorded_at between k.recorded_from and k.recorded_to
        and s.recorded_at >= ${earliest}::timestamptz
      order by s.recorded_at desc, s.id desc limit k.most
    ) s`;
}

function createKey({ cameraId, recordedAt, id }: RecordKey): string {
  return JSON.stringify([cameraId, recordedAt, id]);
}
