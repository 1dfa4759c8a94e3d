// Holds the columns of the states of printers, and decides in SQL when a printer counts as silent.
import { type Columns, columnMember, rowShape } from '../../database/rows';
import { CLOCK, sql, withoutFutureTime } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { PRINTER_KINDS, SILENT_AFTER_MS } from '../../kind-facts';
import { heldUntil, isLeft } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { snake } from '../../values/spelling';
import type { NewestFigures } from '../print-rules/newest-figures';
import type { StateOfPrinter } from './printer-state.types';

export type StateRow = Omit<StateOfPrinter, 'stale' | 'heardAt'> & {
  printerId: string;
  /** `null` if unknown. */
  heardAt: Instant | null;
  /** When the device of the printer was added; `null` if unknown. */
  addedAt: Instant | null;
  /** Whether no process is connected to the device of the printer. */
  hasNoListener: boolean;
  printId: string | null;
  /** How long a machine of this kind may send nothing. */
  silentAfterSec: number;
};

const secondsByKind = Object.entries(PRINTER_KINDS).map(
  ([kind, { silentAfterMs }]) => `when '${kind}' then ${silentAfterMs / 1000}`,
);

/** Whether no process is connected to the device `d`. */
const HAS_NO_LISTENER = sql(
  `(${isLeft('d.id::text').sql} or (${heldUntil('d.id::text').sql} is null and d.state <> 'CONNECTED'))`,
);

/** How many seconds a machine of the kind of the device `d` may send nothing. */
const SILENT_AFTER = sql(`(case d.kind ${secondsByKind.join(' ')} else ${SILENT_AFTER_MS / 1000} end)`);

/** The time of the last contact with a device `d`: the latest of these times that is not in the future; null if there is none. */
export const lastContactOf = (times: readonly string[], now: Prisma.Sql) =>
  Prisma.sql`greatest(${Prisma.join(times.map((time) => withoutFutureTime(time, now)))})`;

/** If the time is unknown, a device `d` counts as silent if no process is connected to it. A process that is connected writes OFFLINE itself. */
export const isSilent = (heardAt: Prisma.Sql, now: Prisma.Sql) => Prisma.sql`coalesce(
  ${heardAt} < ${now} - ${SILENT_AFTER} * interval '1 second', ${HAS_NO_LISTENER})`;

/** A state is written only if a shown value changes, so the last message of the device `d` may be newer. */
const TIMES = ['s.heard_at', 'd.last_message_at'];

/** The time of the last contact with the printer of a state `s` and a device `d`; null if unknown. */
export const lastContactOfState = (now: Prisma.Sql) => lastContactOf(TIMES, now);

/** Since when a state `s` has its activity. An older version of the gateway does not write this time. */
export const activitySinceOf = (now: Prisma.Sql) => Prisma.sql`least(coalesce(s.activity_since, s.heard_at), ${now})`;

/** The same rule as `isStale` in the service, without the activity OFFLINE, which is in the state itself. */
export function isSilentState(now: Instant): Prisma.Sql {
  const at = Prisma.sql`${now}::timestamptz`;
  return Prisma.sql`(${isSilent(lastContactOfState(at), at)})::text`;
}

/** A state as it is stored in its table. */
export type StoredState = Omit<
  StateRow,
  'silentAfterSec' | 'hasNoListener' | 'addedAt' | 'heardAt' | 'activitySince'
> & {
  heardAt: Instant;
  /** The figures of the running print; `null` if no print is running. */
  figures: NewestFigures | null;
};

const COLUMNS = {
  printerId: 'uuid',
  activity: 'text',
  progress: 'float8',
  progressBasis: 'text',
  remainingSec: 'int',
  layer: 'int',
  layers: 'int',
  printName: 'text',
  message: 'text',
  printId: 'uuid',
} satisfies Columns<Omit<StoredState, 'heardAt' | 'figures' | 'isPausedByUser'>>;
export const STATE_COLUMNS = {
  ...COLUMNS,
  isPausedByUser: 'boolean',
  heardAt: 'timestamptz',
  figures: 'json',
} satisfies Columns<StoredState>;

/**
 * Whether a state `s` is a pause by a user. While a printer is OFFLINE, its column keeps the value for the time after. An older version of the
 * gateway changes only the activity.
 */
const IS_PAUSED_BY_USER = sql(`(s.is_paused_by_user and s.activity = 'PAUSED')`);

/**
 * Whether the written state `excluded` follows a pause by a user that is in the row `before`. OctoPrint names the user only when the pause
 * begins, so a gateway that connects later does not know it. A pause of another print, or one with a cause, is another pause.
 */
const KEEPS_PAUSE_BY_USER = `(before.is_paused_by_user and before.activity in ('PAUSED', 'OFFLINE')
  and (excluded.activity = 'OFFLINE' or excluded.activity = 'PAUSED' and excluded.message is null)
  and coalesce(before.print_id = excluded.print_id, true))`;

/** Whether a row gets a pause by a user when the state `excluded` replaces the state `before`. */
export const BECOMES_PAUSED_BY_USER = sql(`(excluded.is_paused_by_user or ${KEEPS_PAUSE_BY_USER})`);

/** All shown values of a state `s` as one text. */
export const SHOWN_AS_TEXT = sql(
  `row (${[...Object.keys(COLUMNS).map((name) => `s.${snake(name)}`), IS_PAUSED_BY_USER.text].join(', ')})::text`,
);

/** The columns of a state `s` of the printer of a device `d`. */
export const STATE_ROW = rowShape<
  StateRow,
  'isPausedByUser' | 'heardAt' | 'activitySince' | 'addedAt' | 'silentAfterSec' | 'hasNoListener'
>('s', COLUMNS, {
  isPausedByUser: { sql: IS_PAUSED_BY_USER.sql },
  heardAt: columnMember(lastContactOfState(CLOCK).sql, 'timestamptz'),
  activitySince: columnMember(activitySinceOf(CLOCK).sql, 'timestamptz'),
  silentAfterSec: { sql: SILENT_AFTER.sql },
  addedAt: columnMember(withoutFutureTime('d.created_at', CLOCK).sql, 'timestamptz'),
  hasNoListener: { sql: HAS_NO_LISTENER.sql },
});
