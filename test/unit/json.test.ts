// Reads JSON: no digit of a number is lost, and invalid JSON is refused.

import { isLosslessNumber } from 'lossless-json';
import { BadInput } from '../../src/errors';
import { parseDecimal } from '../../src/values/decimal';
import { parseExactJson, parsePlainJson } from '../../src/values/json';
import fc from '../support/generated';

const bytes = (text: string) => Buffer.from(text);
const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most });

test.each(['1.50', '100', '1234567890123456', '9007199254740993', '999999999999999999.9999999999999999999999999999'])(
  'the digits of %s are unchanged by the parser',
  (text) => {
    const { value } = parseExactJson(bytes(`{"value": ${text}}`)) as { value: unknown };
    expect(parseDecimal(value, 'value')).toBe(text);
  },
);

test('the digits of any decimal are unchanged by the parser', () => {
  fc.assert(
    fc.property(digits(18), fc.option(digits(28)), (whole, fraction) => {
      const text = `${BigInt(whole)}${fraction === null ? '' : `.${fraction}`}`;
      const parsed = parseExactJson(bytes(`{"a": [${text}], "b": "x"}`)) as { a: unknown[] };
      expect(parseDecimal(parsed.a[0], 'a')).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('everything else in a JSON text is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(unwrapped(parseExactJson(bytes(text))))).toBe(text);
      expect(JSON.stringify(unwrapped(parsePlainJson(bytes(text))))).toBe(text);
    }),
  );
});

test.each([
  ['1.50', 1.5],
  ['0.00000000000010', 1e-13],
  ['-12345678901234.50', -12345678901234.5],
  ['123456789012345.0', 123456789012345],
  ['1e3', 1000],
  ['-0.25', -0.25],
  ['1000000000000000000000', 1e21],
])('for GraphQL %s is a plain number, which loses nothing', (text, value) => {
  expect((parsePlainJson(bytes(`{"v": ${text}}`)) as { v: unknown }).v).toBe(value);
});

test.each(['9007199254740993', '0.12345678901234567', '0.1000000000000000055511151231257827', '1e400'])(
  'for GraphQL %s stays a text of digits, because no float holds it',
  (text) => {
    const parsed = (parsePlainJson(bytes(`{"v": ${text}}`)) as { v: unknown }).v;
    expect(isLosslessNumber(parsed) && parsed.value).toBe(text);
  },
);

test.each([
  ['', 'it ends too early'],
  ['{', 'it ends too early'],
  ['{"a":1,}', 'the fault is at character 8'],
  ["{'a':1}", 'the fault is at character 2'],
  ['NaN', 'the fault is at character 1'],
  ['{"a":1}x', 'the fault is at character 8'],
  [' \uFEFF{}', 'the fault is at character 2'],
  ['[1.50', 'it ends too early'],
])('%p is not JSON, and the fault is reported in plain words', (text, fault) => {
  for (const parse of [parseExactJson, parsePlainJson]) {
    expect(() => parse(bytes(text))).toThrow(BadInput);
    expect(() => parse(bytes(text))).toThrow(new Error(`The body is not valid JSON: ${fault}`));
  }
});

test('bytes that are not UTF-8 are not JSON', () => {
  const broken = Buffer.concat([bytes('{"a":"'), Buffer.from([0xff, 0xc3]), bytes('"}')]);
  expect(() => parseExactJson(broken)).toThrow('The body must be JSON in UTF-8, and it is not UTF-8');
});

function unwrapped(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(unwrapped);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}
