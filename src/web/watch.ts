// Subscriptions of the typed client: an event stream that begins again after the last change when it breaks off.
import { GatewayRequestError } from './client.js';
import { answersOf } from './event-stream.js';

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

/** One try: the stream after a cursor. */
export type OpenStream = (after: string, signal: AbortSignal) => Promise<Response>;

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** The gateway, or a proxy before it, may answer again. */
const PASSING = [0, 408, 429, 500, 502, 503, 504];
const PASSING_CODES = ['SLOW_CONSUMER', 'INTERNAL_SERVER_ERROR', 'TOO_MANY_REQUESTS'];

export async function* watch<Result extends Record<string, { cursor: string }>>(
  open: OpenStream,
  latest: () => Promise<string>,
  given: string | null | undefined,
  { signal, onState = () => {} }: WatchOptions,
): AsyncGenerator<Result, void, undefined> {
  let cursor = given ?? undefined;
  let state: WatchState | undefined;
  let pause = FIRST_PAUSE_MS;
  const say = (next: WatchState) => {
    if (state !== next) onState(next);
    state = next;
  };
  while (!signal?.aborted) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    signal?.addEventListener('abort', abort);
    try {
      // Changes between the first connection and the first change would be missed without a cursor.
      cursor ??= await latest();
      const response = await open(cursor, attempt.signal);
      for await (const answer of answersOf<Result>(response, abort)) {
        if (answer === 'open') {
          say('connected');
          pause = FIRST_PAUSE_MS;
        } else if (answer === 'complete') return;
        else if (answer.data == null || answer.errors) {
          const { errors = [], data } = answer;
          throw new GatewayRequestError(errors.map(({ message }) => message).join('; '), { status: 200, errors, data });
        } else {
          yield answer.data;
          cursor = Object.values(answer.data)[0]?.cursor ?? cursor;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof GatewayRequestError) {
        if (error.codes.includes('CURSOR_EXPIRED')) say('expired');
        const passes = PASSING.includes(error.status) || error.codes.some((code) => PASSING_CODES.includes(code));
        if (!passes) throw error;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      abort();
    }
    say('behind');
    await rest(pause * (0.5 + Math.random() / 2), signal);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
