// The times that are handed to the platform: a whole number of milliseconds in the range that timers, signals and drivers take.
import { setTimeout as platformSleep } from 'node:timers/promises';

/** Node makes a longer time one of 1 ms. */
const MAX_MS = 2_147_483_647;

/**
 * A wait is never shorter than it was asked for, and for PostgreSQL 0 is no limit at all.
 */
export const wholeMs = (ms: number): number => (ms > 1 ? Math.min(Math.ceil(ms), MAX_MS) : 1);

type Work = (nothing: undefined) => void;

/** As the platform's own. */
export const setTimeout = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setTimeout(work, wholeMs(ms), undefined);

/** As the platform's own. */
export const setInterval = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setInterval(work, wholeMs(ms), undefined);

/** The platform's `setTimeout` of promises. */
export const sleep = (ms: number, value?: undefined, options?: { ref?: boolean; signal?: AbortSignal }) =>
  platformSleep(wholeMs(ms), value, options);

/**
 * A signal that is aborted after the time, or with the other one before. Its timer holds it until then: the platform's own
 * (`AbortSignal.timeout` below `AbortSignal.any`) may be collected on Node 20 while work waits for it, which then never ends.
 */
export function timeoutSignal(ms: number, other?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(other?.reason);
  const timer = setTimeout(() => {
    other?.removeEventListener('abort', follow);
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms).unref();
  controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  if (other?.aborted) follow();
  else other?.addEventListener('abort', follow, { once: true });
  return controller.signal;
}
