// The facts about a request that its log line, the metrics and its trace need.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

export interface RequestRecord {
  /** Sent to the client as x-request-id, and part of every log line about the request. */
  readonly id: string;
  /** SQL statements, when they are followed. Statements of shared work count for the request that began the work. */
  statements: number;
  operation?: { type: string; name: string };
  /** The codes of the errors in a GraphQL answer. */
  readonly codes: string[];
  readonly span: Span | undefined;
}

const records = new AsyncLocalStorage<RequestRecord | undefined>();

/** Counts the statements of `work` in the record. @param record undefined for work that belongs to no request */
export function withRecord<Result>(record: RequestRecord | undefined, work: () => Result): Result {
  return records.run(record, work);
}

export const currentRecord = (): RequestRecord | undefined => records.getStore();
