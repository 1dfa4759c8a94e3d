// The columns of the states of printers.
import { type Columns, memberOf, rowShape } from '../../database/rows';
import { CLOCK, evidence, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { PRINTER_KINDS, SILENT_AFTER_MS } from '../../kind-facts';
import { heldUntil, isLeft } from '../../sharing/lease';
import type { Instant } from '../../values/instant';
import { snake } from '../../values/spelling';
import type { NewestFigures } from '../print-rules/newest-figures';
import type { StateOfPrinter } from './printer-state.types';

export type StateRow = Omit<StateOfPrinter, 'stale' | 'heardAt'> & {
  printerId: string;
  /** null: not known. */
  heardAt: Instant | null;
  /** When its device was added; null: not known. */
  addedAt: Instant | null;
  /** Whether no process listens to the printer's device. */
  isAlone: boolean;
  printId: string | null;
  /** How long its kind may be silent. */
  silentAfterSec: number;
};

const secondsByKind = Object.entries(PRINTER_KINDS).map(
  ([kind, { silentAfterMs }]) => `when '${kind}' then ${silentAfterMs / 1000}`,
);

/** Whether no process listens to the device `d`. */
const HAS_NO_LISTENER = sql(
  `(${isLeft('d.id::text').sql} or (${heldUntil('d.id::text').sql} is null and d.state <> 'CONNECTED'))`,
);

/** How many seconds the kind of a device `d` may be silent. */
const SILENT_AFTER = sql(`(case d.kind ${secondsByKind.join(' ')} else ${SILENT_AFTER_MS / 1000} end)`);

/** When a device `d` was last heard of, by the latest of these times; null: none of them is evidence. */
export const lastContactOf = (times: readonly string[], now: Prisma.Sql) =>
  Prisma.sql`greatest(${Prisma.join(times.map((time) => evidence(time, now)))})`;

/** Where the time is not known, a device `d` is silent when no process listens to it: a process that listens writes OFFLINE itself. */
export const isSilent = (heardAt: Prisma.Sql, now: Prisma.Sql) => Prisma.sql`coalesce(
  ${heardAt} < ${now} - ${SILENT_AFTER} * interval '1 second', ${HAS_NO_LISTENER})`;

/** A state is written only when something that is shown has changed, so a device `d` may have been heard of later. */
const TIMES = ['s.heard_at', 'd.last_message_at'];

/** When the printer of a state `s` and a device `d` was last heard of; null: not known. */
export const lastContactOfState = (now: Prisma.Sql) => lastContactOf(TIMES, now);

/** The rule of `isStale` in the service, but for OFFLINE, which the state itself says. */
export function isSilentState(now: Instant): Prisma.Sql {
  const at = Prisma.sql`${now}::timestamptz`;
  return Prisma.sql`(${isSilent(lastContactOfState(at), at)})::text`;
}

/** A state as its table holds it. */
export type StoredState = Omit<StateRow, 'silentAfterSec' | 'isAlone' | 'addedAt' | 'heardAt'> & {
  heardAt: Instant;
  /** Of the print, while it runs; null: none runs. */
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
} satisfies Columns<Omit<StoredState, 'heardAt' | 'figures'>>;
export const STATE_COLUMNS = {
  ...COLUMNS,
  heardAt: 'timestamptz',
  figures: 'json',
} satisfies Columns<StoredState>;

/** What is shown of a state `s`, as a text. */
export const SHOWN_AS_TEXT = sql(
  `row (${Object.keys(COLUMNS)
    .map((name) => `s.${snake(name)}`)
    .join(', ')})::text`,
);

/** A state `s` of the printer of a device `d`. */
export const STATE_ROW = rowShape<StateRow, 'heardAt' | 'addedAt' | 'silentAfterSec' | 'isAlone'>('s', COLUMNS, {
  heardAt: memberOf(lastContactOfState(CLOCK).sql, 'timestamptz'),
  silentAfterSec: { sql: SILENT_AFTER.sql },
  addedAt: memberOf(evidence('d.created_at', CLOCK).sql, 'timestamptz'),
  isAlone: { sql: HAS_NO_LISTENER.sql },
});
