// Finds what to write instead of a text that is not a number, such as 20 EUR or 1,000.50. The import and the forms of the dashboard show it.

const WITH_UNIT = /^(?<number>[+-]?\d[\d.,'’\s]*)\s*(?<unit>[^\d\s.,'’+-].*)$/;
const WITH_UNIT_BEFORE = /^(?<unit>[^\d\s.,'’+-]+)\s*(?<number>\d[\d.,'’\s]*)$/;
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:[.,'’\s]\d{3})+(?:[.,]\d*)?$/;
/** 1,012 can mean 1.012 or 1012. 0,012 and 1234,012 are never written for thousands. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
/** A sign such as €, or a code such as EUR. */
const CURRENCY = /^(?:\p{Sc}|[a-z]{3})$/iu;

export const hasThousandsMarks = (text: string): boolean => WITH_THOUSANDS.test(text);
export const mayHaveThousandsMark = (text: string): boolean => MAY_BE_THOUSANDS.test(text);

/** Splits 20 EUR into the number and its unit; null for a text of another form. */
export function splitUnit(text: string): { number: string; unit: string } | null {
  const { number, unit } = (WITH_UNIT.exec(text) ?? WITH_UNIT_BEFORE.exec(text))?.groups ?? {};
  return number === undefined || unit === undefined
    ? null
    : { number: removeThousandsMarks(number.trim()), unit: unit.trim() };
}

export const isCurrency = (unit: string): boolean => CURRENCY.test(unit);

/** An amount of money with two decimals, such as 20.00 for 20. */
export function writePrice(number: string, mark: string): string {
  const [, sign = mark, decimals = ''] = /([.,])(\d*)$/.exec(number) ?? [];
  return `${number.replace(/[.,]\d*$/, '')}${sign}${decimals.padEnd(2, '0')}`;
}

/** The last mark of 1.000,50 is the decimal mark. If all marks are equal, as in 1.000.000, there is no decimal mark. */
export function removeThousandsMarks(number: string): string {
  const marks: string[] = number.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? '';
  const isDecimal = marks.length > 0 && marks.indexOf(last) === marks.length - 1;
  const at = isDecimal ? number.lastIndexOf(last) : number.length;
  return number.slice(0, at).replace(/[.,'’\s]/g, '') + number.slice(at).replace(/['’\s]/g, '');
}
