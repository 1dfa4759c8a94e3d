// Opens a PostgreSQL server as the database: the pool of connections, their settings, and the checks at the start.
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { TimeBudget } from '../../values/time-budget';
import { wholeMs } from '../../values/timers';
import { makeSessionSettings, quoteName, SESSION_MARK, type SessionSettings } from '../session-settings';
import { NEEDS_POOLING, scarceConnections, serverFailure } from '../start-failures';
import { isRefusedForEncryption, takeEncryptions } from '../tls';
import { type DatabaseTarget, type Driver, inTransaction, type RunSql, type Warn } from './driver';
import { isScarce, PatientPool } from './patient-pool';
import { throughPooler } from './pooler';

/**
 * The number of statements that get a name and so are prepared. A prepared statement stays on its connection. Statements beyond
 * this number are parsed each time; the program has far fewer.
 */
const MAX_NAMED_STATEMENTS = 500;

/** The longest timer of Node. Only the server limits the time of migrations and maintenance. */
const NO_TIME_LIMIT_MS = 2 ** 31 - 1;

type ServerTarget = Extract<DatabaseTarget, { kind: 'server' }>;

export async function openServer(target: ServerTarget, budget: TimeBudget, warn: Warn): Promise<Driver> {
  try {
    const url = new URL(target.url);
    const { encryptions, sslnegotiation } = takeEncryptions(url);
    const session = makeSessionSettings(url, budget);
    const open = (ssl: PoolConfig['ssl']) =>
      openPools({ ...session, ssl, sslnegotiation }, target.poolSize, budget, warn);
    const [first, other] = encryptions;
    return await open(first).catch((error) => {
      if (other === undefined || !isRefusedForEncryption(error)) throw error;
      return open(other);
    });
  } catch (error) {
    throw serverFailure(error, target.url);
  }
}

type Connection = SessionSettings & Pick<PoolConfig, 'ssl' | 'sslnegotiation'>;

async function openPools(
  { ssl, sslnegotiation, ...session }: Connection,
  poolSize: number,
  budget: TimeBudget,
  warn: Warn,
): Promise<Driver> {
  const { schema, settings } = session;
  const options = {
    connectionString: session.connectionString,
    ssl,
    ...(ssl && sslnegotiation && { sslnegotiation }),
    max: poolSize,
    application_name: 'print-farm-gateway',
    connectionTimeoutMillis: wholeMs(budget.connectionMs),
    // The connection of a statement that takes longer is closed.
    query_timeout: wholeMs(budget.silenceMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new PatientPool(options, (connections, refusal) =>
    warn(scarceConnections(connections, poolSize), refusal),
  );
  // The readiness check has its own connection, so that it does not wait for statements that use the pool. It stays open between
  // two probes.
  const probe = new Pool({ ...options, max: 1, idleTimeoutMillis: 0 });
  for (const connections of [pool, probe]) {
    // The pool drops an idle connection that breaks. Without a listener, the event would end the process.
    connections.on('error', ignore);
    // If a connection breaks while a statement uses it, the statement fails. Without a listener, the event would end the process.
    // Prisma's adapter adds its listener only later.
    connections.on('connect', (client) => client.on('error', ignore));
  }
  const clients = new Set<PoolClient>();
  const outdated = new WeakSet<PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  // adapter-pg 7.10 returns a connection to the pool although its ROLLBACK was not answered. The next write on it would become a
  // part of the old transaction and never be committed, so such a connection is ended. Remove this when adapter-pg does it itself.
  pool.on('release', (_error, client) => {
    if (client.getTransactionStatus() !== 'I' || outdated.has(client)) client.end().catch(ignore);
  });
  const driver: Driver = {
    vacuumsItself: true,
    adapter:
      settings === undefined
        ? new PrismaPg(pool, {
            schema,
            statementNameGenerator: createStatementNames() as (query: { sql: string }) => string,
          })
        : throughPooler(new PrismaPg(pool, { schema }), settings),
    async withSession(work) {
      const client = await pool.connect();
      let broken = true;
      try {
        const run = (text: string, values?: unknown[]) =>
          client
            .query({ text, values, query_timeout: NO_TIME_LIMIT_MS } as QueryConfig)
            .then((answer) => (Array.isArray(answer) ? answer.at(-1) : answer).rows);
        const result = await work(
          settings === undefined ? run : Object.assign(run, { begin: `begin; ${settings}` }),
          (statement, lines) => pipeline([lines], client.query(copyFrom(`${statement} FROM stdin`))),
        );
        broken = false;
        return result;
      } finally {
        client.release(broken);
      }
    },
    pool: () => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    async ready() {
      const client = await probe.connect().catch((error) => (isScarce(error) ? pool.connect() : Promise.reject(error)));
      let canWrite = false;
      try {
        const { rows } = await client.query(
          "/* database.ready */ select current_setting('transaction_read_only') as value",
        );
        canWrite = rows[0].value === 'off';
      } finally {
        client.release(!canWrite);
      }
      if (!canWrite) throw Object.assign(new Error('the server is read-only'), { originalCode: '25006' });
    },
    renew() {
      for (const client of clients) outdated.add(client);
      // Releasing an outdated connection ends it, so each idle connection is taken and released.
      for (let idle = pool.idleCount; idle > 0; idle -= 1) pool.connect().then((client) => client.release(), ignore);
    },
    async close() {
      await Promise.all([pool.end(), probe.end()]);
    },
  };
  try {
    await driver.withSession((run) => checkSession(run, session));
  } catch (error) {
    await driver.close();
    throw error;
  }
  return driver;
}

async function checkSession(run: RunSql, { schema, settings }: SessionSettings): Promise<void> {
  await inTransaction(run, async () => {
    const [session] = await run(
      `select current_setting($1, true) as own, current_setting('server_encoding') as encoding,
         current_setting('transaction_read_only') as read_only, current_schema() as schema,
         current_setting('session_replication_role') as replication_role`,
      [SESSION_MARK],
    );
    if (settings === undefined && session?.['own'] !== 'own') throw new Error(NEEDS_POOLING);
    if (session?.['encoding'] !== 'UTF8')
      throw new Error(
        `its encoding is ${session?.['encoding']}, but the gateway needs UTF8. Create a database with createdb --encoding=UTF8 --template=template0`,
      );
    if (session['read_only'] !== 'off')
      throw new Error(
        'it is read-only. It is a standby, or a primary that accepts no writes now. Set DATABASE_URL to the primary, or try again later',
      );
    if (session['replication_role'] === 'replica')
      throw new Error(
        'its session_replication_role is replica, which turns triggers off. Set it to origin for this role',
      );
    if (schema && session['schema'] !== schema) await run(`create schema ${quoteName(schema)}`);
  });
}

const ignore = () => {};

/** The name of a statement is the hash of its text. */
function createStatementNames(): (query: { sql: string }) => string | undefined {
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
