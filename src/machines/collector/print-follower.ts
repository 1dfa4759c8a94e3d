// Follows the prints of one printer from reading to reading: the rules decide, and the decisions are written in their order.
import { randomUUID } from 'node:crypto';
import { shiftAfterClockChange } from '../../farm/print-rules/clock-correction';
import { idAsReported } from '../../farm/print-rules/continuation';
import { type Decision, isAboutEndedPrint } from '../../farm/print-rules/decision';
import { type Evaluation, evaluate, printerSilent } from '../../farm/print-rules/evaluation';
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
import { asEvidence, type Instant } from '../../values/instant';
import type { Opened, UnplannedPrint } from '../machine-adapter';
import type { StepWriter } from './step-writer';

/** Reads the rows of one printer. Tests replace it. */
export interface PrintRows {
  running(): Promise<(RunningPrint & { id: string }) | null>;
  /** The ended prints that the rules need: the latest ones, and the one with this id. */
  ended(externalId: string | null): Promise<EndedPrint[]>;
  /** The last ended print, if its amounts are not known yet. */
  unplanned(): Promise<UnplannedPrint | null>;
  /**
   * The last contact with the printer.
   * @param seenAt the last contact by the running print; `null` if no print is running
   */
  lastContact(seenAt: Instant | null): Promise<Instant | null>;
}

export class PrintFollower {
  private print: FollowedPrint | null = null;
  /** The id of the row of the running print. */
  private rowId: string | null = null;
  private ended: EndedPrint[] = [];
  /** The external id for which `ended` was read. */
  private lookedUpId: string | null = null;
  private isOutOfDate = true;
  private lastContactAt: Instant | null = null;
  private isRowReplaced = false;
  /** By how much our clock was set since the start of the connection, as far as the times of the running print include it. */
  private clockSetMs = 0;

  /**
   * @param addedAt when the printer was connected to the gateway
   * @param setByMs by how much our clock was set since the start of the connection
   */
  constructor(
    private readonly rows: PrintRows,
    private readonly writer: Pick<StepWriter, 'write'>,
    private readonly addedAt: Instant,
    private readonly machine: PrintFacts,
    private readonly setByMs: () => number = () => 0,
  ) {}

  get printId(): string | null {
    return this.rowId;
  }

  /** The figures of the running print. `null` if no print is running. */
  get figures(): NewestFigures | null {
    return this.print && newestFiguresOf(this.print);
  }

  get isPrinting(): boolean {
    return this.print !== null;
  }

  /** Whether the row of the shown print may have been replaced since the last call. */
  takeRowReplaced(): boolean {
    const isReplaced = this.isRowReplaced;
    this.isRowReplaced = false;
    return isReplaced;
  }

  /** Reads the rows at the start of a connection. */
  async open(): Promise<Opened> {
    const row = await this.rows.running();
    this.print = row && followFromRow(row);
    this.rowId = row?.id ?? null;
    this.clockSetMs = 0;
    this.isOutOfDate = true;
    this.lastContactAt = await this.rows.lastContact(row?.seenAt ?? null);
    const unplanned = await this.rows.unplanned();
    return {
      lastContactAt: this.lastContactAt,
      name: row?.name ?? null,
      filePath: row?.filePath ?? null,
      externalId: row?.externalId == null ? null : idAsReported(row.externalId),
      ...(unplanned && { unplanned }),
    };
  }

  /** `false` if the rows have changed since the decisions: the connection must be opened again. */
  async follow(reading: Reading): Promise<boolean> {
    const first = await this.evaluate(reading);
    if (!(await this.writeDecisions(first))) return false;
    // Two rows were merged. The reading is evaluated again against the merged row.
    return first.decisions[0]?.do !== 'MERGE' || this.writeDecisions(await this.evaluate(reading));
  }

  /** The printer has been silent for too long. `false` as in `follow`. */
  async printerSilent(at: Instant): Promise<boolean> {
    return this.print === null || this.writeDecisions(printerSilent(this.print, at));
  }

  private async evaluate(reading: Reading): Promise<Evaluation> {
    await this.readEndedPrints(reading);
    const known = {
      running: this.correctedPrint(reading),
      ended: this.ended,
      lastContactAt: this.lastContactAt && (asEvidence(this.lastContactAt, reading.at) ?? reading.at),
      addedAt: asEvidence(this.addedAt, reading.at),
      machine: this.machine,
    };
    return evaluate(known, reading);
  }

  private async readEndedPrints({ print }: Reading): Promise<void> {
    if (typeof print === 'string') return;
    const id = print.externalId ?? this.lookedUpId;
    if (!this.isOutOfDate && id === this.lookedUpId) return;
    this.ended = await this.rows.ended(id);
    this.lookedUpId = id;
    this.isOutOfDate = false;
  }

  /** The running print, with its times corrected after our clock was set. */
  private correctedPrint({ print }: Reading): FollowedPrint | null {
    const setByMs = this.setByMs();
    const setMs = setByMs - this.clockSetMs;
    this.clockSetMs = setByMs;
    return this.print && shiftAfterClockChange(this.print, typeof print === 'string' ? null : print, setMs);
  }

  private async writeDecisions({ running, decisions }: Evaluation): Promise<boolean> {
    for (const step of toSteps(decisions, this.rowId, randomUUID)) {
      const { decision } = step;
      const result = await this.writer.write(step);
      this.isRowReplaced ||= result === 'SKIPPED' || decision.do === 'REOPEN' || decision.do === 'MERGE';
      if (result === 'STALE' && !isAboutEndedPrint(decision)) return false;
      this.isOutOfDate ||= decision.do !== 'SAVE' && decision.do !== 'BEGIN';
      switch (decision.do) {
        case 'BEGIN':
          if (result === 'SKIPPED') return this.continueWithRow(running);
          if (result === 'TOO_MANY') {
            this.print = null;
            return true;
          }
          this.rowId = step.printId;
          break;
        case 'REOPEN':
        case 'MERGE':
          return this.continueWithRow(running);
        case 'END':
          this.rowId = null;
      }
    }
    this.print = running;
    return true;
  }

  /** Continues with the row, which has more of the print than this connection reported. */
  private async continueWithRow(followed: FollowedPrint | null): Promise<true> {
    const row = await this.rows.running();
    this.print = row && {
      ...followFromRow(row),
      ordinal: followed?.ordinal ?? null,
      feeding: followed?.feeding ?? null,
    };
    this.rowId = row?.id ?? null;
    return true;
  }
}

/**
 * Groups the decisions of one evaluation into steps.
 * @param newId creates the ids of new prints and of sightings
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
