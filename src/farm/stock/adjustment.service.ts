// Decides what weighings, corrections and undone adjustments write into a spool's ledger. A weighing is stored as it was measured; sums are
// calculated when somebody reads them, so two writers cannot overwrite each other's sum.
import Decimal from 'decimal.js';
import { BadInput, Conflict, NotFound, orNotFound } from '../../errors';
import { readAmount } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import type { RequestTime } from '../../values/request-time';
import type { Context } from '../graph/context';
import type { Spool } from '../inventory/inventory.types';
import {
  calculateMeasuredWeight,
  calculateNetWeight,
  parseCorrection,
  parseNote,
  parseWeighing,
  type WeighedAmounts,
} from './adjustment.checks';
import type { CorrectSpoolInput, WeighSpoolInput } from './adjustment.inputs';
import type { AdjustmentRow, NewAdjustment } from './adjustment.rows';
import type { AdjustmentStore, LockedSpool, PrintingJob } from './adjustment.store';
import type { RunningPrintUsage } from './running-print-usage';

/** The note of weighings that arrive through Spoolman's API. */
export const NOTE_OF_API = "Spoolman's API";

/** What a change of the ledger needs, all in one transaction. */
export interface Ledger {
  adjustments: AdjustmentStore;
  prints: RunningPrintUsage;
  takeOut(loadedIn: NonNullable<LockedSpool['loadedIn']>, time: RequestTime): Promise<unknown>;
  archive(spoolId: string, time: RequestTime): Promise<unknown>;
}

export class AdjustmentService {
  /** @param inTransaction runs the work in one transaction: if the work fails, nothing is written */
  constructor(
    private readonly inTransaction: <T>(work: (ledger: Ledger) => Promise<T>) => Promise<T>,
    private readonly lookUps: { spool(id: string): Promise<Spool | null> },
  ) {}

  async weigh(id: string, input: WeighSpoolInput, context: Context): Promise<AdjustmentRow> {
    const spoolId = parseGuid(id, 'id');
    const weighing = parseWeighing(input, 'input');
    return this.inTransaction(async (ledger) => {
      const spool = orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      return weigh(ledger, spoolId, { ...calculateNetWeight(weighing, spool), note: weighing.note ?? null }, context);
    });
  }

  /** A scale measures a spool with its filament, by Spoolman's API. */
  async measure(id: string, weight: unknown, context: Context): Promise<AdjustmentRow> {
    const spoolId = parseGuid(id, 'id');
    const grossGrams = readAmount(weight, 'weight');
    return this.inTransaction(async (ledger) => {
      const spool = orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      return weigh(ledger, spoolId, { ...calculateMeasuredWeight(grossGrams, spool), note: NOTE_OF_API }, context);
    });
  }

  async correct(id: string, input: CorrectSpoolInput, context: Context): Promise<AdjustmentRow> {
    const spoolId = parseGuid(id, 'id');
    const correction = parseCorrection(input, 'input');
    const grams = new Decimal(correction.grams);
    if (grams.isZero()) throw new BadInput('must not be 0', 'input', 'grams');
    if (input.kind === 'LOST' && grams.gt(0)) throw new BadInput('must be below 0 for LOST', 'input', 'grams');
    return this.inTransaction(async (ledger) => {
      orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      return addAdjustment(
        ledger,
        {
          spoolId,
          kind: input.kind,
          netGrams: null,
          grossGrams: null,
          tareGrams: null,
          grams: correction.grams,
          printing: null,
          note: correction.note,
          by: context.caller.displayName,
        },
        context,
      );
    });
  }

  async takeBack(id: string, note: string | null | undefined, { caller, now }: Context): Promise<AdjustmentRow> {
    if (!/^\d{1,18}$/.test(id)) throw new NotFound('adjustment', [id]);
    const tidyNote = parseNote(note, 'note') ?? null;
    return this.inTransaction(async ({ adjustments }) => {
      const isTakenBack = await adjustments.takeBack(id, caller.displayName, tidyNote, now);
      const row = orNotFound(await adjustments.byId(id), 'adjustment', id);
      if (!isTakenBack) throw new Conflict('This adjustment was already undone', 'id');
      return row;
    });
  }

  /** A spool that is already empty and archived does not change. */
  async empty(id: string, note: string | null | undefined, context: Context): Promise<Spool> {
    const spoolId = parseGuid(id, 'id');
    const tidyNote = parseNote(note, 'note') ?? null;
    await this.inTransaction(async (ledger) => {
      const { isArchived, isEmpty, loadedIn } = orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      if (isArchived && isEmpty) return;
      await weigh(ledger, spoolId, { netGrams: '0', grossGrams: null, tareGrams: null, note: tidyNote }, context);
      if (loadedIn !== null) await ledger.takeOut(loadedIn, context);
      await ledger.archive(spoolId, context);
    });
    return orNotFound(await this.lookUps.spool(spoolId), 'spool', id);
  }
}

async function weigh(
  ledger: Ledger,
  spoolId: string,
  measured: WeighedAmounts,
  context: Context,
): Promise<AdjustmentRow> {
  const printing = (await ledger.adjustments.printingJobs([spoolId]))[spoolId] ?? [];
  return addAdjustment(ledger, await createWeighing(ledger, spoolId, measured, printing, context), context);
}

/**
 * The adjustment that a weighing now adds to the ledger. CONFLICT while a job prints from the spool and nobody knows how much the job has
 * used. An empty spool is the exception: the job gets nothing more from the spool, so all grams of the job count before the weighing.
 */
export async function createWeighing(
  ledger: Pick<Ledger, 'prints'>,
  spoolId: string,
  measured: WeighedAmounts,
  jobs: readonly PrintingJob[],
  context: Context,
): Promise<NewAdjustment> {
  const isEmpty = new Decimal(measured.netGrams).isZero();
  const printing: Record<string, string | null> = {};
  for (const job of jobs) {
    printing[job.id] = isEmpty ? null : await readUsedGrams(ledger, job, spoolId, context);
  }
  return {
    spoolId,
    kind: 'WEIGHED',
    ...measured,
    grams: null,
    printing: Object.keys(printing).length === 0 ? null : printing,
    by: context.caller.displayName,
  };
}

async function readUsedGrams(
  ledger: Pick<Ledger, 'prints'>,
  { name, printId }: PrintingJob,
  spoolId: string,
  context: Context,
): Promise<string> {
  const used = printId === null ? 'UNKNOWN' : await ledger.prints.usedSoFar(printId, spoolId, context);
  if (used !== 'UNKNOWN') return used.grams;
  throw new Conflict(
    `The gateway does not know how much filament the running job ${name} has used so far. Weigh the spool after the job has ended`,
    'id',
  );
}

async function addAdjustment(
  { adjustments }: Ledger,
  adjustment: NewAdjustment,
  { now }: RequestTime,
): Promise<AdjustmentRow> {
  const [id = null] = await adjustments.add([adjustment], now);
  if (id === null) throw new NotFound('spool', [adjustment.spoolId]);
  return orNotFound(await adjustments.byId(id), 'adjustment', id);
}
