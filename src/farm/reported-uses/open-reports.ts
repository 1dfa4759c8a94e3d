// Knows which reports this process is answering, and notes which ones were answered. A client that did not get the answer sends the amount
// again, so the gateway must know of each report whether its client has got the answer.
import { randomUUID } from 'node:crypto';
import { setTimeout, sleep } from '../../values/timers';

/** The HTTP request of a report. */
export interface ReportExchange {
  /** Whether the connection of the client is open. */
  isOpen(): boolean;
  /**
   * Calls back when the exchange has ended: with true if the answer was written out and reported no error. Calls back again with false if
   * it turns out that the client had closed the connection before.
   */
  onEnd(callBack: (isAnswered: boolean) => void): void;
}

/** Answers are noted together, so that 150 printers cost some writes a second. A kill between an answer and its note loses the next report. */
const NOTED_AFTER_MS = 100;
const RETRIED_AFTER_MS = 1000;

export class OpenReports {
  /** Tells the reports of this process from those of other processes, and of an earlier run. */
  readonly process = randomUUID();
  private readonly open = new Set<string>();
  private answered: string[] = [];
  private noting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isClosing = false;

  /** @param note deletes the reports with these ids from the unanswered ones */
  constructor(private readonly note: (ids: readonly string[]) => Promise<unknown>) {}

  /** The reports that are running, or that were answered and are not yet noted. The client of such a report does not repeat it. */
  list(): string[] {
    return [...this.open];
  }

  /**
   * Runs the work that stores a report. The report is open until the exchange ends and, if it was answered, until that is noted.
   * @param store gets the id of the report
   */
  async run<Outcome>(exchange: ReportExchange, store: (id: string) => Promise<Outcome>): Promise<Outcome> {
    const id = randomUUID();
    let isStored = false;
    this.open.add(id);
    exchange.onEnd((isAnswered) => {
      if (isAnswered && isStored) this.noteLater(id);
      else this.withdraw(id);
    });
    try {
      const outcome = await store(id);
      isStored = true;
      return outcome;
    } catch (error) {
      // If the report was stored although its statement failed, the client repeats it.
      this.open.delete(id);
      throw error;
    }
  }

  /** Notes the last answers. No report may start afterwards. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (this.answered.length > 0) await this.noteAnswered();
    await this.noting;
  }

  /** The client of the report does not have its answer. If the answer was noted already, that stays. */
  private withdraw(id: string): void {
    this.open.delete(id);
    this.answered = this.answered.filter((answered) => answered !== id);
  }

  private noteLater(id: string): void {
    this.answered.push(id);
    if (this.timer !== null || this.noting !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!this.isClosing) void this.noteAnswered();
    }, NOTED_AFTER_MS).unref();
  }

  private noteAnswered(): Promise<void> {
    this.noting ??= this.noteAll().finally(() => {
      this.noting = null;
    });
    return this.noting;
  }

  private async noteAll(): Promise<void> {
    while (this.answered.length > 0) {
      const ids = this.answered;
      this.answered = [];
      try {
        await this.note(ids);
        for (const id of ids) this.open.delete(id);
      } catch {
        // The database does not answer. The reports stay open for this process, so the next reports count whole.
        this.answered = [...ids, ...this.answered];
        if (this.isClosing) return;
        await sleep(RETRIED_AFTER_MS, undefined, { ref: false });
      }
    }
  }
}
