// Runs the statements of stores on the database or in a transaction: gives each its name, parses its answer, and lets a transaction
// continue after a write that a constraint refused.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import pLimit from 'p-limit';
import { Prisma } from '../generated/prisma/client';
import type { Availability } from './availability';
import { detectLostTransaction } from './failures';
import type { RowShape } from './rows';
import { lockWait } from './sql';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type ArgType = Parameters<SqlDriverAdapter['queryRaw']>[0]['argTypes'][number];

/**
 * Runs statements on the database or in a transaction. `name` is the store and its method, such as `cameras.list`. The statement
 * starts with it as a comment, so that slow-query logs and pg_stat_statements lead to the line of code. Outside of a
 * transaction, the statements of one store share a limited number of connections, and a statement that a deadlock undid runs
 * again.
 */
export interface Queryable {
  /** For writes inside of an attempt. Anywhere else, use `models`, which adds the layers around a statement. */
  readonly prisma: Prisma.TransactionClient;
  /**
   * Runs a statement whose only row has one column `value`, of type json or a text with JSON, and returns the parsed value;
   * null if there is no row. The value must not be a JSON string: Prisma parses it, and this function would parse it again.
   */
  json<T>(name: string, statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose only row has several such columns. */
  cells<T extends unknown[]>(name: string, statement: Prisma.Sql): Promise<T>;
  /** Runs a statement whose rows have one column `row` with the JSON of the shape. */
  rows<Row>(name: string, shape: RowShape<Row>, statement: Prisma.Sql): Promise<Row[]>;
  /** Reads with Prisma's models: docs/explanation/data-access.md says when. */
  models<T>(name: string, read: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T>;
  /**
   * Runs a write that a constraint may refuse. In a transaction the write gets a savepoint, so that the transaction can continue
   * after a refusal. Outside of a transaction it runs like any other statement.
   * @param name the name of the statement, which is passed to `write`
   */
  attempt<T>(name: string, write: (database: Queryable, name: string) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction: if it fails, nothing of it is stored. `work` must use only the `transaction` that it gets. After
   * a deadlock with another writer, the whole transaction runs again. Inside of a transaction, `work` becomes a part of it.
   * @param limitMs for work in the background that may take longer than a request
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, limitMs?: number): Promise<T>;
  /** As sql.ts describes it. Inside of a transaction it has no effect: the transaction keeps its own limit. */
  lockWait(ms: number): Prisma.Sql;
}

/**
 * Reads the cells of the only row of a statement. It uses Prisma's adapter without Prisma's client, which would process each
 * statement and its answer a second time and so take 0.1 ms (floors of W4 to W6 for one client). Statements of a transaction
 * need the client, because the client has the transaction.
 */
export async function readFirstRow(adapter: SqlDriverAdapter, { text, values }: Prisma.Sql): Promise<unknown[]> {
  const { rows } = await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(() => UNCHANGED) });
  return rows[0] ?? [];
}

/** Makes the adapter pass a value on unchanged. */
const UNCHANGED: ArgType = { scalarType: 'unknown', arity: 'scalar' };

/** Adds the layers around a statement with this name, or around the statements of an attempt. */
export type Guard = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Adds nothing: the layers are around the attempt as a whole. */
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
 * Runs work in a transaction. Tasks of the work may run at the same time, but their statements run one after the other. While an
 * attempt has a savepoint, no other statement runs, because a rollback to the savepoint would undo that statement, too.
 */
export function runOnTransaction<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  // The layers around a statement, from the outside: availability, loss of the transaction. After a deadlock the whole transaction
  // runs again, not the statement.
  const guard: Guard = (_name, work) => availability.run(() => detectLostTransaction(work));
  const runFirstRow = async (statement: Prisma.Sql) =>
    Object.values((await prisma.$queryRaw<object[]>(statement))[0] ?? {});
  const oneAtATime = pLimit(1);
  const insideAttempt = queryable(prisma, unguarded, runFirstRow, true);
  const attempt: Queryable['attempt'] = (name, write) =>
    oneAtATime(async () => {
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
  const transaction = queryable(prisma, (name, work) => guard(name, () => oneAtATime(work)), runFirstRow, true);
  const whole: Queryable = { ...transaction, attempt, transaction: (part) => part(whole) };
  return work(whole);
}
