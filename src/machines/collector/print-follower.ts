// Follows the prints of one printer from reading to reading: the print rules decide, and the decisions are written in their order.

import { randomUUID } from 'node:crypto';
import { shiftAfterClockChange } from '../../farm/print-rules/clock-correction';
import { removeReuseMark } from '../../farm/print-rules/continuation';
import { type Decision, isAboutEndedPrint } from '../../farm/print-rules/decision';
import { type Evaluation, evaluate, evaluateSilence } from '../../farm/print-rules/evaluation';
import { type NewestFigures, newestFiguresOf } from '../../farm/print-rules/newest-figures';
import {
  type EndedPrint,
  type FollowedPrint,
  followFromRow,
  type Reading,
  type RunningPrint,
} from '../../farm/print-rules/print.model';
import type { Step } from '../../farm/prints/print-writing.service';
import type { PrintFacts } from '../../kind-facts';
import { discardFutureTime, type Instant } from '../../values/instant';
import type { LastKnown, UnplannedPrint } from '../machine-adapter';
import type { StepWriter } from './step-writer';

/** The rows of one printer, in the database or in a test. */
export interface PrintRows {
  running(): Promise<(RunningPrint & { id: string }) | null>;
  /** The ended prints that the rules need: the latest prints, and the print with this id. */
  ended(externalId: string | null): Promise<EndedPrint[]>;
  /** The last ended print, if its amounts are still unknown. */
  unplanned(): Promise<UnplannedPrint | null>;
  /**
   * When the printer sent its last message.
   * @param seenAt the time in the row of the running print; `null` if no print is running
   */
  lastContact(seenAt: Instant | null): Promise<Instant | null>;
}

export class PrintFollower {
  private print: FollowedPrint | null = null;
  /** The id in the row of the running print. */
  private runningId: string | null = null;
  private ended: EndedPrint[] = [];
  /** The id, as the machine reports it, of the print for which `ended` was read. */
  private idOfLastRead: string | null = null;
  private isOutOfDate = true;
  private lastContactAt: Instant | null = null;
  private isRowReplaced = false;
  /** The part of the change of our clock that is already applied to the times of the running print. */
  private appliedSettingMs = 0;

  /**
   * @param addedAt when the device was added to the gateway
   * @param setByMs by how much our clock was set since the connection started
   */
  constructor(
    private readonly rows: PrintRows,
    private readonly writer: Pick<StepWriter, 'write'>,
    private readonly addedAt: Instant,
    private readonly machine: PrintFacts,
    private readonly setByMs: () => number = () => 0,
  ) {}

  get printId(): string | null {
    return this.runningId;
  }

  /** The running print in the database; `null` if no print is running. */
  get running(): { id: string; print: FollowedPrint } | null {
    return this.print === null || this.runningId === null ? null : { id: this.runningId, print: this.print };
  }

  /** The figures of the running print; `null` if no print is running. */
  get figures(): NewestFigures | null {
    return this.print && newestFiguresOf(this.print);
  }

  get isPrinting(): boolean {
    return this.print !== null;
  }

  /** Returns whether the row that clients saw may have been replaced since the last call, and resets this flag. */
  resetIsRowReplaced(): boolean {
    const isReplaced = this.isRowReplaced;
    this.isRowReplaced = false;
    return isReplaced;
  }

  /** Reads the rows at the start of a connection. */
  async open(): Promise<LastKnown> {
    const row = await this.rows.running();
    this.print = row && followFromRow(row);
    this.runningId = row?.id ?? null;
    this.appliedSettingMs = 0;
    this.isOutOfDate = true;
    this.lastContactAt = await this.rows.lastContact(row?.seenAt ?? null);
    const unplanned = await this.rows.unplanned();
    return {
      lastContactAt: this.lastContactAt,
      name: row?.name ?? null,
      filePath: row?.filePath ?? null,
      externalId: row?.externalId == null ? null : removeReuseMark(row.externalId),
      ...(unplanned && { unplanned }),
    };
  }

