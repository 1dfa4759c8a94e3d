// The values of the wire: the inputs that each reader accepts, their results, and the inputs that it refuses.

import { LosslessNumber } from 'lossless-json';
import { isBelow, isPositive, parseDecimal, readAmount, readPositiveAmount } from '../../src/values/decimal';
import { parseGuid } from '../../src/values/guid';
import { parseInstant } from '../../src/values/instant';
import { nonEmptyText, refuseUnstorableTexts, textUpTo } from '../../src/values/text';
import { catchRefusal } from '../support/catch-refusal';
import fc from '../support/generated';

describe('a decimal', () => {
  test('of many digits that is invalid is refused after one look at each digit', () => {
    for (const text of [`${'1'.repeat(500_000)}x`, `${'1'.repeat(250_000)}.${'1'.repeat(250_000)}x`]) {
      expect(catchRefusal(() => parseDecimal(text, 'mm')).message).toContain('must be a number');
    }
  });

  test.each([
    ['1.50', '1.50'],
    ['007.50', '7.50'],
    ['+1.5', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e3', '1000'],
    ['1.5E-3', '0.0015'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['0e999999999', '0'],
    ['123456789012345678.1234567890123456789012345678', '123456789012345678.1234567890123456789012345678'],
    [`1.${'0'.repeat(40)}`, '1'],
    [1e-7, '0.0000001'],
    [new LosslessNumber('0.1000'), '0.1000'],
    [new LosslessNumber('999999999999999999'), '999999999999999999'],
  ])('%s is %s', (value, text) => {
    expect(parseDecimal(value, 'mm')).toBe(text);
  });

  test.each([
    '',
    ' ',
    ' 1',
    '1,5',
    '0x10',
    '1_000',
    'NaN',
    '-Infinity',
    '1e',
    '--1',
    '.',
    '١',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    undefined,
    {},
    ['1'],
    10n,
  ])('%p is refused', (value) => {
    expect(refusal(() => parseDecimal(value, 'mm'))).toBe('mm must be a number or a numeric text');
  });

  test.each(['1000000000000000000', '1e18', '1e999999999', '1e-29', '1e-999999999', `0.${'0'.repeat(28)}1`])(
    '%s has too many digits',
    (value) => {
      expect(refusal(() => parseDecimal(value, 'mm'))).toMatch(/^mm must have at most 18 digits/);
    },
  );

  test('matches every digit', () => {
    const digits = (most: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most });
    fc.assert(
      fc.property(digits(18), digits(28), (whole, fraction) => {
        const text = `${BigInt(whole)}.${fraction}`;
        expect(parseDecimal(text, 'mm')).toBe(text);
        expect(parseDecimal(new LosslessNumber(text), 'mm')).toBe(text);
      }),
    );
  });

  test('as an amount is not negative, and as a positive amount is above 0', () => {
    expect(readAmount('0', 'mm')).toBe('0');
    expect(readAmount('0.01', 'mm')).toBe('0.01');
    expect(refusal(() => readAmount('-0.01', 'mm'))).toBe('mm must not be negative');
    expect(readPositiveAmount('0.0001', 'mm')).toBe('0.0001');
    for (const value of ['0', '0.000', '-1']) {
      expect(refusal(() => readPositiveAmount(value, 'mm'))).toBe('mm must be above 0');
      expect(isPositive(value)).toBe(false);
    }
  });
});

test('an amount is below another if its number is', () => {
  const amounts = fc.constantFrom(
    ...['0', '0.0', '0.05', '1', '1.5', '1.50', '1.500', '9.99', '10', '10.0', '99.9', '100'],
  );
  const digits = fc.string({ unit: fc.constantFrom(...'0019'), minLength: 1, maxLength: 4 });
  const any = fc.tuple(digits, digits).map(([whole, fraction]) => `${BigInt(whole)}.${fraction}`);
  fc.assert(
    fc.property(fc.oneof(amounts, any), fc.oneof(amounts, any), (one, other) => {
      expect(isBelow(one, other)).toBe(Number(one) < Number(other));
    }),
    { numRuns: 1000 },
  );
});

describe('an instant', () => {
  test.each([
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T09:30:00+01:00', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T00:00:00.5-05:30', '2026-11-20T05:30:00.500Z'],
    ['2026-11-20T08:30:00.123999999Z', '2026-11-20T08:30:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (value, text) => {
    expect(parseInstant(value, 'from')).toBe(text);
  });

  test.each([
    '',
    'now',
    '2026-11-20',
    '2026-11-20T08:30:00',
    '2026-11-20 08:30:00Z',
    '2026-11-20T08:30:00+0100',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:60Z',
    '2026-11-20T08:30:00+24:00',
    '+002026-11-20T08:30:00Z',
    1763627400000,
    null,
    new Date(0),
  ])('%p is refused', (value) => {
    expect(refusal(() => parseInstant(value, 'from'))).toMatch(/^from must be a time with an offset/);
  });

  test.each(['2026-02-29', '2026-04-31', '2026-13-01', '2026-01-00'])('%s is a day that does not exist', (day) => {
    expect(refusal(() => parseInstant(`${day}T00:00:00Z`, 'from'))).toBe(
      'from must be a date that exists in the calendar',
    );
  });

  test.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
    '%s lies outside the years that can be stored',
    (value) => {
      expect(refusal(() => parseInstant(value, 'from'))).toMatch(/^from must be between the years 0001 and 9999/);
    },
  );

  test('that was written is read back unchanged', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (at) => {
        expect(parseInstant(at.toISOString(), 'from')).toBe(at.toISOString());
      }),
    );
  });
});

