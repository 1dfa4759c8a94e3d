// Calculates the amounts of a job: what its print used of each spool, in millimetres, grams and cost.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import type { Spool } from '../inventory/inventory.types';
import { calculateCostByPrice, deriveGrams } from '../print-jobs/filament';
import { chooseJobSpool, sumParts } from '../print-jobs/part-amounts';
import type { JobPart } from '../print-jobs/print-job.rows';
import { calculateBookedFilament, calculateGrams } from '../print-rules/amounts';
import { limitJobParts } from '../print-rules/division';
import { findEmptyTimes, findSpoolChanges } from '../print-rules/loaded-spools';
import { findUnbookedSlots, isUsed } from '../print-rules/needed-slots';
import type { ObservedFilament } from '../print-rules/print.model';
import { divideBySpools, findSlotsFedWithoutSpool } from '../print-rules/spool-division';
import type { StoredPrint } from './observed-print.rows';
import { addSlicedPlan, endInstantOf, propertiesOf, readLoadsDuring } from './print-amounts.service';
import type { Prints } from './prints.transaction';

export interface JobAmounts {
  /** The members of a request that writes the whole job. */
  totals: { spoolId: string; mmExtruded: string; gramsDerived: string; costPerPrint: string; autoDeriveGrams: boolean };
  /** Whether the amounts of all slots are known. */
  isKnown: boolean;
  /** By slot and spool. */
  filament: ObservedFilament[];
  /** Whether spools were changed, so that this filament differs from the filament of the print. */
  isDivided: boolean;
  /** Used slots whose spool is unknown. Their filament is not in the job. */
  unbookedSlots: string[];
  /** Slots that continued to feed after their spool was taken out. Their filament counts for that spool. */
  slotsFedWithoutSpool: string[];
  /** The parts if the slots have several spools. `null` if all filament is of one spool. */
  parts: JobPart[] | null;
}

/** The spool of the job whose amounts are calculated, or of a job that is to be created. */
interface JobSpool {
  spoolId: string;
  spool: Spool | null;
  /** Whether the job is divided. A job that is to be created is not divided. */
  divided: boolean;
}

/** Calculates the amounts of the slots for which the job was created. A plan that arrives later may name more slots. */
export async function calculateJobAmounts(
  prints: Prints,
  print: StoredPrint,
  { spoolId, spool, divided }: JobSpool,
): Promise<JobAmounts> {
  const { filament, isDivided, slotsFedWithoutSpool } = await divideAmongSpools(prints, print);
  const booked = filament.filter(({ slot }) => print.spools === null || Object.hasOwn(print.spools, slot));
  const unbookedSlots = print.spools === null ? [] : findUnbookedSlots(print.spools, filament);
  const isKnown = booked.every(({ basis }) => basis !== 'UNKNOWN');
  const common = { isKnown, filament, isDivided, unbookedSlots, slotsFedWithoutSpool };
  const spools = print.spools === null ? null : await readSpoolsOfParts(prints, print.spools, booked, divided);
  if (spools === null || print.spools === null)
    return { ...common, totals: calculateTotals(booked, spoolId, spool), parts: null };
  const parts = removeUnusedParts(calculateParts(limitJobParts(booked), print.spools, spools), spoolId);
  const { mmExtruded, gramsDerived, cost } = sumParts(parts);
  const totals = { spoolId, mmExtruded, gramsDerived, costPerPrint: cost, autoDeriveGrams: false };
  return { ...common, totals, parts };
}

/**
 * The grams that an ended print had used of a spool at a moment. `null` if nothing shows how much a slot of the spool used.
 * @param print with the spools of its slots
 */
export async function calculateUsedUntil(
  prints: Prints,
  print: StoredPrint,
  spoolId: string,
  at: Instant,
): Promise<string | null> {
  const [{ filament }, spool] = [await divideAmongSpools(prints, print, at), await prints.spool(spoolId)];
  const ofSpool = filament.filter((amount) => (amount.spoolId ?? print.spools?.[amount.slot]) === spoolId);
  if (spool === null || ofSpool.some(({ basis }) => basis === 'UNKNOWN')) return null;
  return Decimal.sum(0, ...ofSpool.map((amount) => calculateGrams(amount, propertiesOf(spool)))).toFixed();
}

/** Stands for whatever is used after a moment. It is the id of no spool. */
const LATER = 'later';

/**
 * Divides the filament of each slot among the spools that were in it one after the other.
 * @param until the filament that was used after this moment is of no spool
 */
async function divideAmongSpools(
  prints: Prints,
  print: StoredPrint,
  until: Instant | null = null,
): Promise<Pick<JobAmounts, 'filament' | 'isDivided' | 'slotsFedWithoutSpool'>> {
  const filament = calculateBookedFilament(print);
  const { spools, outcome } = print;
  const undivided = { filament, isDivided: false, slotsFedWithoutSpool: [] };
  if (spools === null) return undivided;
  const fedPrint = { ...print, endedAt: endInstantOf(print) };
  const loads = (await readLoadsDuring(prints, print)).filter(({ slot }) => Object.hasOwn(spools, slot));
  const all = findSpoolChanges(fedPrint, spools, loads);
  const changes =
    until === null
      ? all
      : [
          ...all.filter(({ at }) => at < until),
          ...Object.keys(spools).map((slot) => ({ slot, at: until, spoolId: LATER })),
        ];
  const emptyTimes = findEmptyTimes(fedPrint, loads);
  if (changes.length + emptyTimes.length === 0) return undivided;
  const { layers } = await addSlicedPlan(prints, print, print);
  // If the outcome is unknown, the last contact is not the time at which the whole amount was used.
  const divisible = { ...print, endedAt: outcome === 'UNRESOLVED' ? null : fedPrint.endedAt };
  return {
    filament: divideBySpools(filament, divisible, spools, changes, layers),
    isDivided: changes.length > 0,
    slotsFedWithoutSpool: findSlotsFedWithoutSpool(filament, divisible, emptyTimes, layers),
  };
}

