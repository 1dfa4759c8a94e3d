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

/** The context for REST and GraphQL themselves, which find resolvers and call them. */
export interface DoorContext extends Context {
  readonly observation: Observation;
  /** The name of the caller; the address of a caller without credentials. */
  readonly client: string;
  /** After the time of the request is over, they refuse every call, so that the request sends no further statement. */
  readonly resolvers: Resolvers;
  /** A context whose `now` and time limit start now, for the next event of a subscription or the next page of a download. */
  restarted(): DoorContext;
  /**
   * Runs a write. A write with an idempotency key runs once, in a transaction, and `work` gets the resolvers of that
   * transaction. Its answer is stored as JSON, and returned for the same key.
   * @param fingerprint the bytes that must be equal if the key is used again; `null` for a write without a key
   * @param isConfidential whether the bytes contain a secret, which nobody must be able to guess from the stored hash
   * @param storedOf returns the part of the answer that is stored
   */
  write<Answer>(
    fingerprint: (() => (string | Buffer)[]) | null,
    work: (resolvers: Resolvers, how: { isKeyed: boolean }) => Promise<Answer>,
    isConfidential?: boolean,
    storedOf?: (answer: Answer) => Answer,
  ): Promise<Answer>;
}
