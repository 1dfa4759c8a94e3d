// Prisma's adapter with somebody who is told of every statement: the one place that all of them pass, on both databases.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

/** Told when a statement begins; what it answers is called at its end, with what went wrong. */
export type StatementObserver = (text: string) => (failure?: unknown) => void;

type Queryable = Pick<Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>, 'queryRaw' | 'executeRaw'>;

export function observed(factory: SqlDriverAdapterFactory, observer: StatementObserver): SqlDriverAdapterFactory {
  const watch = <Watched extends Queryable>(queryable: Watched): Watched => {
    for (const method of ['queryRaw', 'executeRaw'] as const) {
      const run = queryable[method].bind(queryable) as (query: { sql: string }) => Promise<unknown>;
      queryable[method] = (async (query: { sql: string }) => {
        const ended = observer(query.sql);
        try {
          const result = await run(query);
          ended();
          return result;
        } catch (error) {
          ended(error);
          throw error;
        }
      }) as Queryable['queryRaw'] & Queryable['executeRaw'];
    }
    return queryable;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = watch(await factory.connect());
      const begin = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => watch(await begin(level));
      return adapter;
    },
  };
}
