// Calculates the amounts in the form that splits a job. The last part takes the remainder, so that the sums of the job do not change.
import type { PrintJobPartInput } from '../../generated/web-operations';
import { subtract } from '../parts/exact-decimals';

export type Unit = 'grams' | 'mm';

export interface PartTexts {
  /** Identifies the row in the form. */
  key: number;
  spoolId: string;
  /** '' if the slot is unknown. */
  slot: string;
  /** In the unit of the form. The amount of the last part is ignored, because it takes the remainder. */
  amount: string;
}

export interface Totals {
  mmExtruded: string;
  gramsDerived: string;
}

/** The values of a spool that decide the weight of a millimetre. */
export interface PartFilament {
  filamentDiameterMm: string;
  material: { densityGPerCm3: string };
}

const IS_DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** What remains of a total after the amounts, with exact decimals; '' if an amount is not a number. */
export function calculateRemainder(total: string, amounts: readonly string[]): string {
  const texts = [total, ...amounts.map((text) => text || '0')];
  return texts.every((text) => IS_DECIMAL.test(text)) ? subtract(...(texts as [string, ...string[]])) : '';
}

/** The amounts of all parts; the last one is the remainder. */
export function fillLastAmount(parts: readonly PartTexts[], total: string): string[] {
  const entered = parts.slice(0, -1).map(({ amount }) => amount);
  return [...entered, calculateRemainder(total, entered)];
}

/** The weight of a millimetre, without the factor that is the same for all filaments. */
const relativeWeight = (filament: PartFilament | undefined): number =>
  filament === undefined ? 1 : Number(filament.filamentDiameterMm) ** 2 * Number(filament.material.densityGPerCm3);

/** Splits a total in proportion to weights, with 2 decimals. The last share is the remainder. */
function splitByWeights(total: string, weights: readonly number[]): string[] {
  const positive = weights.map((weight) => Math.max(weight || 0, 0));
  const sum = positive.reduce((sum, weight) => sum + weight, 0);
  const rounded = positive.slice(0, -1).map((weight) => {
    const share = sum === 0 ? 0 : (Number(total) * weight) / sum;
    // Rounded down, so that the remainder is not negative. The small addend makes 99.99999999 count as 100.
    return (Math.floor(share * 100 + 1e-6) / 100).toFixed(2);
  });
  return [...rounded, calculateRemainder(total, rounded)];
}

/** Converts the amounts to the other unit, by the weight of a millimetre of each filament. */
export function convertAmounts(
  unit: Unit,
  amounts: readonly string[],
  filaments: readonly (PartFilament | undefined)[],
  totals: Totals,
) {
  const weights = amounts.map((amount, index) => {
    const weight = relativeWeight(filaments[index]);
    return unit === 'grams' ? Number(amount) / weight : Number(amount) * weight;
  });
  return splitByWeights(unit === 'grams' ? totals.mmExtruded : totals.gramsDerived, weights);
}

/** Entered grams are sent as they are. If millimetres were entered, no grams are sent and the gateway calculates them. */
export function toPartInputs(
  unit: Unit,
  parts: readonly PartTexts[],
  filaments: readonly (PartFilament | undefined)[],
  totals: Totals,
): PrintJobPartInput[] {
  const amounts = fillLastAmount(parts, unit === 'grams' ? totals.gramsDerived : totals.mmExtruded);
  const mm = unit === 'grams' ? convertAmounts(unit, amounts, filaments, totals) : amounts;
  return parts.map(({ spoolId, slot }, index) => ({
    spoolId,
    slot: slot || null,
    mmExtruded: mm[index] ?? '',
    ...(unit === 'grams' && { gramsDerived: amounts[index] ?? '' }),
  }));
}

/** The form of a job with one part starts with an empty second part, which takes the remainder. */
export function toPartTexts(
  parts: readonly ({ spool: { id: string } | null; slot: string | null } & Totals)[],
  unit: Unit,
): PartTexts[] {
  const texts = parts.map(({ spool, slot, mmExtruded, gramsDerived }, key) => ({
    key,
    spoolId: spool?.id ?? '',
    slot: slot ?? '',
    amount: unit === 'grams' ? gramsDerived : mmExtruded,
  }));
  const [onlyPart] = texts;
  return texts.length === 1 && onlyPart
    ? [
        { ...onlyPart, amount: '' },
        { key: 1, spoolId: '', slot: '', amount: '' },
      ]
    : texts;
}
