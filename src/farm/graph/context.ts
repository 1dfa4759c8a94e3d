// Declares the context of a request, the same for REST and GraphQL: its caller, its time, its ids, and how it runs writes.
import type { Observation } from '../../observability/observation';
import type { RequestTime } from '../../values/request-time';
import type { Caller } from './caller';

/** The context that a resolver gets. */
export interface Context extends RequestTime {
  readonly caller: Caller;
  /** Secrets in the answer that are shown only once. The answer that is stored for an idempotency key does not contain them. */
  readonly shownOnce: Set<string>;
}

/** Finds a resolver by its class. The resolvers work on the database or on the transaction of a write. */
export interface Resolvers {
  get<Resolver>(type: abstract new (...parts: never[]) => Resolver): Resolver;
}

interface WriteOptions<Answer> {
  /** Whether the fingerprint contains a secret. The stored hash must then not let anybody find the secret by trying many values. */
  isConfidential?: boolean;
  /** Whether the operation has several mutations, which run one after the other. */
  hasSeveralMutations?: boolean;
  /** Selects the part of the answer that is stored. */
  storedOf?(answer: Answer): Answer;
}

/** The context for REST and GraphQL themselves, which find resolvers and call them. */
export interface DoorContext extends Context {
  readonly observation: Observation;
  /** The name of the caller; the address of a caller without credentials. */
  readonly client: string;
  /** When the time of the request is over, the resolvers refuse every call, so that the request sends no further statement. */
  readonly resolvers: Resolvers;
  /** A context whose `now` and time limit start now, for the next event of a subscription or the next page of a download. */
  restart(): DoorContext;
  /**
   * Runs a write. A write with an idempotency key runs once, in a transaction, and `work` gets the resolvers of that
   * transaction. Its answer is stored as JSON, and returned for the same key.
   * @param fingerprint the bytes that must be equal if the key is used again; `null` for a write without a key
   */
  write<Answer>(
    fingerprint: (() => (string | Buffer)[]) | null,
    work: (resolvers: Resolvers, how: { isKeyed: boolean }) => Promise<Answer>,
    options?: WriteOptions<Answer>,
  ): Promise<Answer>;
}
