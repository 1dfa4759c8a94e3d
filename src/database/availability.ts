// Watches the results of statements and reports once when the database goes away and once when it is back. After a
// failover, connections end when this is noticed, and again when the new primary answers.
import { DatabaseUnavailable, type OUTAGES } from '../errors';
import { sleep } from '../values/timers';
import type { Driver } from './driver/driver';
import {
  chainOf,
  hasNoConnection,
  isDiskFailure,
  isLockTimeout,
  isReadOnly,
  isStatementTimeout,
  LostTransaction,
} from './failures';

/**
 * Connections that are refused, lost or unavailable; a server that shuts down (57P0x), has no space left (class 53) or
 * cannot use its disk (58030) or is read-only (25006); statements that reached their time limit, also for a lock (55P03).
 */
const CODES = /^(E[A-Z]+|08...|57P0.|57014|55P03|53...|58030|25006|P1001|P1002|P1008|P1017|P2024|P2037)$/;
const KINDS = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TlsConnectionError'];
const MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|is not queryable|waited too long in the queue|The embedded database has stopped/;

/** Prisma's code for a transaction that did not begin or end in time. */
const isOvertime = (error: unknown) => (error as { code?: unknown } | null)?.code === 'P2028';

const NO_ANSWER = 'The database does not answer';
const NO_CONNECTION =
  'The database has no free connection: its operator raises the limit of connections, or lowers DATABASE_POOL_SIZE';

export type Say = (state: 'up' | 'away', message: string, cause?: unknown) => void;

/** The minimum time between two log lines about failing statements while others succeed. */
const QUIET_MS = 60_000;
/** The time between two checks whether a server that was read-only can write. */
const CHECK_MS = 1000;

export class Availability {
  private away = false;
  private answered = 0;
  private saidAt = Number.NEGATIVE_INFINITY;
  /** A read-only server still answers reads. While this is true, the database counts as away. */
  private isReadOnly = false;
  /** Whether the server is being asked until it can write. */
  private isAwaited = false;
  private isClosed = false;
  private asked: Promise<void> | undefined;

  constructor(
    private readonly say: Say,
    private readonly canWrite: () => Promise<unknown>,
    private readonly renew: Driver['renew'],
  ) {}

  /** Returns the result of `work`. A failure caused by an unavailable database becomes an DatabaseUnavailable. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { answered } = this;
    try {
      const result = await work();
      this.answered += 1;
      if (this.away && !this.isReadOnly) {
        this.away = false;
        this.say('up', 'the database answers again');
      }
      return result;
    } catch (error) {
      if (isOvertime(error)) {
        this.failed(error, true);
        throw new DatabaseUnavailable('The write was not finished in time', 'LATE', { cause: error });
      }
      if (error instanceof DatabaseUnavailable || error instanceof LostTransaction || !isOutage(error)) throw error;
      if (isReadOnly(error)) {
        this.isReadOnly = true;
        this.failed(error, false);
        void this.awaitPrimary();
      } else if (!isLockTimeout(error)) {
        // A server that has ended a statement does answer.
        this.failed(error, isStatementTimeout(error) || this.answered > answered);
      }
      throw new DatabaseUnavailable(hasNoConnection(error) ? NO_CONNECTION : NO_ANSWER, outageOf(error), {
        cause: error,
      });
    }
  }

  /** Resolves when the server can write. Probes that arrive together share one check. */
  ready(): Promise<void> {
    this.asked ??= this.run(async () => {
      await this.canWrite();
      this.isReadOnly = false;
    }).finally(() => {
      this.asked = undefined;
    });
    return this.asked;
  }

  close(): void {
    this.isClosed = true;
  }

  /** Asks a read-only server until it can write. Then ends the connections that were made meanwhile too. */
  private async awaitPrimary(): Promise<void> {
    if (this.isAwaited || this.isClosed) return;
    this.isAwaited = true;
    this.renew?.();
    for (let canWrite = false; !canWrite; ) {
      await sleep(CHECK_MS, undefined, { ref: false });
      if (this.isClosed) return;
      canWrite = await this.ready().then(
        () => true,
        () => false,
      );
    }
    this.isAwaited = false;
    if (!this.isClosed) this.renew?.();
  }

  /** A locked table or a full disk fails only some statements: that does not count as a database that is away. */
  private failed(error: unknown, othersWereAnswered: boolean): void {
    if (this.away) return;
    if (!othersWereAnswered) {
      this.away = true;
      this.say('away', 'the database does not answer', error);
    } else if (performance.now() > this.saidAt + QUIET_MS) {
      this.saidAt = performance.now();
      this.say('up', 'statements fail while others are answered', error);
    }
  }
}

/** A connection, or the turn of a statement of the embedded database, did not come in time. */
const WAITED = /timeout exceeded when trying to connect|waited too long in the queue/;
/** PostgreSQL in the embedded database ends itself when it cannot write its log. */
const HAS_STOPPED = /The embedded database has stopped/;

function outageOf(error: unknown): keyof typeof OUTAGES {
  const says = (words: RegExp) => chainOf(error).some(({ message }) => words.test(String(message)));
  if (isStatementTimeout(error)) return 'LATE';
  if (isReadOnly(error) || isDiskFailure(error) || says(HAS_STOPPED)) return 'CANNOT_WRITE';
  return isLockTimeout(error) || hasNoConnection(error) || says(WAITED) ? 'BUSY' : 'AWAY';
}

const isOutage = (error: unknown) =>
  chainOf(error).some(
    ({ code, originalCode, kind, message }) =>
      [code, originalCode].some((one) => typeof one === 'string' && CODES.test(one)) ||
      KINDS.includes(String(kind)) ||
      MESSAGES.test(String(message)),
  );
