// Follows the prints of one printer from reading to reading: the rules decide, and the rows get the decisions in their order.

import { randomUUID } from 'node:crypto';
import { idAsReported } from '../../farm/print-rules/continuation';
import { shiftAfterClockChange } from '../../farm/print-rules/clock-correction';
import { type Evaluation, evaluate, printerSilent } from '../../farm/print-rules/evaluation';
import { type NewestFigures, newestFiguresOf } from '../../farm/print-rules/newest-figures';
import { type Decision, isAboutEndedPrint } from '../../farm/print-rules/decision';
import { type EndedPrint, type FollowedPrint, followFromRow, type Reading, type RunningPrint } from '../../farm/print-rules/print.model';
import type { Step } from '../../farm/prints/print-writing.service';
import type { PrintFacts } from '../../kind-facts';
import { asEvidence, type Instant } from '../../values/instant';
import type { Opened, UnplannedPrint } from '../machine-adapter';
import type { StepWriter } from './step-writer';

/** The rows of one printer: of the database, or of a test. */
export interface PrintRows {
  running(): Promise<(RunningPrint & { id: string }) | null>;
  /** The prints that are over, as far as the rules need them: the latest ones, and the one that has this id. */
  ended(externalId: string | null): Promise<EndedPrint[]>;
  /** The last print that is over, if its amounts are not reported yet. */
  unplanned(): Promise<UnplannedPrint | null>;
  /** When the printer was last heard of. @param seenAt as its running print says; null where none runs */
  lastContact(seenAt: Instant | null): Promise<Instant | null>;
}

export class PrintFollower {
  private print: FollowedPrint | null = null;
  /** Of the row of the running print. */
  private rowId: string | null = null;
  private ended: EndedPrint[] = [];
  /** The id whose print is among them, if there is one. */
  private lookedUpId: string | null = null;
  private isOutOfDate = true;
  private lastContactAt: Instant | null = null;
  private isRowReplaced = false;
  /** By how much our clock was set since the connection began, as far as the running print has it. */
  private clockSetMs = 0;

  /** @param addedAt when the gateway got to know the printer @param setByMs by how much our clock was set since the connection began */
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

  /** Of the running print; null: none runs. */
  get figures(): NewestFigures | null {
    return this.print && newestFiguresOf(this.print);
  }

  get isPrinting(): boolean {
    return this.print !== null;
  }

  /** Whether the row that was shown may be gone since this was asked last. */
  takeRowReplaced(): boolean {
    const isReplaced = this.isRowReplaced;
    this.isRowReplaced = false;
    return isReplaced;
  }

  /** A connection begins with what the rows have. */
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

  /** False when the rows are not what the decisions were made from: it is to be opened again. */
  async follow(reading: Reading): Promise<boolean> {
    const first = await this.evaluate(reading);
    if (!(await this.writeDecisions(first))) return false;
    // Two rows are one now, to which the reading says the rest.
    return first.decisions[0]?.do !== 'MERGE' || this.writeDecisions(await this.evaluate(reading));
  }

  /** The printer was not heard of for too long. False as above. */
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

  /** The running print, with its times by the clock of the reading. */
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

  /** The row has more of the print than was heard. */
  private async continueWithRow(heard: FollowedPrint | null): Promise<true> {
    const row = await this.rows.running();
    this.print = row && { ...followFromRow(row), ordinal: heard?.ordinal ?? null, feeding: heard?.feeding ?? null };
    this.rowId = row?.id ?? null;
    return true;
  }
}

/** Steps of the decisions of one evaluation. @param newId of the prints that begin, and of sightings */
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
