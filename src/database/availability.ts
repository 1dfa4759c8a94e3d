// Whether the database is there: told by what happens to statements, said once when it changes.
import { Outage } from '../errors';

/**
 * Connections refused, lost or not to be had, a server that shuts down, has no room left (class 53) or cannot use its disk
 * (58030), and statements that were not finished in time.
 */
const CODES = /^(E[A-Z]+|08...|57P0.|57014|53...|58030|P1001|P1002|P1008|P1017|P2024)$/;
const KINDS = ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections', 'TlsConnectionError'];
const MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|The embedded database has stopped/;

export class Availability {
  private away = false;

  constructor(private readonly say: (message: string, cause: unknown) => void) {}

  /** Hands through what `work` answers; a failure for want of the database becomes an Outage. */
  async watch<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      if (this.away) {
        this.away = false;
        this.say('the database answers again', undefined);
      }
      return result;
    } catch (error) {
      if (error instanceof Outage || !isOutage(error)) throw error;
      if (!this.away) {
        this.away = true;
        this.say('the database does not answer', error);
      }
      throw new Outage('The database does not answer', { cause: error });
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
