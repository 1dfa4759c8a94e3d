// Connects Prisma's adapter to the built-in database, and reports a failed COMMIT, which the adapter would hide.
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { StatementQueue } from './statement-queue';

/** The methods of PGlite that the adapter calls. */
type Statements = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

/** @param maxWaitMs the longest wait of a statement in the queue */
export function connectAdapter(postgres: Statements, maxWaitMs: number): PrismaPGlite {
  const queue = new StatementQueue(maxWaitMs);
  const yieldBeforeStatements = (transaction: Transaction): Transaction => ({
    ...transaction,
    query: (...query) => queue.yieldToEventLoop().then(() => transaction.query(...query)),
    // The adapter does not await a rollback, so a failed rollback would end the process. The transaction fails anyway.
    rollback: () => transaction.rollback().catch(() => {}),
  });
  const statements: Statements = {
    query: (...query) => queue.run(() => postgres.query(...query)),
    exec: (...script) => queue.run(() => postgres.exec(...script)),
    transaction: (work) =>
      RethrowingPromise.by(
        queue.run(() => postgres.transaction((transaction) => work(yieldBeforeStatements(transaction)))),
      ),
  };
  return new PrismaPGlite(statements as PGlite);
}

/**
 * A promise whose `catch` throws the error again. The adapter catches the failure of a transaction, and reports it only if the
 * transaction has not started yet. So a commit whose sync to the disk failed would look like a success. With this promise the
 * error reaches the commit, which awaits it. pglite-prisma-adapter 0.7.2 needs this. Remove it when the adapter's commit awaits
 * PGlite's transaction.
 */
class RethrowingPromise<T> extends Promise<T> {
  static by<T>(promise: Promise<T>): RethrowingPromise<T> {
    return new RethrowingPromise((resolve, reject) => promise.then(resolve, reject));
  }

  override catch<U>(handle?: ((error: unknown) => U | PromiseLike<U>) | null): Promise<T | U> {
    const rethrown = this.then(undefined, (error) => {
      handle?.(error);
      throw error;
    });
    // If the transaction has not started, nothing awaits this promise, and its failure would end the process.
    rethrown.then(undefined, () => {});
    return rethrown;
  }
}
