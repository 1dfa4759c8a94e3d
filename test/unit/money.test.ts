// Money on the dashboard: with the decimals of its currency, and with all digits if the exact amount is shown.
import { exactMoney, money, moneyPerGram, roundedGrams } from '../../src/web/parts/numbers';

/** The digits, without the sign of the currency and the separators of the reader. */
const keepDigits = (text: string) => text.replace(/[^\d]/g, '');

test.each([
  ['EUR', '1234.5678', '123457'],
  ['EUR', '3', '300'],
  ['JPY', '1234.5678', '1235'],
  ['JPY', '0.4200', '0'],
  ['KWD', '1.2', '1200'],
  [null, '12.3400', '123400'],
])('in %s, %s is written with the digits %s', (currency, text, digits) => {
  expect(keepDigits(money(text, currency))).toBe(digits);
});

test('the exact amount has all of its digits, more than a double has', () => {
  expect(keepDigits(exactMoney('12345678901234567890.1230', 'JPY'))).toBe('123456789012345678901230');
  expect(keepDigits(exactMoney('0.4200', 'EUR'))).toBe('04200');
});

test('a price of a gram has four decimals at most', () => {
  expect(keepDigits(moneyPerGram('0.0375294117647058823529411765', 'EUR'))).toBe('00375');
  expect(keepDigits(moneyPerGram('0.03', 'EUR'))).toBe('003');
});

test('grams in a list are whole, below 10 g with one decimal, and never 0 g if there are some', () => {
  const texts = ['949.78', '99.5', '9.96', '3.05', '3.00', '-0.42', '0.04', '0'].map(roundedGrams);
  expect(texts.map((text) => text.replace(',', '.'))).toEqual([
    '950 g',
    '100 g',
    '10 g',
    '3.1 g',
    '3 g',
    '-0.4 g',
    '< 0.1 g',
    '0 g',
  ]);
});

test('a text that is not yet a decimal stays as it is typed', () => {
  expect(money('abc', 'EUR')).toBe('abc');
});
