// Opens the one database of the process: connects, applies migrations and SQL files, and makes the Prisma client.
import { type Prisma, PrismaClient } from '../generated/prisma/client';
import { type TimeBudget, USUAL_BUDGET } from '../values/time-budget';
import { wholeMs } from '../values/timers';
import { Availability, type ReportState } from './availability';
import { dump } from './backup/dump';
import { Bulkhead } from './bulkhead';
import type { DatabaseTarget, Driver, PoolState, ReportStep, Warn } from './driver/driver';
import { openServer } from './driver/postgres-server';
import { openEmbedded } from './embedded/embedded';
import { LostTransaction, retryAfterDeadlock } from './failures';
import { applyMigrations } from './migrations';
import { type Guard, type Queryable, queryable, readFirstRow, runOnTransaction, unguarded } from './queryable';
import { applySqlFiles } from './sql-files';
import { observeStatements, type StatementObserver } from './statement-observer';
import { vacuum } from './vacuum';

export interface Database extends Queryable {
  readonly prisma: PrismaClient;
  /** Runs the maintenance of tables in a session, as Driver describes it. The bulkhead does not limit it, and nothing retries it. */
  withSession: Driver['withSession'];
  /** Vacuums a database that does not vacuum itself, as vacuum.ts describes. */
  vacuum(): Promise<void>;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** Resolves if the database can write. The check has its own connection, so that it does not wait for the pool. */
  ready(): Promise<void>;
  /** The state of the pool of connections; undefined without a pool. */
  pool(): PoolState | undefined;
  close(): Promise<void>;
}

/** Opens the database without applying migrations and without Prisma. */
export function openDriver(
  target: DatabaseTarget,
  budget: TimeBudget = USUAL_BUDGET,
  warn: Warn = () => {},
  reportStep: ReportStep = () => {},
): Promise<Driver> {
  return target.kind === 'server'
    ? openServer(target, budget, warn)
    : openEmbedded(target, budget, dump, warn, reportStep);
}

interface DatabaseListener {
  /** Called when the database becomes unavailable, with the cause, and when it answers again. */
  reportState: ReportState;
  statement: StatementObserver;
}

const NO_LISTENER: DatabaseListener = { reportState: () => {}, statement: () => () => {} };

export async function openDatabase(
  target: DatabaseTarget,
  { reportState, statement }: DatabaseListener = NO_LISTENER,
  budget: TimeBudget = USUAL_BUDGET,
  reportStep: ReportStep = () => {},
): Promise<Database> {
  const driver = await openDriver(target, budget, (message, cause) => reportState('up', message, cause), reportStep);
  try {
    await driver.withSession(async (run) => {
      await applyMigrations(run, undefined, reportStep);
      await applySqlFiles(run);
    });
    const poolSize = target.kind === 'server' ? target.poolSize : null;
    const database = await connect(driver, reportState, statement, budget, poolSize);
    // Prisma compiles its query compiler at the first statement. This takes about 0.1 s, for which the first request would wait.
    await database.ping();
    driver.offerBackup?.();
    return database;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

async function connect(
  driver: Driver,
  reportState: ReportState,
  statement: StatementObserver,
  { transactionMs, connectionMs }: TimeBudget,
  poolSize: number | null,
): Promise<Database> {
  const factory = observeStatements(driver.adapter, statement);
  const adapter = await factory.connect();
  const prisma = new PrismaClient({
    adapter: factory,
    transactionOptions: { maxWait: wholeMs(transactionMs), timeout: wholeMs(transactionMs) },
    // Each statement that Prisma writes ends with a comment that names the model and the action, for logs and traces.
    comments: [({ query }) => ({ query: `${query.modelName ?? 'raw'}.${query.action}` })],
  });
  const ping = () => prisma.$queryRaw`/* database.ping */ select 1`;
  const availability = new Availability(reportState, driver.ready ?? ping, driver.renew);
  const bulkhead = new Bulkhead(poolSize, connectionMs);
  // The layers around a statement, from the outside: retry after a deadlock, limit of connections, availability.
  const guard: Guard = (name, work) =>
    retryAfterDeadlock(() => bulkhead.run(readStoreName(name), () => availability.run(work)));
  const runFirstRow = (statement: Prisma.Sql) => readFirstRow(adapter, statement);
  const insideAttempt = queryable(prisma, unguarded, runFirstRow, false);
  return {
    ...queryable(prisma, guard, runFirstRow, false),
    prisma,
    attempt: (name, write) => guard(name, () => write(insideAttempt, name)),
    transaction(work, limitMs) {
      const options = limitMs === undefined ? undefined : { timeout: wholeMs(limitMs) };
      const done = () =>
        prisma.$transaction((client) => runOnTransaction(client, availability, work), options).catch(throwUnwrapped);
      return retryAfterDeadlock(() => availability.run(done));
    },
    withSession: (work) => driver.withSession(work),
    vacuum: () => vacuum(driver),
    async ping() {
      await availability.run(ping);
    },
    ready: () => availability.ready(),
    pool() {
      const pool = driver.pool?.();
      return pool && { ...pool, waiting: pool.waiting + bulkhead.waiting };
    },
    async close() {
      availability.close();
      await prisma.$disconnect();
      await driver.close();
    },
  };
}

const readStoreName = (name: string) => name.split('.')[0] as string;

function throwUnwrapped(error: unknown): never {
  throw error instanceof LostTransaction ? error.cause : error;
}
