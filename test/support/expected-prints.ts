// Compares the prints that came out of a recording with those that are in it.
import type { ExpectedPrint } from '../recordings/recording';

export function expectPrints(found: ExpectedPrint[], expected: ExpectedPrint[], toleranceSec: number): void {
  const timeless = (prints: ExpectedPrint[]) =>
    prints.map(({ name, outcome, filament }) => ({ name, outcome, filament }));
  expect(timeless(found)).toEqual(timeless(expected));
  expected.forEach((print, index) => {
    const { externalId, reason, startedAt, endedAt } = found[index] as ExpectedPrint;
    if (print.externalId !== undefined) expect(externalId).toBe(print.externalId);
    if (print.reason !== undefined) expect(reason).toBe(print.reason);
    for (const [ours, theirs] of [
      [startedAt, print.startedAt],
      [endedAt, print.endedAt],
    ] as const) {
      if (theirs === null) expect(ours).toBeNull();
      else expect(Math.abs((ours as number) - theirs)).toBeLessThanOrEqual(toleranceSec);
    }
  });
}
