// Prisma's adapter on the embedded database. Also reports a failed COMMIT or ROLLBACK, which the adapter would hide.
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { StatementQueue } from './statement-queue';

/** The part of PGlite that the adapter calls. */
type Statements = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

/** @param maxWaitMs the longest wait of a statement in the queue */
export function adapterOn(postgres: Statements, maxWaitMs: number): PrismaPGlite {
  const queue = new StatementQueue(maxWaitMs);
  const breathing = (transaction: Transaction): Transaction => ({
    ...transaction,
    query: (...query) => queue.yieldToEventLoop().then(() => transaction.query(...query)),
    // The adapter does not await a rollback, so its failure would end the process. The transaction fails anyway.
    rollback: () => transaction.rollback().catch(() => {}),
  });
  const statements: Statements = {
    query: (...query) => queue.run(() => postgres.query(...query)),
    exec: (...script) => queue.run(() => postgres.exec(...script)),
    transaction: (work) =>
      ThrownOn.by(queue.run(() => postgres.transaction((transaction) => work(breathing(transaction))))),
  };
  return new PrismaPGlite(statements as PGlite);
}

/**
 * The adapter catches the failure of a transaction and reports it only until the transaction has started. After that, a
 * commit whose sync failed would look like a success. So `catch` throws again, to the commit that awaits this promise.
 * For pglite-prisma-adapter 0.7.2. Remove this when its commit awaits PGlite's transaction.
 */
class ThrownOn<T> extends Promise<T> {
  static by<T>(promise: Promise<T>): ThrownOn<T> {
    return new ThrownOn((resolve, reject) => promise.then(resolve, reject));
  }

  override catch<U>(handle?: ((error: unknown) => U | PromiseLike<U>) | null): Promise<T | U> {
    const again = this.then(undefined, (error) => {
      handle?.(error);
      throw error;
    });
    // When the transaction has not begun, no code waits for this promise.
    again.then(undefined, () => {});
    return again;
  }
}
