// Subscriptions of the typed client: an event stream that begins again after the last change when it breaks off.
import type { StreamPart } from './event-stream.js';
import { dataIn, GatewayRequestError } from './request-error.js';

/**
 * `connected`: changes come as they are committed. `behind`: the connection is lost, and is tried again. `expired`: it was
 * lost for so long that the gateway has removed changes: read all objects, then subscribe again.
 */
export type WatchState = 'connected' | 'behind' | 'expired';

export interface WatchOptions {
  signal?: AbortSignal;
  /** Called at each change of the state. */
  onState?: (state: WatchState) => void;
}

export type RequestHeaders = Record<string, string>;

interface WatchRequests {
  /** The caller's, for one request. */
  headers(): Promise<RequestHeaders>;
  /** The stream after a cursor; without one where it has none. */
  open(
    own: RequestHeaders,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncIterator<StreamPart<unknown>>>;
  /** Where the feed stands now; null for a stream without cursors. */
  latest: ((own: RequestHeaders, signal: AbortSignal) => Promise<string>) | null;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The longest wait for headers, and for the answer to a request. */
const MAX_WAIT_MS = 30_000;
/** A stream has a beat every 12 seconds. One that is silent for much longer is dead. */
const MAX_SILENCE_MS = 20_000;
/** The gateway, or a proxy before it, may answer again. */
const PASSING = [408, 429, 500, 502, 503, 504];
const PASSING_CODES = ['SLOW_CONSUMER', 'TOO_MANY_REQUESTS'];
/** Failures of the gateway behind one cursor, and failures of `headers` without a connection between them. */
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
  const say = (next: WatchState) => {
    if (state !== next) onState(next);
    state = next;
  };
  const heard = async <Answer>(waiting: Promise<Answer>, ms = MAX_WAIT_MS): Promise<Answer> => {
    const answer = await answeredWithin(ms, signal, waiting);
    if (answer !== undefined) return answer;
    throw new GatewayRequestError(`nothing came in ${ms / 1000} seconds`, { status: 0, cause: 'silence' });
  };
  const own = async () => {
    hasHeaders = false;
    const found = await heard(headers());
    hasHeaders = true;
    return found;
  };
  const mayPass = (error: unknown): boolean => {
    if (!hasHeaders) return hasConnected && ++failedHeaders < MAX_FAILURES;
    if (!(error instanceof GatewayRequestError)) return false;
    const { cause, errors, status, codes } = error;
    // The next change may bring it each time. While its database is away, a gateway answers with another status.
    if (status === 200 && codes.includes('INTERNAL_SERVER_ERROR')) return ++failedChanges < MAX_FAILURES;
    return (
      // No answer, or one that broke off.
      cause !== undefined ||
      // The page of a proxy. Before the first connection the URL may be wrong.
      (hasConnected && errors.length === 0) ||
      PASSING.includes(status) ||
      codes.some((code) => PASSING_CODES.includes(code)) ||
      // The token has expired while changes came. The next request has a new one, or is refused.
      (state === 'connected' && codes.includes('UNAUTHENTICATED'))
    );
  };
  while (!signal?.aborted) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    signal?.addEventListener('abort', abort);
    try {
      // Changes between the first connection and the first change would be missed without a cursor.
      if (latest) cursor ??= await heard(latest(await own(), attempt.signal));
      const parts = await heard(open(await own(), cursor, attempt.signal));
      hasConnected = true;
      failedHeaders = 0;
      for (;;) {
        const { done, value: answer } = await heard(parts.next(), MAX_SILENCE_MS);
        if (done) break;
        if (answer === 'complete') return;
        const data = answer === 'beat' ? null : dataIn(answer, { status: 200 });
        // The first beat comes at once. A change or a second beat shows that the connection lasts.
        if (data !== null || state === 'connected') pause = FIRST_PAUSE_MS;
        say('connected');
        if (data === null) continue;
        yield data as Result;
        if (signal?.aborted) return;
        if (latest) cursor = (Object.values(data as Result)[0] as { cursor?: string } | null)?.cursor ?? cursor;
        failedChanges = 0;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayPass(error)) {
        if (error instanceof GatewayRequestError && error.codes.includes('CURSOR_EXPIRED')) say('expired');
        throw error;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      abort();
    }
    say('behind');
    await answeredWithin(pause * (0.5 + Math.random() / 2), signal, new Promise(() => {}));
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

/** The answer; undefined when the time is over before it, or at an abort. */
function answeredWithin<Answer>(ms: number, signal: AbortSignal | undefined, answer: Promise<Answer>) {
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
