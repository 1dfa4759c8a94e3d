// The one database of the process: opened, in UTC, migrated, with the only Prisma client on it.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type { DatabaseTarget } from '../config';
import { Prisma, PrismaClient } from '../generated/prisma/client';
import { Availability, type Say } from './availability';
import type { Driver, PoolState } from './driver';
import { openEmbedded } from './embedded';
import { LostTransaction, losing } from './failures';
import { maintain, vacuum } from './maintenance';
import { applyMigrations } from './migrations';
import { observed, type StatementObserver } from './observed-adapter';
import type { RowShape } from './rows';
import { openServer } from './server';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type ArgType = Parameters<SqlDriverAdapter['queryRaw']>[0]['argTypes'][number];

/** Where statements are run: in the database, or in a transaction of it. */
export interface Queryable {
  /** Whether statements are worked on while this process works: then shared work is better handed over in halves. */
  readonly isApart: boolean;
  readonly prisma: Prisma.TransactionClient;
  /**
   * Runs one statement whose only row has one column `value`, of type json or text holding JSON, and returns it parsed;
   * null when there is no row. (A column of type json must not hold a bare string: Prisma has parsed it already.)
   */
  json<T>(statement: Prisma.Sql): Promise<T>;
  /** The same for a row of several such columns. */
  cells<T extends unknown[]>(statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose rows have one column `row`, of the shape's JSON. */
  rows<Row>(shape: RowShape<Row>, statement: Prisma.Sql): Promise<Row[]>;
  /** Runs a write that a constraint may refuse; when it does, a transaction around it can go on. */
  attempt<T>(write: () => Promise<T>): Promise<T>;
}

export interface Database extends Queryable {
  readonly prisma: PrismaClient;
  /**
   * What `work` does is done altogether, or not at all when it fails. Inside, only `transaction` may be used. When it and
   * another writer wait for each other, it is undone and done again.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** See maintenance.ts. */
  maintain(statusRetentionDays: number | null): Promise<void>;
  vacuum(): Promise<void>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Undefined where there is no pool. */
  pool(): PoolState | undefined;
  close(): Promise<void>;
}

/** The database without migrations and without Prisma. */
export function openDriver(target: DatabaseTarget): Promise<Driver> {
  return target.kind === 'server' ? openServer(target) : openEmbedded(target);
}

export interface DatabaseListener {
  /** Told when the database goes away, with the cause, and when it is back. */
  say?: Say;
  statement?: StatementObserver;
}

/**
 * @param transactionMs how long a transaction may take, and may wait for its connection: others wait for what it has
 * locked, and on the embedded database, which has one connection, for all of it
 */
export async function openDatabase(
  target: DatabaseTarget,
  listener: DatabaseListener = {},
  transactionMs = 4500,
): Promise<Database> {
  const driver = await openDriver(target);
  try {
    await driver.withSession((run) => applyMigrations(run));
    const { say = () => {}, statement = () => () => {} } = listener;
    const database = await connect(driver, new Availability(say), statement, transactionMs);
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
  transactionMs: number,
): Promise<Database> {
  const factory = observed(driver.adapter, statement);
  const adapter = await factory.connect();
  const prisma = new PrismaClient({
    adapter: factory,
    transactionOptions: { maxWait: transactionMs, timeout: transactionMs },
  });
  return {
    ...queryable(prisma, availability, {
      isApart: driver.isApart,
      first: (statement) => firstOf(adapter, statement),
      attempt: (write) => availability.watch(write),
    }),
    prisma,
    async transaction(work) {
      for (let tries = MOST_TRIES; ; tries -= 1) {
        try {
          return await availability.watch(() =>
            prisma.$transaction((transaction) => work(inTransaction(transaction, availability))),
          );
        } catch (error) {
          if (!(error instanceof LostTransaction) || tries === 1) throw error;
        }
      }
    },
    maintain: (statusRetentionDays) => maintain(driver, statusRetentionDays),
    vacuum: () => vacuum(driver),
    async ping() {
      await availability.watch(() => prisma.$queryRaw`select 1`);
    },
    pool: () => driver.pool?.(),
    async close() {
      await prisma.$disconnect();
      await driver.close();
    },
  };
}

/** Of a transaction: each time somebody else has gone on. */
const MOST_TRIES = 5;

function inTransaction(prisma: Prisma.TransactionClient, availability: Availability): Queryable {
  return queryable(prisma, availability, {
    isApart: false,
    first: async (statement) => Object.values((await losing(() => prisma.$queryRaw<object[]>(statement)))[0] ?? {}),
    async attempt(write) {
      await prisma.$executeRawUnsafe('savepoint attempt');
      try {
        const result = await losing(write);
        await prisma.$executeRawUnsafe('release savepoint attempt');
        return result;
      } catch (error) {
        await prisma.$executeRawUnsafe('rollback to savepoint attempt');
        throw error;
      }
    },
  });
}

/**
 * The cells of the one row of a statement, through Prisma's adapter without its client, which would look at statement
 * and answer once more on their way: 0.1 ms of each statement's time. A transaction is the client's alone.
 */
async function firstOf(adapter: SqlDriverAdapter, { text, values }: Prisma.Sql): Promise<unknown[]> {
  const { rows } = await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(() => AS_IT_IS) });
  return rows[0] ?? [];
}

const AS_IT_IS: ArgType = { scalarType: 'unknown', arity: 'scalar' };

function queryable(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  {
    isApart,
    first,
    attempt,
  }: Pick<Queryable, 'isApart' | 'attempt'> & { first(statement: Prisma.Sql): Promise<unknown[]> },
): Queryable {
  const cells = async <T extends unknown[]>(statement: Prisma.Sql): Promise<T> => {
    const row = await availability.watch(() => first(statement));
    return row.map((cell) => (typeof cell === 'string' ? JSON.parse(cell) : cell)) as T;
  };
  const json = async <T>(statement: Prisma.Sql): Promise<T> => ((await cells(statement))[0] ?? null) as T;
  return {
    isApart,
    prisma,
    json,
    cells,
    async rows({ read }, statement) {
      const rows = await json<unknown[][]>(
        Prisma.sql`select coalesce(json_agg(r.row), '[]') as value from (${statement}) r`,
      );
      return rows.map(read);
    },
    attempt,
  };
}
