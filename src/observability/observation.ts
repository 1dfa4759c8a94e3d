// Keeps the facts about the current request that its log line, the metrics and its trace show.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

export interface Observation {
  /** The id that the client gets as x-request-id, and that is in every log line about the request. */
  readonly id: string;
  /** The number of SQL statements, if they are followed. Statements of shared work count for the request that started the work. */
  statements: number;
  operation?: { type: string; name: string };
  /** The codes of the errors in a GraphQL answer. */
  readonly codes: string[];
  readonly span: Span | undefined;
}

const observations = new AsyncLocalStorage<Observation | undefined>();

/** Runs `work` and counts its statements in the observation. @param observation undefined: the work belongs to no request */
export function withObservation<Result>(observation: Observation | undefined, work: () => Result): Result {
  return observations.run(observation, work);
}

export const currentObservation = (): Observation | undefined => observations.getStore();
