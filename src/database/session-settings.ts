// Decides the settings of each session on a database server. They override the settings of the server, the role and the database, so
// that statements and values mean the same on every server.
import type { TimeBudget } from '../values/time-budget';
import { wholeMs } from '../values/timers';

/** PostgreSQL accepts any value for this setting. A session in which it is missing belongs to a pooler, not to the gateway. */
export const SESSION_MARK = 'print_farm_gateway.session';

export interface SessionSettings {
  connectionString: string;
  schema: string | undefined;
  /** The statements at the start of each transaction through a pooler; undefined if the sessions belong to the gateway. */
  settings: string | undefined;
}

const SETTINGS: [name: string, value: string][] = [
  // Prisma writes and reads times without an offset, so another time zone would shift them.
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['IntervalStyle', 'postgres'],
  // Floats are written with all their digits.
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  // How the text of a statement and of its arrays is read.
  ['standard_conforming_strings', 'on'],
  ['transform_null_equals', 'off'],
  ['array_nulls', 'on'],
  ['exit_on_error', 'off'],
  // PostgreSQL's estimates make it compile the plan of small statements, which took 65 of the 66 ms of a status record.
  ['jit', 'off'],
];

/**
 * Without a pooler, the settings are options of the connection, which need no round trip. A pooler does not pass options on, and
 * it gives a session to another client after each transaction, so every transaction through a pooler applies the settings again.
 */
export function makeSessionSettings(url: URL, { statementMs, transactionMs }: TimeBudget): SessionSettings {
  const parameter = (name: string) => {
    const value = url.searchParams.get(name) || undefined;
    url.searchParams.delete(name);
    return value;
  };
  const schema = parameter('schema');
  // Prisma's name for the parameter.
  const isPooled = parameter('pgbouncer') === 'true';
  const limits = [
    ['statement_timeout', `${wholeMs(statementMs)}`],
    ['lock_timeout', '0'],
    // If the gateway's computer loses its power or its network, the server does not notice it, and would keep the locks for hours.
    ['idle_in_transaction_session_timeout', `${wholeMs(transactionMs)}`],
  ] as const;
  const settings: [string, string][] = [...SETTINGS, ['search_path', schema ? quoteName(schema) : '"$user", public']];
  if (isPooled) {
    const set = [...limits, ...settings].map(
      ([name, value]) => `set_config('${name}', '${value?.replaceAll("'", "''")}', true)`,
    );
    return { connectionString: url.toString(), schema, settings: `${READ_COMMITTED}; select ${set.join(', ')}` };
  }
  settings.push(['default_transaction_isolation', 'read committed'], [SESSION_MARK, 'own']);
  const options = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]) => `-c ${`${name}=${value}`.replace(/[\\ ]/g, '\\$&')}`);
  // The last of several equal options counts. So the options in the URL can change the time limits, but not the time zone.
  const urlOptions = url.searchParams.get('options');
  url.searchParams.set('options', [...options(limits), urlOptions, ...options(settings)].filter(Boolean).join(' '));
  return { connectionString: url.toString(), schema, settings: undefined };
}

/** With this isolation level, a transaction that waited for a lock sees what the previous holder of the lock committed. */
const READ_COMMITTED = 'set transaction isolation level read committed';

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
