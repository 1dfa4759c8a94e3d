// The words of PrusaLink for what a printer does.
import type { Activity, End } from '../../farm/print-rules/readings';

export const STATES = [
  ...(['IDLE', 'BUSY', 'PRINTING', 'PAUSED', 'FINISHED', 'STOPPED', 'ERROR', 'ATTENTION', 'READY'] as const),
];
export type State = (typeof STATES)[number];

export const ACTIVITIES: Record<State, Activity> = {
  IDLE: 'IDLE',
  READY: 'IDLE',
  BUSY: 'PREPARING',
  PRINTING: 'PRINTING',
  PAUSED: 'PAUSED',
  FINISHED: 'FINISHED',
  STOPPED: 'IDLE',
  ERROR: 'ERROR',
  ATTENTION: 'PAUSED',
};

/** The states that stay until the plate is cleared, and how a print ended then. */
export const END_STATES: Partial<Record<State, NonNullable<End['outcome']>>> = {
  FINISHED: 'COMPLETED',
  STOPPED: 'CANCELLED',
};

export const NO_REASON = 'The printer reported an error';
