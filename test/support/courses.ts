// Builds the courses of prints (which slot fed when) for tests.
import type { Course, Segment } from '../../src/farm/print-rules/print.model';
import { instant } from '../recordings/recording';

/** A segment in which `slot` fed, from one second to another, with its layers and its length. */
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

/** The course of a print whose slots were seen to feed one after the other, on a machine that measures nothing. */
export const createCourse = (...slots: string[]): Course => ({
  stretches: slots.map((slot, at) => segment(slot, [at * 10, at * 10 + 10])),
  measure: null,
});
