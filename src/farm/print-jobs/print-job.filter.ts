// Checks the filter of print jobs, and turns it into conditions of SQL.
import { containsText } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { parseGuid } from '../../values/guid';
import { nullable, readMembers } from '../../values/members';
import { textUpTo } from '../../values/text';
import type { PrintJobFilter } from './print-job.inputs';
import { MAX_PRINT_NAME_LENGTH } from './print-job.limits';
import { createUsedSpoolConditions } from './print-job.rows';

const parseMembers = readMembers({
  search: nullable(textUpTo(MAX_PRINT_NAME_LENGTH)),
  printerId: nullable(parseGuid),
  spoolId: nullable(parseGuid),
  ownSpoolId: nullable(parseGuid),
});

export function parseJobFilter(filter: PrintJobFilter): PrintJobFilter {
  return { ...filter, ...parseMembers(filter, 'filter') };
}

/** The conditions for a job `j`, except for the used spool (createUsedSpoolConditions). A filter that matches all jobs has no conditions. */
export function createJobConditions(filter: PrintJobFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filter.printerId != null) conditions.push(Prisma.sql`j.printer_id = ${filter.printerId}::uuid`);
  if (filter.ownSpoolId != null) conditions.push(Prisma.sql`j.spool_id = ${filter.ownSpoolId}::uuid`);
  // One status is an equality, which the index on (status, newest first) answers in order; several need a list.
  if (filter.status?.length === 1) conditions.push(Prisma.sql`j.status = ${filter.status[0]}`);
  else if (filter.status != null) conditions.push(Prisma.sql`j.status = any(${filter.status}::text[])`);
  if (filter.dataSource != null) conditions.push(Prisma.sql`j.data_source = ${filter.dataSource}`);
  if (filter.createdFrom != null) conditions.push(Prisma.sql`j.created_at >= ${filter.createdFrom}::timestamptz`);
  if (filter.createdTo != null) conditions.push(Prisma.sql`j.created_at <= ${filter.createdTo}::timestamptz`);
  if (filter.search != null && filter.search !== '') {
    conditions.push(containsText(['j.print_name'], filter.search));
  }
  return conditions;
}

/** The conditions of the lists that together hold the jobs of a filter. Each job is in exactly one list. */
export function createLists(filter: PrintJobFilter, ownerLists: Prisma.Sql[][] = [[]]): Prisma.Sql[][] {
  const spoolLists =
    filter.spoolId == null
      ? [[]]
      : createUsedSpoolConditions(Prisma.sql`${filter.spoolId}::uuid`).map((condition) => [condition]);
  return ownerLists.flatMap((ownerConditions) =>
    spoolLists.map((spoolConditions) => [...ownerConditions, ...spoolConditions, ...createJobConditions(filter)]),
  );
}
