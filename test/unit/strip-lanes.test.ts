// The bars of the last 24 hours of a printer: each is wide enough to be hit, stays on the axis, and covers no other.
import { placeBars } from '../../src/web/prints/strip-lanes';
import fc from '../support/generated';

test('a long bar keeps its place, short ones become wider, and those that would touch go below', () => {
  const spans = [
    { start: 0, length: 0.5 },
    { start: 0.5, length: 0.001 },
    { start: 0.501, length: 0.001 },
    { start: 0.999, length: 0.001 },
  ];
  expect(placeBars(spans, 1000)).toEqual([
    { left: 0, width: 500, lane: 0 },
    { left: 500, width: 24, lane: 1 },
    { left: 501, width: 24, lane: 2 },
    { left: 976, width: 24, lane: 0 },
  ]);
});

test('any bars', () => {
  const span = fc.record({
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), fc.integer({ min: 300, max: 2000 }), (spans, axisPx) => {
      const placed = placeBars(
        [...spans].sort((a, b) => a.start - b.start),
        axisPx,
      );
      for (const [index, { left, width, lane }] of placed.entries()) {
        expect(width).toBeGreaterThanOrEqual(24);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + width).toBeLessThanOrEqual(axisPx + 0.001);
        for (const other of placed.slice(0, index))
          expect(other.lane !== lane || other.left + other.width <= left).toBe(true);
      }
    }),
  );
});
