// What a machine last reported of a running print. The row of the print is saved less often, so that what is asked of it now uses the newer one.
import type { RunningPrint } from './print.model';

export type NewestFigures = Pick<
  RunningPrint,
  'seenAt' | 'measured' | 'course' | 'progress' | 'progressBasis' | 'layer' | 'layers'
>;

export function newestFiguresOf(print: RunningPrint): NewestFigures {
  const { seenAt, measured, course, progress, progressBasis, layer, layers } = print;
  return { seenAt, measured, course, progress, progressBasis, layer, layers };
}

/** @param figures of the print; null: there are none */
export const withNewerFigures = <Print extends RunningPrint>(print: Print, figures: NewestFigures | null): Print =>
  figures !== null && figures.seenAt > print.seenAt ? { ...print, ...figures } : print;
