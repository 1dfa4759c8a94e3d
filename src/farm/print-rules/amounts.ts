// Decides how much filament each slot of a print used: measured first, then planned, then estimated, and never by a share of time.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { deriveGrams, deriveLength } from '../print-jobs/filament';
import { divideByShares, divideEqually, sumIfAllKnown } from './division';
import { type FedPrint, listFedSlots, listSeenSlots, listUnplannedFedSlots, usesOtherTools } from './fed-slots';
import { calculateUsedAtLayer, divideByFedSlots } from './layered-segments';
import { divideMeasured } from './measured-amounts';
import { type Amount, hasAmounts, type ObservedFilament, type PrintOutcome, type RunningPrint } from './print.model';
import type { SlotLayer } from './sliced-plan';

type MeasuredPrint = FedPrint & Pick<RunningPrint, 'measured' | 'progress' | 'progressBasis' | 'layer' | 'layers'>;

/** The properties of a spool that turn its grams into millimetres. */
export interface FilamentProperties {
  filamentDiameterMm: string;
  densityGPerCm3: string;
}
type PropertiesBySlot = ReadonlyMap<string, FilamentProperties>;

export interface Evidence {
  /** Whether the machine measured until the end. Otherwise it measured until the last contact, and the print may have continued. */
  isEndSeen?: boolean;
  /** By slot of the printer, if the spool of the slot is known. */
  properties?: PropertiesBySlot;
}

/**
 * The amounts by slot. While the print is running, and while its end is unknown, a missing measurement is replaced by the planned amount.
 * @param table the plan's table by layers; `null` if the plan has none
 */
export function calculateFilament(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null = null,
  evidence: Evidence = {},
): ObservedFilament[] {
  return divideByFedSlots(calculateSlotAmounts(print, outcome, table, evidence), print, outcome, table);
}

function calculateSlotAmounts(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
  { isEndSeen = outcome !== 'UNRESOLVED', properties = new Map() }: Evidence,
): ObservedFilament[] {
  const planned = print.plan?.slots ?? [];
  if (isEndSeen && print.measured.length > 0) return calculateMeasured(print, properties);
  const measured = sumLengths(print.measured) ?? new Decimal(0);
  // If the print measured more than its plan before its end, the plan is not what the print used.
  const isPlanUsed = outcome === 'COMPLETED' && hasAmounts(print.plan) && !measured.gt(sumLengths(planned) ?? measured);
  if (measured.isZero() || isPlanUsed) return assignToFedSlots(print, calculateByPlan(print, outcome, table));
  return calculateMeasured(print, properties).map((amount) => ({ ...amount, basis: 'ESTIMATED' }));
}

