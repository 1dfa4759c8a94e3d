// Checks at the end of a restore whether the tables that triggers fill agree with the tables from which they are derived.
import type { RunSql } from '../driver/driver';

interface DerivedTable {
  name: string;
  /** The table from which it is derived. */
  from: string;
  /** A statement that returns a row for each difference. */
  differences: string;
}

const DERIVED_TABLES: readonly DerivedTable[] = [
  {
    name: 'print_job_counts',
    from: 'print_jobs',
    differences: `
      select from (
        select printer_id, status, data_source, jobs from print_job_counts
        union all select printer_id, status, data_source, -1 from print_jobs
      ) c group by printer_id, status, data_source having sum(jobs) <> 0`,
  },
  {
    // A job is divided exactly when it has a row for part 0, the part of the job's own spool.
    name: 'print_job_parts',
    from: 'print_jobs',
    differences: `
      select from print_jobs j left join print_job_parts p on p.job_id = j.id and p.number = 0
      where j.divided <> (p.job_id is not null)
      union all select from print_job_parts p where not exists (select from print_jobs j where j.id = p.job_id)`,
  },
  {
    // A latest status may be newer than all records of its camera, because old records are deleted. When a camera is removed, its
    // latest status is deleted before its records.
    name: 'camera_latest_status',
    from: 'camera_status',
    differences: `
      select from cameras c
      cross join lateral (
        select * from camera_status s where s.camera_id = c.camera_id order by s.recorded_at desc, s.id desc limit 1
      ) s
      left join camera_latest_status l on l.camera_id = c.camera_id
      where c.removed_at is null and (
        l.camera_id is null or (l.recorded_at, l.id) < (s.recorded_at, s.id)
        or (l.recorded_at, l.id) = (s.recorded_at, s.id) and to_jsonb(l) <> to_jsonb(s))`,
  },
  {
    // Only the current watch can be compared: a camera does not store its past watches.
    name: 'camera_watches',
    from: 'cameras',
    differences: `
      select from cameras c left join camera_watches w on w.camera_id = c.camera_id and w."to" is null
      where c.printer_id is distinct from w.printer_id`,
  },
];

/** Throws if a table differs from the rows from which it is derived. Backups of older versions may not have all these tables. */
export async function checkDerivedTables(run: RunSql): Promise<void> {
  for (const { name, from, differences } of DERIVED_TABLES) {
    const [table] = await run('select to_regclass($1) as found', [name]);
    if (table?.['found'] == null) continue;
    const [counted] = await run(`select count(*) as rows from (${differences}) d`);
    if (Number(counted?.['rows']) === 0) continue;
    throw new Error(
      `The backup is inconsistent: ${name} differs from the rows of ${from} (differences: ${counted?.['rows']}). Nothing was restored. Use another backup.`,
    );
  }
}

const MAX_NAMED = 20;

/** A warning about jobs whose parts add up to more than the job, because another program lowered the job's totals; null if there are none. */
export async function findJobsBelowParts(run: RunSql): Promise<string | null> {
  const [table] = await run("select to_regclass('print_job_parts') as found");
  if (table?.['found'] == null) return null;
  const jobs = await run(`
    select j.id, j.print_name as name from print_jobs j join print_job_parts p on p.job_id = j.id
    where j.divided group by j.id
    having sum(p.mm_extruded) > j.mm_extruded or sum(p.grams_derived) > j.grams_derived or sum(p.cost) > j.cost_per_print
    order by j.id`);
  if (jobs.length === 0) return null;
  const named = jobs.slice(0, MAX_NAMED).map(({ id, name }) => `${id} ${JSON.stringify(name)}`);
  const more = jobs.length > MAX_NAMED ? [`and ${jobs.length - MAX_NAMED} more`] : [];
  return `These jobs have lower totals than their parts together, so the part of their own spool is 0: ${[...named, ...more].join(', ')}. Check their parts on the dashboard.`;
}
