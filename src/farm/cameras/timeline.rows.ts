// The timeline of a camera in SQL: which word of it holds from when to when, for films. Alerts of films read the newest records of all
// cameras together, and health how long a camera was online, so each has a shorter statement of its own (alerts/film.rows.ts, health.store.ts).
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { isRecording, isSilentAt } from './liveness.rows';

interface Timeline {
  /** A query of records of one camera, with `recorded_at`, `id`, `online` and `recording_state`. */
  records: Prisma.Sql;
  /** For how long a record holds: an interval. */
  valid: string;
  /** Where the timeline begins. What records before it say must be in `records`. */
  from: string;
  /** In lower case. */
  recordingStates: readonly string[];
}

/**
 * Common tables, of which `timeline` has the words of a camera: RECORDED, NOT_RECORDING, OFFLINE, and SILENT, each up to the next one
 * (`until`), the last one without an end. Neighbours have different words.
 * - `said` has the records, of equal times the one with the greatest id, each with its neighbours.
 * - At the begin the word is silence. A record's word is said by it, and becomes silence when the record is older than `valid`.
 */
export const timeline = ({ records, valid, from, recordingStates }: Timeline): Prisma.Sql => Prisma.sql`
  said as (
    select s.at, s.word, lag(s.at) over w as next, lead(s.at) over w as before, lead(s.word) over w as word_before from (
      select distinct on (s.recorded_at) s.recorded_at as at,
        case when not s.online then 'OFFLINE' when ${isRecording(recordingStates, 's')} then 'RECORDED' else 'NOT_RECORDING' end as word
      from (${records}) s order by s.recorded_at desc, s.id desc
    ) s window w as (order by s.at desc)
  ), timeline as (
    select t.word, t.at, lead(t.at) over (order by t.at) as until from (
      select ${sql(from)} - ${sql(valid)} as at, 'SILENT' as word
      union all select s.at, s.word from said s where s.word is distinct from s.word_before or ${isSilentAt('s.at', 's.before', valid)}
      union all select s.at + ${sql(valid)}, 'SILENT' from said s where s.next is null or ${isSilentAt('s.next', 's.at', valid)}
    ) t
  )`;
