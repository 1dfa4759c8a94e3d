// Whether the database is there: told by what happens to statements, said once when it changes.
import { Outage } from '../errors';

/**
 * Connections refused, lost or not to be had, a server that shuts down, has no room left (class 53) or cannot use its disk
 * (58030), and statements that were not finished in time.
 */
const CODES = /^(E[A-Z]+|08...|57P0.|57014|53...|58030|P1001|P1002|P1008|P1017|P2024)$/;
const KINDS = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TlsConnectionError'];
const MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|is not queryable|The embedded database has stopped/;

/** Prisma's code for a transaction that did not begin or end in its time. */
const isOvertime = (error: unknown) => (error as { code?: unknown } | null)?.code === 'P2028';

export type Say = (state: 'up' | 'away', message: string, cause?: unknown) => void;

/** How long it is quiet about statements that fail beside others that are answered. */
const QUIET_MS = 60_000;

export class Availability {
  private away = false;
  private answered = 0;
  private saidAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly say: Say) {}

  /** Hands through what `work` answers; a failure for want of the database becomes an Outage. */
  async watch<Result>(work: () => Promise<Result>): Promise<Result> {
    const { answered } = this;
    try {
      const result = await work();
      this.answered += 1;
      if (this.away) {
        this.away = false;
        this.say('up', 'the database answers again');
      }
      return result;
    } catch (error) {
      if (isOvertime(error)) {
        this.failed(error, true);
        throw new Outage('The write was not finished in time', { cause: error });
      }
      if (error instanceof Outage || !isOutage(error)) throw error;
      this.failed(error, this.answered > answered);
      throw new Outage('The database does not answer', { cause: error });
    }
  }

  /** One table that is locked, or a disk too full to write but not to read, is no database that comes and goes. */
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

function isOutage(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, originalCode, kind, message, cause, meta } = error as Record<string, unknown>;
  return (
    [code, originalCode].some((one) => typeof one === 'string' && CODES.test(one)) ||
    KINDS.includes(String(kind)) ||
    MESSAGES.test(String(message)) ||
    isOutage(cause, depth + 1) ||
    isOutage((meta as Record<string, unknown> | undefined)?.['driverAdapterError'], depth + 1)
  );
}
