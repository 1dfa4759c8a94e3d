// How much filament a print used: measured before planned before estimated, never by a share of time.
import Decimal from 'decimal.js';
import { deriveGrams, lengthOf } from '../print-jobs/filament';
import { dividedAmount, fedAmounts } from './feeding';
import { hasAmounts, type SlotLayer } from './plan-completion';
import type { ObservedFilament, PrintOutcome, RunningPrint } from './print.model';
import type { Amount } from './readings';
import { bySegments, standInsOf, usedAt } from './segments';

type Facts = Pick<
  RunningPrint,
  'measured' | 'plan' | 'slots' | 'progress' | 'progressBasis' | 'layer' | 'layers' | 'course' | 'machine'
>;

/** What turns the grams of a spool into millimetres. */
export interface Thread {
  filamentDiameterMm: string;
  densityGPerCm3: string;
}
type Threads = ReadonlyMap<string, Thread>;

export interface Evidence {
  /** Whether the measure is that of the end. Else it is that of the last contact, and the print may have gone on. */
  isEndSeen?: boolean;
  /** By the slots of the printer, as far as their spools are known. */
  threads?: Threads;
}

/**
 * The amounts by slot. While a print runs, and while its end is not known, the planned amount stands for an amount that is not measured.
 * @param layers the table of the plan; null where there is none
 */
export function consumption(
  facts: Facts,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null = null,
  evidence: Evidence = {},
): ObservedFilament[] {
  // While it runs, and while its end is not known, it will have printed all layers.
  const isWhole = outcome !== 'CANCELLED' && outcome !== 'FAILED';
  return bySegments(bySlot(facts, outcome, layers, evidence), facts, isWhole, layers);
}

function bySlot(
  facts: Facts,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null,
  { isEndSeen = outcome !== 'UNRESOLVED', threads = new Map() }: Evidence,
): ObservedFilament[] {
  const planned = facts.plan?.slots ?? [];
  if (isEndSeen && facts.measured.length > 0) return measured(facts, threads);
  const heard = lengthIn(facts.measured) ?? new Decimal(0);
  // A plan that is below what was measured on the way is not what the print used.
  const isWhole = outcome === 'COMPLETED' && hasAmounts(facts.plan) && !heard.gt(lengthIn(planned) ?? heard);
  if (heard.isZero() || isWhole) return fed(facts, byPlan(facts, outcome, layers));
  return measured(facts, threads).map((one) => ({ ...one, basis: 'ESTIMATED' }));
}

