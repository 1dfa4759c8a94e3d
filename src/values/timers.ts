// Passes times to Node, as whole milliseconds in the range that timers, signals and drivers accept.
import { setTimeout as platformSleep } from 'node:timers/promises';

/** Node treats a longer time as 1 ms. */
const MAX_MS = 2_147_483_647;

/** Rounds up to at least 1 ms, so that a wait is never shorter than requested, and because PostgreSQL reads 0 as no limit. */
export const wholeMs = (ms: number): number => (ms > 1 ? Math.min(Math.ceil(ms), MAX_MS) : 1);

type Work = (nothing: undefined) => void;

/** Like setTimeout of Node, for any number of milliseconds. */
export const setTimeout = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setTimeout(work, wholeMs(ms), undefined);

/** Like setInterval of Node, for any number of milliseconds. */
export const setInterval = (work: Work, ms: number): NodeJS.Timeout =>
  globalThis.setInterval(work, wholeMs(ms), undefined);

/** Like setTimeout of node:timers/promises, for any number of milliseconds. */
export const sleep = (ms: number, value?: undefined, options?: { ref?: boolean; signal?: AbortSignal }) =>
  platformSleep(wholeMs(ms), value, options);

/**
 * A signal that aborts after the time, or as soon as the other signal aborts. Its timer keeps it in memory until then. On Node 20,
 * AbortSignal.timeout inside of AbortSignal.any may be garbage-collected while work waits for it, and the work then never ends.
 */
export function createTimeoutSignal(ms: number, other?: AbortSignal): AbortSignal {
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
