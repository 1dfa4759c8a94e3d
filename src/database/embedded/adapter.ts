// Prisma's adapter on the embedded database. Also reports a failed COMMIT or ROLLBACK, which the adapter would hide.
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { Turns } from './turns';

/** The part of PGlite that the adapter calls. */
type Statements = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

/** @param maxWaitMs the longest wait of a statement for its turn */
export function adapterOn(postgres: Statements, maxWaitMs: number): PrismaPGlite {
  const turns = new Turns(maxWaitMs);
  const breathing = (transaction: Transaction): Transaction => ({
    ...transaction,
    query: (...query) => turns.breathe().then(() => transaction.query(...query)),
    // The adapter does not await a rollback, so its failure would end the process. The transaction fails anyway.
    rollback: () => transaction.rollback().catch(() => {}),
  });
  const statements: Statements = {
    query: (...query) => turns.take(() => postgres.query(...query)),
    exec: (...script) => turns.take(() => postgres.exec(...script)),
    transaction: (work) =>
      ThrownOn.by(turns.take(() => postgres.transaction((transaction) => work(breathing(transaction))))),
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
