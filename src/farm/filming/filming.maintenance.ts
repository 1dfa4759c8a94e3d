// Maintenance of the filming of jobs: a day after its end it is fixed, before the retention deletes the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Driver, inTransaction, type RunSql } from '../../database/driver/driver';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { before, DAY_MS } from '../../values/instant';
import { fixing, IS_THERE, storedJobs, unfixedOf } from './filming.rows';

type Sessions = Pick<Driver, 'withSession'>;

/** Jobs are looked through by the weeks in which they ended. */
const WEEK = `interval '7 days'`;

const ENDED = sql(`j.status in ('Completed', 'Failed', 'Cancelled')`);

/**
 * Fixes what is not fixed of all jobs that ended more than a day ago, one camera of one job at a time, so that requests run between
 * them. So it also finds jobs that another program wrote late, or whose times were changed. Returns how many it fixed.
 * @param now the database's clock by default
 */
export async function fixFilming(
  database: Sessions,
  states: readonly string[],
  now: Date | null = null,
): Promise<number> {
  const until = now === null ? sql('now()') : Prisma.sql`${now.toISOString()}::timestamptz`;
  return database.withSession(async (run) => {
    let fixed = 0;
    for (let week = await weekAfter(run, null, until); week !== null; week = await weekAfter(run, week, until)) {
      for (const { job, camera, started } of await unfixedIn(run, week)) {
        const earliest = before(String(started), DAY_MS);
        const jobs = storedJobs(Prisma.sql`j.id = ${job}::uuid and ${endedIn(week)}`, sql('now()'));
        await unlimited(run, fixing(states, earliest, jobs, Prisma.sql`${IS_THERE} and c.camera_id = ${camera}`));
        fixed += 1;
        await nextTurn();
      }
      await nextTurn();
    }
    return fixed;
  });
}

/** Times in JSON's words: a driver may read the year 0001 as 2001. */
interface Week {
  from: string;
  to: string;
}

/** From the next end of a job on; null behind the last one. Jobs that ended before the first watch have no camera. */
async function weekAfter(run: RunSql, week: Week | null, now: Prisma.Sql): Promise<Week | null> {
  const begin = week === null ? sql('(select min(w."from") from camera_watches w)') : timeOf(week.to);
  const [next] = await unlimited(
    run,
    Prisma.sql`
    select to_json(n.at) as "from", to_json(least(n.at + ${sql(WEEK)}, ${now} - interval '1 day')) as "to" from (select least(
      (select min(j.completed_at) from print_jobs j where ${ENDED} and j.completed_at >= ${begin}),
      (select min(j.updated_at) from print_jobs j where ${ENDED} and j.completed_at is null and j.updated_at >= ${begin})
    )) n (at) where n.at < ${now} - interval '1 day'`,
  );
  return (next as unknown as Week | undefined) ?? null;
}

/** The condition of a job `j`: two ranges of the index print_jobs_by_end. */
function endedIn({ from, to }: Week): Prisma.Sql {
  const isIn = (at: string) => Prisma.sql`${sql(at)} >= ${timeOf(from)} and ${sql(at)} < ${timeOf(to)}`;
  return Prisma.sql`${ENDED} and (${isIn('j.completed_at')} or j.completed_at is null and ${isIn('j.updated_at')})`;
}

function unfixedIn(run: RunSql, week: Week): Promise<Record<string, unknown>[]> {
  return unlimited(
    run,
    Prisma.sql`with ${unfixedOf(storedJobs(endedIn(week), sql('now()')), IS_THERE)}
      select u.job_id::text as job, u.camera_id as camera, to_json(u.job_from) as started from unfixed u`,
  );
}

const timeOf = (time: string) => Prisma.sql`${time}::timestamptz`;

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
