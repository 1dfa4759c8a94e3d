// The facts of a request that its log line, the metrics and its trace show.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

export interface Observation {
  /** Sent to the client as x-request-id, and part of every log line about the request. */
  readonly id: string;
  /** SQL statements, when they are followed. Statements of shared work count for the request that began the work. */
  statements: number;
  operation?: { type: string; name: string };
  /** The codes of the errors in a GraphQL answer. */
  readonly codes: string[];
  readonly span: Span | undefined;
}

const observations = new AsyncLocalStorage<Observation | undefined>();

/** Counts the statements of `work` in the observation. @param observation undefined for work that belongs to no request */
export function withObservation<Result>(observation: Observation | undefined, work: () => Result): Result {
  return observations.run(observation, work);
}

export const currentObservation = (): Observation | undefined => observations.getStore();
