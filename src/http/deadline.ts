// The time limit of a request: an answer that takes longer becomes an Outage.
import { Outage } from '../errors';

/** Ends the wait, not the work: the database may still finish a statement. */
export function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Outage(`The request was not finished within ${ms} ms`)), ms);
    const done = (settle: () => void) => {
      clearTimeout(timer);
      settle();
    };
    work.then(
      (result) => done(() => resolve(result)),
      (error) => done(() => reject(error)),
    );
  });
}
