// Defines what a request gets at its start: the current time, the deadline and a source of new ids. Tests replace the clock and the ids to check exact values.
import { DeadlineExceeded } from '../errors';
import type { Instant } from './instant';

export interface Deadline {
  /** When the request must be finished, in milliseconds of performance.now(). */
  readonly deadline: number;
}

export interface RequestTime extends Deadline {
  /** The "now" of the two service documents. It is taken when the body of the request has arrived. */
  readonly now: Instant;
  newId(): string;
}

export const isPastDeadline = ({ deadline }: Deadline): boolean => performance.now() > deadline;

/** Throws if the deadline of the request has passed. Work with several statements calls it before each of them. */
export function refusePastDeadline(request: Deadline): void {
  if (isPastDeadline(request)) throw new DeadlineExceeded();
}
