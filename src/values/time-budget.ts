// Derives the time limits for the steps of a request from REQUEST_TIMEOUT_MS.

export interface TimeBudget {
  /** From the arrival of the request to its answer. */
  requestMs: number;
  /** The longest wait of a statement for a connection. */
  connectionMs: number;
  /** PostgreSQL ends a statement after this time. Loading the keys of an identity provider may take as long. */
  statementMs: number;
  /** The driver gives up a statement after this time, because a server that hangs cannot end it. */
  silenceMs: number;
  /** The limit for a transaction, and for its wait for a connection. Other writers wait for the locks of a transaction. */
  transactionMs: number;
}

/** With the usual 4,500 ms, a statement waits at most 2,000 ms for a connection and runs at most 3,000 ms. */
export function createTimeBudget(requestMs: number): TimeBudget {
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
/** The budget of commands, which do not answer requests. */
export const USUAL_BUDGET = createTimeBudget(USUAL_REQUEST_MS);
