// Holds the statements that read the feed of changes and delete its old part, and realigns the feed after a move to another database cluster.

import type { Queryable } from '../../database/queryable';
import { columnMember, nestedRow, rowShape } from '../../database/rows';
import { BadInput, CursorExpired } from '../../errors';
import { Prisma } from '../../generated/prisma/client';
import type { FeedPosition } from '../../sharing/feed';
import { defineCursors } from '../../values/page';
import { parseText } from '../../values/text';
import { statusRow } from '../cameras/camera.rows';
import type { ChangedJob, ChangeRow } from './change.types';

type StoredChange = Omit<ChangeRow, 'position' | 'cursor'> & { position: number; id: number; feed: string };

const JOB_MEMBERS = [
  'fromStatus',
  'toStatus',
  'printerId',
  'spoolId',
  'dataSource',
  'createdAt',
  'printName',
  'partSpoolIds',
] as const;

/** The columns of a change `c` of the feed `f`, with a new status record. Positions and ids stay below 2^53, so they are read as numbers. */
const CHANGE_ROW = rowShape<StoredChange, 'status' | 'job' | 'feed'>(
  'c',
  { position: 'int', id: 'int', at: 'timestamptz', type: 'text', kind: 'text', entity: 'text' },
  {
    status: nestedRow(
      statusRow('s'),
      (json) => `(select ${json} from camera_status s
        where c.record_id is not null and s.camera_id = c.entity and s.recorded_at = c.recorded_at and s.id = c.record_id
          and exists (select from cameras where camera_id = s.camera_id and removed_at is null))`,
    ),
    // The trigger wrote the time in the time zone of the writer's session. Old time zones have offsets with seconds, which only PostgreSQL parses.
    job: { sql: `json_build_array(c.job, (c.job->>${JOB_MEMBERS.indexOf('createdAt')})::timestamptz)`, read: readJob },
    feed: columnMember('f.name', 'text'),
  },
);

const CURSORS = defineCursors('changes', parseText, parseCursorNumber, parseCursorNumber);

/** Whether the database was moved to another cluster since the feed was written. */
const IS_EXCHANGED = Prisma.sql`to_json(f.cluster is distinct from change_cluster())`;

/** The number of changes that one statement deletes, in about 50 ms. */
const ROWS_FORGOTTEN = 5000;

export class ChangeStore {
  constructor(private readonly database: Queryable) {}

  /** The position of the newest final change. */
  async latest(): Promise<FeedPosition> {
    const [isExchanged, position] = await this.database.cells<[boolean, FeedPosition]>(
      'changes.latest',
      Prisma.sql`
      select ${IS_EXCHANGED} as is_exchanged,
        (select json_build_array(n.position, n.change_id, n.feed) from newest_change() n) as value
      from change_feed f`,
    );
    if (!isExchanged) return position;
    await this.align();
    return this.latest();
  }

  /**
   * Up to `limit` final changes after a position, oldest first; from the oldest change if the position is `null`. A position without a change
   * has expired: it comes from another database, or from the time after a backup that was restored.
   */
  async after(start: FeedPosition | null, limit: number): Promise<ChangeRow[]> {
    const [rows] = await this.readAfter<[unknown[][]]>(
      'changes.after',
      start,
      (isNext) => Prisma.sql`
        (select coalesce(json_agg(r.row), '[]') from (
          select ${CHANGE_ROW.json} as row from changes c where ${isNext}
          order by c.position, c.id limit ${limit}::bigint
        ) r) as rows`,
    );
    return rows.map(CHANGE_ROW.read).map(({ position, id, feed, ...change }) => {
      const feedPosition = [position, id, feed] as const;
      return { ...change, position: feedPosition, cursor: cursorOf(feedPosition) };
    });
  }

