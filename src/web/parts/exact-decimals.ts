// Calculates with exact decimals. They are texts with a decimal point, as the gateway sends them, and never become binary numbers.

/** The value is `units` divided by 10 to the power of `decimals`. */
interface Exact {
  units: bigint;
  decimals: number;
}

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,2}))?$/i;

/** @param text a decimal, also with an exponent, such as 1.5e3 */
function parse(text: string): Exact {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(`${whole}${fraction}` || '0') * 10n ** BigInt(Math.max(-decimals, 0));
  return { units: sign === '-' ? -digits : digits, decimals: Math.max(decimals, 0) };
}

/** The amounts in the same unit, which is the smallest of all of them. */
function toUnits(texts: readonly string[]): { units: bigint[]; decimals: number } {
  const parsed = texts.map(parse);
  const decimals = Math.max(...parsed.map((exact) => exact.decimals));
  return { units: parsed.map((exact) => exact.units * 10n ** BigInt(decimals - exact.decimals)), decimals };
}

function format({ units, decimals }: Exact): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** What remains of a total after the amounts. */
export function subtract(...texts: readonly [total: string, ...amounts: string[]]): string {
  const { units, decimals } = toUnits(texts);
  const [total = 0n, ...amounts] = units;
  return format({ units: amounts.reduce((left, amount) => left - amount, total), decimals });
}

export function add(...texts: readonly [string, ...string[]]): string {
  const { units, decimals } = toUnits(texts);
  return format({ units: units.reduce((sum, amount) => sum + amount), decimals });
}

export function multiply(text: string, count: number): string {
  const { units, decimals } = parse(text);
  return format({ units: units * BigInt(count), decimals });
}

export function isAbove(text: string, limit: string): boolean {
  const [amount = 0n, most = 0n] = toUnits([text, limit]).units;
  return amount > most;
}

/** How many parts of this size a total needs, rounded up; `null` if the size is 0. */
export function countParts(total: string, size: string): number | null {
  const [amount = 0n, part = 0n] = toUnits([total, size]).units;
  return part <= 0n ? null : Number((amount + part - 1n) / part);
}
