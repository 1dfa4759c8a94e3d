// Values that no door may accept, as raw JSON texts by the kind of member, so that no float and no escape is lost.

export type Bad = [title: string, json: string];

const NOT_A_TEXT: Bad[] = [
  ['a number', '7'],
  ['a boolean', 'true'],
  ['an array', '["x"]'],
  ['an object', '{"a":1}'],
];

/** What PostgreSQL cannot store or UTF-8 cannot carry. */
export const BROKEN_TEXT: Bad[] = [
  ['a text with NUL', '"a\\u0000b"'],
  ['half of a surrogate pair', '"a\\ud800b"'],
  ['the other half of a surrogate pair', '"\\udc00"'],
];

const NULL: Bad = ['null', 'null'];
const EMPTY: Bad = ['an empty text', '""'];

export const MEGABYTE: Bad = ['a text of a megabyte', `"${'x'.repeat(1_000_000)}"`];

const longerThan = (limit: number): Bad => [`a text of ${limit + 1} characters`, `"${'x'.repeat(limit + 1)}"`];

export const NO_GUIDS: Bad[] = [
  ['an empty text', '""'],
  ['no GUID', '"abc"'],
  ['a GUID in braces', '"{3f2504e0-4f89-41d3-9a0c-0305e82c3301}"'],
  ['a GUID without dashes', '"3f2504e04f8941d39a0c0305e82c3301"'],
  ['a GUID as a URN', '"urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301"'],
  ['a GUID and a space', '"3f2504e0-4f89-41d3-9a0c-0305e82c3301 "'],
  ['a GUID that is a digit short', '"3f2504e0-4f89-41d3-9a0c-0305e82c330"'],
];

export const NO_DECIMALS: Bad[] = [
  ['no number', '"abc"'],
  ['an empty text', '""'],
  ['a space', '" "'],
  ['a decimal comma', '"1,5"'],
  ['a hexadecimal number', '"0x10"'],
  ['NaN', '"NaN"'],
  ['Infinity', '"Infinity"'],
  ['a boolean', 'true'],
  ['an array', '[1]'],
  ['an object', '{"a":1}'],
  ['a negative number', '-1'],
  ['a negative numeric text', '"-0.5"'],
  ['1e400', '1e400'],
  ['1e400 as a text', '"1e400"'],
  ['1e-400', '1e-400'],
  ['19 digits before the point', '"1234567890123456789"'],
  ['29 digits after the point', '"0.12345678901234567890123456789"'],
];

export const NO_INSTANTS: Bad[] = [
  ['a number', '1763627400'],
  ['a boolean', 'true'],
  ['an array', '["2026-11-20T08:30:00Z"]'],
  ['an empty text', '""'],
  ['a word', '"yesterday"'],
  ['a date alone', '"2026-11-20"'],
  ['a day that does not exist', '"2026-02-30T00:00:00Z"'],
  ['29 February of a common year', '"2026-02-29T00:00:00Z"'],
  ['month 13', '"2026-13-01T00:00:00Z"'],
  ['hour 25', '"2026-11-20T25:00:00Z"'],
  ['minute 60', '"2026-11-20T08:60:00Z"'],
  ['a time without offset', '"2026-11-20T08:30:00"'],
  ['a space and no offset', '"2026-11-20 08:30:00"'],
  ['the name of a zone', '"2026-11-20T08:30:00 Europe/Paris"'],
  ['an unknown zone', '"2026-11-20T08:30:00 Mars/Olympus"'],
  ['a zone in brackets', '"2026-11-20T08:30:00Z[Mars/Olympus]"'],
  ['an offset of 25 hours', '"2026-11-20T08:30:00+25:00"'],
  ['a year of six digits', '"+012026-11-20T08:30:00Z"'],
  ['the year 0', '"0000-01-01T00:00:00Z"'],
  ['a year before 1 in UTC', '"0001-01-01T00:00:00+01:00"'],
  ['NUL', '"2026-11-20T08:30:00Z\\u0000"'],
];

export const NO_SLOTS: Bad[] = [
  ['a slot without a number', '"tool"'],
  ['a slot with a letter for a number', '"tool:a"'],
  ['a slot with a number of four digits', '"tool:1000"'],
  ['a slot with three numbers', '"ams:0:1:2"'],
  ['a slot in upper case', '"TOOL:0"'],
  ['a slot and a line end', '"tool:0\\n"'],
  ['a slot with a negative number', '"tool:-1"'],
  ['a slot with 21 letters', '"aaaaaaaaaaaaaaaaaaaaa:0"'],
];

