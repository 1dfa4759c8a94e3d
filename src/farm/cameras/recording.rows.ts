// The one rule that tells, in SQL, whether a status record says that its camera records.
import { listOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

/** Whether a record says that its camera records. @param states of RECORDING_STATES @param alias of the record */
export const isRecording = (states: readonly string[], alias: string): Prisma.Sql => {
  const state = sql(`lower(${alias}.recording_state)`);
  return Prisma.sql`(${sql(alias)}.online and coalesce(${state} = any(${listOf(states, 'text')}::text[]), false))`;
};
