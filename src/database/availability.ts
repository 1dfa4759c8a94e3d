// Decides from the results of statements whether the database is available, and reports each outage and its end once. After a
// failover to another server, it ends the old connections: when it notices the failover, and again when the new primary answers.
import { DatabaseUnavailable, type OUTAGE_MESSAGES } from '../errors';
import { sleep } from '../values/timers';
import type { Driver } from './driver/driver';
import {
  hasNoConnection,
  isDiskFailure,
  isLockTimeout,
  isReadOnly,
  isStatementTimeout,
  LostTransaction,
  listCauses,
} from './failures';

/**
 * The codes of an outage: the connection was refused or lost, or there is none; the server shuts down (57P0x), has no space
 * left (class 53), cannot use its disk (58030) or is read-only (25006); a statement reached its time limit (57014), or waited
 * too long for a lock (55P03).
 */
const CODES = /^(E[A-Z]+|08...|57P0.|57014|55P03|53...|58030|25006|P1001|P1002|P1008|P1017|P2024|P2037)$/;
const KINDS = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TlsConnectionError'];
const MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|is not queryable|waited too long in the queue|The built-in database has stopped/;

/** Whether a transaction did not start or end in time, for which Prisma has a code. */
const isTransactionTimeout = (error: unknown) => (error as { code?: unknown } | null)?.code === 'P2028';

const NO_ANSWER_MESSAGE = 'The database does not answer';
const NO_CONNECTION_MESSAGE =
  "The database has no free connection. Raise the server's limit of connections, or lower DATABASE_POOL_SIZE";

/** Receives what the log and the metrics show of the database: its state, a sentence, and the error if there is one. */
export type ReportState = (state: 'up' | 'away', message: string, cause?: unknown) => void;

/** The minimum time between two log lines about failing statements while other statements succeed. */
const QUIET_MS = 60_000;
/** The time between two checks whether a read-only server can write again. */
const CHECK_MS = 1000;

export class Availability {
  private isAway = false;
  /** The number of statements that succeeded. */
  private successes = 0;
  /** When a failing statement was last reported while others succeeded. */
  private reportedAt = Number.NEGATIVE_INFINITY;
  /** A read-only server still answers reads. While this is true, the database counts as unavailable. */
  private isReadOnly = false;
  /** Whether `awaitPrimary` is checking the server. */
  private isAwaitingPrimary = false;
  private isClosed = false;
  private check: Promise<void> | undefined;

  constructor(
    private readonly report: ReportState,
    private readonly canWrite: () => Promise<unknown>,
    private readonly renew: Driver['renew'],
  ) {}

  /** Returns the result of `work`. If the database is unavailable, throws a DatabaseUnavailable. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const successesBefore = this.successes;
    try {
      const result = await work();
      this.successes += 1;
      if (this.isAway && !this.isReadOnly) {
        this.isAway = false;
        this.report('up', 'The database answers again.');
      }
      return result;
    } catch (error) {
      if (isTransactionTimeout(error)) {
        this.reportFailure(error, true);
        throw new DatabaseUnavailable('The write was not finished in time', 'LATE', { cause: error });
      }
      if (error instanceof DatabaseUnavailable || error instanceof LostTransaction || !isOutage(error)) throw error;
      if (isReadOnly(error)) {
        this.isReadOnly = true;
        this.reportFailure(error, false);
        void this.awaitPrimary();
      } else if (!isLockTimeout(error)) {
        // If the server itself ended the statement, it does answer.
        this.reportFailure(error, isStatementTimeout(error) || this.successes > successesBefore);
      }
      throw new DatabaseUnavailable(
        hasNoConnection(error) ? NO_CONNECTION_MESSAGE : NO_ANSWER_MESSAGE,
        findOutage(error),
        {
          cause: error,
        },
      );
    }
  }

  /** Resolves if the server can write. Probes that arrive at the same time share one check. */
  ready(): Promise<void> {
    this.check ??= this.run(async () => {
      await this.canWrite();
      this.isReadOnly = false;
    }).finally(() => {
      this.check = undefined;
    });
    return this.check;
  }

  close(): void {
    this.isClosed = true;
  }

  /**
   * Ends the connections to a server that became read-only, and checks until the server can write. Then it also ends the
   * connections that were made in the meantime, because they may lead to the old primary.
   */
  private async awaitPrimary(): Promise<void> {
    if (this.isAwaitingPrimary || this.isClosed) return;
    this.isAwaitingPrimary = true;
    this.renew?.();
    for (let canWrite = false; !canWrite; ) {
      await sleep(CHECK_MS, undefined, { ref: false });
      if (this.isClosed) return;
      canWrite = await this.ready().then(
        () => true,
        () => false,
      );
    }
    this.isAwaitingPrimary = false;
    if (!this.isClosed) this.renew?.();
  }

  /** A locked table or a full disk makes only some statements fail. The database then does not count as unavailable. */
  private reportFailure(error: unknown, doOthersSucceed: boolean): void {
    if (this.isAway) return;
    if (!doOthersSucceed) {
      this.isAway = true;
      this.report('away', 'The database does not answer. The gateway retries until it does.', error);
    } else if (performance.now() > this.reportedAt + QUIET_MS) {
      this.reportedAt = performance.now();
      this.report('up', 'Some statements fail, while the database answers others. The error names the cause.', error);
    }
  }
}

/** A connection, or the turn of a statement of the embedded database, did not come in time. */
const WAITED = /timeout exceeded when trying to connect|waited too long in the queue/;
/** PostgreSQL in the embedded database ends itself when it cannot write its log. */
const HAS_STOPPED = /The built-in database has stopped/;

function findOutage(error: unknown): keyof typeof OUTAGE_MESSAGES {
  const hasMessage = (words: RegExp) => listCauses(error).some(({ message }) => words.test(String(message)));
  if (isStatementTimeout(error)) return 'LATE';
  if (isReadOnly(error) || isDiskFailure(error) || hasMessage(HAS_STOPPED)) return 'CANNOT_WRITE';
  return isLockTimeout(error) || hasNoConnection(error) || hasMessage(WAITED) ? 'BUSY' : 'AWAY';
}

const isOutage = (error: unknown) =>
  listCauses(error).some(
    ({ code, originalCode, kind, message }) =>
      [code, originalCode].some((candidate) => typeof candidate === 'string' && CODES.test(candidate)) ||
      KINDS.includes(String(kind)) ||
      MESSAGES.test(String(message)),
  );