const NO_BOOLEANS: Bad[] = [
  ['a text', '"true"'],
  ['a number', '1'],
  ['an array', '[true]'],
  ['an object', '{}'],
];

/** A percentage, seconds, frames: the values that a Float member with a range refuses. */
const NO_FLOATS: Bad[] = [
  ['a text', '"7"'],
  ['a boolean', 'true'],
  ['1e400', '1e400'],
  ['an array', '[7]'],
];

/** What no device can have as its address, or may have. */
const NO_ADDRESSES: Bad[] = [
  ['a space', '" "'],
  ['a path', '"192.168.1.20/api"'],
  ['credentials', '"http://user:password@192.168.1.20"'],
  ['another scheme', '"ftp://192.168.1.20"'],
  ['port 0', '"192.168.1.20:0"'],
  ['port 65536', '"192.168.1.20:65536"'],
  ['a public address', '"203.0.113.7"'],
  ['the same as one number', '"3405803783"'],
  ['where clouds serve credentials', '"169.254.169.254"'],
];

const LINES: Bad[] = [
  ['a line break', '"a\\r\\nb"'],
  ['a tab', '"a\\tb"'],
];

export const BAD = {
  guid: [...NOT_A_TEXT, ...NO_GUIDS, ...BROKEN_TEXT, NULL],
  /** An identifier or a name: not empty, at most 255 characters. */
  key: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255), EMPTY, NULL],
  optionalKey: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255)],
  requiredText: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(1000), EMPTY, NULL],
  address: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255), EMPTY, NULL, ...NO_ADDRESSES],
  optionalAddress: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255), EMPTY, ...NO_ADDRESSES],
  optionalLine: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255), ...LINES],
  /** A member that other kinds of machines have. */
  notHere: [...NOT_A_TEXT, ...BROKEN_TEXT, ['a text', '"01S00C123400001"'] as Bad],
  fingerprint: [
    ...NOT_A_TEXT,
    ...BROKEN_TEXT,
    ['63 digits', `"${'a'.repeat(63)}"`] as Bad,
    ['66 digits', `"${'a'.repeat(66)}"`] as Bad,
    ['another digit', `"${'g'.repeat(64)}"`] as Bad,
    ['a colon inside a byte', `"a:a${'a'.repeat(62)}"`] as Bad,
    ['for an address without TLS', `"${'a'.repeat(64)}"`] as Bad,
  ],
  text: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(1000)],
  path: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(4096)],
  notes: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(10_000)],
  /** An identifier in GraphQL, whose ID also reads numbers. */
  graphKey: [...NOT_A_TEXT.slice(1), ...BROKEN_TEXT, MEGABYTE, longerThan(255), NULL],
  optionalGraphKey: [...NOT_A_TEXT.slice(1), ...BROKEN_TEXT, MEGABYTE, longerThan(255), EMPTY],
  requiredGraphKey: [...NOT_A_TEXT.slice(1), ...BROKEN_TEXT, MEGABYTE, longerThan(255), EMPTY, NULL],
  graphGuid: [...NOT_A_TEXT, ...NO_GUIDS, ...BROKEN_TEXT, NULL],
  statusText: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, longerThan(255)],
  decimal: NO_DECIMALS,
  positiveDecimal: [...NO_DECIMALS, ['zero', '0'] as Bad, ['zero as a text', '"0.00"'] as Bad],
  instant: NO_INSTANTS,
  boolean: NO_BOOLEANS,
  percentage: [...NO_FLOATS, ['a negative number', '-0.1'] as Bad, ['more than 100', '100.1'] as Bad],
  notNegativeFloat: [...NO_FLOATS, ['a negative number', '-0.1'] as Bad],
  float: NO_FLOATS,
  seconds: [
    ...NO_FLOATS,
    ['a negative number', '-1'] as Bad,
    ['a fraction', '1.5'] as Bad,
    ['2^31', '2147483648'] as Bad,
  ],
  choice: [...NOT_A_TEXT, ...BROKEN_TEXT, MEGABYTE, EMPTY, ['no such name', '"Fax"'] as Bad, NULL],
} satisfies Record<string, Bad[]>;

export type Kind = keyof typeof BAD;

/** The JSON text of an object with one member replaced by raw JSON. */
export function withRaw(valid: object, member: string, json: string): string {
  return JSON.stringify({ ...valid, [member]: '@raw@' }).replace('"@raw@"', () => json);
}
