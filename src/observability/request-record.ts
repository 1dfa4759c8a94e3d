// What is noted of a request while it is worked on: for its line in the log, the metrics and its trace.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

export interface RequestRecord {
  /** Sent to the client as x-request-id; every line of the log about the request carries it. */
  readonly id: string;
  /** SQL statements, where they are followed; of work that requests share, whoever begins it has all of them. */
  statements: number;
  operation?: { type: string; name: string };
  /** The codes of a GraphQL answer's errors. */
  readonly codes: string[];
  readonly span: Span | undefined;
}

const records = new AsyncLocalStorage<RequestRecord>();

/** Statements that `work` begins are noted in the record. */
export function noting<Result>(record: RequestRecord, work: () => Result): Result {
  return records.run(record, work);
}

export const currentRecord = (): RequestRecord | undefined => records.getStore();
