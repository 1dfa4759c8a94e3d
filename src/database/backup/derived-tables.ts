// The tables that triggers derive from others, each held against the rows of the other at the end of a restore.
import type { RunSql } from '../driver/driver';

interface DerivedTable {
  name: string;
  /** The table that it is derived from. */
  from: string;
  /** A statement with a row for each difference. */
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
    // A latest status may be newer than all records that are left: old records are removed. The records of a removed
    // camera are deleted after its latest status.
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
];

/** Throws when a table differs from the rows that it is derived from. A backup of an older version may lack a table. */
export async function checkDerivedTables(run: RunSql): Promise<void> {
  for (const { name, from, differences } of DERIVED_TABLES) {
    const [table] = await run('select to_regclass($1) as found', [name]);
    if (table?.['found'] == null) continue;
    const [counted] = await run(`select count(*) as rows from (${differences}) d`);
    if (Number(counted?.['rows']) === 0) continue;
    throw new Error(
      `The backup is not right: ${name} differs from the rows of ${from} (differences: ${counted?.['rows']}). Nothing was restored.`,
    );
  }
}
