// Writes the steps of a printer's prints: a step that keeps failing is skipped so that the next steps continue, and prints beyond the hourly limit are skipped.
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

/** The device shows for this time that a report of its machine could not be recorded. */
const SHOWN_MS = HOUR_MS;
/** If a step fails this often while other statements succeed, the step is at fault and not the database. */
const MAX_UNANSWERED = 10;

/** A step that failed this often is skipped. */
const MAX_TRIES = 3;
/** After this time a skipped step is tried once more, because the cause may be repaired. */
const RETRY_MS = 600_000;
/** What can be kept of a skipped step is written at most once in this time, because a machine reports the same four times a second. */
const REPEAT_SKIP_MS = 10_000;
/** The most failed steps that are remembered, because a machine may invent endless names. */
const MAX_REMEMBERED = 100;

/** Why a change is skipped: there are too many, or it cannot be written. */
export type SkipReason = 'TOO_MUCH_DATA' | 'PROTOCOL_ERROR';

export interface WriterParts {
  deviceHistory: DeviceHistoryStore;
  writing: PrintWritingService;
  /** Counts a written decision. */
  recorded(decision: Decision['do']): void;
  /** Reports that a change of the device cannot be written. The following changes are written. */
  cannotBeWritten(error: unknown): void;
  /** The deadline of a write that starts now. */
  newDeadline(): number;
  pace: Readonly<Pace>;
  /** Shows a skipped change immediately, and not only with the next tick. */
  skipped(why: SkipReason): void;
}

export class StepWriter {
  private readonly failures = new FailedSteps();
  /** When the device last had as many new prints as an hour may have. `null` if it has fewer. */
  private fullAt: number | null = null;
  /** The records of this connection that exceeded the limit. */
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

  /** Whether a reading is not even evaluated: a history with more prints than a machine can make is not read to its end. */
  refuses({ kind }: Reading): boolean {
    return kind === 'RECORD' && this.refusedRecords >= MAX_NEW_PRINTS;
  }

  /**
   * The session calls this each second.
   * @returns why changes are skipped; `null` if none is skipped
   */
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

  /** `SKIPPED`: the step cannot be written. The following steps are written. */
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
        parts.cannotBeWritten(new Error(`The rows have changed since the decision ${step.decision.do}`));
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
  private readonly failed = new Map<string, { times: number; at: number; keptAt?: number }>();

  /** Whether the step must not be tried now. */
  isSkipped(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    return found !== undefined && found.times >= MAX_TRIES && performance.now() - found.at < RETRY_MS;
  }

  /** @returns whether the step is skipped from now on */
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

  /** Whether what can be kept of a skipped step may be written now. That may fail too, so it is not tried again for a while. */
  mayWriteSkipped(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    if (found === undefined || performance.now() - (found.keptAt ?? -REPEAT_SKIP_MS) < REPEAT_SKIP_MS) return false;
    found.keptAt = performance.now();
    return true;
  }

  forget(step: Step): void {
    if (this.failed.size > 0) this.failed.delete(keyOf(step));
  }

  /** Whether a step was skipped and has not been written since. */
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
