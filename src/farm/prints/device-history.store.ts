// The SQL that reads which prints a device has reported before, and whether it has reported too many.
import type { Queryable } from '../../database/queryable';
import { Prisma } from '../../generated/prisma/client';
import { discardFutureTime, HOUR_MS, type Instant, instantNow, subtractMs } from '../../values/instant';
import { REUSED_ID_MARK } from '../print-rules/continuation';
import { type EndedPrint, MAX_RECORDS } from '../print-rules/print.model';
import { isUnplanned } from '../print-rules/sliced-plan';
import { ENDED_ROW, STORED_PRINT, type StoredPrint, UNPLANNED_ROW } from './observed-print.rows';
import { MAX_COMPARED_PRINTS } from './print-writing.store';

/** At most this many prints of a file get amounts that their machine reports late, because one transaction writes all of them. */
const MAX_AMENDED = 5;
/** The most new prints of a device in an hour. No machine finishes a print in a minute. */
export const MAX_NEW_PRINTS = 60;

export class DeviceHistoryStore {
  constructor(private readonly database: Queryable) {}

  async running(deviceId: string): Promise<StoredPrint | null> {
    const [print = null] = await this.database.rows(
      'devicePrints.running',
      STORED_PRINT,
      Prisma.sql`
      select ${STORED_PRINT.json} as row from observed_prints o
      where o.device_id = ${deviceId}::uuid and o.outcome = 'RUNNING'`,
    );
    return print;
  }

  /**
   * The latest ended prints, the newest one last. A machine prints one thing at a time, so it shows no older print. If an id is given, also
   * the prints with this id: the first one, and the latest one for which the machine used the id again (`ID~…`).
   */
  ended(deviceId: string, externalId: string | null): Promise<EndedPrint[]> {
    const [reused, reusedEnd] = [`${externalId}${REUSED_ID_MARK}`, `${externalId}\x7f`];
    const isEnded = Prisma.sql`device_id = ${deviceId}::uuid and outcome <> 'RUNNING'`;
    return this.database.rows(
      'devicePrints.ended',
      ENDED_ROW,
      Prisma.sql`
      select ${ENDED_ROW.json} as row from observed_prints o where o.id = any (array(
        (select id from observed_prints where ${isEnded} order by seen_at desc limit ${MAX_COMPARED_PRINTS}::bigint)
        union all (select id from observed_prints where ${isEnded} and external_id = ${externalId})
        union all (
          select id from observed_prints where ${isEnded} and external_id >= ${reused} and external_id < ${reusedEnd}
          order by external_id desc limit 1
        )
      ))
      order by o.seen_at, o.created_at, o.id`,
    );
  }

  /** When the device last reported a print. Rows with a time in the future do not count. */
  async lastSeen(deviceId: string, now: Instant): Promise<Instant | null> {
    const row = await this.database.models('devicePrints.lastSeen', (prisma) =>
      prisma.observedPrint.findFirst({
        where: { deviceId, seenAt: { lte: now } },
        orderBy: { seenAt: 'desc' },
        select: { seenAt: true },
      }),
    );
    return row?.seenAt.toISOString() ?? null;
  }

  /**
   * Whether the device started MAX_NEW_PRINTS prints in the last hour. Prints from a machine's history are not counted: they have no sighting of
   * their start. Rows with a time in the future are not counted either.
   */
  startedTooMany(deviceId: string, now: Instant): Promise<boolean> {
    return this.database.json(
      'devicePrints.startedTooMany',
      Prisma.sql`
      select to_json(count(*) >= ${MAX_NEW_PRINTS}::int) as value from (
        select from observed_prints o
        where o.device_id = ${deviceId}::uuid and o.seen_at > ${subtractMs(now, HOUR_MS)}::timestamptz
          and o.created_at > ${subtractMs(now, HOUR_MS)}::timestamptz and o.created_at <= ${now}::timestamptz
          and coalesce((select s.kind from print_sightings s where s.print_id = o.id order by s.id limit 1), 'STARTED') = 'STARTED'
        limit ${MAX_NEW_PRINTS}::int
      ) started`,
    );
  }

  /**
   * Whether the device has MAX_NEW_PRINTS prints in the hour before or after this time, or whether the machine's history added MAX_RECORDS prints
   * in the last hour.
   */
  recordsTooMany(deviceId: string, startedAt: Instant, now: Instant): Promise<boolean> {
    const at = Prisma.sql`${startedAt}::timestamptz`;
    const from = Prisma.sql`${subtractMs(startedAt, HOUR_MS)}::timestamptz`;
    const hourAgo = Prisma.sql`${subtractMs(now, HOUR_MS)}::timestamptz`;
    return this.database.json(
      'devicePrints.recordsTooMany',
      Prisma.sql`
      select to_json(greatest(
        count(*) filter (where started_at <= ${at}), count(*) filter (where started_at >= ${at})
      ) >= ${MAX_NEW_PRINTS}::int or (
        select count(*) >= ${MAX_RECORDS}::int from (
          select from observed_prints where device_id = ${deviceId}::uuid and seen_at > ${hourAgo} limit ${MAX_RECORDS}::int
        ) r
      )) as value
      from observed_prints
      where device_id = ${deviceId}::uuid and seen_at > ${from} and started_at > ${from}
        and started_at < ${at} + interval '1 hour'`,
    );
  }

  /** The last ended print, if its amounts are unknown. */
  async lastUnplanned(deviceId: string): Promise<{ filePath: string; endedAt: Instant } | null> {
    const [last] = await this.readEnded('lastUnplanned', Prisma.sql`o.device_id = ${deviceId}::uuid`, 1);
    if (last === undefined || last.filePath === null || !isUnplanned(last)) return null;
    const now = instantNow();
    // If a clock that was ahead wrote the end, the gateway asks the machine for as long as if the print ended now.
    return { filePath: last.filePath, endedAt: discardFutureTime(last.endedAt, now) ?? now };
  }

  /** The latest ended prints of a file that were seen since a time and have no amounts, the newest first. */
  async unplanned(deviceId: string, filePath: string, since: Instant): Promise<string[]> {
    const isOfFile = Prisma.sql`o.device_id = ${deviceId}::uuid and o.file_path = ${filePath} and o.seen_at >= ${since}::timestamptz`;
    return (await this.readEnded('unplanned', isOfFile, MAX_AMENDED)).filter(isUnplanned).map(({ id }) => id);
  }

  private readEnded(name: string, condition: Prisma.Sql, count: number) {
    return this.database.rows(
      `devicePrints.${name}`,
      UNPLANNED_ROW,
      Prisma.sql`
      select ${UNPLANNED_ROW.json} as row from observed_prints o where ${condition} and o.outcome <> 'RUNNING'
      order by o.seen_at desc, o.id desc limit ${count}::bigint`,
    );
  }
}