  /** Handles a reading. Returns false if the rows have changed since the decisions were made, so the caller must reconnect. */
  async follow(reading: Reading): Promise<boolean> {
    const evaluation = await this.evaluate(reading);
    if (!(await this.writeDecisions(evaluation))) return false;
    // Two rows became one, so the reading is evaluated again for the merged row.
    return evaluation.decisions[0]?.do !== 'MERGE' || this.writeDecisions(await this.evaluate(reading));
  }

  /** Handles a printer that has sent nothing for too long. Returns false as `follow` does. */
  async endAfterSilence(at: Instant): Promise<boolean> {
    return this.print === null || this.writeDecisions(evaluateSilence(this.print, at));
  }

  private async evaluate(reading: Reading): Promise<Evaluation> {
    await this.readEndedPrints(reading);
    const known = {
      running: this.adjustRunningPrint(reading),
      ended: this.ended,
      lastContactAt: this.lastContactAt && (discardFutureTime(this.lastContactAt, reading.at) ?? reading.at),
      addedAt: discardFutureTime(this.addedAt, reading.at),
      machine: this.machine,
    };
    return evaluate(known, reading);
  }

  private async readEndedPrints({ print }: Reading): Promise<void> {
    if (typeof print === 'string') return;
    const id = print.externalId ?? this.idOfLastRead;
    if (!this.isOutOfDate && id === this.idOfLastRead) return;
    this.ended = await this.rows.ended(id);
    this.idOfLastRead = id;
    this.isOutOfDate = false;
  }

  /** Returns the running print with its times by the clock of the reading. */
  private adjustRunningPrint({ print }: Reading): FollowedPrint | null {
    const setByMs = this.setByMs();
    const setMs = setByMs - this.appliedSettingMs;
    this.appliedSettingMs = setByMs;
    return this.print && shiftAfterClockChange(this.print, typeof print === 'string' ? null : print, setMs);
  }

  private async writeDecisions({ running, decisions }: Evaluation): Promise<boolean> {
    for (const step of toSteps(decisions, this.runningId, randomUUID)) {
      const { decision } = step;
      const result = await this.writer.write(step);
      this.isRowReplaced ||= result === 'SKIPPED' || decision.do === 'REOPEN' || decision.do === 'MERGE';
      if (result === 'STALE' && !isAboutEndedPrint(decision)) return false;
      this.isOutOfDate ||= decision.do !== 'SAVE' && decision.do !== 'BEGIN';
      switch (decision.do) {
        case 'BEGIN':
          if (result === 'SKIPPED') return this.continueFromRow(running);
          if (result === 'TOO_MANY') {
            this.print = null;
            return true;
          }
          this.runningId = step.printId;
          break;
        case 'REOPEN':
        case 'MERGE':
          return this.continueFromRow(running);
        case 'END':
          this.runningId = null;
      }
    }
    this.print = running;
    return true;
  }

  /** Continues with the row of the print, which contains more than this connection received. */
  private async continueFromRow(followed: FollowedPrint | null): Promise<true> {
    const row = await this.rows.running();
    this.print = row && {
      ...followFromRow(row),
      ordinal: followed?.ordinal ?? null,
      feeding: followed?.feeding ?? null,
    };
    this.runningId = row?.id ?? null;
    return true;
  }
}

/**
 * Turns the decisions of one evaluation into steps.
 * @param newId makes the ids of new prints and of sightings
 */
function toSteps(decisions: readonly Decision[], runningId: string | null, newId: () => string): Step[] {
  const steps: Step[] = [];
  for (const decision of decisions) {
    if (decision.do !== 'SIGHTING') {
      const isNew = decision.do === 'BEGIN' || decision.do === 'RECORD';
      const printId = isNew ? newId() : (runningId ?? '');
      steps.push({ printId, decision, sightings: [] });
    } else {
      const { kind, at, text } = decision;
      steps.at(-1)?.sightings.push({ key: newId(), kind, at, text });
    }
  }
  return steps;
}
