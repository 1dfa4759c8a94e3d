// Builds in SQL the timeline of a camera, for the recordings of jobs: from when to when the camera recorded, did not record, was offline or silent.
// The alerts of recordings and the availability of a camera need less, so they have shorter statements (alerts/recording-alerts.rows.ts, health.store.ts).
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { isRecording, isSilentAt } from './liveness.rows';

interface Timeline {
  /** A query of records of one camera, with `recorded_at`, `id`, `online` and `recording_state`. */
  records: Prisma.Sql;
  /** The interval for which a record is valid. */
  valid: string;
  /** The start of the timeline. `records` must contain the last record before it. */
  from: string;
  /** In lower case. */
  recordingStates: readonly string[];
}

/**
 * Common table expressions. `timeline` has the states of a camera, RECORDED, NOT_RECORDING, OFFLINE and SILENT, each until the next state
 * (`until`). The last state has no end, and neighbours have different states.
 * - `reports` has the records with their neighbours. Of records with the same time, only the one with the greatest id counts.
 * - The timeline starts as SILENT. A record sets the state, and the state becomes SILENT when the record is older than `valid`.
 */
export const buildTimeline = ({ records, valid, from, recordingStates }: Timeline): Prisma.Sql => Prisma.sql`
  reports as (
    select s.at, s.state, lag(s.at) over w as next, lead(s.at) over w as before, lead(s.state) over w as state_before from (
      select distinct on (s.recorded_at) s.recorded_at as at,
        case when not s.online then 'OFFLINE' when ${isRecording(recordingStates, 's')} then 'RECORDED' else 'NOT_RECORDING' end as state
      from (${records}) s order by s.recorded_at desc, s.id desc
    ) s window w as (order by s.at desc)
  ), timeline as (
    select t.state, t.at, lead(t.at) over (order by t.at) as until from (
      select ${sql(from)} - ${sql(valid)} as at, 'SILENT' as state
      union all select s.at, s.state from reports s where s.state is distinct from s.state_before or ${isSilentAt('s.at', 's.before', valid)}
      union all select s.at + ${sql(valid)}, 'SILENT' from reports s where s.next is null or ${isSilentAt('s.next', 's.at', valid)}
    ) t
  )`;
