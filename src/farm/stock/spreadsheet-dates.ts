// Decides whether a spreadsheet has turned a stored text, such as the serial 3-12 or 12:30, into the date or the time of a cell.

/** A day with the year that the text names; `null` for a text without a year, to which a spreadsheet adds the current year. */
interface DayReading {
  month: number;
  day: number;
  year: number | null;
}

const TIME = /^(\d{1,4}):(\d{2})(?::(\d{2})(?:[.,]0+)?)?(?: ?([ap])\.?m\.?)?$/;
/** The time that some programs write behind a date. */
const MIDNIGHT = /(?:t| )0?0:00(?::00(?:\.0+)?)?z?$/i;
const EAST_ASIAN_UNITS = /[年月日년월일]/g;
const DATE = /^[\d\p{L}\p{M}.,/\- ]{3,30}$/u;
const PARTS = /\d+|[\p{L}\p{M}]+/gu;
/** The languages of Excel and LibreOffice whose months have names. */
const LANGUAGES =
  'en de fr es it pt nl pl cs sk hu ro bg hr sl sr uk ru be tr el da nb sv fi et lv lt is ca eu gl id ms vi th ar he hi'.split(
    ' ',
  );
/** Excel writes these months otherwise than Intl does. */
const OTHER_MONTHS: [word: string, month: number][] = [['mrz', 3]];
/** Two Latin letters, such as the Catalan "ag", are more often the start of a serial than a month. */
const MONTH_WORD = /[a-z]{3,}|(?![a-z])\p{L}{2,}/gu;
/** Spreadsheets read a year of two digits as one of 1930 to 2029. */
const FIRST_YEAR_OF_1900 = 30;

/** Accents are removed, because languages and programs write the short names of months with and without them. */
const foldCase = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();

let months: Map<string, Set<number>> | undefined;

/** The months with this name. A name may mean two months: "lis" is October in Croatian, and November in Polish. */
function findMonths(word: string): number[] {
  months ??= listMonthNames();
  return [...(months.get(word) ?? [])];
}

function listMonthNames(): Map<string, Set<number>> {
  const names = new Map<string, Set<number>>();
  for (const language of LANGUAGES) {
    // A word that several months of one language have, such as the Catalan "de" or the Vietnamese "tháng", names no month.
    for (const [word, monthsOfWord] of listWordsOfMonths(language))
      if (monthsOfWord.size === 1) names.set(word, new Set([...(names.get(word) ?? []), ...monthsOfWord]));
  }
  for (const [word, month] of OTHER_MONTHS) names.set(word, (names.get(word) ?? new Set()).add(month));
  return names;
}

function listWordsOfMonths(language: string): Map<string, Set<number>> {
  const words = new Map<string, Set<number>>();
  for (const month of ['long', 'short'] as const)
    for (const day of ['numeric', undefined] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1)
        for (const { type, value } of format.formatToParts(Date.UTC(2026, at, 1)))
          if (type === 'month')
            for (const [word] of foldCase(value).matchAll(MONTH_WORD))
              words.set(word, (words.get(word) ?? new Set()).add(at + 1));
    }
  return words;
}

/** The seconds since midnight; undefined if the text is no time. */
function readTime(text: string): number | undefined {
  const [, hours, minutes, seconds, half] = TIME.exec(text) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  return (hour * 60 + Number(minutes)) * 60 + Number(seconds ?? 0);
}

function readYear(digits: string): number[] {
  if (digits.length === 4) return [Number(digits)];
  return digits.length > 2 ? [] : [Number(digits) + (Number(digits) < FIRST_YEAR_OF_1900 ? 2000 : 1900)];
}

