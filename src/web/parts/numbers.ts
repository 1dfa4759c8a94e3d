// Formats decimals, amounts of money and grams in the user's locale, and parses typed decimals.

export const usesDecimalComma = new Intl.NumberFormat().formatToParts(1.5).some(({ value }) => value === ',');

/**
 * Converts between the gateway's notation and the user's notation, in both directions: in a locale that writes 1,5 it swaps commas and
 * points. A thousands separator stays a thousands separator, which the gateway rejects.
 */
export const swapSeparators = (text: string): string =>
  usesDecimalComma ? text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;

/**
 * Parses a decimal that a user typed. If one or two digits follow, the separator is a decimal separator in every locale: 19,90 and
 * 19.90 cannot be thousands.
 */
export function parseDecimal(typed: string): string {
  const text = swapSeparators(typed.trim());
  return /^[+-]?\d*,\d{1,2}$/.test(text) ? text.replace(',', '.') : text;
}

/** A text that Intl can format. The user may still be typing it, and Intl throws from 101 decimals on. */
const IS_DECIMAL = /^-?\d+(\.\d{1,100})?$/;

/** A decimal with the user's separators and all of its digits. Intl formats texts without rounding. */
export const formatDecimal = (text: string): string => exactMoney(text, null);

/**
 * An amount of money with all of its digits.
 * @param currency the code of the currency, or null if the farm has none
 */
export function exactMoney(text: string, currency: string | null): string {
  const digits = text.split('.')[1]?.length ?? 0;
  return formatAmount(text, currency, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A price per gram is a quotient with any number of digits. It is only displayed, with at most four decimals. */
export const moneyPerGram = (text: string, currency: string | null): string =>
  formatAmount(text, currency, { minimumFractionDigits: 0, maximumFractionDigits: 4 });

/**
 * An amount with the decimals of its currency: 2 for EUR, none for JPY. Without a currency it has all digits, because the number of
 * decimals is unknown.
 */
export const money = (text: string, currency: string | null): string =>
  currency === null ? exactMoney(text, null) : formatAmount(text, currency, {});

function formatAmount(text: string, currency: string | null, digits: Intl.NumberFormatOptions): string {
  if (!IS_DECIMAL.test(text)) return swapSeparators(text);
  const style: Intl.NumberFormatOptions = currency === null ? {} : { style: 'currency', currency };
  return new Intl.NumberFormat(undefined, { ...digits, ...style }).format(text as Intl.StringNumericLiteral);
}

export const formatGrams = (text: string): string => `${formatDecimal(text)} g`;
/** For lists: whole grams, and from 0.1 g to 10 g one decimal. Amounts below stay visible as "< 0.1 g". */
export function roundedGrams(text: string): string {
  const size = Math.abs(Number(text));
  if (size > 0 && size < 0.05) return `< ${formatDecimal('0.1')} g`;
  const digits = { minimumFractionDigits: 0, maximumFractionDigits: size < 9.95 ? 1 : 0 };
  return `${formatAmount(text, null, digits)} g`;
}

export const formatPercent = (value: number): string => `${Math.round(value)} %`;
