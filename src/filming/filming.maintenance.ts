// Maintenance of the filming of jobs: a day after its end it is fixed, before the retention deletes the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Driver, inTransaction, type RunSql } from '../database/driver/driver';
import { sql } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { before, DAY_MS } from '../values/instant';
import { fixing, IS_THERE, storedJobs, unfixedOf } from './filming.rows';

type Sessions = Pick<Driver, 'withSession'>;

/** Jobs are looked through by the weeks in which they ended. */
const WEEK = 7 * DAY_MS;

/**
 * Fixes what is not fixed of all jobs that ended more than a day ago, one by one, so that requests run between them. So it also
 * finds jobs that another program wrote late, or whose times were changed. Returns the number of jobs.
 * @param now the database's clock by default
 */
export async function fixFilming(
  database: Sessions,
  states: readonly string[],
  now: Date | null = null,
): Promise<number> {
  return database.withSession(async (run) => {
    const [times] = await run(`select min(w."from") as first,
      ${now ? `'${now.toISOString()}'::timestamptz` : 'now()'} - interval '1 day' as until from camera_watches w`);
    const { first, until } = times as { first: Date | null; until: Date };
    let fixed = 0;
    // Jobs that ended before the first watch have no camera.
    for (let from = first?.getTime() ?? Number.POSITIVE_INFINITY; from < until.getTime(); from += WEEK) {
      const to = new Date(Math.min(from + WEEK, until.getTime()));
      for (const { id, started } of await unfixedIn(run, new Date(from), to)) {
        const earliest = before((started as Date).toISOString(), DAY_MS);
        await unlimited(
          run,
          fixing(states, earliest, storedJobs(Prisma.sql`j.id = ${id}::uuid`, sql('now()')), IS_THERE),
        );
        fixed += 1;
        await nextTurn();
      }
      await nextTurn();
    }
    return fixed;
  });
}

/** Two ranges of the index print_jobs_by_end. */
function unfixedIn(run: RunSql, from: Date, to: Date): Promise<Record<string, unknown>[]> {
  const inTime = (at: string) =>
    Prisma.sql`${sql(at)} >= ${from.toISOString()}::timestamptz and ${sql(at)} < ${to.toISOString()}::timestamptz`;
  const ended = Prisma.sql`j.status in ('Completed', 'Failed', 'Cancelled')
    and (${inTime('j.completed_at')} or j.completed_at is null and ${inTime('j.updated_at')})`;
  return unlimited(
    run,
    Prisma.sql`with ${unfixedOf(storedJobs(ended, sql('now()')), IS_THERE)}
      select distinct u.job_id::text as id, u.job_from as started from unfixed u`,
  );
}

/**
 * The time of a statement grows with the records of a job, so it has no limit. One message is one transaction, without other requests
 * in it where all share one session: it has no parameters.
 */
async function unlimited(run: RunSql, { strings, values }: Prisma.Sql): Promise<Record<string, unknown>[]> {
  const statement = strings.map((text, at) => (at === 0 ? text : literal(values[at - 1]) + text)).join('');
  const text = `set local statement_timeout = 0; ${statement}`;
  return run.begin ? inTransaction(run, () => run(text)) : run(text);
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join()}]`;
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
