// The one database of the process: opened, in UTC, migrated, with the only Prisma client on it.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import { Prisma, PrismaClient } from '../generated/prisma/client';
import { type TimeBudget, USUAL_BUDGET } from '../values/time-budget';
import { observed, type StatementObserver } from './adapter';
import { Availability, type Say } from './availability';
import type { DatabaseTarget, Driver, PoolState } from './driver';
import { openEmbedded } from './embedded/embedded';
import { Failover } from './failover';
import { again, LostTransaction, losing, violatedConstraint } from './failures';
import { forgetRemovedCameras, maintain, vacuum } from './maintenance';
import { applyMigrations } from './migrations';
import type { RowShape } from './rows';
import { openServer } from './server';
import { Shares } from './shares';
import { lockWait } from './sql';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type ArgType = Parameters<SqlDriverAdapter['queryRaw']>[0]['argTypes'][number];

/**
 * Runs statements, in the database or in a transaction of it. `name` is the store's method: the statement begins with it
 * as a comment, so that slow-query logs and pg_stat_statements lead to the line. Its part before the dot is the store:
 * outside a transaction, the statements of one store have a share of the connections. A statement that deadlocks, and was
 * undone by that, runs again.
 */
export interface Queryable {
  readonly prisma: Prisma.TransactionClient;
  readonly isTransaction: boolean;
  /**
   * Runs a statement whose only row has one column `value`, of type json or text holding JSON, and returns it parsed;
   * null when there is no row. (A column of type json must not hold a bare string: Prisma has parsed it already.)
   */
  json<T>(name: string, statement: Prisma.Sql): Promise<T>;
  /** The same for a row of several such columns. */
  cells<T extends unknown[]>(name: string, statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose rows have one column `row`, of the shape's JSON. */
  rows<Row>(name: string, shape: RowShape<Row>, statement: Prisma.Sql): Promise<Row[]>;
  /** Runs a write that a constraint may refuse, on `database`. A transaction around it can go on after the refusal. */
  attempt<T>(name: string, write: (database: Queryable) => Promise<T>): Promise<T>;
  /** See sql.ts. In a transaction its own wait for locks stays. */
  lockWait(ms: number): Prisma.Sql;
}

/**
 * The attempts of a transaction: with a savepoint before each, the transaction can go on after a refusal. Without, which
 * saves two round trips of each (keyed writes must be half as fast as plain ones), a refusal undoes the transaction with
 * AttemptRefused.
 */
export type Attempts = 'with savepoints' | 'without savepoints';

export class AttemptRefused extends Error {}

export interface Database extends Queryable {
  readonly prisma: PrismaClient;
  /**
   * Does all of `work`, or nothing when it fails. Inside, only `transaction` may be used. A transaction that deadlocks
   * with another writer is undone and done again.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, attempts?: Attempts): Promise<T>;
  /** See maintenance.ts. */
  maintain(statusRetentionDays: number | null): Promise<string[]>;
  forgetRemovedCameras(): Promise<void>;
  vacuum(): Promise<void>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Resolves when the database can write, also while all connections wait: the check has its own. */
  ready(): Promise<void>;
  /** Undefined where there is no pool. */
  pool(): PoolState | undefined;
  close(): Promise<void>;
}

/** The database without migrations and without Prisma. */
export function openDriver(target: DatabaseTarget, budget: TimeBudget = USUAL_BUDGET): Promise<Driver> {
  return target.kind === 'server' ? openServer(target, budget) : openEmbedded(target, budget);
}

interface DatabaseListener {
  /** Told when the database goes away, with the cause, and when it is back. */
  say?: Say;
  statement?: StatementObserver;
}

export async function openDatabase(
  target: DatabaseTarget,
  listener: DatabaseListener = {},
  budget: TimeBudget = USUAL_BUDGET,
): Promise<Database> {
  const driver = await openDriver(target, budget);
  try {
    await driver.withSession((run) => applyMigrations(run));
    const { say = () => {}, statement = () => () => {} } = listener;
    // A locked table keeps the statements of up to two stores and a keyed write: the rest of the pool goes on.
    const places = target.kind === 'server' ? Math.max(2, Math.floor(target.poolSize / 3)) : Number.POSITIVE_INFINITY;
    const database = await connect(driver, new Availability(say), statement, budget, places);
    // Prisma compiles its query compiler at the first statement, about 0.1 s, which would be the first request's.
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
  availability: Availability,
  statement: StatementObserver,
  { transactionMs, connectionMs }: TimeBudget,
  places: number,
): Promise<Database> {
  const factory = observed(driver.adapter, statement);
  const adapter = await factory.connect();
  const prisma = new PrismaClient({
    adapter: factory,
    transactionOptions: { maxWait: transactionMs, timeout: transactionMs },
    // Statements that Prisma writes end with the model and the action.
    comments: [({ query }) => ({ query: `${query.modelName ?? 'raw'}.${query.action}` })],
  });
  const first = (statement: Prisma.Sql) => firstOf(adapter, statement);
  const bare = queryable(prisma, (_name, work) => availability.run(work), first, false);
  const shares = new Shares(places, connectionMs);
  // The name without the method is the store.
  const alone: Around = (name, work) => again(() => shares.run(name.replace(/\..*/, ''), () => availability.run(work)));
  const ping = () => prisma.$queryRaw`/* database.ping */ select 1`;
  const failover = new Failover(driver, availability, driver.ready ?? ping);
  return {
    ...queryable(prisma, alone, first, false),
    prisma,
    attempt: (name, write) => alone(name, () => write(bare)),
    transaction(work, attempts = 'with savepoints') {
      const begin = attempts === 'with savepoints' ? withSavepoints : withoutSavepoints;
      const done = () => prisma.$transaction((transaction) => begin(transaction, availability, work)).catch(unwrapped);
      return again(() => availability.run(done));
    },
    maintain: (statusRetentionDays) => maintain(driver, statusRetentionDays),
    forgetRemovedCameras: () => forgetRemovedCameras(driver),
    vacuum: () => vacuum(driver),
    async ping() {
      await availability.run(ping);
    },
    ready: () => failover.ready(),
    pool() {
      const pool = driver.pool?.();
      return pool && { ...pool, waiting: pool.waiting + shares.waiting };
    },
    async close() {
      failover.stop();
      await prisma.$disconnect();
      await driver.close();
    },
  };
}

function unwrapped(error: unknown): never {
  throw error instanceof LostTransaction ? error.cause : error;
}

type Work<T> = (transaction: Queryable) => Promise<T>;

/**
 * Runs work on a transaction whose statements go one after the other, for tasks that run side by side in it. No other
 * statement comes between a savepoint and its end: the savepoint would undo that too.
 */
function withSavepoints<T>(prisma: Prisma.TransactionClient, availability: Availability, work: Work<T>): Promise<T> {
  const { inTurn, inside, transaction } = onTransaction(prisma, availability);
  return work({
    ...transaction,
    attempt: (_name, write) =>
      inTurn(async () => {
        await prisma.$executeRawUnsafe('savepoint attempt');
        try {
          const result = await availability.run(() => losing(() => write(inside)));
          await prisma.$executeRawUnsafe('release savepoint attempt');
          return result;
        } catch (error) {
          await prisma.$executeRawUnsafe('rollback to savepoint attempt').catch(() => {});
          throw error;
        }
      }),
  });
}

async function withoutSavepoints<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: Work<T>,
): Promise<T> {
  const { inTurn, inside, transaction } = onTransaction(prisma, availability);
  let refused = false;
  const attempt: Queryable['attempt'] = (_name, write) =>
    inTurn(async () => {
      // The transaction is lost already.
      if (refused) throw new AttemptRefused();
      try {
        return await availability.run(() => losing(() => write(inside)));
      } catch (error) {
        refused ||= violatedConstraint(error) !== undefined;
        throw error;
      }
    });
  try {
    const result = await work({ ...transaction, attempt });
    if (refused) throw new AttemptRefused();
    return result;
  } catch (error) {
    throw refused ? new AttemptRefused() : error;
  }
}

function onTransaction(prisma: Prisma.TransactionClient, availability: Availability) {
  const first = async (statement: Prisma.Sql) =>
    Object.values((await losing(() => prisma.$queryRaw<object[]>(statement)))[0] ?? {});
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = queue.then(step);
    queue = done.catch(() => {});
    return done;
  };
  const around: Around = (_name, work) => availability.run(work);
  return {
    inTurn,
    inside: queryable(prisma, around, first, true),
    transaction: queryable(prisma, around, (statement) => inTurn(() => first(statement)), true),
  };
}

