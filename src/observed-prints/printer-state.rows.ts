// The columns of the states of printers.
import { type Columns, memberOf, rowShape } from '../database/rows';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import type { Instant } from '../values/instant';
import { SILENT_AFTER_SEC, SILENT_AFTER_SEC_OF } from './observed-print.limits';
import type { StateOfPrinter } from './printer-state.types';

export type StateRow = Omit<StateOfPrinter, 'stale'> & {
  printerId: string;
  printId: string | null;
  /** How long its kind may be silent. */
  silentAfterSec: number;
};

const kinds = Object.entries(SILENT_AFTER_SEC_OF).map(([kind, seconds]) => `when '${kind}' then ${seconds}`);

/** How many seconds the kind of a device `d` may be silent. */
export const SILENT_AFTER = sql(`(case d.kind ${kinds.join(' ')} else ${SILENT_AFTER_SEC} end)`);

/** A state is written only when something that is shown has changed, so a device `d` may have been heard of later. */
const HEARD_AT = sql('greatest(s.heard_at, d.last_message_at)');

/** The same rule as that of the service, without its word OFFLINE, which is in the state. */
export const IS_SILENT = (now: Instant) =>
  Prisma.sql`(${HEARD_AT} < ${now}::timestamptz - ${SILENT_AFTER} * interval '1 second')::text`;

/** A state as its table holds it. */
export type StoredState = Omit<StateRow, 'silentAfterSec'>;

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
} satisfies Columns<Omit<StoredState, 'heardAt'>>;
export const STATE_COLUMNS = { ...COLUMNS, heardAt: 'timestamptz' } satisfies Columns<StoredState>;

/** A state `s` of the printer of a device `d`. */
export const STATE_ROW = rowShape<StateRow, 'heardAt' | 'silentAfterSec'>('s', COLUMNS, {
  heardAt: memberOf(HEARD_AT.sql, 'timestamptz'),
  silentAfterSec: { sql: SILENT_AFTER.sql },
});
