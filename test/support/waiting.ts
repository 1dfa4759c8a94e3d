// Waiting for effects that come a moment later than the answer of the gateway. What does not come is named, with what was seen.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Long enough for a busy machine, and shorter than Jest's limit for a test, which would not say what is missing. */
const PATIENCE_MS = 100_000;

/** The end of what was seen tells most: it holds the last line and the last message. */
const SHOWN_CHARACTERS = 4000;

/**
 * For what comes by itself and need not be looked for: an event, an answer.
 * @param what a sentence that says what is waited for
 * @param look answers what the error shows when it has not come in time
 */
export async function inTime<Value>(what: string, coming: Promise<Value>, look?: () => unknown): Promise<Value> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(PATIENCE_MS, undefined, { signal: over.signal, ref: false });
    const seen = look?.();
    const isText = typeof seen === 'string' && seen !== '';
    const shown = isText ? seen : inspect(seen, { depth: 6, maxArrayLength: null, maxStringLength: null });
    const rest = shown.length - SHOWN_CHARACTERS;
    throw new Error(`This did not come: ${what}\nSeen last: ${rest > 0 ? `… ${shown.slice(rest)}` : shown}`);
  };
  try {
    return await Promise.race([coming, late()]);
  } finally {
    over.abort();
  }
}

/**
 * Looks again and again, and answers what `find` finds in what `look` sees, as soon as that is not undefined, null or false.
 * @param what a sentence that says what is waited for
 * @param look what it saw last is what the error shows
 * @param find takes the whole of what was seen, unless given
 */
export async function until<Seen, Found = Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  find = (seen: Seen): Found | undefined | null | false => seen as unknown as Found,
): Promise<Exclude<Found, undefined | null | false>> {
  let last: Seen | undefined;
  let isOver = false;
  const search = async () => {
    const began = Date.now();
    for (;;) {
      const seen = await look();
      last = seen;
      const found = find(seen);
      if (isOver || (found !== undefined && found !== null && found !== false)) {
        return found as Exclude<Found, undefined | null | false>;
      }
      // Looking costs the gateway time that the awaited effect needs.
      await sleep(Math.max(5, Math.min((Date.now() - began) / 10, 50)));
    }
  };
  try {
    return await inTime(what, search(), () => last);
  } finally {
    isOver = true;
  }
}

/** For `until`: what was seen is exactly this. */
export const is = (wanted: unknown) => (seen: unknown) => seen === wanted;

/** For `until`: what was seen has exactly these members. */
export const has = (members: object) => (seen: object | null | undefined) =>
  Object.entries(members).every(([name, value]) => (seen as Record<string, unknown> | null)?.[name] === value);

/** For `until`: what was seen is so much, or so many. */
export const atLeast = (least: number) => (seen: number | { length: number }) =>
  (typeof seen === 'number' ? seen : seen.length) >= least;

/** SQL: the locks on a table of this database that a session waits for. Copies of a database have tables with the same ids. */
export const waitsForTable = (table: string) => `select from pg_locks where not granted
  and relation = '${table}'::regclass and database = (select oid from pg_database where datname = current_database())`;

/** SQL: the sessions of this database that wait for another's transaction. The server has databases of other tests too. */
export const WAITING_SESSIONS =
  "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";

/** SQL: the sessions of this database that wait for any lock. */
export const WAITING_FOR_LOCKS =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
