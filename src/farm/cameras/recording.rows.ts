// What a status record says of its camera's recording, in SQL.
import { listOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';

/** Whether a record says that its camera records. @param states of RECORDING_STATES @param alias of the record */
export const isRecording = (states: readonly string[], alias: string): Prisma.Sql => {
  const state = sql(`lower(${alias}.recording_state)`);
  return Prisma.sql`(${sql(alias)}.online and coalesce(${state} = any(${listOf(states, 'text')}::text[]), false))`;
};

/** Whether it records in a loop: the oldest video makes room for the newest, so its card is never full. */
export const isLooping = (alias: string): Prisma.Sql =>
  sql(`coalesce(lower(${alias}.mode) in ('loop', 'looping'), false)`);
