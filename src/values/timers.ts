// The times that are handed to the platform: a whole number of milliseconds in the range that timers, signals and drivers take.
import { setTimeout as platformSleep } from 'node:timers/promises';

/** Node makes a longer time one of 1 ms. */
const MAX_MS = 2_147_483_647;

/**
 * A wait is never shorter than it was asked for. `AbortSignal.timeout` throws for a fraction, and for PostgreSQL 0 is no
 * limit at all.
 */
export const wholeMs = (ms: number): number => (ms > 1 ? Math.min(Math.ceil(ms), MAX_MS) : 1);

type Work = (nothing: undefined) => void;

/** As the platform's own. */
export const setTimeout = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setTimeout(work, wholeMs(ms), undefined);

/** As the platform's own. */
export const setInterval = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setInterval(work, wholeMs(ms), undefined);

/** As the platform's own `setTimeout` of promises. */
export const sleep = (ms: number, value?: undefined, options?: { ref?: boolean; signal?: AbortSignal }) =>
  platformSleep(wholeMs(ms), value, options);

/** As the platform's own `AbortSignal.timeout`. */
export const timeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(wholeMs(ms));
