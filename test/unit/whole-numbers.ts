// The formulas of grams and cost, and decimals, in whole numbers of any length. The formulas of the gateway are compared with them.

const PI_DIGITS = 100;
const PI = 31415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679n;

/** Grams of so many mm at a diameter in mm and a density in g/cm3, 2 decimals; the area counts with 8. */
export function gramsInWholeNumbers(mm: string, diameter: string, density: string): string {
  const d = fraction(diameter);
  // pi × d² / 4, to 8 decimals.
  const area = dividedHalfToEven(PI * d.units ** 2n * 10n ** 8n, 4n * d.scale ** 2n * 10n ** BigInt(PI_DIGITS));
  const [m, rho] = [fraction(mm), fraction(density)];
  return withDecimals(
    dividedHalfToEven(m.units * area * rho.units * 10n ** 2n, m.scale * 10n ** 8n * rho.scale * 1000n),
    2,
  );
}

/** Cost of the grams from a spool of that price and weight, 4 decimals. */
export function costInWholeNumbers(grams: string, price: string, weight: string): string {
  const [g, p, w] = [fraction(grams), fraction(price), fraction(weight)];
  return withDecimals(dividedHalfToEven(g.units * p.units * w.scale * 10n ** 4n, g.scale * p.scale * w.units), 4);
}

function fraction(text: string): { units: bigint; scale: bigint } {
  const [whole = '', decimals = ''] = text.split('.');
  return { units: BigInt(whole + decimals), scale: 10n ** BigInt(decimals.length) };
}

function dividedHalfToEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceTheRest = 2n * (dividend % divisor);
  const up = twiceTheRest > divisor || (twiceTheRest === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

function withDecimals(units: bigint, decimals: number): string {
  const text = units.toString().padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
