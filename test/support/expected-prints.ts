// Compares the prints that came out of a recording with those that are in it.
import type { ExpectedPrint } from '../recordings/recording';

export function expectPrints(found: ExpectedPrint[], expected: ExpectedPrint[], toleranceSec: number): void {
  const near = (ours: number | null, theirs: number | null) =>
    ours !== null && theirs !== null && Math.abs(ours - theirs) <= toleranceSec ? theirs : ours;
  const shown = found.map((print, index) => {
    const { startedAt, endedAt, externalId, reason } = expected[index] ?? print;
    return {
      ...print,
      startedAt: near(print.startedAt, startedAt),
      endedAt: near(print.endedAt, endedAt),
      // Not every recording tells them.
      ...(externalId === undefined && { externalId }),
      ...(reason === undefined && { reason }),
    };
  });
  expect(shown).toEqual(expected);
}