describe('a GUID', () => {
  test('is read in upper and lower case, and written in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (guid) => {
        expect(parseGuid(guid.toUpperCase(), 'id')).toBe(guid);
        expect(parseGuid(guid, 'id')).toBe(guid);
      }),
    );
    expect(parseGuid('00000000-0000-0000-0000-000000000000', 'id')).toBe('00000000-0000-0000-0000-000000000000');
  });

  test.each([
    '',
    '1',
    '3f2504e04f8941d39a0c0305e82c3301',
    '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
    '3f2504e0-4f89-41d3-9a0c-0305e82c330g',
    '3f2504e0-4f89-41d3-9a0c-0305e82c3301\n',
    3,
    null,
    undefined,
  ])('%p is not a GUID', (value) => {
    expect(refusal(() => parseGuid(value, 'id'))).toMatch(/^id must be a GUID/);
  });
});

describe('a text', () => {
  test.each(['', ' ', 'Benchy', '🖨️', '\u{1F600}', '\uFEFF', 'a\nb\tc\u0001'])('%p is whole', (value) => {
    expect(() => refuseUnstorableTexts(value, 'name')).not.toThrow();
  });

  test.each([
    ['a\0b', 'name must not contain NUL characters'],
    ['a\uD83D', 'name must not contain half of a surrogate pair'],
    ['\uDE00\uD83D', 'name must not contain half of a surrogate pair'],
  ])('%p is broken', (value, message) => {
    expect(refusal(() => refuseUnstorableTexts(value, 'name'))).toBe(message);
  });

  test('is found wherever it is in a value, and named by its member', () => {
    expect(refusal(() => refuseUnstorableTexts({ input: [{ notes: 'a' }, { notes: '\0' }] }, 'variables'))).toMatch(
      /^notes /,
    );
    expect(refusal(() => refuseUnstorableTexts({ ids: ['\0'] }, 'variables'))).toMatch(/^ids /);
    expect(() => refuseUnstorableTexts({ a: [null, 1, true, { b: undefined }] }, 'variables')).not.toThrow();
  });

  test('is found as deep as a value may be, and a deeper value is refused', () => {
    const nested = (levels: number) => {
      let value: unknown = '\0';
      for (let depth = 0; depth < levels; depth += 1) value = [value];
      return value;
    };
    expect(refusal(() => refuseUnstorableTexts(nested(100), 'variables'))).toMatch(/^variables must not contain NUL/);
    for (const levels of [101, 200_000]) {
      expect(refusal(() => refuseUnstorableTexts(nested(levels), 'variables'))).toMatch(
        /^variables must not be nested deeper/,
      );
    }
  });

  test('has a length in UTF-16 units, and may have to be non-empty', () => {
    expect(textUpTo(3)('abc', 'name')).toBe('abc');
    expect(refusal(() => textUpTo(3)('ab😀', 'name'))).toBe('name must have at most 3 characters');
    expect(nonEmptyText(3)(' ', 'name')).toBe(' ');
    expect(refusal(() => nonEmptyText(3)('', 'name'))).toBe('name must not be empty');
    expect(refusal(() => nonEmptyText(3)('abcd', 'name'))).toBe('name must have at most 3 characters');
  });
});

function refusal(run: () => unknown): string {
  return catchRefusal(run).message;
}