function calculateByPlan(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const planned = print.plan?.slots ?? [];
  if (planned.length === 0) return [{ slot: print.machine.firstSlot, mm: null, grams: null, basis: 'UNKNOWN' }];
  if (outcome !== 'CANCELLED' && outcome !== 'FAILED')
    return planned.map((amount) => ({ ...amount, basis: chooseBasis(amount, 'PLANNED') }));
  const { layer } = print;
  if (table !== null && layer !== null) return planned.map((amount) => calculateUpToLayer(layer, amount, table));
  const share = calculatePrintedShare(print);
  if (share === null) return planned.map(({ slot }) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' }));
  return planned.map(({ slot, mm, grams }) => ({
    slot,
    mm: multiply(mm, share),
    grams: multiply(grams, share),
    basis: chooseBasis({ mm, grams }, 'ESTIMATED'),
  }));
}

/** Some machines report the slots of a print without amounts. */
const chooseBasis = ({ mm, grams }: Omit<Amount, 'slot'>, basis: 'PLANNED' | 'ESTIMATED') =>
  mm === null && grams === null ? 'UNKNOWN' : basis;

/**
 * A single amount belongs to the slots that fed. If the printer uses other tools than the file names, the amounts of planned tools that have
 * fed nothing so far go to the tools that fed.
 */
function assignToFedSlots(print: MeasuredPrint, planned: ObservedFilament[]): ObservedFilament[] {
  if (planned.length < 2) return divideEqually(planned, listSeenOrFirstSlots(print));
  if (!usesOtherTools(print)) return planned;
  const fedSlotNames = listFedSlots(print);
  const kept = planned.filter(({ slot }) => fedSlotNames.includes(slot));
  const replaced = planned.filter((amount) => !kept.includes(amount));
  return [...kept, ...divideEqually(replaced, listUnplannedFedSlots(print))];
}

function listSeenOrFirstSlots(print: MeasuredPrint): string[] {
  const slots = listSeenSlots(print);
  return slots.length > 0 ? slots : [print.machine.firstSlot];
}

/**
 * The measured lengths by slot, as far as the machine reported which slot fed. If the machine measured a single length for several tools, the
 * length is divided in the ratio of their planned lengths.
 */
function calculateMeasured(print: MeasuredPrint, properties: PropertiesBySlot): ObservedFilament[] {
  const { measured, course } = print;
  const planned = usesOtherTools(print) ? [] : (print.plan?.slots ?? []);
  const [total] = measured as [Amount];
  const plannedLengths =
    measured.length > 1 || planned.length < 2 ? null : calculatePlannedLengths(planned, properties);
  const shares = plannedLengths && planned.map(({ slot }, at) => ({ slot, share: plannedLengths[at] as Decimal }));
  const bySlot = divideMeasured(course, total.mm, shares);
  if (bySlot !== null) {
    const basis = bySlot.isComplete ? 'MEASURED' : 'ESTIMATED';
    const reported = bySlot.amounts.map(({ slot }) => slot);
    // A slot of the plan that fed nothing has 0 mm.
    const named = shares !== null || usesOtherTools(print) ? (print.plan?.slots ?? []) : [];
    const unused = named.filter(({ slot }) => !reported.includes(slot)).map(({ slot }) => ({ slot, mm: '0' }));
    return [...bySlot.amounts, ...unused]
      .sort((a, b) => compareSlots(a.slot, b.slot))
      .map((amount) => ({ ...amount, grams: null, basis }));
  }
  if (plannedLengths === null) {
    // The machine has several slots, but did not report which one fed.
    const basis = course?.measure ? 'ESTIMATED' : 'MEASURED';
    const amounts = measured.map((amount) => ({ ...amount, basis }) as const);
    return measured.length > 1 ? amounts : divideEqually(amounts, listSeenOrFirstSlots(print));
  }
  const lengths = divideByShares(total.mm, plannedLengths);
  return planned.map(({ slot }, at) => ({ slot, mm: lengths[at] ?? null, grams: null, basis: 'ESTIMATED' }));
}

/**
 * The planned lengths, from the plan or else from its grams and the spools. If the spools are unknown, the grams are used as if all slots had
 * the same material and diameter, which is wrong by 10 % for PETG with ABS. `null` if the amounts are unknown, or all 0.
 */
function calculatePlannedLengths(planned: readonly Amount[], properties: PropertiesBySlot): Decimal[] | null {
  const lengths = planned.map(({ slot, mm, grams }) => mm ?? calculateLength(grams, properties.get(slot)));
  const weights = planned.map(({ grams }) => grams);
  const complete = [lengths, weights].find((amounts) => !amounts.includes(null));
  const known = complete?.map((amount) => new Decimal(amount as string)) ?? [];
  return Decimal.sum(0, ...known).isZero() ? null : known;
}

const calculateLength = (grams: string | null, properties: FilamentProperties | undefined) =>
  grams === null || properties === undefined
    ? null
    : deriveLength(grams, properties.filamentDiameterMm, properties.densityGPerCm3);

/** `null` if one of the amounts has no millimetres. */
function sumLengths(amounts: readonly Amount[]): Decimal | null {
  const sum = sumIfAllKnown(amounts.map(({ mm }) => mm));
  return sum === null ? null : new Decimal(sum);
}

/** The amount at the end of the layer by the plan's table. It is at most the planned amount. */
function calculateUpToLayer(layer: number, { slot, mm, grams }: Amount, table: readonly SlotLayer[]): ObservedFilament {
  const used = calculateUsedAtLayer(layer, slot, table);
  const whole = new Decimal(mm ?? table.at(-1)?.mm[slot] ?? 0);
  const share = whole.isZero() ? new Decimal(0) : Decimal.min(used.div(whole), 1);
  const length = mm === null ? null : Decimal.min(used, whole).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();
  return { slot, mm: length, grams: multiply(grams, share), basis: chooseBasis({ mm, grams }, 'ESTIMATED') };
}

/** The share that was printed, at most 1: by layers, or else by the file. `null` if both are unknown. */
function calculatePrintedShare({ layer, layers, progress, progressBasis }: MeasuredPrint): Decimal | null {
  if (layer !== null && layers !== null && layers > 0) return Decimal.min(new Decimal(layer).div(layers), 1);
  return progress === null || progressBasis === null || progressBasis === 'TIME' ? null : Decimal.min(progress, 1);
}

const multiply = (amount: string | null, share: Decimal) =>
  amount === null ? null : new Decimal(amount).times(share).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();

/** The grams: by the formula of the print job document if the millimetres are known, or else as the slicer gives them, or else 0. */
export function calculateGrams({ mm, grams }: Amount, properties: FilamentProperties): string {
  return mm === null ? (grams ?? '0') : deriveGrams(mm, properties.filamentDiameterMm, properties.densityGPerCm3);
}

/** A print with the amounts that were written at its end, if they are known. */
export type UsingPrint = MeasuredPrint & { outcome: PrintOutcome; filament: ObservedFilament[] | null };

/** What the print used, or what it will have used as far as is known. */
export const calculateUsedFilament = (print: UsingPrint): ObservedFilament[] =>
  print.filament ?? calculateFilament(print, print.outcome);

/**
 * The filament in the job of a print. Until its end is known, the job has the planned amounts, because the print will have used more than
 * it has measured so far. Without a plan, these amounts are unknown while the print is running.
 */
export function calculateBookedFilament(print: UsingPrint): ObservedFilament[] {
  const { outcome, plan } = print;
  const isPlanned = outcome === 'RUNNING' || (outcome === 'UNRESOLVED' && hasAmounts(plan));
  return calculateUsedFilament(isPlanned ? { ...print, measured: [], filament: null } : print);
}
