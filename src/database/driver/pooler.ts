// Runs statements through a pooler such as PgBouncer. There a session lasts only for a transaction, so each statement gets a transaction.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

type Query = { sql: string };

/** @param settings the statements at the start of every transaction */
export function throughPooler(factory: SqlDriverAdapterFactory, settings: string): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const startTransaction = adapter.startTransaction.bind(adapter);
      const begin: typeof startTransaction = async (level) => {
        const transaction = await startTransaction(level);
        return rollBackOnFailure(transaction, async () => {
          await transaction.executeRaw(withoutParameters(settings));
          return transaction;
        });
      };
      const runInTransaction = (method: 'queryRaw' | 'executeRaw') => async (query: Query) => {
        const transaction = await begin();
        return rollBackOnFailure(transaction, async () => {
          const result = await (transaction[method] as (query: Query) => Promise<unknown>)(query);
          // In adapter-pg 7.10 the method `commit` only returns the connection to the pool, and Prisma's client sends the statement
          // COMMIT itself. Remove this file when PgBouncer passes the options of a connection on, or when the adapter sends settings
          // with each statement.
          await transaction.executeRaw(withoutParameters('commit'));
          await transaction.commit();
          return result;
        });
      };
      return Object.assign(adapter, {
        startTransaction: begin,
        queryRaw: runInTransaction('queryRaw'),
        executeRaw: runInTransaction('executeRaw'),
      }) as typeof adapter;
    },
  };
}

type Transaction = Awaited<ReturnType<Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>['startTransaction']>>;

/** Rolls the transaction back after a failure. The adapter's `rollback` only returns the connection to the pool. */
async function rollBackOnFailure<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await transaction.executeRaw(withoutParameters('rollback')).catch(() => {});
    await transaction.rollback();
    throw error;
  }
}

const withoutParameters = (sql: string) => ({ sql, args: [], argTypes: [] });
