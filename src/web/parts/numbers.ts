// How decimals, amounts of money and grams are written, in the form of the reader.

export const hasComma = new Intl.NumberFormat().formatToParts(1.5).some(({ value }) => value === ',');

/**
 * Between a decimal text and the text that a reader types: where the reader writes 1,5 a comma is a point, and a point a comma. So a
 * sign between thousands stays one, which the gateway refuses.
 */
export const commaForPoint = (text: string): string =>
  hasComma ? text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;

/**
 * The decimal text that a reader typed. The other sign stands for the point too where one or two digits follow: 19,90 and 19.90 are no
 * thousands.
 */
export function decimalIn(typed: string): string {
  const text = commaForPoint(typed.trim());
  return /^[+-]?\d*,\d{1,2}$/.test(text) ? text.replace(',', '.') : text;
}

/** A user may be typing it. Intl throws from 101 decimals on. */
const IS_DECIMAL = /^-?\d+(\.\d{1,100})?$/;

/** A decimal text with the separators of the reader, and all of its digits: Intl takes texts exactly. */
export const decimal = (text: string): string => exactMoney(text, null);

/** The same as an amount of money. @param currency its code; null for none */
export function exactMoney(text: string, currency: string | null): string {
  const digits = text.split('.')[1]?.length ?? 0;
  return written(text, currency, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A price of a gram is a quotient of any length, and is only looked at: it has four decimals at most. */
export const moneyPerGram = (text: string, currency: string | null): string =>
  written(text, currency, { minimumFractionDigits: 0, maximumFractionDigits: 4 });

/** An amount with the decimals of its currency: 2 for EUR, none for JPY. Without a currency it has all digits, since nothing else is known. */
export const money = (text: string, currency: string | null): string =>
  currency === null ? exactMoney(text, null) : written(text, currency, {});

function written(text: string, currency: string | null, digits: Intl.NumberFormatOptions): string {
  if (!IS_DECIMAL.test(text)) return commaForPoint(text);
  const style: Intl.NumberFormatOptions = currency === null ? {} : { style: 'currency', currency };
  return new Intl.NumberFormat(undefined, { ...digits, ...style }).format(text as Intl.StringNumericLiteral);
}

export const grams = (text: string): string => `${decimal(text)} g`;
export const percent = (value: number): string => `${Math.round(value)} %`;