const isDay = ({ month, day }: DayReading) => month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** All days that the text may mean in some language: 3-12 may be a day of March or of December, or March of 2012. */
function readDays(text: string): DayReading[] {
  const plain = text.replace(MIDNIGHT, '').replace(EAST_ASIAN_UNITS, ' ').trim();
  if (!DATE.test(plain)) return [];
  const parts: string[] = plain.match(PARTS) ?? [];
  const words = parts.filter((part) => !/\d/.test(part));
  const [one = '', other = '', third, ...more] = parts.filter((part) => /\d/.test(part));
  if (words.length > 1 || more.length > 0) return [];
  const day = (digits: string, month: number, year: number | null): DayReading => ({
    month,
    day: Number(digits),
    year,
  });
  const withYear = (digits: string, month: number, year: string) =>
    readYear(year).map((number) => day(digits, month, number));
  const readings = () => {
    if (words.length === 0 && third !== undefined)
      return [
        ...withYear(third, Number(other), one),
        ...withYear(one, Number(other), third),
        ...withYear(other, Number(one), third),
      ];
    if (words.length === 0)
      return [
        day(one, Number(other), null),
        day(other, Number(one), null),
        ...withYear('1', Number(one), other),
        ...withYear('1', Number(other), one),
      ];
    if (third !== undefined) return [];
    return findMonths(words[0] as string).flatMap((month) =>
      other === ''
        ? [day(one, month, null), ...withYear('1', month, one)]
        : [...withYear(one, month, other), ...withYear(other, month, one)],
    );
  };
  return parts.length < 2 ? [] : readings().filter(isDay);
}

/** Longer texts are no dates. */
const MAX_LENGTH = 40;

const shapeOf = (text: string) => text.replace(/\d+/g, '9');

/** Whether two dates of one form have the same numbers in the same order. A spreadsheet writes a date again in the order of its language. */
function haveSameNumbers(text: string, shown: string): boolean {
  const [numbers, others] = [text.match(/\d+/g) ?? [], shown.match(/\d+/g) ?? []];
  return numbers.every((digits, at) => {
    const other = others[at] ?? '';
    return Number(digits) === Number(other) || readYear(digits)[0] === readYear(other)[0];
  });
}

/**
 * Whether the cell has a form in which spreadsheets show dates: with the name of a month, which is never in capital letters, or with a year of
 * four or two digits. SET-12 is a serial and not a day of September, and 1.2.3 is a place.
 */
function isShownDate(cell: string): boolean {
  const day = cell.replace(MIDNIGHT, '').trim();
  if (/\p{L}/u.test(day)) return !/\p{Lu}{2}/u.test(day);
  const numbers: string[] = day.match(/\d+/g) ?? [];
  const hasLongYear = numbers.some((digits) => digits.length === 4);
  const hasShortYear = numbers.every((digits) => digits.length === 2) || /^\d+\/\d+\/\d\d$/.test(day);
  return numbers.length === 3 && (hasLongYear || hasShortYear);
}

/**
 * Whether a spreadsheet that takes the stored text for a date or a time may show it as this cell: 3-12 as 03.12.2026 or 12-Mar, and 12:30 as
 * 12:30:00. Two texts that a person wrote, such as 3-12 and 12-3, are different.
 */
export function isShownAsDate(stored: string, cell: string): boolean {
  if (stored.length > MAX_LENGTH || cell.length > MAX_LENGTH) return false;
  const [text, shown] = [foldCase(stored.trim()), foldCase(cell.trim())];
  if (!/\d/.test(text) || !/\d/.test(shown)) return false;
  const time = readTime(text);
  if (time !== undefined) return time === readTime(shown);
  if (!isShownDate(cell)) return false;
  if (shapeOf(text) === shapeOf(shown)) return readDays(text).length > 0 && haveSameNumbers(text, shown);
  const days = readDays(shown);
  return (
    days.length > 0 &&
    readDays(text).some(({ month, day, year }) =>
      days.some((one) => one.month === month && one.day === day && (year === null || year === one.year)),
    )
  );
}

/** A text without a year, with a separator that spreadsheets know, and with or without zeros. */
const SEPARATORS = ['-', '/', '.'];

/** The texts without a year that a spreadsheet may have turned into this cell, so that they can be looked up. */
export function listTextsShownAsDate(cell: string): string[] {
  if (cell.length > MAX_LENGTH) return [];
  const shown = foldCase(cell.trim());
  const pad = (number: number) => String(number).padStart(2, '0');
  const time = /:\d{2}:|[ap]\.?m/.test(shown) ? readTime(shown) : undefined;
  if (time !== undefined) {
    const [hour, rest] = [Math.floor(time / 3600), `:${pad(Math.floor(time / 60) % 60)}`];
    return time % 60 === 0 ? [...new Set([`${hour}${rest}`, `${pad(hour)}${rest}`])] : [];
  }
  if (!isShownDate(cell)) return [];
  const texts = readDays(shown).flatMap(({ month, day }) =>
    [String, pad].flatMap((write) =>
      SEPARATORS.flatMap((mark) => [`${write(day)}${mark}${write(month)}`, `${write(month)}${mark}${write(day)}`]),
    ),
  );
  return [...new Set(texts)];
}