/** Chooses the spool that a new job shows as its spool: of the slot with the most planned grams, or else of the lowest slot. */
export async function findJobSpool(
  prints: Pick<Prints, 'spool'>,
  print: StoredPrint,
  spoolBySlot: Record<string, string>,
): Promise<string> {
  const [only] = Object.values(spoolBySlot) as [string];
  const spools = await readSpoolsOfParts(prints, spoolBySlot, []);
  if (spools === null) return only;
  // A backup slot or another spool that continued the print was not planned.
  const planned = calculateBookedFilament({ ...print, outcome: 'RUNNING', course: null });
  const parts = calculateParts(planned, spoolBySlot, spools);
  return parts.length === 0 ? only : chooseJobSpool(parts, '');
}

/**
 * Reads the spools of the parts. `null` if all slots have one spool and the job is not divided: the job then has one part. A spool that
 * another program removed has no properties, so its filament is in no job.
 */
async function readSpoolsOfParts(
  prints: Pick<Prints, 'spool'>,
  spoolBySlot: Record<string, string>,
  filament: readonly ObservedFilament[],
  isDivided = false,
): Promise<Map<string, Spool> | null> {
  const ids = new Set([...Object.values(spoolBySlot), ...filament.flatMap(({ spoolId }) => spoolId ?? [])]);
  if (ids.size < 2 && !isDivided) return null;
  const spools = new Map<string, Spool>();
  for (const id of ids) {
    const spool = await prints.spool(id);
    if (spool !== null) spools.set(id, spool);
  }
  return spools;
}

function calculateParts(
  filament: readonly ObservedFilament[],
  spoolBySlot: Record<string, string>,
  spools: ReadonlyMap<string, Spool>,
): JobPart[] {
  return filament.flatMap((amount): JobPart[] => {
    const spool = spools.get(amount.spoolId ?? spoolBySlot[amount.slot] ?? '');
    if (spool === undefined) return [];
    const properties = propertiesOf(spool);
    const gramsDerived = calculateGrams(amount, properties);
    return [
      {
        spoolId: spool.id,
        slot: amount.slot,
        fromLayer: amount.fromLayer ?? null,
        toLayer: amount.toLayer ?? null,
        mmExtruded: amount.mm ?? '0',
        gramsDerived,
        cost: calculateCostByPrice(gramsDerived, spool) ?? '0',
        filamentDiameterAtPrintMm: properties.filamentDiameterMm,
        materialDensityAtPrint: properties.densityGPerCm3,
        filamentBasis: amount.basis,
      },
    ];
  });
}

/** Removes unused parts. The part of the spool that the job shows stays, because clients have stored its id. */
function removeUnusedParts(parts: readonly JobPart[], spoolId: string): JobPart[] {
  const used = parts.filter(({ mmExtruded, gramsDerived, filamentBasis }) =>
    isUsed({ mm: mmExtruded, grams: gramsDerived, basis: filamentBasis }),
  );
  const partOfJobSpool = parts.find((part) => part.spoolId === spoolId);
  return partOfJobSpool === undefined || used.some((part) => part.spoolId === spoolId)
    ? used
    : [partOfJobSpool, ...used];
}

/**
 * The totals of the job of a print if all of its filament is of this spool. `null` if the amount of a slot is unknown.
 * @param spoolId the spool that the job has now
 */
export function calculateAmountsOfSpool(
  print: StoredPrint,
  spoolId: string,
  spool: Spool,
): JobAmounts['totals'] | null {
  const { spools } = print;
  const filament = calculateBookedFilament(print).filter(({ slot }) => spools === null || spools[slot] === spoolId);
  const isKnown = filament.length > 0 && filament.every(({ basis }) => basis !== 'UNKNOWN');
  return isKnown ? calculateTotals(filament, spool.id, spool) : null;
}

/** The totals of a job with one spool. All slots of the print count for this spool. */
function calculateTotals(
  filament: readonly ObservedFilament[],
  spoolId: string,
  spool: Spool | null,
): JobAmounts['totals'] {
  const autoDeriveGrams = spool !== null && filament.every(({ mm }) => mm !== null);
  const mmExtruded = Decimal.sum(0, ...filament.map(({ mm }) => mm ?? 0)).toFixed();
  const gramsDerived = spool === null ? '0' : sumGrams(spool, filament, autoDeriveGrams ? mmExtruded : null);
  return {
    spoolId,
    mmExtruded,
    gramsDerived,
    costPerPrint: calculateCostByPrice(gramsDerived, spool) ?? '0',
    autoDeriveGrams,
  };
}

/** @param mm the millimetres of all slots; `null` if one of the slots has no millimetres */
function sumGrams(spool: Spool, filament: readonly ObservedFilament[], mm: string | null): string {
  const properties = propertiesOf(spool);
  if (mm !== null) return deriveGrams(mm, properties.filamentDiameterMm, properties.densityGPerCm3);
  return Decimal.sum(0, ...filament.map((amount) => calculateGrams(amount, properties))).toFixed();
}
