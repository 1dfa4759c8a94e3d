// Reports the start and the end of every statement that goes through Prisma's adapter, on a server and on the built-in database.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

/** Called when a statement starts. Returns a function that is called when it ends, with the error if it failed. */
export type StatementObserver = (text: string) => (failure?: unknown) => void;

type Watchable = Pick<Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>, 'queryRaw' | 'executeRaw'>;

export function observeStatements(
  factory: SqlDriverAdapterFactory,
  observer: StatementObserver,
): SqlDriverAdapterFactory {
  const watch = <Watched extends Watchable>(queryable: Watched): Watched => {
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
      }) as Watchable['queryRaw'] & Watchable['executeRaw'];
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
