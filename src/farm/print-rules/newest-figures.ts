// Holds the newest figures of a running print, which are newer than its row because the row is saved less often.
import type { RunningPrint } from './print.model';

/** Stored as JSON with the state of the printer. */
export type NewestFigures = Pick<
  RunningPrint,
  'seenAt' | 'measured' | 'course' | 'progress' | 'progressBasis' | 'layer' | 'layers'
>;

export function newestFiguresOf(print: RunningPrint): NewestFigures {
  const { seenAt, measured, course, progress, progressBasis, layer, layers } = print;
  return { seenAt, measured, course, progress, progressBasis, layer, layers };
}

/** The print with the figures, if they are newer than the row. @param figures `null` if the state of the printer has none of this print */
export const withNewerFigures = <Print extends RunningPrint>(print: Print, figures: NewestFigures | null): Print =>
  figures !== null && figures.seenAt > print.seenAt ? { ...print, ...figures } : print;
