// The clock of one request and its source of ids. Tests replace both, so "set to now" and "generated" are exact.
import type { Instant } from './instant';

export interface Moment {
  /** The time at which the request arrived: the "now" of the documents. */
  readonly now: Instant;
  newId(): string;
}
