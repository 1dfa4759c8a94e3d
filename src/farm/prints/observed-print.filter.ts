// Checks the filter of observed prints, and turns it into conditions in SQL.
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { parseGuid } from '../../values/guid';
import { nullable, readMembers } from '../../values/members';
import type { ObservedPrintFilter } from './observed-print.inputs';
import { LACKS_SPOOL } from './observed-print.rows';
import type { PrintWait } from './observed-print.types';

const parseMembers = readMembers({ printerId: nullable(parseGuid) });

export function checkPrintFilter(filter: ObservedPrintFilter): ObservedPrintFilter {
  return { ...filter, ...parseMembers(filter, 'filter') };
}

/** The same rule as `findWait`, for a print `o`. The index on waiting prints covers these conditions. */
const WAITING: Record<PrintWait, Prisma.Sql> = {
  SPOOL: sql(`o.ignored_at is null and ${LACKS_SPOOL.text} and o.outcome <> 'UNRESOLVED'`),
  OUTCOME: sql(`o.ignored_at is null and o.outcome = 'UNRESOLVED'`),
};

/** The conditions for a print `o`. */
export function createPrintConditions(filter: ObservedPrintFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.printerId != null) conditions.push(Prisma.sql`o.printer_id = ${filter.printerId}::uuid`);
  if (filter.outcome != null) conditions.push(Prisma.sql`o.outcome = any(${filter.outcome}::text[])`);
  if (filter.waitsFor != null) conditions.push(WAITING[filter.waitsFor]);
  if (filter.startedFrom != null) conditions.push(Prisma.sql`o.started_at >= ${filter.startedFrom}::timestamptz`);
  if (filter.startedTo != null) conditions.push(Prisma.sql`o.started_at <= ${filter.startedTo}::timestamptz`);
  return conditions;
}
