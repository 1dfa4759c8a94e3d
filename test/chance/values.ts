// Generated values as they stand on the wire: right ones up to the edge of their range, nearly right and hostile ones.
import fc from '../support/generated';

/** One value, digit for digit and escape for escape, as JSON and as a literal in a GraphQL document. */
export interface Value {
  json: string;
  literal: string;
}

export type Kind = 'text' | 'name' | 'decimal' | 'positive' | 'float' | 'percent' | 'count' | 'boolean' | 'instant';

const raw = (text: string): Value => ({ json: text, literal: text });
export const textValue = (text: string): Value => raw(JSON.stringify(text));
export const nullValue = raw('null');

export function listValue(values: readonly Value[]): Value {
  const of = (form: keyof Value) => `[${values.map((value) => value[form]).join(', ')}]`;
  return { json: of('json'), literal: of('literal') };
}

export function objectValue(members: readonly (readonly [name: string, value: Value])[]): Value {
  return {
    json: `{${members.map(([name, { json }]) => `${JSON.stringify(name)}: ${json}`).join(', ')}}`,
    literal: `{${members.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')}}`,
  };
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });

/** Up to 18 digits before the point and 28 after it, in the notations that JSON has for one number. */
export const decimalText: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(digits(1, 18), digits(0, 28)).map(([whole, rest]) => `${BigInt(whole)}${rest && `.${rest}`}`),
  fc.tuple(fc.nat(99_999), fc.integer({ min: -23, max: 12 })).map(([whole, exponent]) => `${whole}e${exponent}`),
  fc.constantFrom('0', '1.75', '1.50', '1000', '0.00', '1E+3', '-0', '0.0000000000000000000000000001'),
  fc.constantFrom('999999999999999999', `999999999999999999.${'9'.repeat(28)}`),
);

const wellFormed = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(' ', '\t', '\n', '\\', '"', "'", '%', '_', '\u202e', '\ufeff', '\u007f', '\uffff', 'İ', 'ß', '😀'),
  fc.constantFrom("'; drop table cameras; --", '$1', '{{7*7}}', '../../etc/passwd', '__proto__', 'constructor', 'null'),
  fc.constantFrom('x', '😀', 'é').map((unit) => unit.repeat(255 / unit.length)),
);

const instantText = fc.oneof(
  fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-11-20t08:30:00.123456789z'),
  fc.constantFrom('2026-11-20T08:30:00+14:00', '2026-11-20T08:30:00-23:59', '2024-02-29T00:00:00.5+00:00'),
);

const right: Record<Kind, fc.Arbitrary<Value>> = {
  text: wellFormed.map(textValue),
  name: wellFormed.filter((text) => text !== '').map(textValue),
  decimal: fc.oneof(decimalText.map(raw), decimalText.map(textValue)),
  positive: decimalText.filter((text) => /[1-9]/.test(text.replace(/e.*/i, ''))).map(raw),
  float: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => raw(JSON.stringify(number))),
    fc.constantFrom('0', '-0', '1e308', '5e-324', '-1.7976931348623157e308', '1E2').map(raw),
  ),
  percent: fc.double({ min: 0, max: 100, noNaN: true }).map((number) => raw(JSON.stringify(number))),
  count: fc.oneof(fc.nat(2_147_483_647), fc.constantFrom(0, 1, 2_147_483_647)).map((number) => raw(String(number))),
  boolean: fc.boolean().map((flag) => raw(String(flag))),
  instant: instantText.map(textValue),
};

const numberAlmost = fc.constantFrom(
  ...['-1', '-0.1', '1e400', '-1e400', '1e-400', '1e999999999', '2147483648', '-2147483649', '9007199254740993'],
  ...['1234567890123456789', '0.12345678901234567890123456789', '100.0000001', '1e18', '1e17', '1.5', '1e1000000000'],
);

const textAlmost = fc.oneof(
  fc.constantFrom('', '\0', 'a\0b', '\ud800', 'a\udc00b', 'NaN', 'Infinity', '-1', '1e400', '0x10', '1,5', '１２'),
  fc.constantFrom(255, 256, 1000, 1001, 4096, 4097, 10_000, 10_001, 100_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom(128, 256, 501).map((length) => '😀'.repeat(length)),
  fc.constantFrom('2026-02-30T00:00:00Z', '2026-11-20', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'),
  fc.constantFrom('10000-01-01T00:00:00Z', '9999-12-31T23:59:59.999-01:00', '2026-11-20T24:00:00Z', 'infinity', 'now'),
  fc.constantFrom('2016-12-31T23:59:60Z', '2026-11-20T08:30:00', '+002026-11-20T08:30:00Z', 'epoch', 'today'),
  fc.uuid(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}', '3f2504e0'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 30 }),
);

/** Anything at all that JSON and GraphQL can both write. */
export const anything: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: textAlmost.map(textValue) },
  { weight: 3, arbitrary: numberAlmost.map(raw) },
  { weight: 3, arbitrary: fc.oneof(...Object.values(right)) },
  { weight: 2, arbitrary: fc.constantFrom(nullValue, raw('true'), raw('false')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      listValue([]),
      objectValue([]),
      listValue([nullValue]),
      objectValue([['id', raw('1')]]),
      listValue([listValue([objectValue([['a', listValue([])]])])]),
      objectValue([['__proto__', objectValue([])]]),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(50, 500, 3000).map((depth) => raw('['.repeat(depth) + ']'.repeat(depth))) },
);

export const rightValue = (kind: Kind): fc.Arbitrary<Value> => right[kind];

/** A right value most of the time, and otherwise one that may be anything. */
export function mostly(arbitrary: fc.Arbitrary<Value>, weight = 12): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: anything });
}
