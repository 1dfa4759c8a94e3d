// A PostgreSQL server as the database: the pool of connections and how each of them is set up.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { Debug } from '@prisma/debug';
import { type Connection, Pool, type PoolClient, Query, type QueryConfig } from 'pg';
import type { Driver, RunSql } from './driver';

/**
 * A prepared statement stays on every connection for good, so only this many texts get a name; the program has far
 * fewer, and whatever varies beyond them is parsed anew each time.
 */
const MOST_NAMED_STATEMENTS = 500;

// Prisma's adapter asks for each statement, by regular expressions, whether somebody debugs it: 5 % of a status record's
// time. Statements are told by this program's own log and traces.
Debug.enabled = () => false;

/** Together below the time in which every request is answered, 5 s. */
const CONNECTION_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 3000;
/** What migrations and maintenance take is the server's to limit: the longest that a timer can be. */
const UNHURRIED_MS = 2 ** 31 - 1;

export async function openServer(target: { url: string; poolSize: number }): Promise<Driver> {
  const { connectionString, schema } = withSessionSettings(target.url);
  const pool = new Pool({
    connectionString,
    max: target.poolSize,
    application_name: 'print-farm-gateway',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A server that hangs says nothing, so the client must notice; the connection is dropped then.
    query_timeout: STATEMENT_TIMEOUT_MS + 500,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection that breaks while idle is dropped from the pool; without a listener it would end the process.
  pool.on('error', ignore);
  // One that breaks in use fails the statement; the event alone would end the process, also in the moment between being
  // handed out and being listened to.
  pool.on('connect', (client) => client.on('error', ignore));
  const driver: Driver = {
    isApart: true,
    adapter: new PrismaPg(pool, {
      schema,
      statementNameGenerator: statementNames() as (query: { sql: string }) => string,
    }),
    async withSession(work) {
      const client = await pool.connect();
      let broken = true;
      try {
        const result = await work(
          (text, values) =>
            client
              .query({ text, values, query_timeout: UNHURRIED_MS } as QueryConfig)
              .then((answer) => (Array.isArray(answer) ? [] : answer.rows)),
          (statement, lines) => copyIn(client, `${statement} FROM stdin`, lines),
        );
        broken = false;
        return result;
      } finally {
        client.release(broken);
      }
    },
    pool: () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
  try {
    await driver.withSession((run) => checkSession(run, schema));
  } catch (error) {
    await driver.close();
    throw new Error(`The database ${withoutPassword(target.url)} cannot be used: ${reason(error)}`, { cause: error });
  }
  return driver;
}

/**
 * Time zone and date style are given as options of the connection: they hold for every statement without a round trip,
 * and a pooler that follows session parameters (PgBouncer 1.20 and later) carries them over. Prisma writes and reads
 * times without an offset, so any other zone would shift them.
 */
function withSessionSettings(text: string): { connectionString: string; schema: string | undefined } {
  const url = new URL(text);
  const schema = url.searchParams.get('schema') || undefined;
  // Compiling a plan takes longer than any statement here: 65 ms of a status record's 66 (JIT judges by estimates).
  const settings = [
    'TimeZone=UTC',
    'DateStyle=ISO',
    'jit=off',
    // Races are settled by locks: whoever has waited must see what the other has committed.
    'default_transaction_isolation=read committed',
    ...(schema ? [`search_path=${quoted(schema)}`] : []),
  ];
  const options = settings.map((setting) => `-c ${setting.replace(/[\\ ]/g, '\\$&')}`);
  url.searchParams.delete('schema');
  // Of two that set the same the later one holds: the URL may give statements another time, but not another zone.
  const given = [`-c statement_timeout=${STATEMENT_TIMEOUT_MS}`, url.searchParams.get('options')];
  url.searchParams.set('options', [...given, ...options].filter(Boolean).join(' '));
  return { connectionString: url.toString(), schema };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function checkSession(run: RunSql, schema: string | undefined): Promise<void> {
  const [session] = await run(
    "select current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding, current_schema() as schema",
  );
  if (session?.['zone'] !== 'UTC') {
    throw new Error(
      `its sessions are in the time zone ${session?.['zone']}, although UTC was asked for: a pooler in between drops ` +
        "the setting. Let it pass session parameters, or set it in the database (ALTER DATABASE … SET TimeZone = 'UTC')",
    );
  }
  if (session['encoding'] !== 'UTF8') throw new Error(`its encoding is ${session['encoding']}, but UTF8 is needed`);
  if (schema && session['schema'] !== schema) await run(`create schema ${quoted(schema)}`);
}

/** The driver leaves it to the query what it sends when the server is ready to take rows. */
function copyIn(client: PoolClient, statement: string, lines: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new Query(statement, (error) => (error ? reject(error) : resolve()));
    client.query(
      Object.assign(query, {
        handleCopyInResponse(
          connection: Connection & Record<'sendCopyFromChunk' | 'endCopyFrom', (lines?: Buffer) => void>,
        ) {
          connection.sendCopyFromChunk(lines);
          connection.endCopyFrom();
        },
      }),
    );
  });
}

const ignore = () => {};

/** Names are made of the text itself: the same in every process, so that connections can be shared through a pooler. */
function statementNames(): (query: { sql: string }) => string | undefined {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined && names.size < MOST_NAMED_STATEMENTS) {
      name = createHash('sha256').update(sql).digest('base64url').slice(0, 16);
      names.set(sql, name);
    }
    return name;
  };
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** An address with several IPs fails with an AggregateError, whose own message is empty. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(reason).join(', ');
  return error instanceof Error ? error.message : String(error);
}
