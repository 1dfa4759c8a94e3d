// Running statements: through Prisma's adapter, named, with their answers parsed. In a transaction they go one after the other, and an
// attempt may be refused by a constraint.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import pLimit from 'p-limit';
import { Prisma } from '../generated/prisma/client';
import type { Availability } from './availability';
import { asLostTransaction } from './failures';
import type { RowShape } from './rows';
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
  /** Inside an attempt. Elsewhere reads go through `models`, which has the layers around them. */
  readonly prisma: Prisma.TransactionClient;
  /**
   * Runs a statement whose only row has one column `value`, of type json or text holding JSON, and returns it parsed;
   * null when there is no row. (The column must not hold a JSON text by itself: Prisma parses it, and this would parse it
   * again.)
   */
  json<T>(name: string, statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose only row has several such columns. */
  cells<T extends unknown[]>(name: string, statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose rows have one column `row`, of the shape's JSON. */
  rows<Row>(name: string, shape: RowShape<Row>, statement: Prisma.Sql): Promise<Row[]>;
  /** Reads with Prisma's models: docs/explanation/data-access.md says when. */
  models<T>(name: string, read: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T>;
  /**
   * Runs a write that a constraint may refuse, on `database`. In a transaction it has a savepoint, so that the transaction can go on
   * after the refusal; outside of one it is a statement like others.
   * @param name of the write; `write` gets it for its statement. Its part before the dot is the store.
   */
  attempt<T>(name: string, write: (database: Queryable, name: string) => Promise<T>): Promise<T>;
  /**
   * Does all of `work`, or nothing when it fails. Inside, only `transaction` may be used. A transaction that deadlocks with
   * another writer is undone and done again. In a transaction, `work` is a part of it.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** See sql.ts. In a transaction its own wait for locks stays. */
  lockWait(ms: number): Prisma.Sql;
}

/**
 * The cells of the one row of a statement, through Prisma's adapter without its client. The client would process each
 * statement and its answer a second time: 0.1 ms (floors of W4 to W6 for one client). A transaction belongs to the client.
 */
export async function firstRowOf(adapter: SqlDriverAdapter, { text, values }: Prisma.Sql): Promise<unknown[]> {
  const { rows } = await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(() => AS_IT_IS) });
  return rows[0] ?? [];
}

const AS_IT_IS: ArgType = { scalarType: 'unknown', arity: 'scalar' };

/** The layers around a statement of this name, or around the statements of an attempt. */
export type Guard = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** For statements inside an attempt, which has the layers around it. */
export const unguarded: Guard = (_name, work) => work();

export function queryable(
  prisma: Prisma.TransactionClient,
  guard: Guard,
  runFirstRow: (statement: Prisma.Sql) => Promise<unknown[]>,
  isTransaction: boolean,
): Queryable {
  const cells = async <T extends unknown[]>(name: string, statement: Prisma.Sql): Promise<T> => {
    const row = await guard(name, () => runFirstRow(Prisma.sql`${Prisma.raw(`/* ${name} */`)} ${statement}`));
    return row.map((cell) => (typeof cell === 'string' ? JSON.parse(cell) : cell)) as T;
  };
  const json = async <T>(name: string, statement: Prisma.Sql): Promise<T> =>
    ((await cells(name, statement))[0] ?? null) as T;
  const self: Queryable = {
    prisma,
    json,
    cells,
    async rows(name, { read }, statement) {
      const rows = await json<unknown[][]>(
        name,
        Prisma.sql`select coalesce(json_agg(r.row), '[]') as value from (${statement}) r`,
      );
      return rows.map(read);
    },
    models: (name, read) => guard(name, () => read(prisma)),
    attempt: (name, write) => write(self, name),
    transaction: (work) => work(self),
    lockWait: isTransaction ? () => Prisma.sql`wait (ms) as (select '')` : lockWait,
  };
  return self;
}

/**
 * Runs work on a transaction whose statements go one after the other, for tasks that run side by side in it. No other
 * statement comes between a savepoint and its end: the savepoint would undo that too.
 */
export function onTransaction<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  // From the outside in: availability, loss of the transaction, statement. After a deadlock the whole transaction is retried.
  const guard: Guard = (_name, work) => availability.run(() => asLostTransaction(work));
  const runFirstRow = async (statement: Prisma.Sql) =>
    Object.values((await prisma.$queryRaw<object[]>(statement))[0] ?? {});
  const inTurn = pLimit(1);
  const insideAttempt = queryable(prisma, unguarded, runFirstRow, true);
  const attempt: Queryable['attempt'] = (name, write) =>
    inTurn(async () => {
      await prisma.$executeRawUnsafe('savepoint attempt');
      try {
        const result = await guard(name, () => write(insideAttempt, name));
        await prisma.$executeRawUnsafe('release savepoint attempt');
        return result;
      } catch (error) {
        await prisma.$executeRawUnsafe('rollback to savepoint attempt').catch(() => {});
        throw error;
      }
    });
  const transaction = queryable(prisma, (name, work) => guard(name, () => inTurn(work)), runFirstRow, true);
  const whole: Queryable = { ...transaction, attempt, transaction: (part) => part(whole) };
  return work(whole);
}
