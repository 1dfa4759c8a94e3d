// Writes the steps of a printer's prints, each a decision with what was heard: one that fails is tried again and then put aside, so
// that the next ones go on, and of too many prints the rest is left out.
import { randomUUID } from 'node:crypto';
import { type Decision, isAboutEndedPrint } from '../../farm/print-rules/decision';
import type { Reading } from '../../farm/print-rules/print.model';
import { type DeviceHistoryStore, MAX_NEW_PRINTS } from '../../farm/prints/device-history.store';
import type { PrintWritingService, Step, StepResult } from '../../farm/prints/print-writing.service';
import type { PrinterOfDevice } from '../../farm/prints/print-writing.store';
import type { Lease } from '../../sharing/lease';
import { before, HOUR_MS, instantNow } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { DatabaseWork, Pace } from './database-work';

/** The device shows for so long that a report of its machine could not be recorded. */
const SHOWN_MS = HOUR_MS;
/** A step that fails so often while other statements are answered is at fault itself, and not the database. */
const MAX_UNANSWERED = 10;

/** A step that failed so often is put aside. */
const MAX_TRIES = 3;
/** After this time it may be tried once more: what failed may be mended. */
const RETRY_MS = 600_000;
/** A machine reports the same four times a second. */
const REPEAT_SKIP_MS = 10_000;
/** A machine may make up names without end. */
const MAX_REMEMBERED = 100;

/** Why something is left out: there is too much of it, or it cannot be written. */
export type SkipReason = 'TOO_MUCH_DATA' | 'PROTOCOL_ERROR';

export interface WriterParts {
  deviceHistory: DeviceHistoryStore;
  writing: PrintWritingService;
  /** A decision was written. */
  recorded(decision: Decision['do']): void;
  /** Something of the device cannot be written, and the next things are. */
  cannotBeWritten(error: unknown): void;
  /** For a write that the session makes now. */
  newDeadline(): number;
  pace: Readonly<Pace>;
  /** At once, and not only with the next second. */
  skipped(why: SkipReason): void;
}

export class StepWriter {
  private readonly failures = new FailedSteps();
  /** When it was last seen that the device has had as many new prints as an hour may have; null: it has not. */
  private fullAt: number | null = null;
  /** Records of this connection that were one too many. */
  private refusedRecords = 0;
  private readonly skippedAt: Partial<Record<SkipReason, number>> = {};

  constructor(
    private readonly lease: Lease,
    private readonly printer: PrinterOfDevice,
    private readonly parts: WriterParts,
    private readonly work: DatabaseWork,
  ) {}

  /** A new connection reports its history again. */
  open(): void {
    this.refusedRecords = 0;
  }

  /** A history of more prints than a machine makes is not read to its end. */
  refuses({ kind }: Reading): boolean {
    return kind === 'RECORD' && this.refusedRecords >= MAX_NEW_PRINTS;
  }

  /** The session calls it each second. @returns why decisions are left out; null: no decision is left out */
  tick(): SkipReason | null {
    const { fullAt } = this;
    if (fullAt !== null && performance.now() - fullAt > this.parts.pace.fullMs) {
      this.fullAt = performance.now();
      this.work.do(async () => {
        const isFull = () => this.parts.deviceHistory.isFull(this.printer.deviceId, instantNow());
        if (!(await this.work.untilAnswered(isFull))) this.fullAt = null;
      });
    }
    if (fullAt !== null || this.isShown('TOO_MUCH_DATA')) return 'TOO_MUCH_DATA';
    return this.failures.hasSkipped() && this.isShown('PROTOCOL_ERROR') ? 'PROTOCOL_ERROR' : null;
  }

  private isShown(why: SkipReason): boolean {
    return performance.now() - (this.skippedAt[why] ?? -SHOWN_MS) < SHOWN_MS;
  }

  noteSkipped(why: SkipReason): void {
    this.skippedAt[why] = performance.now();
    this.parts.skipped(why);
  }

