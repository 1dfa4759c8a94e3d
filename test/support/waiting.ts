// Waits for effects that follow the answer of the gateway. If an effect does not arrive, the error names it and shows what was seen.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Long enough for a busy machine, and shorter than Jest's limit for a test, whose error would not say what is missing. */
const PATIENCE_MS = 100_000;

/** The end of what was seen is the most useful: it has the last line and the last message. */
const SHOWN_CHARACTERS = 4000;

/**
 * Waits for something that arrives by itself, such as an event or an answer.
 * @param what a sentence that says what the test waits for
 * @param look answers what the error shows if it has not arrived in time
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
 * Polls `look` until `find` finds something in its answer that is not undefined, null or false, and answers that.
 * @param what a sentence that says what the test waits for
 * @param look its last answer is shown by the error
 * @param find answers the whole of what was seen, unless given
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
      // Polling takes time from the gateway that the awaited effect needs.
      await sleep(Math.max(5, Math.min((Date.now() - began) / 10, 50)));
    }
  };
  try {
    return await inTime(what, search(), () => last);
  } finally {
    isOver = true;
  }
}

/** For `until`: true if exactly this was seen. */
export const is = (wanted: unknown) => (seen: unknown) => seen === wanted;

/** For `until`: true if what was seen has these members. */
export const has = (members: object) => (seen: object | null | undefined) =>
  Object.entries(members).every(([name, value]) => (seen as Record<string, unknown> | null)?.[name] === value);

/** For `until`: true if the number, or the number of elements, is at least this. */
export const atLeast = (least: number) => (seen: number | { length: number }) =>
  (typeof seen === 'number' ? seen : seen.length) >= least;

/** SQL: the locks on a table of this database that a session waits for. Copies of a database have tables with the same ids. */
export const waitsForTable = (table: string) => `select from pg_locks where not granted
  and relation = '${table}'::regclass and database = (select oid from pg_database where datname = current_database())`;

/** SQL: the sessions of this database that wait for the transaction of another session. The server also has databases of other tests. */
export const WAITING_SESSIONS =
  "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";

/** SQL: the sessions of this database that wait for any lock. */
export const WAITING_FOR_LOCKS =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
