// Courses of prints, as tests write them.
import type { Course, Segment } from '../../src/farm/print-rules/print.model';
import { instant } from '../recordings/recording';

/** `slot` from one second to another, with its layers, and what it fed. */
export const segment = (
  slot: string | null,
  [from, to]: [number, number],
  [fromLayer, toLayer]: [number | null, number | null] = [null, null],
  mm: string | null = null,
): Segment => ({
  slot,
  from: { at: instant(from), layer: fromLayer, file: null },
  to: { at: instant(to), layer: toLayer, file: null },
  mm,
});

/** Slots that were seen to feed, by a machine that measures nothing. */
export const fedFrom = (...slots: string[]): Course => ({
  stretches: slots.map((slot, at) => segment(slot, [at * 10, at * 10 + 10])),
  measure: null,
});
