// The rules of a spool's ledger: a weighing is a fact about a moment, and nobody reads a sum to write it.
import DecimalJs from 'decimal.js';
import { BadInput, Conflict, NotFound, orNotFound } from '../../errors';
import { amount, parseDecimal } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import { emptyAsNone, membersOf, nullable } from '../../values/members';
import type { RequestTime } from '../../values/request-time';
import { nonEmptyText, textUpTo } from '../../values/text';
import type { Context } from '../graph/context';
import type { Spool } from '../inventory/inventory.types';
import type { UsedSoFar } from '../prints/observed-print.service';
import { type CorrectSpoolInput, MAX_BELOW_TARE, MAX_NOTE_LENGTH, type WeighSpoolInput } from './adjustment.inputs';
import type { AdjustmentRow, NewAdjustment } from './adjustment.rows';
import type { AdjustmentStore, PrintingJob, SpoolNow } from './adjustment.store';

/** A difference of two amounts is exact. */
const Decimal = DecimalJs.clone({ precision: 160 });

const parseNote = emptyAsNone(textUpTo(MAX_NOTE_LENGTH));
const parseWeighing = membersOf({ grossGrams: nullable(amount), netGrams: nullable(amount), note: parseNote });
const parseCorrection = membersOf({ grams: parseDecimal, note: nonEmptyText(MAX_NOTE_LENGTH) });

/** On one transaction. */
export interface Ledger {
  adjustments: AdjustmentStore;
  /** What a print that runs would have of a spool if it were cancelled now. */
  usedSoFar(printId: string, spoolId: string, time: RequestTime): Promise<UsedSoFar>;
  takeOut(loadedIn: NonNullable<SpoolNow['loadedIn']>, time: RequestTime): Promise<unknown>;
  archive(spoolId: string, time: RequestTime): Promise<unknown>;
}

type WeighedAmounts = Pick<NewAdjustment, 'netGrams' | 'grossGrams' | 'tareGrams' | 'note'> & { netGrams: string };

export class AdjustmentService {
  /** @param inTransaction does all of the work, or nothing when it fails */
  constructor(
    private readonly inTransaction: <T>(work: (ledger: Ledger) => Promise<T>) => Promise<T>,
    private readonly lookUps: { spool(id: string): Promise<Spool | null> },
  ) {}

  async weigh(id: string, input: WeighSpoolInput, context: Context): Promise<AdjustmentRow> {
    const spoolId = parseGuid(id, 'id');
    const given = parseWeighing(input, 'input');
    return this.inTransaction(async (ledger) => {
      const spool = orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      return weigh(ledger, spoolId, { ...calculateNetWeight(given, spool), note: given.note ?? null }, context);
    });
  }

  async correct(id: string, input: CorrectSpoolInput, context: Context): Promise<AdjustmentRow> {
    const spoolId = parseGuid(id, 'id');
    const given = parseCorrection(input, 'input');
    const grams = new Decimal(given.grams);
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
          grams: given.grams,
          printing: null,
          note: given.note,
          by: context.caller.ownName,
        },
        context,
      );
    });
  }

  async takeBack(id: string, why: string | null | undefined, { caller, now }: Context): Promise<AdjustmentRow> {
    if (!/^\d{1,18}$/.test(id)) throw new NotFound('adjustment', [id]);
    const givenNote = parseNote(why, 'note') ?? null;
    return this.inTransaction(async ({ adjustments }) => {
      const isTakenBack = await adjustments.takeBack(id, caller.ownName, givenNote, now);
      const row = orNotFound(await adjustments.byId(id), 'adjustment', id);
      if (!isTakenBack) throw new Conflict('This adjustment is taken back already', 'id');
      return row;
    });
  }

  /** One that is empty and out of use already stays as it is. */
  async empty(id: string, why: string | null | undefined, context: Context): Promise<Spool> {
    const spoolId = parseGuid(id, 'id');
    const givenNote = parseNote(why, 'note') ?? null;
    await this.inTransaction(async (ledger) => {
      const { isArchived, isEmpty, loadedIn } = orNotFound(await ledger.adjustments.lockSpool(spoolId), 'spool', id);
      if (isArchived && isEmpty) return;
      await weigh(ledger, spoolId, { netGrams: '0', grossGrams: null, tareGrams: null, note: givenNote }, context);
      if (loadedIn !== null) await ledger.takeOut(loadedIn, context);
      await ledger.archive(spoolId, context);
    });
    return orNotFound(await this.lookUps.spool(spoolId), 'spool', id);
  }
}

/** No tare is never taken as 0. */
function calculateNetWeight(
  { grossGrams, netGrams }: ReturnType<typeof parseWeighing>,
  { tareGrams }: SpoolNow,
): Omit<WeighedAmounts, 'note'> {
  if ((grossGrams == null) === (netGrams == null))
    throw new BadInput('must have either grossGrams or netGrams', 'input');
  if (grossGrams == null) return { netGrams: netGrams as string, grossGrams: null, tareGrams: null };
  if (tareGrams === null) {
    throw new BadInput(
      'needs the weight of the empty spool: say tareGrams of the spool or of its filament, or netGrams here',
      'input',
      'grossGrams',
    );
  }
  const net = new Decimal(grossGrams).minus(tareGrams);
  if (net.lt(-MAX_BELOW_TARE)) {
    throw new BadInput(
      `must not be more than ${MAX_BELOW_TARE} g below the empty spool: ${grossGrams} g, and the empty spool weighs ${tareGrams} g`,
      'input',
      'grossGrams',
    );
  }
  return { netGrams: Decimal.max(net, 0).toFixed(), grossGrams, tareGrams };
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
 * What a weighing now adds to the ledger. CONFLICT while a job prints from the spool of which it is not known how much it has used. An empty
 * spool gives a job no more: it has all that it will have of it.
 */
export async function createWeighing(
  ledger: Pick<Ledger, 'usedSoFar'>,
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
    by: context.caller.ownName,
  };
}

async function readUsedGrams(
  ledger: Pick<Ledger, 'usedSoFar'>,
  { name, printId }: PrintingJob,
  spoolId: string,
  context: Context,
): Promise<string> {
  const used = printId === null ? 'UNKNOWN' : await ledger.usedSoFar(printId, spoolId, context);
  if (used !== 'UNKNOWN') return used.grams;
  throw new Conflict(
    `The job ${name} prints from this spool, and it is not known how much it has used: weigh the spool when that has ended`,
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
