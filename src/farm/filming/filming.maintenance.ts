// Makes the recordings of a job final one day after the job has ended, before the retention deletes the status log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../database/queryable';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { HAS_ENDED } from '../print-jobs/print-job.rows';
import { IS_THERE, selectStoredJobs, selectUnfinished } from './filming.rows';
import { finalizeFilms } from './filming.store';

/** Jobs are read by the weeks in which they ended. */
const WEEK = `interval '7 days'`;

/** Status records of a job may arrive up to this long after its end. The schema descriptions mention the day too. */
const FINAL_AFTER = sql(`interval '1 day'`);

/**
 * Makes the recordings final of all jobs that ended longer ago than FINAL_AFTER: one camera of one job at a time, so that requests run in
 * between. Each run reads all weeks, so that it also finds jobs that another program wrote late, or whose times were changed.
 * Returns the number of recordings that became final.
 * @param now `null` for the clock of the database
 */
export async function finalizeFilming(
  database: Queryable,
  states: readonly string[],
  now: Date | null = null,
): Promise<number> {
  const until = now === null ? sql('now()') : Prisma.sql`${now.toISOString()}::timestamptz`;
  let count = 0;
  for (let week = await findNextWeek(database, null, until); week; week = await findNextWeek(database, week, until)) {
    for (const [job, camera, started] of await listUnfinished(database, week)) {
      const jobs = selectStoredJobs(Prisma.sql`j.id = ${job}::uuid and ${createEndedCondition(week)}`, sql('now()'));
      const isCamera = Prisma.sql`${IS_THERE} and c.camera_id = ${camera}`;
      await finalizeFilms(database, states, jobs, isCamera, started);
      count += 1;
      await nextTurn();
    }
    await nextTurn();
  }
  return count;
}

/** Times as JSON text, because a database driver may read the year 0001 as 2001. */
interface Week {
  from: string;
  to: string;
}

/** The week that starts with the next end of a job; `null` after the last one. Jobs that ended before the first watch have no recording. */
function findNextWeek(database: Queryable, week: Week | null, now: Prisma.Sql): Promise<Week | null> {
  const start = week === null ? sql('(select min(w."from") from camera_watches w)') : timeOf(week.to);
  return database.json(
    'filming.nextWeek',
    Prisma.sql`
    select json_build_object('from', n.at, 'to', least(n.at + ${sql(WEEK)}, ${now} - ${FINAL_AFTER})) as value from (select least(
      (select min(j.completed_at) from print_jobs j where ${HAS_ENDED} and j.completed_at >= ${start}),
      (select min(j.updated_at) from print_jobs j where ${HAS_ENDED} and j.completed_at is null and j.updated_at >= ${start})
    )) n (at) where n.at < ${now} - ${FINAL_AFTER}`,
  );
}

/** The condition for a job `j`. It consists of two ranges of the index print_jobs_by_end. */
function createEndedCondition({ from, to }: Week): Prisma.Sql {
  const isIn = (at: string) => Prisma.sql`${sql(at)} >= ${timeOf(from)} and ${sql(at)} < ${timeOf(to)}`;
  return Prisma.sql`${HAS_ENDED} and (${isIn('j.completed_at')} or j.completed_at is null and ${isIn('j.updated_at')})`;
}

function listUnfinished(database: Queryable, week: Week): Promise<[job: string, camera: string, started: string][]> {
  return database.json(
    'filming.unfixed',
    Prisma.sql`with ${selectUnfinished(selectStoredJobs(createEndedCondition(week), sql('now()')), IS_THERE)}
      select coalesce(json_agg(json_build_array(u.job_id, u.camera_id, u.job_from)), '[]') as value from unfinished u`,
  );
}

const timeOf = (time: string) => Prisma.sql`${time}::timestamptz`;
