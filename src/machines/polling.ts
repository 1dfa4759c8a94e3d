// Asks a machine for its state, or whether it still takes the credentials, again and again: more often while a print runs.

import { setTimeout } from '../values/timers';
import type { ConnectionLifetime } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import { Failure } from '../wire/faults';

export class Polling {
  private isPrinting = false;
  private unreadable = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param ask asks for the state, and reads the answer with `answer` */
  constructor(
    private readonly lifetime: ConnectionLifetime,
    private readonly limits: Pick<Limits, 'pollMs' | 'pollPrintingMs'>,
    private readonly ask: () => void,
  ) {
    lifetime.onClose(() => clearTimeout(this.timer));
  }

  /** The state is asked for later again. An answer that cannot be read is left out; two in a row end the connection. */
  async answer<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    try {
      const body = await read();
      this.unreadable = 0;
      return body;
    } catch (error) {
      const isUnreadable = error instanceof Failure && error.fault === 'PROTOCOL_ERROR';
      this.unreadable = isUnreadable ? this.unreadable + 1 : 0;
      if (this.unreadable > 1) this.lifetime.end('PROTOCOL_ERROR');
      throw error;
    } finally {
      this.later();
    }
  }

  printing(is: boolean): void {
    if (is === this.isPrinting) return;
    this.isPrinting = is;
    if (this.timer !== undefined) this.later();
  }

  later(): void {
    clearTimeout(this.timer);
    if (this.lifetime.signal.aborted) return;
    this.timer = setTimeout(this.ask, this.isPrinting ? this.limits.pollPrintingMs : this.limits.pollMs);
  }
}
