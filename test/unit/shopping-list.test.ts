// How the shopping list computes: missing grams, spools to order and prices, with exact decimals, and its text and CSV.
import { PLAIN_FORM } from '../../src/values/csv';
import {
  listPurchases,
  sumPurchases,
  writeShoppingCsv,
  writeShoppingText,
} from '../../src/web/filaments/shopping-list';
import { add, countParts, isAbove, multiply, subtract } from '../../src/web/parts/exact-decimals';

type Product = Parameters<typeof listPurchases>[0][number];

/** A product of which `remaining` grams remain and `planned` grams are allocated to jobs. */
function createProduct(name: string, minimumGrams: string | null, remaining: string, planned: string, other = {}) {
  return {
    id: name,
    number: 7,
    name,
    vendor: null,
    material: { name: 'PLA' },
    colorHex: null,
    articleNumber: null,
    weightTotalGrams: '1000',
    purchasePrice: null,
    minimumGrams,
    archivedAt: null,
    stock: { remainingGrams: remaining, plannedGrams: planned, freeGrams: subtract(remaining, planned) },
    ...other,
  } as unknown as Product;
}
const buy = (...product: Parameters<typeof createProduct>) => listPurchases([createProduct(...product)])[0];

test.each([
  ['below the minimum', '2000', '949.78', '0', '1050.22', 2],
  ['jobs take it below the minimum', '1000', '1500', '900.5', '400.5', 1],
  ['jobs need more than remains, without a minimum', null, '100.1', '1200.3', '1100.2', 2],
  ['jobs need more than remains, with a minimum', '500', '100', '1200', '1600', 2],
  ['exactly one spool', '1000', '0', '0', '1000', 1],
  ['a hair more than one spool', '1000.0000001', '0', '0', '1000.0000001', 2],
  ['more digits than a binary number has', '900000000000000.01', '900000000000000.005', '0', '0.005', 1],
])('%s: the missing grams and the spools to order', (_, minimum, remaining, planned, missingGrams, spools) => {
  expect(buy('PLA', minimum, remaining, planned)).toMatchObject({ missingGrams, spools });
});

test.each([
  ['the minimum is free', createProduct('PLA', '500', '1700', '1200')],
  ['no minimum, and enough for the jobs', createProduct('PLA', null, '1200', '1200')],
  ['archived', createProduct('PLA', '500', '0', '0', { archivedAt: '2026-11-28T00:00:00.000Z' })],
])('not listed: %s', (_, product) => expect(listPurchases([product])).toEqual([]));

test('the list is in natural order, and sums spools and known prices', () => {
  const purchases = listPurchases([
    createProduct('PLA 10', '100', '0', '0', { purchasePrice: '19.90' }),
    createProduct('PLA 9', '2500', '0', '0', { purchasePrice: '0.1', articleNumber: 'A-9', vendor: 'Maker' }),
    createProduct('Sample', '5', '0', '0', { weightTotalGrams: '0', purchasePrice: '3' }),
    createProduct('PLA 2', '1', '0', '0'),
  ]);
  expect(purchases.map(({ product, spools, price }) => [product.name, spools, price])).toEqual([
    ['PLA 9', 3, '0.3'],
    ['PLA 2', 1, null],
    ['PLA 10', 1, '19.90'],
    ['Sample', null, null],
  ]);
  expect(sumPurchases(purchases)).toEqual({ spools: 5, price: '20.20', withoutPrice: 2 });
  expect(sumPurchases([])).toEqual({ spools: 0, price: null, withoutPrice: 0 });
  const [first, second, , last] = writeShoppingText(purchases, (amount) => `${amount} EUR`).split('\n');
  expect(first).toMatch(/^3 × Maker PLA 9, .+ g \(article A-9, .+ g missing, 0.1 EUR per spool\)$/);
  expect(second).toMatch(/^1 × PLA 2, .+ g \(.+ g missing\)$/);
  expect(last).toMatch(/^Sample, 0 g \(.+ g missing\)$/);
});

test('the file has exact numbers in the form of the spreadsheet, and no formulas', () => {
  const product = createProduct('=1+1', '2000.5', '100', '0', { purchasePrice: '19.90', articleNumber: 'A;9' });
  const form = { ...PLAIN_FORM, separator: ';', decimalMark: ',' };
  expect(writeShoppingCsv(listPurchases([product]), form, 'EUR')).toBe(
    'number;name;vendor;articleNumber;material;colorHex;weightTotalGrams;freeGrams;plannedGrams;minimumGrams;missingGrams;' +
      `spoolsToOrder;purchasePrice (EUR);totalPrice (EUR)\r\n7;'=1+1;;"A;9";PLA;;1000;100;0;2000,5;1900,5;2;19,90;39,80\r\n`,
  );
});

test('decimals are exact, also with an exponent or below 0', () => {
  expect(add('0.1', '0.2', '-.5')).toBe('-0.2');
  expect(multiply('-19.99', 3)).toBe('-59.97');
  expect(subtract('1.5e3', '2e-1')).toBe('1499.8');
  expect(isAbove('5e2', '499.9')).toBe(true);
  expect(isAbove('500.0', '500')).toBe(false);
  expect(countParts('0.3', '0.1')).toBe(3);
});
