// Reads the query of a request, and the values that Spoolman's clients send in queries and bodies in several forms.
import { BadInput } from '../../errors';
import { parseDecimal } from '../../values/decimal';
import { parseInstant } from '../../values/instant';
import { refuseUnstorableTexts } from '../../values/text';
import { Unprocessable } from './errors';

export const MAX_ID = 2 ** 31 - 1;

/** The parameters of a query. Of a parameter that is repeated the last one counts. */
export function readQuery(search: string): Map<string, string> {
  const query = new Map(new URLSearchParams(search));
  refuseUnstorableTexts([...query.values(), ...query.keys()], 'query');
  return query;
}

/** Reads `limit` and `offset`. */
export function readWhole(query: ReadonlyMap<string, string>, name: string): number | null {
  const text = query.get(name);
  if (text === undefined) return null;
  if (!/^\d+$/.test(text)) throw new Unprocessable(`${name} must be a whole number that is not below 0.`);
  return Math.min(Number(text), MAX_ID);
}

const WORDS: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

export function readFlag(value: unknown, member: string): boolean {
  if (typeof value === 'boolean') return value;
  const flag = WORDS[String(value).trim().toLowerCase()];
  if (flag === undefined) throw new BadInput('must be true or false', member);
  return flag;
}

const OFFSET = /(z|[+-]\d\d:?\d\d)$/i;
/** Above it a number counts milliseconds: as seconds it would be the year 2603. */
const LARGEST_SECONDS = 2e10;

/** Reads RFC 3339, with or without an offset, or seconds or milliseconds since 1970. */
export function readTime(value: unknown, member: string): string {
  const text = String(value).trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    const number = Number(parseDecimal(text.replace(/^-/, ''), member)) * (text.startsWith('-') ? -1 : 1);
    const time = new Date(number > LARGEST_SECONDS ? number : number * 1000);
    if (Number.isNaN(time.getTime())) throw new BadInput('must be a time', member);
    return parseInstant(time.toISOString(), member);
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseInstant(`${text}T00:00:00Z`, member);
  // In a query, the sign + of an offset arrives as a blank.
  const [, day, clock, zone = ''] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(.*)$/i.exec(text) ?? [];
  const offset = zone.replace(/^ (?=\d)/, '+').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const seconds = clock?.length === 'HH:MM'.length ? `${clock}:00` : clock;
  return parseInstant(`${day}T${seconds}${OFFSET.test(offset) ? offset : offset === '' ? 'Z' : zone}`, member);
}

/**
 * Splits a list with commas. A text in quotation marks may itself have commas.
 * @returns each text, and whether it was in quotation marks
 */
export function splitTexts(list: string): { text: string; isWhole: boolean }[] {
  const texts: { text: string; isWhole: boolean }[] = [];
  for (let rest: string | undefined = list; rest !== undefined; ) {
    const quoted: RegExpExecArray | null = /^"(.*?)"(?:,|$)/s.exec(rest);
    const [found, text] = (quoted ?? /^([^,]*)(?:,|$)/s.exec(rest)) as unknown as [string, string];
    texts.push({ text, isWhole: quoted !== null });
    rest = found.endsWith(',') ? rest.slice(found.length) : undefined;
  }
  return texts;
}

export function readIds(list: string, name: string, min: 0 | -1): number[] {
  return list.split(',').map((text) => {
    const id = text.trim();
    if (!/^-?\d+$/.test(id) || Number(id) < min) throw new Unprocessable(`${name} must be whole numbers with commas.`);
    return Math.min(Number(id), MAX_ID);
  });
}

/** The number in a path. @returns null for a number that no object has */
export function readPathId(text: string): number | null {
  if (!/^-?\d+$/.test(text)) throw new Unprocessable('The id in the path must be a whole number.');
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : null;
}
