// How a job is divided into parts: their order, the job's own part and spool, the sums, and the amounts by the formulas.
import DecimalJs from 'decimal.js';
import { withoutZeros } from '../../values/decimal';
import { compareSlots } from '../../values/slot';
import { deriveGrams, hasPrice, type Price, pricedCostOf } from './filament';

/** Sums of 64 amounts are exact. */
const Decimal = DecimalJs.clone({ precision: 160 });

interface Amounts {
  mmExtruded: string;
  gramsDerived: string;
  cost: string;
}

/** Where a part was printed; null for what was not said. */
interface SlotAndLayers {
  slot: string | null;
  fromLayer: number | null;
  toLayer: number | null;
}

/** What a job used of one spool, from one slot, between two layers. */
export interface JobPart extends Amounts, SlotAndLayers {
  spoolId: string;
  filamentDiameterAtPrintMm: string;
  materialDensityAtPrint: string;
  filamentBasis: string;
}

const decimalsIn = (amounts: readonly string[]) => Math.max(0, ...amounts.map((one) => one.split('.')[1]?.length ?? 0));

/** With the decimals of the amount that has most of them. */
export function sumOf(amounts: readonly string[]): string {
  const decimals = decimalsIn(amounts);
  return amounts.reduce((sum, one) => sum.plus(one), new Decimal(0)).toFixed(decimals);
}

/** What the others leave of an amount of the job: its own part. 0 where another program lowered the amount below them. */
export function remainderOf(amount: string, others: readonly string[]): string {
  const decimals = decimalsIn([amount, ...others]);
  return Decimal.max(new Decimal(amount).minus(sumOf(others)), 0).toFixed(decimals);
}

/** The amounts of a job: those of its parts together. */
export const totalsOf = (parts: readonly Amounts[]): Amounts => ({
  mmExtruded: sumOf(parts.map(({ mmExtruded }) => mmExtruded)),
  gramsDerived: sumOf(parts.map(({ gramsDerived }) => gramsDerived)),
  cost: sumOf(parts.map(({ cost }) => cost)),
});

/** The job's own spool first, then by slot (none last), then by layer. */
export function inOrder<Part extends SlotAndLayers & { spoolId: string }>(
  parts: readonly Part[],
  ownSpoolId: string,
): Part[] {
  const isOther = ({ spoolId }: Part) => Number(spoolId !== ownSpoolId);
  return parts.toSorted((a, b) => isOther(a) - isOther(b) || compareSlotAndLayers(a, b));
}

function compareSlotAndLayers(a: SlotAndLayers, b: SlotAndLayers): number {
  if (a.slot !== b.slot) return a.slot === null ? 1 : b.slot === null ? -1 : compareSlots(a.slot, b.slot);
  return (a.fromLayer ?? Number.MAX_SAFE_INTEGER) - (b.fromLayer ?? Number.MAX_SAFE_INTEGER);
}

/** A job keeps its spool while a part has it. Else it gets that of the part with the most grams, of equal ones in the lowest slot. */
export function ownSpoolOf(parts: readonly JobPart[], spoolId: string): string {
  if (parts.some((part) => part.spoolId === spoolId)) return spoolId;
  const heaviest = inOrder(parts, spoolId).reduce((most, one) =>
    new Decimal(one.gramsDerived).gt(most.gramsDerived) ? one : most,
  );
  return heaviest.spoolId;
}

/** The job's own row has its only part, but for a slot that a person said. */
export const hasRows = (parts: readonly Pick<JobPart, 'slot' | 'filamentBasis'>[]): boolean =>
  parts.length > 1 || parts.some(({ slot, filamentBasis }) => slot !== null && filamentBasis === 'MANUAL');

/** A request for a whole job says nothing of its parts: they stay when it repeats the spool and the amounts that are stored. */
export function keepsParts(
  stored: Requested,
  { spoolId, mmExtruded, gramsDerived, costPerPrint }: Requested,
  autoDeriveGrams: boolean,
): boolean {
  if (spoolId !== stored.spoolId || !isEqual(mmExtruded, stored.mmExtruded)) return false;
  return autoDeriveGrams || (isEqual(gramsDerived, stored.gramsDerived) && isEqual(costPerPrint, stored.costPerPrint));
}

interface Requested {
  spoolId: string;
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
}

const isEqual = (one: string, other: string) => withoutZeros(one) === withoutZeros(other);

/** What grams and cost are derived from. */
export interface Measures extends Price {
  filamentDiameterMm: string;
  material: { densityGPerCm3: string };
}

/**
 * Parts, the job's own one first, with grams and cost by the formulas. A spool that is gone leaves the part its measures, and no price.
 * @param costGiven the cost of the own part, where no spool has a price or nothing was used
 */
export function derivedParts<Part extends JobPart>(
  parts: readonly { part: Part; spool: Measures | null }[],
  costGiven: string,
): Part[] {
  const derived = parts.map(({ part, spool }) => {
    const diameter = spool?.filamentDiameterMm ?? part.filamentDiameterAtPrintMm;
    const density = spool?.material.densityGPerCm3 ?? part.materialDensityAtPrint;
    const gramsDerived = deriveGrams(part.mmExtruded, diameter, density);
    const cost = pricedCostOf(gramsDerived, spool) ?? '0';
    const measures = { filamentDiameterAtPrintMm: diameter, materialDensityAtPrint: density };
    return { ...part, ...measures, gramsDerived, cost };
  });
  const [own, ...others] = derived;
  const isPriced = parts.some(({ spool }) => hasPrice(spool)) && derived.some((one) => Number(one.gramsDerived) > 0);
  return own === undefined || isPriced ? derived : [{ ...own, cost: costGiven }, ...others];
}
