// Calculates the grams and the cost of a print in exact decimals: the derivation formula of §4 of the print job document.
import DecimalJs from 'decimal.js';

// 160 digits hold the longest product of three accepted decimals exactly. Half to even is how .NET rounds a decimal.
const Decimal = DecimalJs.clone({ precision: 160, rounding: DecimalJs.ROUND_HALF_EVEN });
const PI = Decimal.acos(-1);

/**
 * Grams of filament, 2 decimals: "grams = MmExtruded x area x (density / 1000), where area = pi x (diameter / 2)^2 in
 * mm2 …", "The area is rounded to 8 decimals and the result to 2 decimals."
 * @param mm millimetres extruded
 * @param diameter of the filament in mm
 * @param density in g/cm3
 */
export function deriveGrams(mm: string, diameter: string, density: string): string {
  return calculateArea(diameter).times(mm).times(density).times(PER_MM3).toFixed(2);
}

/** The inverse of the formula: the millimetres of a weight, 4 decimals; `null` if the diameter or the density is 0. */
export function deriveLength(grams: string, diameter: string, density: string): string | null {
  const gramsPerMm = calculateArea(diameter).times(density).times(PER_MM3);
  return gramsPerMm.isZero() ? null : new Decimal(grams).div(gramsPerMm).toFixed(4);
}

/** From g/cm3 to g/mm3. */
const PER_MM3 = '0.001';

/** Cross-section in mm2: "area = pi x (diameter / 2)^2 … The area is rounded to 8 decimals". */
function calculateArea(diameter: string): DecimalJs {
  const radius = new Decimal(diameter).times('0.5');
  return PI.times(radius).times(radius).toDecimalPlaces(8);
}

/**
 * Cost of the grams, 4 decimals: PUT rule 4, "grams times (PurchasePrice divided by WeightTotalGrams), rounded to 4
 * decimals". The code multiplies before it divides, because a rounded quotient (1/3) could round a tie the wrong way.
 * stock/losses.rows.ts has the same rule in SQL.
 */
export function calculateCost(grams: string, purchasePrice: string, weightTotalGrams: string): string {
  return new Decimal(grams).times(purchasePrice).div(weightTotalGrams).toFixed(4);
}

/** The price of a spool and the net weight of the full spool. */
export interface Price {
  purchasePrice: string | null;
  weightTotalGrams: string;
}

/** Whether grams of the spool have a price: the spool has a price and a net weight to divide it by. */
export function hasPrice<Spool extends Price>(spool: Spool | null): spool is Spool & { purchasePrice: string } {
  return spool !== null && spool.purchasePrice !== null && !new Decimal(spool.weightTotalGrams).isZero();
}

/** The cost of grams by the price of their spool; `null` without a price, or if the grams are not above 0. */
export function calculateCostByPrice(grams: string, spool: Price | null): string | null {
  return hasPrice(spool) && new Decimal(grams).gt(0)
    ? calculateCost(grams, spool.purchasePrice, spool.weightTotalGrams)
    : null;
}

/** The formulas step by step, to show them. `pricePerGram` is rounded, and the cost is not calculated from it. */
export function createDerivation(mm: string, diameter: string, density: string, spool: Price | null) {
  const grams = deriveGrams(mm, diameter, density);
  const areaMm2 = calculateArea(diameter).toFixed(8);
  if (!hasPrice(spool)) return { areaMm2, grams, pricePerGram: null, cost: null };
  const { purchasePrice, weightTotalGrams } = spool;
  const pricePerGram = new Decimal(purchasePrice).div(weightTotalGrams).toDecimalPlaces(28).toFixed();
  return { areaMm2, grams, pricePerGram, cost: calculateCost(grams, purchasePrice, weightTotalGrams) };
}
