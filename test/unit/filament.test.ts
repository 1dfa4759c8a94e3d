// Compares grams and cost with known vectors, and with the same formulas in whole numbers of any length.

import { calculateCost, createDerivation, deriveGrams } from '../../src/farm/print-jobs/filament';
import fc from '../support/generated';
import { costInWholeNumbers, gramsInWholeNumbers } from './whole-numbers';

describe('grams', () => {
  test.each([
    // mm, diameter, density, grams
    ['1000', '1.75', '1.24', '2.98'],
    ['12345.678', '1.75', '1.24', '36.82'],
    ['12345.678', '2.85', '1.04', '81.91'],
    ['330000', '1.75', '1.24', '984.24'],
    ['1', '1.75', '1.24', '0.00'],
    ['0', '1.75', '1.24', '0.00'],
    ['1000', '0', '1.24', '0.00'],
    ['1000', '1.75', '0', '0.00'],
    // The area counts with 8 decimals, 2.40528188, and the product with all of its digits.
    ['999999999999999999', '1.75', '1.24', '2982549531200000.00'],
    ['100000000', '1.75', '1', '240528.19'],
    // The exact result ends in 5 at the third decimal: 300660.235 and 901980.705 go to the even neighbour.
    ['125000000', '1.75', '1', '300660.24'],
    ['375000000', '1.75', '1', '901980.70'],
    // An area of exactly 1: 1.005 and 1.015 are ties, and a binary float has them below.
    ['1000', '1.1283791671', '1.005', '1.00'],
    ['1000', '1.1283791671', '1.015', '1.02'],
  ])('of %s mm at %s mm and %s g/cm3 are %s', (mm, diameter, density, grams) => {
    expect(deriveGrams(mm, diameter, density)).toBe(grams);
  });

  test('come out the same in whole numbers of any length', () => {
    fc.assert(
      fc.property(decimal(), decimal(), decimal(), (mm, diameter, density) => {
        expect(deriveGrams(mm, diameter, density)).toBe(gramsInWholeNumbers(mm, diameter, density));
      }),
      { numRuns: 500 },
    );
  });
});

describe('cost', () => {
  test.each([
    // grams, price, weight, cost
    ['36.82', '25', '1000', '0.9205'],
    ['984.24', '19.99', '750', '26.2333'],
    ['1', '1', '3', '0.3333'],
    ['3', '1', '3', '1.0000'],
    ['0.01', '25', '1000', '0.0002'],
    // Ties go to the even neighbour: 0.00005, 0.00015, 0.00025.
    ['1', '1', '20000', '0.0000'],
    ['3', '1', '20000', '0.0002'],
    ['5', '1', '20000', '0.0002'],
    // The product comes first: divided first, 1/3 of 0.00015 would lie just below the tie.
    ['0.00045', '1', '3', '0.0002'],
    ['1', '0', '1000', '0.0000'],
    ['999999999999999999', '999999999999999999', '1', '999999999999999998000000000000000001.0000'],
  ])('of %s g from a spool of price %s and weight %s is %s', (grams, price, weight, cost) => {
    expect(calculateCost(grams, price, weight)).toBe(cost);
  });

  test('comes out the same in whole numbers of any length', () => {
    const weight = decimal().filter((text) => /[1-9]/.test(text));
    fc.assert(
      fc.property(decimal(), decimal(), weight, (grams, price, weight) => {
        expect(calculateCost(grams, price, weight)).toBe(costInWholeNumbers(grams, price, weight));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the derivation', () => {
  const steps = (purchasePrice: string | null, weightTotalGrams: string) =>
    createDerivation('12345.678', '1.75', '1.24', { purchasePrice, weightTotalGrams });

  test('has the area with 8 decimals, the price of a gram with 28, and the cost of the rounded grams', () => {
    expect(steps('25', '1000')).toEqual({
      areaMm2: '2.40528188',
      grams: '36.82',
      pricePerGram: '0.025',
      cost: '0.9205',
    });
    expect(steps('20', '3')).toMatchObject({ pricePerGram: '6.6666666666666666666666666667', cost: '245.4667' });
    expect(steps('0', '3')).toMatchObject({ pricePerGram: '0', cost: '0.0000' });
    expect(createDerivation('0', '0', '0', null)).toMatchObject({ areaMm2: '0.00000000', grams: '0.00' });
  });

  test('computes the cost from the price and the weight, not from the rounded price of a gram', () => {
    for (const [price, weight] of [
      ['1', '3'],
      ['0.00045', '3'],
      ['999999999999999999', '7'],
    ] as const) {
      const { grams, cost } = steps(price, weight);
      expect(cost).toBe(costInWholeNumbers(grams, price, weight));
    }
  });

  test.each([
    ['no price', null, '1000'],
    ['no weight', '25', '0'],
    ['a weight of 0 with decimals', '25', '0.00'],
  ])('with %s has no price of a gram and no cost', (_, price, weight) => {
    expect(steps(price, weight)).toMatchObject({ grams: '36.82', pricePerGram: null, cost: null });
  });
});

/** Any decimal that the gateway accepts: up to 18 digits before the point and 28 after it. */
function decimal(): fc.Arbitrary<string> {
  const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most });
  const whole = digits(18).map((text) => BigInt(text).toString());
  return fc.oneof(
    whole,
    fc.tuple(whole, digits(28)).map(([before, after]) => `${before}.${after}`),
    fc.constantFrom('1.75', '2.85', '1.24', '1000', '0.5', '25'),
  );
}
