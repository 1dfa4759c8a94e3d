// The context of a request: its caller, its clock and its source of ids, the same for REST and GraphQL.
import type { Observation } from '../../observability/observation';
import type { RequestTime } from '../../values/request-time';
import type { Caller } from './caller';

/** The context that a resolver gets. */
export interface Context extends RequestTime {
  readonly caller: Caller;
  /** Texts of its answer that are shown this once: they are left out of the answer that is stored for an idempotency key. */
  readonly shownOnce: Set<string>;
}

/** The resolvers on the database, or on the transaction of a write, by their class. */
export interface Resolvers {
  get<Resolver>(type: abstract new (...parts: never[]) => Resolver): Resolver;
}

interface WriteOptions<Answer> {
  /** Whether the bytes of the fingerprint hold a secret, which must not be found by trying many against the stored hash. */
  isConfidential?: boolean;
  /** Whether it writes several things, one after the other. */
  hasSeveralMutations?: boolean;
  /** What of the answer is stored. */
  storedOf?(answer: Answer): Answer;
}

/** The context of REST and GraphQL, which find the resolver and call it. */
export interface DoorContext extends Context {
  readonly observation: Observation;
  /** The name of the caller; the address of a caller without credentials. */
  readonly client: string;
  /** When the time of the request is over, they refuse: the request sends no further statement. */
  readonly resolvers: Resolvers;
  /** The context for work that begins now: `now` and the time of the request begin again. */
  restarted(): DoorContext;
  /**
   * Runs a write. A write with an idempotency key runs once, in a transaction, and `work` gets the resolvers of that
   * transaction. Its answer is stored as JSON, and returned for the same key.
   * @param fingerprint the bytes that must be the same when the key is used again; null for a write that takes no key
   */
  write<Answer>(
    fingerprint: (() => (string | Buffer)[]) | null,
    work: (resolvers: Resolvers, how: { isKeyed: boolean }) => Promise<Answer>,
    options?: WriteOptions<Answer>,
  ): Promise<Answer>;
}
