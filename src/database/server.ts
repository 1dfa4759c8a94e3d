// A PostgreSQL server as the database: the pool of connections and their settings.
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type QueryConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { serverFailure } from '../start-failures';
import type { TimeBudget } from '../values/time-budget';
import type { DatabaseTarget, Driver, RunSql } from './driver';

/**
 * A prepared statement stays on its connection, so only this many texts get a name; further texts are parsed each time.
 * The program has far fewer.
 */
const MAX_NAMED_STATEMENTS = 500;

/** The longest timer of Node. For migrations and maintenance, only the server limits the time. */
const UNHURRIED_MS = 2 ** 31 - 1;

type ServerTarget = Extract<DatabaseTarget, { kind: 'server' }>;

export async function openServer(target: ServerTarget, budget: TimeBudget): Promise<Driver> {
  try {
    return await openPool(target, budget);
  } catch (error) {
    throw serverFailure(error, target.url);
  }
}

async function openPool(target: ServerTarget, budget: TimeBudget): Promise<Driver> {
  const { connectionString, schema } = withSessionSettings(target.url, budget.statementMs);
  const pool = new Pool({
    connectionString,
    max: target.poolSize,
    application_name: 'print-farm-gateway',
    connectionTimeoutMillis: budget.connectionMs,
    // The connection of such a statement is dropped.
    query_timeout: budget.silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection that breaks while idle is dropped from the pool; without a listener it would end the process.
  pool.on('error', ignore);
  // A connection that breaks in use fails its statement. Without a listener the event would end the process. Prisma's
  // adapter adds its own listener later.
  pool.on('connect', (client) => client.on('error', ignore));
  // adapter-pg 7.10 gives a connection back although its ROLLBACK was not answered: the next write on it would be part of
  // the old transaction, and never be committed. Such a connection is ended.
  pool.on('release', (_error, client) => {
    if (client.getTransactionStatus() !== 'I') client.end().catch(ignore);
  });
  const driver: Driver = {
    vacuumsItself: true,
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
          (statement, lines) => pipeline([lines], client.query(copyFrom(`${statement} FROM stdin`))),
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
    throw error;
  }
  return driver;
}

/**
 * Settings are options of the connection: they need no round trip, and a pooler that follows session parameters
 * (PgBouncer 1.20 and later) keeps them. Prisma writes and reads times without an offset, so another zone would shift
 * them.
 */
function withSessionSettings(
  text: string,
  statementMs: number,
): { connectionString: string; schema: string | undefined } {
  const url = new URL(text);
  const schema = url.searchParams.get('schema') || undefined;
  // JIT decides by estimates, and compiling a plan took 65 of the 66 ms of a status record.
  const settings = [
    'TimeZone=UTC',
    'DateStyle=ISO',
    'jit=off',
    // A transaction that waited for a lock must see the commit of the lock's previous holder.
    'default_transaction_isolation=read committed',
    ...(schema ? [`search_path=${quoted(schema)}`] : []),
  ];
  const options = settings.map((setting) => `-c ${setting.replace(/[\\ ]/g, '\\$&')}`);
  url.searchParams.delete('schema');
  // The later of two equal options holds: the URL may set another time limit for statements, but no other time zone.
  const given = [`-c statement_timeout=${statementMs}`, url.searchParams.get('options')];
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

const ignore = () => {};

/** A name is the hash of the text: the same in every process, so that a pooler can share connections. */
function statementNames(): (query: { sql: string }) => string | undefined {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined && names.size < MAX_NAMED_STATEMENTS) {
      name = createHash('sha256').update(sql).digest('base64url').slice(0, 16);
      names.set(sql, name);
    }
    return name;
  };
}
