// The tables that triggers keep, each held against the rows that it is kept from, at the end of a restore.
import type { RunSql } from '../driver';

interface KeptTable {
  name: string;
  /** The table whose rows it is kept from. */
  from: string;
  /** A statement with a row for each difference. */
  differences: string;
}

/** The rows that one of two queries has more often than the other. */
const between = (kept: string, counted: string) =>
  `(${kept} except all ${counted}) union all (${counted} except all ${kept})`;

const SUMS = ['completed_jobs', 'completed_grams', 'completed_cost', 'wasted_jobs', 'wasted_grams', 'wasted_cost'];
const ofUse = (use: string) => `sum(case when filament_use(status, started_at) = '${use}' then`;
const STRETCHES = `(values (15), (60), (1440)) m (minutes)`;
const stretchOf = (instant: string) => `date_bin(m.minutes * interval '1 minute', ${instant}, '2000-01-01Z')`;

const KEPT_TABLES: readonly KeptTable[] = [
  {
    name: 'print_job_counts',
    from: 'print_jobs',
    differences: between(
      '(select printer_id, status, data_source, jobs from print_job_counts where jobs <> 0)',
      '(select printer_id, status, data_source, count(*) from print_jobs group by 1, 2, 3)',
    ),
  },
  {
    name: 'filament_by_spool',
    from: 'print_jobs',
    differences: between(
      '(select spool_id, used_grams, planned_grams from filament_by_spool where (used_grams, planned_grams) <> (0, 0))',
      `(select * from (
        select spool_id, ${ofUse('completed')} grams_derived else 0 end) + ${ofUse('wasted')} grams_derived else 0 end) as used,
          ${ofUse('planned')} grams_derived else 0 end) as planned
        from print_jobs group by 1
      ) j where (used, planned) <> (0, 0))`,
    ),
  },
  {
    // Notes that are not folded yet count too.
    name: 'filament_by_time',
    from: 'print_jobs',
    differences: between(
      `(select * from (
        select minutes, begins, ${SUMS.map((sum) => `sum(${sum})`).join()} from (
          select * from filament_by_time
          union all select m.minutes, ${stretchOf('f.begins')}, ${SUMS.join()} from filament_to_fold f, ${STRETCHES}
        ) t group by 1, 2
      ) t (minutes, begins, ${SUMS.join()}) where (${SUMS.join()}) <> (0, 0, 0, 0, 0, 0))`,
      `(select m.minutes, ${stretchOf('coalesce(completed_at, updated_at)')}, ${['completed', 'wasted']
        .flatMap((use) =>
          ['1', 'grams_derived', 'cost_per_print'].map((figure) => `${ofUse(use)} ${figure} else 0 end)`),
        )
        .join()}
        from print_jobs, ${STRETCHES} where filament_use(status, started_at) <> 'planned' group by 1, 2)`,
    ),
  },
  {
    // A latest status may be newer than all records that are left: old records are removed. The records of a removed
    // camera are deleted after its latest status; backups of older versions have no such cameras.
    name: 'camera_latest_status',
    from: 'camera_status',
    differences: `
      select from cameras c
      cross join lateral (
        select * from camera_status s where s.camera_id = c.camera_id order by s.recorded_at desc, s.id desc limit 1
      ) s
      left join camera_latest_status l on l.camera_id = c.camera_id
      where to_jsonb(c)->>'removed_at' is null and (
        l.camera_id is null or (l.recorded_at, l.id) < (s.recorded_at, s.id)
        or (l.recorded_at, l.id) = (s.recorded_at, s.id) and to_jsonb(l) <> to_jsonb(s))`,
  },
];

/** Throws when a table differs from the rows that it is kept from. A backup of an older version may lack a table. */
export async function checkKeptTables(run: RunSql): Promise<void> {
  for (const { name, from, differences } of KEPT_TABLES) {
    const [table] = await run('select to_regclass($1) as found', [name]);
    if (table?.['found'] == null) continue;
    const [counted] = await run(`select count(*) as rows from (${differences}) d`);
    if (Number(counted?.['rows']) === 0) continue;
    throw new Error(
      `The backup is not right: ${name} differs from the rows of ${from} (differences: ${counted?.['rows']}). Nothing was restored.`,
    );
  }
}