  /** @param columns creates the columns to read from the feed `f`, from the condition that a change `c` is after the position */
  private async readAfter<Columns extends unknown[]>(
    name: string,
    start: FeedPosition | null,
    columns: (isNext: Prisma.Sql) => Prisma.Sql,
  ): Promise<Columns> {
    const [position, id, feed = null] = start ?? [0, 0];
    const isNext = Prisma.sql`(c.position, c.id) > (${position}::bigint, ${id}::bigint) and c.position < change_horizon()`;
    const [isExchanged, isExpired, ...read] = await this.database.cells<[boolean, boolean, ...Columns]>(
      name,
      Prisma.sql`
      select ${IS_EXCHANGED} as is_exchanged, to_json(${start !== null} and (f.name <> ${feed}::text
          or (f.forgotten_position, f.forgotten_id) <> (${position}::bigint, ${id}::bigint) and (
            (f.forgotten_position, f.forgotten_id) > (${position}::bigint, ${id}::bigint)
            or not exists (select from changes c where (c.position, c.id) = (${position}::bigint, ${id}::bigint))
          ))) as expired,
        ${columns(isNext)}
      from change_feed f`,
    );
    if (isExchanged) {
      await this.align();
      return this.readAfter(name, start, columns);
    }
    if (isExpired) throw new CursorExpired();
    return read as unknown as Columns;
  }

  /** The age of the oldest committed change that waits for an older transaction to end; 0 if none waits. */
  async secondsHeldUp(): Promise<number> {
    return this.database.json<number>(
      'changes.secondsHeldUp',
      Prisma.sql`
      select to_json(coalesce((
        select extract(epoch from clock_timestamp() - c.at) from changes c where c.position >= change_horizon()
        order by c.position, c.id limit 1
      ), 0)) as value`,
    );
  }

  /**
   * Deletes the oldest changes, up to the first change that is not final or is younger than this. The clock of the database decides, because the
   * clock of one gateway may be wrong.
   */
  async forgetOlderThan(hours: number): Promise<void> {
    for (let removed = ROWS_FORGOTTEN; removed === ROWS_FORGOTTEN; ) {
      removed = await this.database.json<number>(
        'changes.forgetOlderThan',
        Prisma.sql`
        with old as (
          delete from changes where (position, id) in (
            select position, id from (
              select position, id, bool_or(at >= now() - ${hours}::float8 * interval '1 hour') over (order by position, id) as is_kept
              from (
                select position, id, at from changes c where position < change_horizon()
                order by position, id limit ${ROWS_FORGOTTEN}::bigint
              ) c
            ) c where not is_kept
          ) returning position, id
        ), noted as (
          update change_feed set (forgotten_position, forgotten_id) =
            (select position, id from old order by position desc, id desc limit 1)
          where exists (select from old)
        )
        select to_json(count(*)) as value from old`,
      );
    }
  }

  /**
   * After a move to another cluster, transaction ids may be smaller, so new positions continue above the positions of all older changes.
   * If the cluster was exchanged while a gateway was running, newer changes may already have smaller positions than older changes. So the feed
   * also gets a new name, which makes all earlier cursors expire. A restored database has no such changes: its cluster is null, so the name
   * stays.
   */
  async align(): Promise<void> {
    await this.database.json(
      'changes.align',
      Prisma.sql`
      with newest as (
        select greatest(f.forgotten_position, (select max(position) from changes)) as position from change_feed f
      ), moved as (
        update change_feed set cluster = change_cluster(),
          name = case when cluster is null then name else substr(gen_random_uuid()::text, 1, 8) end,
          position_offset = case when newest.position >= position_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            then newest.position + 1 else position_offset end
        from newest where cluster is distinct from change_cluster() returning 1
      )
      select to_json(count(*)) as value from moved`,
    );
  }
}

export const cursorOf = ([position, id, feed = '']: FeedPosition): string =>
  CURSORS.to(feed, String(position), String(id));

export function positionOf(cursor: string): FeedPosition {
  const [feed, position, id] = CURSORS.keyOf(cursor);
  return [Number(position), Number(id), feed];
}

function parseCursorNumber(value: unknown, member: string): string {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return value;
  throw new BadInput('must be a cursor', member);
}

function readJob([cells, createdAt]: [unknown[] | null, string]): ChangedJob | null {
  if (cells === null) return null;
  const job = Object.fromEntries(JOB_MEMBERS.map((member, index) => [member, cells[index]])) as unknown as ChangedJob;
  return { ...job, createdAt: new Date(createdAt).toISOString(), partSpoolIds: job.partSpoolIds ?? [] };
}
