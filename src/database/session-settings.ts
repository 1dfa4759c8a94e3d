// The settings of each session on a server: they stand above those of the server, the role and the database, so that the
// statements and the values mean the same on every server.
import type { TimeBudget } from '../values/time-budget';
import { wholeMs } from '../values/timers';

/** PostgreSQL takes any value of this setting. A session that lacks it is not the gateway's own. */
export const OWN_SESSION = 'print_farm_gateway.session';

export interface SessionSettings {
  connectionString: string;
  schema: string | undefined;
  /** The statements that begin each transaction through a pooler; undefined where sessions are the gateway's own. */
  settings: string | undefined;
}

const SETTINGS: [name: string, value: string][] = [
  // Prisma writes and reads times without an offset, so another zone would shift them.
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['IntervalStyle', 'postgres'],
  // All digits of a float.
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  // How the text of a statement and of its arrays is read.
  ['standard_conforming_strings', 'on'],
  ['transform_null_equals', 'off'],
  ['array_nulls', 'on'],
  ['exit_on_error', 'off'],
  // JIT decides by estimates, and compiling a plan took 65 of the 66 ms of a status record.
  ['jit', 'off'],
];

/**
 * Settings are options of the connection, which need no round trip. A pooler passes no options and gives a session to
 * another client after each transaction, so there every transaction makes the settings again.
 */
export function sessionSettingsOf(url: URL, { statementMs, transactionMs }: TimeBudget): SessionSettings {
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
    // The server does not notice that a machine lost its power or its network, and keeps its locks for hours.
    ['idle_in_transaction_session_timeout', `${wholeMs(transactionMs)}`],
  ] as const;
  const settings: [string, string][] = [...SETTINGS, ['search_path', schema ? quoted(schema) : '"$user", public']];
  if (isPooled) {
    const set = [...limits, ...settings].map(
      ([name, value]) => `set_config('${name}', '${value?.replaceAll("'", "''")}', true)`,
    );
    return { connectionString: url.toString(), schema, settings: `${READ_COMMITTED}; select ${set.join(', ')}` };
  }
  settings.push(['default_transaction_isolation', 'read committed'], [OWN_SESSION, 'own']);
  const options = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]) => `-c ${`${name}=${value}`.replace(/[\\ ]/g, '\\$&')}`);
  // The later of two equal options holds: the URL may set other limits of time, but no other time zone.
  const given = url.searchParams.get('options');
  url.searchParams.set('options', [...options(limits), given, ...options(settings)].filter(Boolean).join(' '));
  return { connectionString: url.toString(), schema, settings: undefined };
}

/** A transaction that waited for a lock must see the commit of the lock's previous holder. */
const READ_COMMITTED = 'set transaction isolation level read committed';

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
