// Maintenance of the filming of jobs: a day after its end it is fixed, before the retention deletes the log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../database/queryable';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { HAS_ENDED } from '../print-jobs/print-job.rows';
import { IS_THERE, selectUnfinished, storedJobs } from './filming.rows';
import { finalizeFilms } from './filming.store';

/** Jobs are looked through by the weeks in which they ended. */
const WEEK = `interval '7 days'`;

/** After its end a job's records may still come late. The schema's descriptions say the day too. */
const FINAL_AFTER = sql(`interval '1 day'`);

/**
 * Fixes the films of all jobs that ended longer ago than FIXED_AFTER, where they are not fixed yet: one camera of one job at a time. Requests
 * run between them. It looks at all weeks each time, so that it also finds jobs that another program wrote late, or whose times were changed.
 * Returns how many films it fixed.
 * @param now the database's clock by default
 */
export async function finalizeFilming(
  database: Queryable,
  states: readonly string[],
  now: Date | null = null,
): Promise<number> {
  const until = now === null ? sql('now()') : Prisma.sql`${now.toISOString()}::timestamptz`;
  let fixed = 0;
  for (let week = await findNextWeek(database, null, until); week; week = await findNextWeek(database, week, until)) {
    for (const [job, camera, started] of await listUnfinished(database, week)) {
      const jobs = storedJobs(Prisma.sql`j.id = ${job}::uuid and ${endedIn(week)}`, sql('now()'));
      const ofCamera = Prisma.sql`${IS_THERE} and c.camera_id = ${camera}`;
      await finalizeFilms(database, states, jobs, ofCamera, started);
      fixed += 1;
      await nextTurn();
    }
    await nextTurn();
  }
  return fixed;
}

/** Times in JSON's words: a driver may read the year 0001 as 2001. */
interface Week {
  from: string;
  to: string;
}

/** From the next end of a job on; null behind the last one. Jobs that ended before the first watch have no camera. */
function findNextWeek(database: Queryable, week: Week | null, now: Prisma.Sql): Promise<Week | null> {
  const begin = week === null ? sql('(select min(w."from") from camera_watches w)') : timeOf(week.to);
  return database.json(
    'filming.nextWeek',
    Prisma.sql`
    select json_build_object('from', n.at, 'to', least(n.at + ${sql(WEEK)}, ${now} - ${FINAL_AFTER})) as value from (select least(
      (select min(j.completed_at) from print_jobs j where ${HAS_ENDED} and j.completed_at >= ${begin}),
      (select min(j.updated_at) from print_jobs j where ${HAS_ENDED} and j.completed_at is null and j.updated_at >= ${begin})
    )) n (at) where n.at < ${now} - ${FINAL_AFTER}`,
  );
}

/** The condition of a job `j`: two ranges of the index print_jobs_by_end. */
function endedIn({ from, to }: Week): Prisma.Sql {
  const isIn = (at: string) => Prisma.sql`${sql(at)} >= ${timeOf(from)} and ${sql(at)} < ${timeOf(to)}`;
  return Prisma.sql`${HAS_ENDED} and (${isIn('j.completed_at')} or j.completed_at is null and ${isIn('j.updated_at')})`;
}

function listUnfinished(database: Queryable, week: Week): Promise<[job: string, camera: string, started: string][]> {
  return database.json(
    'filming.unfixed',
    Prisma.sql`with ${selectUnfinished(storedJobs(endedIn(week), sql('now()')), IS_THERE)}
      select coalesce(json_agg(json_build_array(u.job_id, u.camera_id, u.job_from)), '[]') as value from unfixed u`,
  );
}

const timeOf = (time: string) => Prisma.sql`${time}::timestamptz`;
