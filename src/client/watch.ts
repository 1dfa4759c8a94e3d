// Watches a subscription for the typed client: opens its stream again after a lost connection, and continues after the last change.
import type { StreamPart } from './event-stream.js';
import { dataOrThrow, GatewayRequestError } from './request-error.js';

/**
 * `connected`: changes arrive as they are committed. `behind`: the connection is lost, and the client tries to connect again.
 * `expired`: the connection was lost for so long that the gateway has deleted changes. Read all objects, then subscribe again.
 */
export type WatchState = 'connected' | 'behind' | 'expired';

export interface WatchOptions {
  signal?: AbortSignal;
  /** Called whenever the state changes. */
  onState?: (state: WatchState) => void;
}

export type RequestHeaders = Record<string, string>;

interface WatchRequests {
  /** The headers of the caller for one request. */
  headers(): Promise<RequestHeaders>;
  /** Opens the stream after a cursor; undefined: the stream has no cursors. */
  open(
    headers: RequestHeaders,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterator<StreamPart<unknown>>>;
  /** The cursor of the latest change; null: the stream has no cursors. */
  latest: ((headers: RequestHeaders, signal: AbortSignal) => Promise<string>) | null;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The longest wait for headers, and for the answer to a request. */
const MAX_WAIT_MS = 30_000;
/** The gateway sends a beat every 12 seconds. If a stream is silent for much longer, its connection is lost. */
const MAX_SILENCE_MS = 20_000;
/** Statuses and codes of failures that may pass: the gateway, or a proxy in front of it, may answer later. */
const TEMPORARY_STATUSES = [408, 429, 500, 502, 503, 504];
const TEMPORARY_CODES = ['SLOW_CONSUMER', 'TOO_MANY_REQUESTS'];
/** The maximum number of failures of the gateway at one cursor, and of failures of `headers` without a connection between them. */
const MAX_FAILURES = 5;

export async function* watch<Result extends object>(
  { headers, open, latest }: WatchRequests,
  given: string | null | undefined,
  { signal, onState = () => {} }: WatchOptions,
): AsyncGenerator<Result, void, undefined> {
  let cursor = given ?? undefined;
  let state: WatchState | undefined;
  let pause = FIRST_PAUSE_MS;
  let failedChanges = 0;
  let hasHeaders = false;
  let failedHeaders = 0;
  let hasConnected = false;
  const setState = (next: WatchState) => {
    if (state !== next) onState(next);
    state = next;
  };
  const receive = async <Answer>(waiting: Promise<Answer>, ms = MAX_WAIT_MS): Promise<Answer> => {
    const answer = await waitFor(ms, signal, waiting);
    if (answer !== undefined) return answer;
    throw new GatewayRequestError(`no answer within ${ms / 1000} seconds`, { status: 0, cause: 'silence' });
  };
  const readHeaders = async () => {
    hasHeaders = false;
    const found = await receive(headers());
    hasHeaders = true;
    return found;
  };
  const isTemporary = (error: unknown): boolean => {
    if (!hasHeaders) return hasConnected && ++failedHeaders < MAX_FAILURES;
    if (!(error instanceof GatewayRequestError)) return false;
    const { cause, errors, status, codes } = error;
    // A change may cause this error each time it is sent. A gateway whose database does not answer uses another status.
    if (status === 200 && codes.includes('INTERNAL_SERVER_ERROR')) return ++failedChanges < MAX_FAILURES;
    return (
      // There was no answer, or it was incomplete.
      cause !== undefined ||
      // A proxy answered with a page. Before the first connection this may also mean that the URL is wrong.
      (hasConnected && errors.length === 0) ||
      TEMPORARY_STATUSES.includes(status) ||
      codes.some((code) => TEMPORARY_CODES.includes(code)) ||
      // The token expired during the subscription. The next request has a new token, or is refused.
      (state === 'connected' && codes.includes('UNAUTHENTICATED'))
    );
  };
  while (!signal?.aborted) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    signal?.addEventListener('abort', abort);
    try {
      // Without a cursor, the client would miss changes if the connection were lost before the first change arrives.
      if (latest) cursor ??= await receive(latest(await readHeaders(), attempt.signal));
      const parts = await receive(open(await readHeaders(), cursor, attempt.signal));
      hasConnected = true;
      failedHeaders = 0;
      for (;;) {
        const { done, value: answer } = await receive(parts.next(), MAX_SILENCE_MS);
        if (done) break;
        if (answer === 'complete') return;
        const data = answer === 'beat' ? null : dataOrThrow(answer, { status: 200 });
        // The first beat arrives immediately. Only a change or a second beat shows that the connection stays open.
        if (data !== null || state === 'connected') pause = FIRST_PAUSE_MS;
        setState('connected');
        if (data === null) continue;
        yield data as Result;
        if (signal?.aborted) return;
        if (latest) cursor = (Object.values(data as Result)[0] as { cursor?: string } | null)?.cursor ?? cursor;
        failedChanges = 0;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTemporary(error)) {
        if (error instanceof GatewayRequestError && error.codes.includes('CURSOR_EXPIRED')) setState('expired');
        throw error;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      abort();
    }
    setState('behind');
    await waitFor(pause * (0.5 + Math.random() / 2), signal, new Promise(() => {}));
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

/** Waits for the answer. Returns undefined if the time is over first, or when the signal aborts. */
function waitFor<Answer>(ms: number, signal: AbortSignal | undefined, answer: Promise<Answer>) {
  let giveUp = () => {};
  const over = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  const timer = setTimeout(giveUp, Math.round(ms));
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  return Promise.race([answer, over]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  });
}