/**
 * The cells of the one row of a statement, through Prisma's adapter without its client. The client would look at
 * statement and answer once more on their way, 0.1 ms of each statement (floors of W4 to W6 for one client). A
 * transaction belongs to the client.
 */
async function firstOf(adapter: SqlDriverAdapter, { text, values }: Prisma.Sql): Promise<unknown[]> {
  const { rows } = await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(() => AS_IT_IS) });
  return rows[0] ?? [];
}

const AS_IT_IS: ArgType = { scalarType: 'unknown', arity: 'scalar' };

type Around = <T>(name: string, work: () => Promise<T>) => Promise<T>;

function queryable(
  prisma: Prisma.TransactionClient,
  around: Around,
  first: (statement: Prisma.Sql) => Promise<unknown[]>,
  isTransaction: boolean,
): Queryable {
  const cells = async <T extends unknown[]>(name: string, statement: Prisma.Sql): Promise<T> => {
    const row = await around(name, () => first(Prisma.sql`${Prisma.raw(`/* ${name} */`)} ${statement}`));
    return row.map((cell) => (typeof cell === 'string' ? JSON.parse(cell) : cell)) as T;
  };
  const json = async <T>(name: string, statement: Prisma.Sql): Promise<T> =>
    ((await cells(name, statement))[0] ?? null) as T;
  const self: Queryable = {
    prisma,
    isTransaction,
    json,
    cells,
    async rows(name, { read }, statement) {
      const rows = await json<unknown[][]>(
        name,
        Prisma.sql`select coalesce(json_agg(r.row), '[]') as value from (${statement}) r`,
      );
      return rows.map(read);
    },
    attempt: (_name, write) => write(self),
    lockWait: isTransaction ? () => Prisma.sql`wait (ms) as (select '')` : lockWait,
  };
  return self;
}
