// The words and codes of a Bambu printer, and what they are for people.
import type { Activity } from '../../farm/print-rules/readings';

export const STATES = ['IDLE', 'PREPARE', 'SLICING', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED'] as const;
export type State = (typeof STATES)[number];

const ACTIVITIES: Record<State, Activity> = {
  IDLE: 'IDLE',
  PREPARE: 'PREPARING',
  SLICING: 'PREPARING',
  RUNNING: 'PRINTING',
  PAUSE: 'PAUSED',
  FINISH: 'FINISHED',
  FAILED: 'IDLE',
};

/** @param error 0 is none */
export function activityOf(state: State | null, error: number): Activity {
  if (state === null) return 'UNKNOWN';
  return state === 'FAILED' && error !== 0 && !isCancel(error) ? 'ERROR' : ACTIVITIES[state];
}

/** A person cancelled it. */
const CANCELS = [0x0300_400c, 0x0500_400e];
export const isCancel = (code: number) => CANCELS.includes(code);

/** Pauses that only ask for filament. */
const ERROR_WORDS: Record<number, string> = {
  [0x1200_8006]: 'It waits for another colour (1200_8006)',
  [0x0300_8015]: 'Its filament ran out (0300_8015)',
};

export const errorWords = (code: number) => ERROR_WORDS[code] ?? `Error ${errorCodeText(code)}`;

/** As the screen shows it: 0500_400E. */
export const errorCodeText = (code: number) =>
  code
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')
    .replace(/(?=.{4}$)/, '_');
