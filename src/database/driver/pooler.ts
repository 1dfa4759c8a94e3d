// Statements through a pooler such as PgBouncer, where a session lasts as long as a transaction: each statement has one.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

type Query = { sql: string };

/** @param settings the statements that every transaction begins with */
export function throughPooler(factory: SqlDriverAdapterFactory, settings: string): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const startTransaction = adapter.startTransaction.bind(adapter);
      const begin: typeof startTransaction = async (level) => {
        const transaction = await startTransaction(level);
        return undoneOnFailure(transaction, async () => {
          await transaction.executeRaw(plain(settings));
          return transaction;
        });
      };
      const alone = (method: 'queryRaw' | 'executeRaw') => async (query: Query) => {
        const transaction = await begin();
        return undoneOnFailure(transaction, async () => {
          const result = await (transaction[method] as (query: Query) => Promise<unknown>)(query);
          // In adapter-pg 7.10 `commit` gives the connection back, and Prisma's client sends the statement itself. Remove
          // this when PgBouncer passes options of a connection on, or the adapter sends settings with each statement.
          await transaction.executeRaw(plain('commit'));
          await transaction.commit();
          return result;
        });
      };
      return Object.assign(adapter, {
        startTransaction: begin,
        queryRaw: alone('queryRaw'),
        executeRaw: alone('executeRaw'),
      }) as typeof adapter;
    },
  };
}

type Transaction = Awaited<ReturnType<Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>['startTransaction']>>;

/** Gives the connection back after a failure; the adapter's own `rollback` does no more than that. */
async function undoneOnFailure<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await transaction.executeRaw(plain('rollback')).catch(() => {});
    await transaction.rollback();
    throw error;
  }
}

const plain = (sql: string) => ({ sql, args: [], argTypes: [] });
