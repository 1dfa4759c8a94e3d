// The state of a printer as the dashboard shows it. It is written only when a shown member changed, or
// what the print has used.

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
  heardAt: Instant;
  /** Kept with it for weighings, and not shown. Null: no print runs; left out: they are not read. */
  figures?: NewestFigures | null;
}

/** Progress by thousandths and the rest by tens of seconds: what changes below that is not seen. */
export function stateOf({ at, activity, message, print }: StateReading): PrinterState {
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
    heardAt: at,
  };
}

/** Nothing is known of an offline printer but what was known last. */
export const offline = (last: PrinterState): PrinterState => ({ ...last, activity: 'OFFLINE' });

/** Whether a state is to be written now. @param written null when the printer has none */
export function isDue(written: { state: PrinterState; at: Instant } | null, next: PrinterState, now: Instant): boolean {
  if (written === null) return true;
  const sinceMs = Date.parse(now) - Date.parse(written.at);
  // One that lies ahead says nothing of when it was written.
  if (sinceMs >= 0 && sinceMs < MIN_INTERVAL_MS) return false;
  return shownText(written.state) !== shownText(next);
}

/** A tenth of a metre of filament is about 0.3 g. */
const USED_STEP_MM = 100;

const shownText = ({ heardAt, figures, ...shown }: PrinterState) =>
  JSON.stringify([shown, figures?.measured.map(({ mm }) => Math.floor(Number(mm) / USED_STEP_MM))]);