function byPlan(facts: Facts, outcome: PrintOutcome, layers: readonly SlotLayer[] | null): ObservedFilament[] {
  const planned = facts.plan?.slots ?? [];
  if (planned.length === 0) return [{ slot: facts.machine.firstSlot, mm: null, grams: null, basis: 'UNKNOWN' }];
  if (outcome !== 'CANCELLED' && outcome !== 'FAILED')
    return planned.map((one) => ({ ...one, basis: basisOrUnknown(one, 'PLANNED') }));
  const { layer } = facts;
  if (layers !== null && layer !== null) return planned.map((one) => upTo(layer, one, layers));
  const part = partOf(facts);
  if (part === null) return planned.map(({ slot }) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' }));
  return planned.map(({ slot, mm, grams }) => ({
    slot,
    mm: times(mm, part),
    grams: times(grams, part),
    basis: basisOrUnknown({ mm, grams }, 'ESTIMATED'),
  }));
}

/** Some machines tell the slots of a print, and no amounts. */
const basisOrUnknown = ({ mm, grams }: Omit<Amount, 'slot'>, basis: 'PLANNED' | 'ESTIMATED') =>
  mm === null && grams === null ? 'UNKNOWN' : basis;

/**
 * The slots that a print uses, as far as its plan or its machine tells. One amount is that of the slots that were seen feeding,
 * whatever slot its file names: slicers and machines name the first one when they know of no other.
 */
export function slotsOf(print: FedPrint & Pick<RunningPrint, 'machine'>): string[] {
  const announced = announcedSlotsOf(print);
  return announced.length > 0 ? announced : [print.machine.firstSlot];
}

type FedPrint = Pick<RunningPrint, 'plan' | 'slots' | 'course'>;

export const announcedSlotsOf = (print: FedPrint): string[] => [...namedSlotsOf(print), ...standInsOf(print)];

/** Without those that stand in for one of them. */
function namedSlotsOf({ plan, slots }: FedPrint): string[] {
  const named = plan?.slots.map(({ slot }) => slot) ?? [];
  if (slots.length === 0) return named;
  return named.length > 1 ? [...new Set([...named, ...slots])] : slots;
}

/** One amount goes to the slots that fed. How it divides among several is not told: the parts are equal, and their sum is right. */
function fed(facts: Facts, filament: ObservedFilament[]): ObservedFilament[] {
  const [only, ...others] = filament;
  if (only === undefined || others.length > 0) return filament;
  const slots = slotsOf({ ...facts, course: null });
  const [slot] = slots as [string];
  if (slots.length === 1) return [{ ...only, slot }];
  const equal = slots.map(() => new Decimal(1));
  const basis = only.basis === 'UNKNOWN' ? 'UNKNOWN' : 'ESTIMATED';
  const lengths = dividedAmount(only.mm, equal);
  const weights = dividedAmount(only.grams, equal);
  return slots.map((one, at) => ({ slot: one, mm: lengths[at] ?? null, grams: weights[at] ?? null, basis }));
}

/** By slot, as far as the slots were heard to feed. One total for several tools is split by their lengths in the plan. */
function measured(facts: Facts, threads: Threads): ObservedFilament[] {
  const { measured: amounts, course } = facts;
  const planned = facts.plan?.slots ?? [];
  const [total] = amounts as [Amount];
  const lengths = amounts.length > 1 || planned.length < 2 ? null : lengthsOf(planned, threads);
  const parts = lengths === null || Decimal.sum(...lengths).isZero() ? null : lengths;
  const shares = parts && planned.map(({ slot }, at) => ({ slot, share: parts[at] as Decimal }));
  const bySlot = course?.fed ? fedAmounts(course.fed, total.mm, shares) : null;
  if (bySlot !== null) {
    const basis = bySlot.isWhole ? 'MEASURED' : 'ESTIMATED';
    return bySlot.amounts.map((one) => ({ ...one, grams: null, basis }));
  }
  if (parts === null) {
    // Nobody heard which one of its slots fed.
    const basis = course?.fed ? 'ESTIMATED' : 'MEASURED';
    return fed(
      facts,
      amounts.map((one) => ({ ...one, basis })),
    );
  }
  const cut = dividedAmount(total.mm, parts);
  return planned.map(({ slot }, at) => ({ slot, mm: cut[at] ?? null, grams: null, basis: 'ESTIMATED' }));
}

/**
 * In millimetres where the plan or the spools tell them. Without the spools the grams stand for lengths, as if all slots had one
 * material and one diameter: 10 % wrong for PETG with ABS.
 */
function lengthsOf(planned: readonly Amount[], threads: Threads): Decimal[] | null {
  const lengths = planned.map(({ slot, mm, grams }) => mm ?? lengthBy(grams, threads.get(slot)));
  const weights = planned.map(({ grams }) => grams);
  const complete = [lengths, weights].find((amounts) => !amounts.includes(null));
  return complete?.map((amount) => new Decimal(amount as string)) ?? null;
}

const lengthBy = (grams: string | null, thread: Thread | undefined) =>
  grams === null || thread === undefined ? null : lengthOf(grams, thread.filamentDiameterMm, thread.densityGPerCm3);

/** Null where one of them has no millimetres. */
function lengthIn(amounts: readonly Amount[]): Decimal | null {
  const lengths = amounts.map(({ mm }) => mm);
  return lengths.includes(null) ? null : Decimal.sum(0, ...(lengths as string[]));
}

/** What the table says at the end of the layer; at most the whole plan. */
function upTo(layer: number, { slot, mm, grams }: Amount, layers: readonly SlotLayer[]): ObservedFilament {
  const used = usedAt(layer, slot, layers);
  const whole = new Decimal(mm ?? layers.at(-1)?.mm[slot] ?? 0);
  const part = whole.isZero() ? new Decimal(0) : Decimal.min(used.div(whole), 1);
  const length = mm === null ? null : Decimal.min(used, whole).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();
  return { slot, mm: length, grams: times(grams, part), basis: basisOrUnknown({ mm, grams }, 'ESTIMATED') };
}

/** By layers, else by the share of the file; at most the whole plan. */
function partOf({ layer, layers, progress, progressBasis }: Facts): Decimal | null {
  if (layer !== null && layers !== null && layers > 0) return Decimal.min(new Decimal(layer).div(layers), 1);
  return progress === null || progressBasis === null || progressBasis === 'TIME' ? null : Decimal.min(progress, 1);
}

const times = (amount: string | null, part: Decimal) =>
  amount === null ? null : new Decimal(amount).times(part).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();

/** Grams by the document's formula where millimetres are known, else the slicer's, else 0. */
export function gramsOf({ mm, grams }: Amount, thread: Thread): string {
  return mm === null ? (grams ?? '0') : deriveGrams(mm, thread.filamentDiameterMm, thread.densityGPerCm3);
}
