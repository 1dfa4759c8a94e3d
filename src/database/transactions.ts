// Transactions: their statements go one after the other, and an attempt in them may be refused by a constraint.
import type { Prisma } from '../generated/prisma/client';
import type { Availability } from './availability';
import { asLostTransaction, violatedConstraint } from './failures';
import { type Guard, type Queryable, queryable, unguarded } from './queryable';

/**
 * The attempts of a transaction: with a savepoint before each, the transaction can go on after a refusal. Without, which
 * saves two round trips of each (keyed writes must be half as fast as plain ones), a refusal undoes the transaction with
 * AttemptRefused.
 */
export type Attempts = 'with savepoints' | 'without savepoints';

export class AttemptRefused extends Error {}

/**
 * Runs work on a transaction whose statements go one after the other, for tasks that run side by side in it. No other
 * statement comes between a savepoint and its end: the savepoint would undo that too.
 */
export function onTransaction<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  attempts: Attempts,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const hasSavepoints = attempts === 'with savepoints';
  // From the outside in: availability, loss of the transaction, statement. After a deadlock the whole transaction is retried.
  const guard: Guard = (_name, work) => availability.run(() => asLostTransaction(work));
  const runFirstRow = async (statement: Prisma.Sql) =>
    Object.values((await prisma.$queryRaw<object[]>(statement))[0] ?? {});
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const done = queue.then(step);
    queue = done.catch(() => {});
    return done;
  };
  const insideAttempt = queryable(prisma, unguarded, runFirstRow, true);
  let refused = false;
  const attempt: Queryable['attempt'] = (name, write) =>
    inTurn(async () => {
      // The transaction is lost already.
      if (refused) throw new AttemptRefused();
      if (hasSavepoints) await prisma.$executeRawUnsafe('savepoint attempt');
      try {
        const result = await guard(name, () => write(insideAttempt, name));
        if (hasSavepoints) await prisma.$executeRawUnsafe('release savepoint attempt');
        return result;
      } catch (error) {
        if (hasSavepoints) await prisma.$executeRawUnsafe('rollback to savepoint attempt').catch(() => {});
        else refused = violatedConstraint(error) !== undefined;
        throw error;
      }
    });
  const transaction = queryable(prisma, (name, work) => guard(name, () => inTurn(work)), runFirstRow, true);
  return work({ ...transaction, attempt }).finally(() => {
    // The work may have caught the refusal, or failed with an error of its own.
    if (refused) throw new AttemptRefused();
  });
}
