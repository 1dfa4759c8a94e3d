// The time limit of a request. `respondWithin` ends the wait for its answer with a DatabaseUnavailable. `resolversUntil` refuses
// its further resolvers. Behind them: refuseLate (values/request-time.ts) refuses further steps of a service, sharing/ leaves late items
// out, database/bulkhead.ts limits the wait for a connection, and values/time-budget.ts the time of a statement.
import { DatabaseUnavailable } from '../../../errors';
import type { Resolvers } from '../../../farm/graph/context';
import { refuseLate } from '../../../values/request-time';
import { setTimeout } from '../../../values/timers';

/** Ends the wait. The database may still finish a statement. */
export function respondWithin<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable(`The request was not finished within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The resolvers for work that must have called them by their deadline. */
export function resolversUntil(deadline: number, resolvers: Resolvers): Resolvers {
  return {
    get(type) {
      refuseLate({ deadline });
      return resolvers.get(type);
    },
  };
}
