// The filter of print jobs: its members checked, and its conditions in SQL.
import { containing } from '../database/sql';
import { Prisma } from '../generated/prisma/client';
import { parseGuid } from '../values/guid';
import { membersOf, nullable } from '../values/members';
import { textUpTo } from '../values/text';
import type { PrintJobFilter } from './print-job.inputs';
import { MAX_PRINT_NAME_LENGTH } from './print-job.limits';

const members = membersOf({
  search: nullable(textUpTo(MAX_PRINT_NAME_LENGTH)),
  printerId: nullable(parseGuid),
  spoolId: nullable(parseGuid),
});

export function checkedFilter(filter: PrintJobFilter): PrintJobFilter {
  return { ...filter, ...members(filter, 'filter') };
}

/** The conditions of a job `j`. A filter that matches all jobs has none. */
export function conditionsOf(filter: PrintJobFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.printerId != null) conditions.push(Prisma.sql`j.printer_id = ${filter.printerId}::uuid`);
  if (filter.spoolId != null) conditions.push(Prisma.sql`j.spool_id = ${filter.spoolId}::uuid`);
  // One status is an equality, which the index on (status, newest first) answers in order; several need a list.
  if (filter.status?.length === 1) conditions.push(Prisma.sql`j.status = ${filter.status[0]}`);
  else if (filter.status != null) conditions.push(Prisma.sql`j.status = any(${filter.status}::text[])`);
  if (filter.dataSource != null) conditions.push(Prisma.sql`j.data_source = ${filter.dataSource}`);
  if (filter.createdFrom != null) conditions.push(Prisma.sql`j.created_at >= ${filter.createdFrom}::timestamptz`);
  if (filter.createdTo != null) conditions.push(Prisma.sql`j.created_at <= ${filter.createdTo}::timestamptz`);
  if (filter.search != null && filter.search !== '') {
    conditions.push(containing(['j.print_name'], filter.search));
  }
  return conditions;
}
