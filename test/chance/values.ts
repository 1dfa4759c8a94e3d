// Generates values as they are sent: valid ones up to the edge of their range, nearly valid and hostile ones.
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

/** In the notations that JSON has for one number. */
const decimals = fc.oneof(
  fc.tuple(fc.bigInt(1n, 10n ** 18n - 1n), fc.nat()).map(([whole, rest]) => `${whole}.${rest}`),
  fc.tuple(fc.nat(99_999), fc.integer({ min: -23, max: 12 })).map(([whole, exponent]) => `${whole}e${exponent}`),
  fc.constantFrom('1.50', '1E+3', '0.0000000000000000000000000001', `999999999999999999.${'9'.repeat(28)}`),
);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(' ', '\n', '\\', '"', "'", '%', '_', '\u202e', '\ufeff', 'İ', '😀', '__proto__', 'null', '$1'),
  fc.constantFrom('x', '😀', 'é').map((unit) => unit.repeat(255 / unit.length)),
);

const instants = fc.oneof(
  fc.date({ min: new Date('0001-01-01Z'), max: new Date('9999-12-31Z'), noInvalidDate: true }).map((at) => at.toJSON()),
  fc.constantFrom('9999-12-31T23:59:59.999Z', '2026-11-20t08:30:00.123456789z', '2026-11-20T08:30:00-23:59'),
);

const right: Record<Kind, fc.Arbitrary<Value>> = {
  text: texts.map(textValue),
  name: texts.filter((text) => text !== '').map(textValue),
  decimal: fc.oneof(decimals.map(raw), decimals.map(textValue)),
  positive: decimals.filter((text) => !text.startsWith('0e')).map(raw),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => raw(JSON.stringify(number))),
  percent: fc.double({ min: 0, max: 100, noNaN: true }).map((number) => raw(JSON.stringify(number))),
  count: fc.nat(2_147_483_647).map((number) => raw(String(number))),
  boolean: fc.boolean().map((flag) => raw(String(flag))),
  instant: instants.map(textValue),
};
export const rightValue = (kind: Kind): fc.Arbitrary<Value> => right[kind];

/** Anything at all that JSON and GraphQL can both write. */
export const anything: fc.Arbitrary<Value> = fc.oneof(
  fc
    .constantFrom('', '\0', '\ud800', 'a\udc00b', 'NaN', '-1', '0x10', '1,5', '１２', '2026-02-30T00:00:00Z', 'now')
    .map(textValue),
  fc.constantFrom(256, 1001, 4097, 10_001, 100_000).map((length) => textValue('x'.repeat(length))),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }).map(textValue),
  fc.uuid().map(textValue),
  fc
    .constantFrom(
      '-1',
      '1e400',
      '1e-400',
      '1e999999999',
      '2147483648',
      '9007199254740993',
      '100.0000001',
      '1e18',
      '1.5',
    )
    .map(raw),
  ...Object.values(right),
  fc.constantFrom(nullValue, raw('true'), listValue([nullValue]), objectValue([['__proto__', objectValue([])]])),
  fc.constantFrom(50, 500, 3000).map((depth) => raw('['.repeat(depth) + ']'.repeat(depth))),
);

/** A valid value most of the time, and otherwise any value. */
export function mostly(arbitrary: fc.Arbitrary<Value>, weight = 12): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: anything });
}
