// Transactions: their statements go one after the other, and an attempt in them may be refused by a constraint.
import type { Prisma } from '../generated/prisma/client';
import type { Availability } from './availability';
import { losing, violatedConstraint } from './failures';
import { type Around, type Queryable, queryable } from './queryable';

/**
 * The attempts of a transaction: with a savepoint before each, the transaction can go on after a refusal. Without, which
 * saves two round trips of each (keyed writes must be half as fast as plain ones), a refusal undoes the transaction with
 * AttemptRefused.
 */
export type Attempts = 'with savepoints' | 'without savepoints';

export class AttemptRefused extends Error {}

type Work<T> = (transaction: Queryable) => Promise<T>;

/**
 * Runs work on a transaction whose statements go one after the other, for tasks that run side by side in it. No other
 * statement comes between a savepoint and its end: the savepoint would undo that too.
 */
export function withSavepoints<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: Work<T>,
): Promise<T> {
  const { inTurn, inside, transaction } = onTransaction(prisma, availability);
  return work({
    ...transaction,
    attempt: (_store, write) =>
      inTurn(async () => {
        await prisma.$executeRawUnsafe('savepoint attempt');
        try {
          const result = await availability.run(() => losing(() => write(inside)));
          await prisma.$executeRawUnsafe('release savepoint attempt');
          return result;
        } catch (error) {
          await prisma.$executeRawUnsafe('rollback to savepoint attempt').catch(() => {});
          throw error;
        }
      }),
  });
}

export async function withoutSavepoints<T>(
  prisma: Prisma.TransactionClient,
  availability: Availability,
  work: Work<T>,
): Promise<T> {
  const { inTurn, inside, transaction } = onTransaction(prisma, availability);
  let refused = false;
  const attempt: Queryable['attempt'] = (_store, write) =>
    inTurn(async () => {
      // The transaction is lost already.
      if (refused) throw new AttemptRefused();
      try {
        return await availability.run(() => losing(() => write(inside)));
      } catch (error) {
        refused ||= violatedConstraint(error) !== undefined;
        throw error;
      }
    });
  try {
    const result = await work({ ...transaction, attempt });
    if (refused) throw new AttemptRefused();
    return result;
  } catch (error) {
    throw refused ? new AttemptRefused() : error;
  }
}

function onTransaction(prisma: Prisma.TransactionClient, availability: Availability) {
  const first = async (statement: Prisma.Sql) =>
    Object.values((await losing(() => prisma.$queryRaw<object[]>(statement)))[0] ?? {});
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = queue.then(step);
    queue = done.catch(() => {});
    return done;
  };
  const around: Around = (_name, work) => availability.run(work);
  return {
    inTurn,
    inside: queryable(prisma, around, first, true),
    transaction: queryable(prisma, around, (statement) => inTurn(() => first(statement)), true),
  };
}
