// The clock of one request, its end, and its source of ids. Tests replace clock and ids, so "set to now" and
// "generated" are exact.
import { DeadlineExceeded } from '../errors';
import type { Instant } from './instant';

export interface Moment {
  /** The "now" of the documents: when the context was made, which is after the arrival of the request's body. */
  readonly now: Instant;
  /** When the time of the request is over, on the clock of performance.now(). */
  readonly end: number;
  newId(): string;
}

export const isOver = ({ end }: Pick<Moment, 'end'>): boolean => performance.now() > end;

/** For work that takes several statements. Throws when the time of the request is over. */
export function refuseLate(moment: Pick<Moment, 'end'>): void {
  if (isOver(moment)) throw new DeadlineExceeded();
}
