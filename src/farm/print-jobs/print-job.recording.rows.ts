// Decides in SQL how much of a job was recorded, for lists of jobs. A recording is final one day after the end of the job.
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { HAS_ENDED } from './print-job.rows';
import type { PrintJobRecording } from './print-job.types';

/** The end of a job `j` that has ended, as in filming.rows.ts. */
const ENDED_AT = 'coalesce(j.completed_at, j.updated_at)';

const SPAN_MS = `(extract(epoch from ${ENDED_AT} - j.started_at) * 1000)`;

/** The longest final recording of a job by one camera, in milliseconds; null if there is none. */
const RECORDED_MS = `(select max(f.recorded_ms) from job_filming f
  where f.job_id = j.id and f.printer_id = j.printer_id and f.job_from = j.started_at and f.job_to = ${ENDED_AT})`;

const HAS_STARTED = `j.started_at is not null and j.status <> 'Queued'`;

/** A camera watched the printer, and its recording is not final yet. */
const IS_PRELIMINARY = `${HAS_STARTED} and exists (
  select from camera_watches w join cameras c on c.camera_id = w.camera_id and c.removed_at is null
  where w.printer_id = j.printer_id and w."from" < case j.status when 'Printing' then now() else ${ENDED_AT} end
    and (w."to" is null or w."to" > j.started_at)
    and not exists (select from job_filming f where f.job_id = j.id and f.camera_id = w.camera_id and f.printer_id = j.printer_id
      and f.job_from = j.started_at and f.job_to = ${ENDED_AT}))`;

/** recorded-share.ts has the same tolerance of 2 ms. */
const CONDITIONS: Record<PrintJobRecording, string> = {
  COMPLETE: `${HAS_STARTED} and ${RECORDED_MS} > ${SPAN_MS} - 2`,
  PARTIAL: `${HAS_STARTED} and ${RECORDED_MS} > 0 and ${RECORDED_MS} <= ${SPAN_MS} - 2`,
  NONE: `${HAS_STARTED} and ${HAS_ENDED.sql} and coalesce(${RECORDED_MS}, 0) = 0 and not (${IS_PRELIMINARY})`,
  PRELIMINARY: `${IS_PRELIMINARY}`,
};

/** The condition for a job `j` that has one of these recordings. Without any, no job matches. */
export const createRecordingCondition = (recordings: readonly PrintJobRecording[]): Prisma.Sql =>
  sql(`(${recordings.map((recording) => `(${CONDITIONS[recording]})`).join(' or ') || 'false'})`);

/**
 * The recorded share of a job `j` in hundredths of a percent, by the camera that recorded most of it; null without a final recording.
 * It is 10,000 only if nothing is missing.
 */
export const RECORDED_SHARE = `case when ${HAS_STARTED} and ${SPAN_MS} >= 0 then (select case when ${SPAN_MS} - best.ms < 2 then 10000
    else floor(10000 * best.ms / ${SPAN_MS}) end from ${RECORDED_MS} best (ms) where best.ms is not null) end`;
