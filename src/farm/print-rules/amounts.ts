// How much filament each slot of a print fed: measured before planned before estimated, never by a share of time.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import { deriveGrams, lengthOf } from '../print-jobs/filament';
import { isToolSlot } from './course';
import { divideByShares, divideEqually, sumIfAllKnown } from './division';
import {
  type FedPrint,
  fedSlots,
  seenSlotsOf,
  sumMeasured,
  unplannedFedSlots,
  usedSlotsOf,
  usesOtherTools,
} from './fed-slots';
import { calculateUsedAtLayer, divideByFedSlots } from './pieces';
import { type Amount, hasAmounts, type ObservedFilament, type PrintOutcome, type RunningPrint } from './print.model';
import type { SlotLayer } from './sliced-plan';

type MeasuredPrint = FedPrint & Pick<RunningPrint, 'measured' | 'progress' | 'progressBasis' | 'layer' | 'layers'>;

/** What turns the grams of a spool into millimetres. */
export interface FilamentProperties {
  filamentDiameterMm: string;
  densityGPerCm3: string;
}
type PropertiesBySlot = ReadonlyMap<string, FilamentProperties>;

export interface Evidence {
  /** Whether the measure is that of the end. Else it is that of the last contact, and the print may have gone on. */
  isEndSeen?: boolean;
  /** By the slots of the printer, as far as their spools are known. */
  properties?: PropertiesBySlot;
}

/**
 * The amounts by slot. While a print runs, and while its end is not known, the planned amount stands for an amount that is not measured.
 * @param layers the table of the plan; null where there is none
 */
export function calculateFilament(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null = null,
  evidence: Evidence = {},
): ObservedFilament[] {
  return divideByFedSlots(calculateSlotAmounts(print, outcome, layers, evidence), print, outcome, layers);
}

function calculateSlotAmounts(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null,
  { isEndSeen = outcome !== 'UNRESOLVED', properties = new Map() }: Evidence,
): ObservedFilament[] {
  const planned = print.plan?.slots ?? [];
  if (isEndSeen && print.measured.length > 0) return calculateMeasured(print, properties);
  const heard = sumLengths(print.measured) ?? new Decimal(0);
  // A plan that is below what was measured on the way is not what the print used.
  const isWhole = outcome === 'COMPLETED' && hasAmounts(print.plan) && !heard.gt(sumLengths(planned) ?? heard);
  if (heard.isZero() || isWhole) return assignToFedSlots(print, calculateByPlan(print, outcome, layers));
  return calculateMeasured(print, properties).map((one) => ({ ...one, basis: 'ESTIMATED' }));
}

