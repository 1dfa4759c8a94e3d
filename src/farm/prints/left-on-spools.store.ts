// The SQL that finds the jobs which print from spools now, and reads their prints for many spools at once.
import { readById } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { arrayParameter, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import type { NewestFigures } from '../print-rules/newest-figures';
import { STORED_PRINT, type StoredPrint } from './observed-print.rows';

/** A job that prints from a spool now. */
export interface JobOnSpool {
  spoolId: string;
  /** The print that a machine reports for the job; `null` if no machine reports one. */
  printId: string | null;
}

export class LeftOnSpoolsStore {
  constructor(private readonly database: Queryable) {}

  /** As printingJobs of stock/adjustment.store.ts. It starts at the jobs that print, because a list may have a thousand spools. */
  jobsOnSpools(spoolIds: readonly string[]): Promise<JobOnSpool[]> {
    return this.database.json(
      'leftOnSpools.jobs',
      Prisma.sql`
      select coalesce(json_agg(json_build_object('spoolId', u.spool_id, 'printId', (select o.id from observed_prints o where o.job_id = j.id))), '[]')
        as value
      from print_jobs j cross join lateral (
        select j.spool_id
        union select p.spool_id from print_job_parts p where j.divided and p.job_id = j.id
        union select l.spool_id from observed_prints o join slot_loads l on l.printer_id = o.printer_id
        where o.job_id = j.id and o.outcome = 'RUNNING' and coalesce(l.to > coalesce(o.started_at, o.created_at), true)
      ) u
      where j.status = 'Printing' and u.spool_id = any(${arrayParameter(spoolIds, 'uuid')}::uuid[])`,
    );
  }

  readonly print = batchedRead<string, StoredPrint>((ids) =>
    readById(this.database, 'leftOnSpools.prints', STORED_PRINT, sql('observed_prints o'), 'o.id', ids),
  );

  /** The newest figures of running prints, as newestFigures of print-writing.store.ts. */
  readonly figures = batchedRead<string, NewestFigures>(async (ids) => {
    const figures = await this.database.json<Record<string, NewestFigures | null>>(
      'leftOnSpools.figures',
      Prisma.sql`
      select coalesce(json_object_agg(s.print_id, s.figures), '{}') as value
      from printer_states s join observed_prints o on o.id = s.print_id and o.printer_id = s.printer_id
      where s.print_id = any(${arrayParameter(ids, 'uuid')}::uuid[])`,
    );
    return new Map(Object.entries(figures));
  });
}
