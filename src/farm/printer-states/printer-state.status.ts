// Decides how a reading becomes the state of a printer that the dashboard shows, and when a state is written: if a shown value or the used
// filament changes.

import type { Instant } from '../../values/instant';
import type { NewestFigures } from '../print-rules/newest-figures';
import type { Activity, ProgressBasis, StateReading } from '../print-rules/print.model';

const MIN_INTERVAL_MS = 2000;

export interface PrinterState {
  activity: Activity;
  progress: number | null;
  progressBasis: ProgressBasis | null;
  remainingSec: number | null;
  layer: number | null;
  layers: number | null;
  printName: string | null;
  message: string | null;
  isPausedByUser: boolean;
  heardAt: Instant;
  /** Stored for weighings, and not shown. `null` if no print is running; undefined if the figures were not read. */
  figures?: NewestFigures | null;
}

/** Rounds the progress to thousandths and the remaining time to 10 seconds, because nobody sees smaller changes. */
export function toPrinterState({ at, activity, message, isPausedByUser, print }: StateReading): PrinterState {
  const figures = typeof print === 'string' ? null : print;
  return {
    activity,
    progress: figures?.progress == null ? null : Math.round(Number(figures.progress) * 1000) / 1000,
    progressBasis: figures?.progressBasis ?? null,
    remainingSec: figures?.remainingSec == null ? null : Math.round(figures.remainingSec / 10) * 10,
    layer: figures?.layer ?? null,
    layers: figures?.layers ?? null,
    printName: figures?.name ?? null,
    message,
    isPausedByUser,
    heardAt: at,
  };
}

/** An offline printer keeps its last known values. */
export const toOffline = (last: PrinterState): PrinterState => ({
  ...last,
  activity: 'OFFLINE',
  isPausedByUser: false,
});

/** Whether a state must be written now. @param written the last written state; `null` if there is none */
export function isDue(written: { state: PrinterState; at: Instant } | null, next: PrinterState, now: Instant): boolean {
  if (written === null) return true;
  const sinceMs = Date.parse(now) - Date.parse(written.at);
  // A time in the future was written by a wrong clock, so it does not show when the state was written.
  if (sinceMs >= 0 && sinceMs < MIN_INTERVAL_MS) return false;
  return serializeShownValues(written.state) !== serializeShownValues(next);
}

/** 100 mm of filament are about 0.3 g. */
const USED_STEP_MM = 100;

const serializeShownValues = ({ heardAt, figures, ...shown }: PrinterState) =>
  JSON.stringify([shown, figures?.measured.map(({ mm }) => Math.floor(Number(mm) / USED_STEP_MM))]);
