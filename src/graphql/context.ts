// What every resolver is handed beside its arguments: the clock, the source of ids and the farm, the same for both doors.
import type { Caller } from '../auth/caller';
import type { Farm } from '../farm';
import type { RequestRecord } from '../observability/request-record';

export interface Context {
  /** Who asks. */
  caller: Caller;
  /** Its id, and what is told of it once it is answered. */
  record: RequestRecord;
  /** The moment the request arrived, RFC 3339 in UTC: what "set to now" means. */
  now: string;
  newId(): string;
  /** The domains over the database, or over the transaction that the request runs in. */
  farm: Farm;
  /**
   * Does a write. When the client named it with an idempotency key it is done once: in a transaction, whose farm `work`
   * is given, and answered from what was kept when it comes again; the answer must survive JSON then. `request` is what
   * tells it from another.
   */
  write<Answer>(request: () => (string | Buffer)[], work: (farm: Farm) => Promise<Answer>): Promise<Answer>;
}
