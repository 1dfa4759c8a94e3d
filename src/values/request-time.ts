// The time of one request: its clock, its deadline, and its source of ids. Tests replace clock and ids, so "set to now" and
// "generated" are exact.
import { DeadlineExceeded } from '../errors';
import type { Instant } from './instant';

export interface Deadline {
  /** When the time of the request is over, on the clock of performance.now(). */
  readonly deadline: number;
}

export interface RequestTime extends Deadline {
  /** The "now" of the documents: when the context was made, which is after the arrival of the request's body. */
  readonly now: Instant;
  newId(): string;
}

export const isOver = ({ deadline }: Deadline): boolean => performance.now() > deadline;

/** For work that takes several statements. Throws when the time of the request is over. */
export function refuseLate(request: Deadline): void {
  if (isOver(request)) throw new DeadlineExceeded();
}
