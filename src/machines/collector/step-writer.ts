// Writes the decisions about a printer's prints. A decision that fails repeatedly is skipped, so that the next decisions can be written.
// New prints beyond the limit for one hour are skipped too.
import { randomUUID } from 'node:crypto';
import { type Decision, isAboutEndedPrint } from '../../farm/print-rules/decision';
import type { Reading } from '../../farm/print-rules/print.model';
import { type DeviceHistoryStore, MAX_NEW_PRINTS } from '../../farm/prints/device-history.store';
import type { PrintWritingService, Step, StepResult } from '../../farm/prints/print-writing.service';
import type { PrinterOfDevice } from '../../farm/prints/print-writing.store';
import type { Lease } from '../../sharing/lease';
import { HOUR_MS, instantNow, subtractMs } from '../../values/instant';
import type { RequestTime } from '../../values/request-time';
import type { DatabaseWork, Pace } from './database-work';

/** How long the device shows that a report of its machine was skipped. */
const SHOWN_FOR_MS = HOUR_MS;
/** If a step fails this often while the database answers other statements, the step is the cause and not the database. */
const MAX_UNANSWERED_WRITES = 10;

/** A step that failed this often is skipped. */
const MAX_TRIES = 3;
/** After this time a skipped step is tried once more, because the cause of its failure may be gone. */
const RETRY_MS = 600_000;
/** The shortest time between two attempts to keep the figures of a skipped step: a machine may report the same step four times a second. */
const KEEP_AGAIN_MS = 10_000;
/** The most failed steps that are remembered: a hostile machine could invent names without end. */
const MAX_REMEMBERED = 100;

/** Why a change is skipped: there are too many, or it cannot be written. */
export type SkipReason = 'TOO_MUCH_DATA' | 'PROTOCOL_ERROR';

export interface WriterParts {
  deviceHistory: DeviceHistoryStore;
  writing: PrintWritingService;
  /** Is called after a decision was written. */
  onWritten(decision: Decision['do']): void;
  /** Is called if a change cannot be written. The change is skipped, and the next changes are written. */
  onWriteFailed(error: unknown): void;
  /** Returns the deadline of a write that starts now. */
  createDeadline(): number;
  pace: Readonly<Pace>;
  /** Is called immediately when a change is skipped, and not only with the next tick. */
  onSkipped(why: SkipReason): void;
}

export class StepWriter {
  private readonly failures = new FailedSteps();
  /** When a check last found that the device has reached the limit of new prints in an hour; `null` while the device may add prints. */
  private fullAt: number | null = null;
  /** The number of records in this connection that were beyond the limit. */
  private refusedRecords = 0;
  private readonly skippedAt: Partial<Record<SkipReason, number>> = {};

  constructor(
    private readonly lease: Lease,
    private readonly printer: PrinterOfDevice,
    private readonly parts: WriterParts,
    private readonly work: DatabaseWork,
  ) {}

  /** Starts a new connection, which reports the machine's history again. */
  startConnection(): void {
    this.refusedRecords = 0;
  }

  /** Whether to ignore a reading. A history with more prints than a machine can make is not read to its end. */
  refuses({ kind }: Reading): boolean {
    return kind === 'RECORD' && this.refusedRecords >= MAX_NEW_PRINTS;
  }

  /**
   * The session calls this each second.
   * @returns why decisions are skipped; `null` if none are skipped
   */
  tick(): SkipReason | null {
    const { fullAt } = this;
    if (fullAt !== null && performance.now() - fullAt > this.parts.pace.fullMs) {
      this.fullAt = performance.now();
      this.work.enqueue(async () => {
        const startedTooMany = () => this.parts.deviceHistory.startedTooMany(this.printer.deviceId, instantNow());
        if (!(await this.work.retryUntilAnswered(startedTooMany))) this.fullAt = null;
      });
    }
    if (fullAt !== null || this.isShown('TOO_MUCH_DATA')) return 'TOO_MUCH_DATA';
    return this.failures.hasSkipped() && this.isShown('PROTOCOL_ERROR') ? 'PROTOCOL_ERROR' : null;
  }

  private isShown(why: SkipReason): boolean {
    return performance.now() - (this.skippedAt[why] ?? -SHOWN_FOR_MS) < SHOWN_FOR_MS;
  }

