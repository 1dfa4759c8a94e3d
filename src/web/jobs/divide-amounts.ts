// How the form that divides a job computes: the rest of the last part, and millimetres for grams. The sums of the job are held.
import type { PrintJobPartInput } from '../../generated/web-operations';

export type Unit = 'grams' | 'mm';

export interface PartTexts {
  /** The row in the form. */
  key: number;
  spoolId: string;
  /** '' where none is said. */
  slot: string;
  /** In the unit of the form. That of the last part is not used: it has the rest. */
  amount: string;
}

export interface Totals {
  mmExtruded: string;
  gramsDerived: string;
}

/** The filament of a spool. */
export interface PartFilament {
  filamentDiameterMm: string;
  material: { densityGPerCm3: string };
}

const IS_DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** What the others leave of a total, to the digit; '' where an amount is no number. */
export function restOf(total: string, others: readonly string[]): string {
  const texts = [total, ...others.map((text) => text || '0')];
  if (!texts.every((text) => IS_DECIMAL.test(text))) return '';
  const decimals = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const [whole = 0n, ...taken] = texts.map((text) => unitsOf(text, decimals));
  const rest = taken.reduce((left, one) => left - one, whole);
  const digits = String(rest < 0n ? -rest : rest).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${rest < 0n ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}

function unitsOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return text.startsWith('-') ? -units : units;
}

/** The amounts of all parts, the last with the rest. */
export function dividedAmountsOf(parts: readonly PartTexts[], total: string): string[] {
  const said = parts.slice(0, -1).map(({ amount }) => amount);
  return [...said, restOf(total, said)];
}

/** Grams of a millimetre, but for a factor that all filaments have. */
const weightOf = (filament: PartFilament | undefined): number =>
  filament === undefined ? 1 : Number(filament.filamentDiameterMm) ** 2 * Number(filament.material.densityGPerCm3);

/** A total by weights, with 2 decimals; the last share has the rest. */
function sharesOf(total: string, weights: readonly number[]): string[] {
  const positive = weights.map((weight) => Math.max(weight || 0, 0));
  const sum = positive.reduce((sum, weight) => sum + weight, 0);
  const said = positive.slice(0, -1).map((weight) => {
    const share = sum === 0 ? 0 : (Number(total) * weight) / sum;
    // Rounded down, so that the rest is not negative; but 99.99999999 is 100.
    return (Math.floor(share * 100 + 1e-6) / 100).toFixed(2);
  });
  return [...said, restOf(total, said)];
}

/** The amounts in the other unit, by what a millimetre of each filament weighs. */
export function inOtherUnit(
  unit: Unit,
  amounts: readonly string[],
  filaments: readonly (PartFilament | undefined)[],
  totals: Totals,
) {
  const weights = amounts.map((amount, at) => {
    const weight = weightOf(filaments[at]);
    return unit === 'grams' ? Number(amount) / weight : Number(amount) * weight;
  });
  return sharesOf(unit === 'grams' ? totals.mmExtruded : totals.gramsDerived, weights);
}

/** Grams are as they are said; without grams the gateway computes them from the millimetres. */
export function inputOf(
  unit: Unit,
  parts: readonly PartTexts[],
  filaments: readonly (PartFilament | undefined)[],
  totals: Totals,
): PrintJobPartInput[] {
  const amounts = dividedAmountsOf(parts, unit === 'grams' ? totals.gramsDerived : totals.mmExtruded);
  const mm = unit === 'grams' ? inOtherUnit(unit, amounts, filaments, totals) : amounts;
  return parts.map(({ spoolId, slot }, at) => ({
    spoolId,
    slot: slot || null,
    mmExtruded: mm[at] ?? '',
    ...(unit === 'grams' && { gramsDerived: amounts[at] ?? '' }),
  }));
}

/** A job with one spool begins with a second part, for the rest. */
export function textsOf(
  parts: readonly ({ spool: { id: string } | null; slot: string | null } & Totals)[],
  unit: Unit,
): PartTexts[] {
  const texts = parts.map(({ spool, slot, mmExtruded, gramsDerived }, key) => ({
    key,
    spoolId: spool?.id ?? '',
    slot: slot ?? '',
    amount: unit === 'grams' ? gramsDerived : mmExtruded,
  }));
  const [own] = texts;
  return texts.length === 1 && own
    ? [
        { ...own, amount: '' },
        { key: 1, spoolId: '', slot: '', amount: '' },
      ]
    : texts;
}
