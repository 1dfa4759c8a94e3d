// Transactions: their statements go one after the other, and an attempt in them may be refused by a constraint.
import pLimit from 'p-limit';
import type { Prisma } from '../generated/prisma/client';
import type { Availability } from './availability';
import { asLostTransaction } from './failures';
import { type Guard, type Queryable, queryable, unguarded } from './queryable';

/**
 * Runs work on a transaction whose statements go one after the other, for tasks that run side by side in it. No other
 * statement comes between a savepoint and its end: the savepoint would undo that too.
 */
export function onTransaction<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  // From the outside in: availability, loss of the transaction, statement. After a deadlock the whole transaction is retried.
  const guard: Guard = (_name, work) => availability.run(() => asLostTransaction(work));
  const runFirstRow = async (statement: Prisma.Sql) =>
    Object.values((await prisma.$queryRaw<object[]>(statement))[0] ?? {});
  const inTurn = pLimit(1);
  const insideAttempt = queryable(prisma, unguarded, runFirstRow, true);
  const attempt: Queryable['attempt'] = (name, write) =>
    inTurn(async () => {
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
  const transaction = queryable(prisma, (name, work) => guard(name, () => inTurn(work)), runFirstRow, true);
  const whole: Queryable = { ...transaction, attempt, transaction: (part) => part(whole) };
  return work(whole);
}
