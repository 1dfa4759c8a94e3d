// Waiting for effects that come a moment later than the answer of the gateway: they are looked for again and again.
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine, and shorter than Jest's limit for a test, which would not say what is missing. */
const PATIENCE_MS = 100_000;

/**
 * Answers what `look` sees as soon as that is neither undefined nor false.
 * @param failing what the error says besides when it has not come in time
 */
export async function until<Seen>(
  look: () => Seen | Promise<Seen>,
  failing = () => '',
): Promise<Exclude<Seen, undefined | false>> {
  for (const began = Date.now(); ; ) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<Seen, undefined | false>;
    const waited = Date.now() - began;
    if (waited > PATIENCE_MS) throw new Error(`This did not come: ${look}\n${failing()}`);
    // Looking costs the gateway time that the awaited effect needs.
    await sleep(Math.max(5, Math.min(waited / 10, 50)));
  }
}

/** SQL: the locks on a table of this database that a session waits for. Copies of a database have tables with the same ids. */
export const waitsForTable = (table: string) => `select from pg_locks where not granted
  and relation = '${table}'::regclass and database = (select oid from pg_database where datname = current_database())`;

/** SQL: the sessions of this database that wait for another's transaction. The server has databases of other tests too. */
export const WAITING_SESSIONS =
  "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";

/** SQL: the sessions of this database that wait for any lock. */
export const WAITING_FOR_LOCKS =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
