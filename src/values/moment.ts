// The clock of one request and its source of ids. Tests replace both, so "set to now" and "generated" are exact.
import type { Instant } from './instant';

export interface Moment {
  /** The "now" of the documents: when the context was made, which is after the arrival of the request's body. */
  readonly now: Instant;
  newId(): string;
}