function calculateByPlan(
  print: MeasuredPrint,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const planned = print.plan?.slots ?? [];
  if (planned.length === 0) return [{ slot: print.machine.firstSlot, mm: null, grams: null, basis: 'UNKNOWN' }];
  if (outcome !== 'CANCELLED' && outcome !== 'FAILED')
    return planned.map((one) => ({ ...one, basis: basisOrUnknown(one, 'PLANNED') }));
  const { layer } = print;
  if (layers !== null && layer !== null) return planned.map((one) => calculateUpToLayer(layer, one, layers));
  const part = calculatePrintedShare(print);
  if (part === null) return planned.map(({ slot }) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' }));
  return planned.map(({ slot, mm, grams }) => ({
    slot,
    mm: multiply(mm, part),
    grams: multiply(grams, part),
    basis: basisOrUnknown({ mm, grams }, 'ESTIMATED'),
  }));
}

/** Some machines report the slots of a print, and no amounts. */
const basisOrUnknown = ({ mm, grams }: Omit<Amount, 'slot'>, basis: 'PLANNED' | 'ESTIMATED') =>
  mm === null && grams === null ? 'UNKNOWN' : basis;

/**
 * One amount is of the slots that fed. Where the printer takes other tools than the file names, those that have fed nothing so far
 * leave their amounts to them.
 */
function assignToFedSlots(print: MeasuredPrint, planned: ObservedFilament[]): ObservedFilament[] {
  if (planned.length < 2) return divideEqually(planned, seenOrFirstSlots(print));
  if (!usesOtherTools(print)) return planned;
  const seen = fedSlots(print);
  const kept = planned.filter(({ slot }) => seen.includes(slot));
  return [
    ...kept,
    ...divideEqually(
      planned.filter((one) => !kept.includes(one)),
      unplannedFedSlots(print),
    ),
  ];
}

function seenOrFirstSlots(print: MeasuredPrint): string[] {
  const slots = seenSlotsOf(print);
  return slots.length > 0 ? slots : [print.machine.firstSlot];
}

/** By slot, as far as the slots were heard to feed. One total for several tools is split by their lengths in the plan. */
function calculateMeasured(print: MeasuredPrint, properties: PropertiesBySlot): ObservedFilament[] {
  const { measured, course } = print;
  const planned = usesOtherTools(print) ? [] : (print.plan?.slots ?? []);
  const [total] = measured as [Amount];
  const plannedLengths =
    measured.length > 1 || planned.length < 2 ? null : calculatePlannedLengths(planned, properties);
  const shares = plannedLengths && planned.map(({ slot }, at) => ({ slot, share: plannedLengths[at] as Decimal }));
  const heard = divideMeasured(course, total.mm, shares);
  if (heard !== null) {
    const basis = heard.isWhole ? 'MEASURED' : 'ESTIMATED';
    const reported = heard.amounts.map(({ slot }) => slot);
    // A slot of the plan that fed nothing has 0.
    const named = shares !== null || usesOtherTools(print) ? (print.plan?.slots ?? []) : [];
    const unused = named.filter(({ slot }) => !reported.includes(slot)).map(({ slot }) => ({ slot, mm: '0' }));
    return [...heard.amounts, ...unused]
      .sort((one, other) => compareSlots(one.slot, other.slot))
      .map((one) => ({ ...one, grams: null, basis }));
  }
  if (plannedLengths === null) {
    // Nobody heard which one of its slots fed.
    const basis = course?.measure ? 'ESTIMATED' : 'MEASURED';
    const own = measured.map((one) => ({ ...one, basis }) as const);
    return measured.length > 1 ? own : divideEqually(own, seenOrFirstSlots(print));
  }
  const cut = divideByShares(total.mm, plannedLengths);
  return planned.map(({ slot }, at) => ({ slot, mm: cut[at] ?? null, grams: null, basis: 'ESTIMATED' }));
}

export interface SlotMeasurement {
  amounts: { slot: string; mm: string }[];
  /** Whether all of it was heard. */
  isWhole: boolean;
}

/**
 * The millimetres by slot, of a machine that reports which slot it measures. What no slot is known to have fed is divided so that the
 * whole comes as near to the shares of the plan as what was heard allows; without a plan by slot as what was heard.
 * @param total of the machine, which may have reported more since
 * @param planned in lengths or in what stands for them; null: not known by slot
 */
export function divideMeasured(
  course: RunningPrint['course'],
  total: string | null,
  planned: readonly { slot: string; share: Decimal }[] | null,
): SlotMeasurement | null {
  if (!course?.measure) return null;
  const { stretches } = course;
  const lengthOfSlot = (slot: string | null) => sumMeasured(stretches.filter((one) => one.slot === slot));
  const reported = [...new Set(stretches.flatMap(({ slot }) => slot ?? []))].map((slot) => ({
    slot,
    mm: lengthOfSlot(slot),
  }));
  const heard = reported.filter(({ mm }) => mm.gt(0));
  const ofNoSlot = lengthOfSlot(null);
  const behindLast = total === null ? new Decimal(0) : Decimal.max(new Decimal(total).minus(sumMeasured(stretches)), 0);
  const isWhole = behindLast.plus(ofNoSlot).isZero();
  // What a slot took back more than it was heard to feed, it fed unheard.
  const open = Decimal.sum(behindLast, ofNoSlot, ...reported.map(({ mm }) => Decimal.min(mm, 0)));
  // A unit took filament back unheard: what it fed in its place is no more than that.
  if (open.lt(0) && heard.some(({ slot }) => !isToolSlot(slot))) return null;
  const parts =
    planned === null
      ? heard.map(({ slot, mm }) => ({ slot, share: mm }))
      : calculateMissingShares(heard, open, planned);
  if (parts.length === 0) return null;
  const shares = parts.map(({ share }) => share);
  const opened = open.gt(0) ? divideByShares(open.toFixed(), shares) : [];
  // A slot of the plan that fed nothing has 0.
  const by = new Map((planned ?? []).map(({ slot }) => [slot, new Decimal(0)]));
  for (const { slot, mm } of heard) by.set(slot, mm);
  for (const [at, { slot }] of parts.entries()) by.set(slot, (by.get(slot) ?? new Decimal(0)).plus(opened[at] ?? 0));
  const slots = [...by.keys()].sort(compareSlots);
  return { isWhole, amounts: slots.map((slot) => ({ slot, mm: (by.get(slot) as Decimal).toFixed() })) };
}

/** What each slot of the plan lacks of its share of the whole. */
function calculateMissingShares(
  heard: readonly { slot: string; mm: Decimal }[],
  open: Decimal,
  planned: readonly { slot: string; share: Decimal }[],
) {
  const whole = Decimal.sum(open, ...heard.map(({ mm }) => mm));
  const sum = Decimal.sum(...planned.map(({ share }) => share));
  const parts = planned.map(({ slot, share }) => {
    const had = heard.find((one) => one.slot === slot)?.mm ?? 0;
    return { slot, share: Decimal.max(share.times(whole).div(sum).minus(had), 0) };
  });
  const short = parts.filter(({ share }) => share.gt(0));
  return short.length > 0 ? short : planned;
}

/**
 * In millimetres where they follow from the plan or the spools. Without the spools the grams stand for lengths, as if all slots had one
 * material and one diameter: 10 % wrong for PETG with ABS. Null where they are not known, or all 0.
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
    : lengthOf(grams, properties.filamentDiameterMm, properties.densityGPerCm3);

/** Null where one of them has no millimetres. */
function sumLengths(amounts: readonly Amount[]): Decimal | null {
  const sum = sumIfAllKnown(amounts.map(({ mm }) => mm));
  return sum === null ? null : new Decimal(sum);
}

/** What the table says at the end of the layer; at most the whole plan. */
function calculateUpToLayer(
  layer: number,
  { slot, mm, grams }: Amount,
  layers: readonly SlotLayer[],
): ObservedFilament {
  const used = calculateUsedAtLayer(layer, slot, layers);
  const whole = new Decimal(mm ?? layers.at(-1)?.mm[slot] ?? 0);
  const part = whole.isZero() ? new Decimal(0) : Decimal.min(used.div(whole), 1);
  const length = mm === null ? null : Decimal.min(used, whole).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();
  return { slot, mm: length, grams: multiply(grams, part), basis: basisOrUnknown({ mm, grams }, 'ESTIMATED') };
}

/** By layers, else by the share of the file; at most the whole plan. */
function calculatePrintedShare({ layer, layers, progress, progressBasis }: MeasuredPrint): Decimal | null {
  if (layer !== null && layers !== null && layers > 0) return Decimal.min(new Decimal(layer).div(layers), 1);
  return progress === null || progressBasis === null || progressBasis === 'TIME' ? null : Decimal.min(progress, 1);
}

const multiply = (amount: string | null, part: Decimal) =>
  amount === null ? null : new Decimal(amount).times(part).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();

/** Grams by the document's formula where millimetres are known, else the slicer's, else 0. */
export function calculateGrams({ mm, grams }: Amount, properties: FilamentProperties): string {
  return mm === null ? (grams ?? '0') : deriveGrams(mm, properties.filamentDiameterMm, properties.densityGPerCm3);
}

/** A print with the amounts that were written at its end, as far as they are known. */
export type UsingPrint = MeasuredPrint & { outcome: PrintOutcome; filament: ObservedFilament[] | null };

/** What it used, or what it will have used as far as is known. */
export const calculateUsedFilament = (print: UsingPrint): ObservedFilament[] =>
  print.filament ?? calculateFilament(print, print.outcome);

/**
 * The filament in the job of a print. Until its end is known it has the planned amounts there: what was measured is below what it
 * will have used. Without a plan that is not known while it runs.
 */
export function calculateBookedFilament(print: UsingPrint): ObservedFilament[] {
  const { outcome, plan } = print;
  const isPlanned = outcome === 'RUNNING' || (outcome === 'UNRESOLVED' && hasAmounts(plan));
  return calculateUsedFilament(isPlanned ? { ...print, measured: [], filament: null } : print);
}

/** A slot of unknown use counts as used. */
export const isUsed = ({ mm, grams, basis }: Omit<Amount, 'slot'> & { basis: string }) =>
  basis === 'UNKNOWN' || Number(mm) > 0 || Number(grams) > 0;

const findUsedSlots = (filament: readonly ObservedFilament[]) => [
  ...new Set(filament.filter(isUsed).map(({ slot }) => slot)),
];

/** The slots that need a spool. When a print is over, one that fed nothing needs none. */
export function neededSlots(print: UsingPrint): string[] {
  const used = findUsedSlots(print.filament ?? []);
  return used.length > 0 ? used : usedSlotsOf(print);
}

/** The used slots that have none of these spools: their filament is in no job. */
export const findSlotsWithout = (spools: Readonly<Record<string, string>>, filament: readonly ObservedFilament[]) =>
  findUsedSlots(filament).filter((slot) => !Object.hasOwn(spools, slot));

/** The slots that the print uses, and for which its job has no spool. Null: there are none. */
export function findSlotsWithoutSpool(print: UsingPrint & { spools: Record<string, string> | null }): string[] | null {
  const slots = findSlotsWithout(print.spools ?? {}, calculateBookedFilament(print));
  return slots.length > 0 ? slots : null;
}

/** Whether other slots turned out to feed than the job of the print was made for, or do not feed after all. */
export const haveSlotsChanged = (
  print: UsingPrint & { spools: Record<string, string> | null; lacking: readonly string[] | null },
): boolean => print.spools !== null && JSON.stringify(findSlotsWithoutSpool(print)) !== JSON.stringify(print.lacking);
