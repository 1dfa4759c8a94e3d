// Prisma's adapter on the embedded database, and what it would keep to itself: that a COMMIT or a ROLLBACK failed.
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';

/** The part of PGlite that the adapter calls. */
export type Statements = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

export function adapterOn(postgres: Statements): PrismaPGlite {
  const statements: Statements = {
    query: (...query) => postgres.query(...query),
    exec: (...script) => postgres.exec(...script),
    transaction: (work) => ThrownOn.by(postgres.transaction((transaction) => work(withQuietRollback(transaction)))),
  };
  return new PrismaPGlite(statements as PGlite);
}

/**
 * The adapter catches a transaction's failure for whoever waits for its start, and then for nobody: a commit whose sync
 * failed would pass for a success. So what has been caught is thrown on, to the commit that waits for the same promise.
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
    // Nobody waits for it when the transaction has not even begun.
    again.then(undefined, () => {});
    return again;
  }
}

/** The adapter does not wait for it, so its failure would end the process; the transaction fails with it anyway. */
function withQuietRollback(transaction: Transaction): Transaction {
  return { ...transaction, rollback: () => transaction.rollback().catch(() => {}) };
}
