// Tests how the texts of a label share its lines.
import { calculateSizes, distributeLines } from '../../src/web/labels/label-layout';
import { SHEETS } from '../../src/web/labels/label-sheets';

const LONG = 'x'.repeat(80);

test('on every paper the serial, the product and the material have a line, whatever the length of the number', () => {
  for (const [paper, sheet] of Object.entries(SHEETS)) {
    for (const digits of [1, 3, 6]) {
      const lines = distributeLines([LONG, LONG, 'PLA, #1E90FF', 'Shelf 1'], calculateSizes(sheet, digits));
      expect([paper, digits, lines.slice(0, 3).every((count) => count > 0)]).toEqual([paper, digits, true]);
    }
  }
});

test('long names get a second line before a further text gets its first', () => {
  const sizes = { text: 2, textWidth: 20 };
  const share = (lines: number) => distributeLines([LONG, 'Short', 'PLA, #1E90FF', 'Shelf 1'], { ...sizes, lines });
  expect(share(3)).toEqual([1, 1, 1, 0]);
  expect(share(4)).toEqual([2, 1, 1, 0]);
  expect(share(5)).toEqual([2, 1, 1, 1]);
  const narrow = calculateSizes(SHEETS['a4-65'] as (typeof SHEETS)[string], 1);
  expect(distributeLines(['PLA-GALAXY-0412', 'Prusament PLA Galaxy Black', 'PLA, #2A2D43'], narrow)).toEqual([2, 2, 1]);
});
