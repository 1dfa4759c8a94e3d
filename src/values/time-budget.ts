// The time limits of the steps of a request, all derived from REQUEST_TIMEOUT_MS.

export interface TimeBudget {
  /** From the request to its answer. */
  requestMs: number;
  /** The wait of a statement for a connection. */
  connectionMs: number;
  /** PostgreSQL ends a statement after this time. The keys of an identity provider may take as long. */
  statementMs: number;
  /** The driver gives up a statement after this time, because a server that hangs cannot end it. */
  silenceMs: number;
  /** For a transaction, and for its wait for a connection. Limited because other writers wait for its locks. */
  transactionMs: number;
}

/** In 4,500 ms, a statement waits at most 2,000 ms for a connection, and runs at most 3,000 ms. */
export function timeBudget(requestMs: number): TimeBudget {
  const ninths = (count: number) => Math.ceil((requestMs * count) / 9);
  return {
    requestMs,
    connectionMs: ninths(4),
    statementMs: ninths(6),
    silenceMs: ninths(7),
    transactionMs: requestMs,
  };
}

export const USUAL_REQUEST_MS = 4500;
/** For commands, which answer no requests. */
export const USUAL_BUDGET = timeBudget(USUAL_REQUEST_MS);