  noteSkipped(why: SkipReason): void {
    this.skippedAt[why] = performance.now();
    this.parts.onSkipped(why);
  }

  /** Writes a step. The result SKIPPED means that the step cannot be written. */
  async write(step: Step): Promise<StepResult | 'SKIPPED'> {
    const { lease, printer, failures, parts } = this;
    if (step.decision.do === 'BEGIN' && this.fullAt !== null) return 'TOO_MANY';
    if (!failures.isSkipped(step)) {
      try {
        const write = () => parts.writing.writeStep(lease, printer, step, this.requestTime());
        const result = await this.work.retryUntilHeld(write, 'NOT_HELD', MAX_UNANSWERED_WRITES);
        if (result === 'TOO_MANY') this.skipNewPrint(step);
        if (result !== 'STALE' || isAboutEndedPrint(step.decision)) {
          failures.forget(step);
          if (result === 'DONE') parts.onWritten(step.decision.do);
          return result;
        }
        if (!failures.noteFailure(step)) return result;
        parts.onWriteFailed(new Error(`The rows have changed since the decision ${step.decision.do} was made`));
      } catch (error) {
        if (this.work.isStopping || !failures.noteFailure(step)) throw error;
        parts.onWriteFailed(error);
      }
    }
    this.noteSkipped('PROTOCOL_ERROR');
    if (failures.startKeepingFigures(step)) await this.keepKnownFigures(step);
    return 'SKIPPED';
  }

  private async keepKnownFigures(step: Step): Promise<void> {
    const { lease, printer, parts } = this;
    try {
      await this.work.retryUntilAnswered(() => parts.writing.writeSkipped(lease, printer, step, this.requestTime()));
    } catch (error) {
      if (this.work.isStopping) throw error;
      parts.onWriteFailed(error);
    }
  }

  private skipNewPrint({ decision }: Step): void {
    if (decision.do === 'RECORD') this.refusedRecords += 1;
    const hourAgo = subtractMs(instantNow(), HOUR_MS);
    const isOld = decision.do === 'RECORD' && (decision.print.startedAt ?? hourAgo) <= hourAgo;
    if (isOld) this.noteSkipped('TOO_MUCH_DATA');
    else {
      this.fullAt = performance.now();
      this.parts.onSkipped('TOO_MUCH_DATA');
    }
  }

  private requestTime(): RequestTime {
    return { now: instantNow(), deadline: this.parts.createDeadline(), newId: randomUUID };
  }
}

class FailedSteps {
  private readonly failed = new Map<string, { times: number; at: number; keptAt?: number }>();

  /** Whether a step is skipped now. */
  isSkipped(step: Step): boolean {
    const failure = this.failed.get(toKey(step));
    return failure !== undefined && failure.times >= MAX_TRIES && performance.now() - failure.at < RETRY_MS;
  }

  /** @returns whether the step is skipped from now on */
  noteFailure(step: Step): boolean {
    const key = toKey(step);
    const before = this.failed.get(key);
    const times = (before?.times ?? 0) + 1;
    this.failed.delete(key);
    this.failed.set(key, { ...before, times, at: performance.now() });
    const [oldest] = this.failed.keys();
    if (oldest !== undefined && this.failed.size > MAX_REMEMBERED) this.failed.delete(oldest);
    return times >= MAX_TRIES;
  }

  /** @returns whether to write the figures of a skipped step now. That write may fail too, so it is repeated only after a while. */
  startKeepingFigures(step: Step): boolean {
    const failure = this.failed.get(toKey(step));
    if (failure === undefined || performance.now() - (failure.keptAt ?? -KEEP_AGAIN_MS) < KEEP_AGAIN_MS) return false;
    failure.keptAt = performance.now();
    return true;
  }

  forget(step: Step): void {
    if (this.failed.size > 0) this.failed.delete(toKey(step));
  }

  /** Whether a step was skipped, and was not written since. */
  hasSkipped(): boolean {
    return [...this.failed.values()].some(({ times }) => times >= MAX_TRIES);
  }
}

/** Returns the key of a decision. The same decision has the same key when it is made again. */
function toKey({ printId, decision }: Step): string {
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
