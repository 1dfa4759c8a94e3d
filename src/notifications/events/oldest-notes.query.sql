-- Reads the oldest notes of unreported changes, with the prints and jobs that they are about. One statement reads everything, so that
-- the notes and the rows are of one moment. psql takes the variables from the next lines, and the program from reporter.store.ts.
\set limit 200
\set change_columns 'to_json(c)'
\set state_columns 'to_json(s)'
\set subject_columns 'to_json(s)'
\set lacks_spool '(o.job_id is null or o.lacking is not null)'
\set is_silenced 'exists (select from alert_silences s where s.kind = a.kind and s.object_id = o.printer_id::text and (s.until is null or s.until > clock_timestamp()))'
with first as materialized (
  select * from unreported_changes order by id limit :limit::bigint
), cut as materialized (
  select max(id) as id from first
-- If a print no longer exists, the notes of its job are read too: the print was merged into another row, and its job was a duplicate.
), page as materialized (
  select * from first
  union
  select c.* from unreported_changes c
  where c.type = 'JOB' and c.entity in (
    select f.job_id from first f where f.type = 'PRINT' and not exists (select from observed_prints o where o.id = f.entity)
  )
-- The next note of a print, behind the notes that are read, has the state before its change: the state after these notes. The same for jobs.
), print_states as materialized (
  select k.id,
    case when l.id is null then o.outcome else l.outcome end as outcome,
    case when l.id is null then o.job_id else l.job_id end as job_id,
    null::text as status,
    coalesce(case when l.id is null then :lacks_spool else l.lacks_spool end, false) as lacks_spool,
    coalesce(case when l.id is null then o.ignored_at is not null else l.ignored end, false) as is_ignored
  from (
    select entity as id from page where type = 'PRINT'
    union
    select o.id from observed_prints o where o.job_id in (select entity from page where type = 'JOB')
    union
    select c.entity from unreported_changes c
    where c.type = 'PRINT' and c.job_id in (select entity from page where type = 'JOB')
  ) k
  left join observed_prints o on o.id = k.id
  left join lateral (
    select c.* from unreported_changes c where c.entity = k.id and c.id > (select id from cut) order by c.id limit 1
  ) l on true
), job_states as materialized (
  select k.id,
    null::text as outcome,
    k.id as job_id,
    case when l.id is null then j.status else l.status end as status,
    false as lacks_spool,
    false as is_ignored
  from (
    select entity as id from page where type = 'JOB'
    union
    select job_id from page where job_id is not null
    union
    select job_id from print_states where job_id is not null
  ) k
  left join print_jobs j on j.id = k.id
  left join lateral (
    select c.* from unreported_changes c where c.entity = k.id and c.id > (select id from cut) order by c.id limit 1
  ) l on true
), subjects as materialized (
  select o.id, o.outcome, o.job_id, j.status, j.print_name as job_name, j.grams_derived as grams, j.cost_per_print as cost,
    :lacks_spool as lacks_spool, o.ignored_at is not null as is_ignored, true as has_printed, o.printer_id,
    p.name as printer_name, o.name as print_name, o.started_at, o.ended_at, o.reason, :is_silenced as is_silenced
  from print_states s
  join observed_prints o on o.id = s.id
  cross join lateral (
    select case o.outcome when 'UNRESOLVED' then 'PRINT_UNRESOLVED' else 'PRINT_WAITS' end as kind
  ) a
  left join print_jobs j on j.id = o.job_id
  left join printers p on p.id = o.printer_id
  union all
  select j.id, null, j.id, j.status, j.print_name, j.grams_derived, j.cost_per_print,
    false, false, exists (select from print_job_status_changes c where c.job_id = j.id and c.to_status = 'Printing'), j.printer_id,
    p.name, null, j.started_at, j.completed_at, null, false
  from (select distinct entity from page where type = 'JOB') k
  join print_jobs j on j.id = k.entity
  left join printers p on p.id = j.printer_id
)
select
  (select coalesce(json_agg(:change_columns order by c.id), '[]') from page c) as changes,
  (select coalesce(json_agg(:state_columns), '[]') from print_states s) as prints,
  (select coalesce(json_agg(:state_columns), '[]') from job_states s) as jobs,
  (select coalesce(json_agg(:subject_columns), '[]') from subjects s) as subjects;
