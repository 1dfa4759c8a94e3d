// The longest that a client waits: what takes longer is answered with a failure, whatever it waits for.
import { Outage } from '../errors';

/** Ends the waiting, not the work: what the database has begun it may still finish. */
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
