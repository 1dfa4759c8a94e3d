// The words of Klipper and Moonraker for what a printer does, and for how a print ended.
import type { Activity, End } from '../../farm/print-rules/readings';

type Outcome = End['outcome'];

/** Of print_stats. */
export const PRINT_STATES = ['standby', 'printing', 'paused', 'complete', 'cancelled', 'error'] as const;
export type PrintState = (typeof PRINT_STATES)[number];
export const KLIPPY_STATES = ['ready', 'startup', 'shutdown', 'error'] as const;

const ACTIVITIES: Record<PrintState, Activity> = {
  standby: 'IDLE',
  printing: 'PRINTING',
  paused: 'PAUSED',
  complete: 'FINISHED',
  cancelled: 'IDLE',
  error: 'ERROR',
};

/** @param printSec 0 or null: nothing was extruded yet */
export function activityOf(state: PrintState | null, printSec: number | null): Activity {
  if (state === null) return 'UNKNOWN';
  return state === 'printing' && !((printSec ?? 0) > 0) ? 'PREPARING' : ACTIVITIES[state];
}

const END_STATES: Partial<Record<PrintState, Outcome>> = {
  complete: 'COMPLETED',
  cancelled: 'CANCELLED',
  error: 'FAILED',
};

export const outcomeShown = (state: PrintState | null): Outcome =>
  state === null ? null : (END_STATES[state] ?? null);

/** The statuses of the history that say how a print ended. `interrupted` and `server_exit` say only that Moonraker stopped. */
const OUTCOMES: Record<string, Outcome> = {
  completed: 'COMPLETED',
  cancelled: 'CANCELLED',
  error: 'FAILED',
  klippy_shutdown: 'FAILED',
  klippy_disconnect: 'FAILED',
};

export const outcomeNoted = (status: string): Outcome =>
  Object.hasOwn(OUTCOMES, status) ? (OUTCOMES[status] ?? null) : null;

export const REASONS: Record<string, string> = {
  klippy_shutdown: 'Klipper shut down',
  klippy_disconnect: 'Klipper was restarted',
  interrupted: 'Moonraker was stopped while it printed',
  server_exit: 'Moonraker was stopped while it printed',
};