  /** SKIPPED: it cannot be written, and the next ones are. */
  async write(step: Step): Promise<StepResult | 'SKIPPED'> {
    const { lease, printer, failures, parts } = this;
    if (step.decision.do === 'BEGIN' && this.fullAt !== null) return 'TOO_MANY';
    if (!failures.isSkipped(step)) {
      try {
        const write = () => parts.writing.writeStep(lease, printer, step, this.requestTime());
        const result = await this.work.asHolder(write, 'NOT_HELD', MAX_UNANSWERED);
        if (result === 'TOO_MANY') this.refuse(step);
        if (result !== 'STALE' || isAboutEndedPrint(step.decision)) {
          failures.forget(step);
          if (result === 'DONE') parts.recorded(step.decision.do);
          return result;
        }
        if (!failures.noteFailure(step)) return result;
        parts.cannotBeWritten(new Error(`The rows are others than those of ${step.decision.do}`));
      } catch (error) {
        if (this.work.isStopping || !failures.noteFailure(step)) throw error;
        parts.cannotBeWritten(error);
      }
    }
    this.noteSkipped('PROTOCOL_ERROR');
    if (failures.mayWriteSkipped(step)) await this.writeSkipped(step);
    return 'SKIPPED';
  }

  private async writeSkipped(step: Step): Promise<void> {
    const { lease, printer, parts } = this;
    try {
      await this.work.untilAnswered(() => parts.writing.writeSkipped(lease, printer, step, this.requestTime()));
    } catch (error) {
      if (this.work.isStopping) throw error;
      parts.cannotBeWritten(error);
    }
  }

  private refuse({ decision }: Step): void {
    if (decision.do === 'RECORD') this.refusedRecords += 1;
    const hourAgo = before(instantNow(), HOUR_MS);
    const isOld = decision.do === 'RECORD' && (decision.print.startedAt ?? hourAgo) <= hourAgo;
    if (isOld) this.noteSkipped('TOO_MUCH_DATA');
    else {
      this.fullAt = performance.now();
      this.parts.skipped('TOO_MUCH_DATA');
    }
  }

  private requestTime(): RequestTime {
    return { now: instantNow(), deadline: this.parts.newDeadline(), newId: randomUUID };
  }
}

class FailedSteps {
  private readonly failed = new Map<string, { times: number; at: number; asideAt?: number }>();

  /** Whether it is not to be tried now. */
  isSkipped(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    return found !== undefined && found.times >= MAX_TRIES && performance.now() - found.at < RETRY_MS;
  }

  /** @returns whether it is put aside */
  noteFailure(step: Step): boolean {
    const key = keyOf(step);
    const before = this.failed.get(key);
    const times = (before?.times ?? 0) + 1;
    this.failed.delete(key);
    this.failed.set(key, { ...before, times, at: performance.now() });
    const [oldest] = this.failed.keys();
    if (oldest !== undefined && this.failed.size > MAX_REMEMBERED) this.failed.delete(oldest);
    return times >= MAX_TRIES;
  }

  /** @returns whether what can be kept of it is to be written now, which may fail too; then not again for a while */
  mayWriteSkipped(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    if (found === undefined || performance.now() - (found.asideAt ?? -REPEAT_SKIP_MS) < REPEAT_SKIP_MS) return false;
    found.asideAt = performance.now();
    return true;
  }

  forget(step: Step): void {
    if (this.failed.size > 0) this.failed.delete(keyOf(step));
  }

  /** Whether one was put aside, and was not written since. */
  hasSkipped(): boolean {
    return [...this.failed.values()].some(({ times }) => times >= MAX_TRIES);
  }
}

/** The key of a decision. A decision that is made again has the same key. */
function keyOf({ printId, decision }: Step): string {
  switch (decision.do) {
    case 'BEGIN':
    case 'RECORD': {
      const { externalId, filePath, name } = decision.print;
      return `${decision.do} ${externalId ?? filePath ?? name}`;
    }
    case 'REOPEN':
    case 'RESOLVE':
      return `${decision.do} ${decision.id}`;
    case 'AMEND':
      return `${decision.do} ${decision.filePath}`;
    default:
      return `${decision.do} ${printId}`;
  }
}
