// The SQL of the lists of observed prints and of their sightings.
import { limitAndOffset, readById, readPage, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { joinConditions, matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages, batchedRead } from '../../sharing/batch';
import { parseGuid } from '../../values/guid';
import { parseInstant } from '../../values/instant';
import { defineCursors, type Page, type PageRange } from '../../values/page';
import { createPrintConditions } from './observed-print.filter';
import type { ObservedPrintFilter, PrintsLike } from './observed-print.inputs';
import { type ObservedPrintRow, PRINT_ROW, SIGHTING_ROW, type SightingRow } from './observed-print.rows';
import { MAX_COUNTED_PRINTS } from './observed-print.types';

const PRINT_CURSORS = defineCursors('observedPrints', parseInstant, parseGuid);
const cursorOf = ({ createdAt, id }: ObservedPrintRow) => PRINT_CURSORS.to(createdAt, id);
const SIGHTING_CURSORS = defineCursors('sightings', parseSightingId);

export class PrintListStore {
  constructor(private readonly database: Queryable) {}

  readonly byId = batchedRead<string, ObservedPrintRow>((ids) =>
    readById(this.database, 'observedPrints.byId', PRINT_ROW, sql('observed_prints o'), 'o.id', ids),
  );

  readonly byJob = batchedRead<string, ObservedPrintRow>(async (ids) => {
    const rows = await this.database.rows(
      'observedPrints.byJob',
      PRINT_ROW,
      Prisma.sql`select ${PRINT_ROW.json} as row from observed_prints o where ${matchesOneOf('o.job_id', ids, 'uuid')}`,
    );
    return new Map(rows.map((row) => [row.jobId as string, row]));
  });

  async countByOutcome(): Promise<Record<string, number>> {
    const groups = await this.database.models('observedPrints.countByOutcome', ({ observedPrint }) =>
      observedPrint.groupBy({ by: ['outcome'], _count: { _all: true } }),
    );
    return Object.fromEntries(groups.map(({ outcome, _count }) => [outcome, _count._all]));
  }

  /** Reads prints, the newest first. */
  page(filter: ObservedPrintFilter, range: PageRange): Promise<Page<ObservedPrintRow>> {
    const page = createPageSql(createPrintConditions(filter), range);
    return readPage(this.database, 'observedPrints.page', PRINT_ROW, page, range, cursorOf);
  }

  /** Reads the prints of one printer, the newest first. */
  readonly pageOf = batchedPages<PrintsLike, ObservedPrintRow>(({ filter, range }) => {
    const page = createPageSql([sql('o.printer_id = k.id'), ...createPrintConditions(filter)], range);
    return (printers) =>
      readPagesByOwner(this.database, 'observedPrints.pageOf', PRINT_ROW, printers, page, range, cursorOf);
  });

  /** Reads the sightings of one print, the oldest first. */
  readonly sightings = batchedPages<PageRange, SightingRow>((range) => {
    const after = range.after === null ? [] : [Prisma.sql`s.id > ${SIGHTING_CURSORS.keyOf(range.after)[0]}::bigint`];
    const page = {
      rows: Prisma.sql`
        select ${SIGHTING_ROW.json} as row from print_sightings s
        where ${joinConditions([sql('s.print_id = k.id'), ...after])} order by s.id ${limitAndOffset(range)}`,
      total: sql('null'),
    };
    const cursorOf = ({ id }: SightingRow) => SIGHTING_CURSORS.to(id);
    return (prints) =>
      readPagesByOwner(this.database, 'observedPrints.sightings', SIGHTING_ROW, prints, page, range, cursorOf);
  });
}

function createPageSql(conditions: Prisma.Sql[], range: PageRange) {
  const [at, id] = range.after === null ? [] : PRINT_CURSORS.keyOf(range.after);
  const after = at === undefined ? [] : [Prisma.sql`(o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)`];
  return {
    rows: Prisma.sql`
      select ${PRINT_ROW.json} as row from observed_prints o where ${joinConditions([...conditions, ...after])}
      order by o.created_at desc, o.id desc ${limitAndOffset(range)}`,
    total: Prisma.sql`
      select count(*) from (
        select from observed_prints o where ${joinConditions(conditions)} limit ${MAX_COUNTED_PRINTS}::bigint
      ) found`,
  };
}

function parseSightingId(value: unknown): string {
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return value;
  throw new Error('Invalid id of a sighting');
}
