// Pages of a list: the range that a request asks for, and the page that answers it.
import { BadInput } from '../errors';
import { Prisma } from '../generated/prisma/client';
import type { Queryable } from './database';
import type { RowShape } from './rows';

/** What of a list is asked for: `first` rows after the cursor, less `offset` rows that are skipped. */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

/** What of a page the request wants to know; the rest is not read. */
export interface Selected {
  rows: boolean;
  total: boolean;
}

/** A page request with every number in its range. `first` undefined means all. */
export interface PageRange {
  first: number | undefined;
  after: string | null;
  offset: number;
  selected: Selected;
}

export interface Page<Row> {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(row: Row): string;
  /** Null unless it was selected. */
  totalCount: number | null;
}

/** The most rows that one page may hold, where the whole list is not offered. */
export const MOST_ROWS = 1000;

/** Numbers out of range are clamped, as §8 of the print job document does with its own. */
export function pageRange({ first, after, offset }: PageRequest, selected: Selected, defaultFirst?: number): PageRange {
  const wanted = first ?? defaultFirst;
  const most = defaultFirst === undefined ? Number.MAX_SAFE_INTEGER : MOST_ROWS;
  return {
    first: wanted === undefined ? undefined : Math.min(Math.max(wanted, 1), most),
    after: after ?? null,
    offset: Math.max(offset ?? 0, 0),
    selected,
  };
}

/** A page as it leaves the database: its rows' cells, and the total where it was selected. */
export type PageCells = [rows: unknown[][], total: number | null];

/** The statement of a page's rows, up to `first` + 1 with one column `row`, and the one of its total. */
export interface PageSql {
  rows: Prisma.Sql;
  total: Prisma.Sql;
}

/** Rows and total in one statement: they are of one moment, and cost one round trip (50 jobs and their total: 2.0 → 1.8 ms). */
export function pageStatement(range: PageRange, { rows, total }: PageSql): Prisma.Sql {
  const { selected } = range;
  const counted = (count: Prisma.Sql) => (selected.total ? Prisma.sql`to_json(${count})` : Prisma.sql`null::json`);
  return selected.rows
    ? Prisma.sql`select coalesce(json_agg(r.row), '[]') as value, ${counted(totalBeside(range, total))} as total from (${rows}) r`
    : Prisma.sql`select '[]'::json as value, ${counted(Prisma.sql`(${total})`)} as total`;
}

/** Rows that are all there are need not be counted again (a search that few of a million jobs match: 1.1 → 0.6 s). */
function totalBeside({ first, after, offset }: PageRange, total: Prisma.Sql): Prisma.Sql {
  if (after !== null || offset > 0) return Prisma.sql`(${total})`;
  if (first === undefined) return Prisma.sql`count(*)`;
  return Prisma.sql`case when count(*) <= ${first}::bigint then count(*) else (${total}) end`;
}

/** The page that a statement of `pageStatement` answers. */
export async function readPage<Row>(
  database: Pick<Queryable, 'cells'>,
  shape: RowShape<Row>,
  page: PageSql,
  range: PageRange,
  cursorOf: (row: Row) => string,
): Promise<Page<Row>> {
  return pageOf(await database.cells<PageCells>(pageStatement(range, page)), shape, range, cursorOf);
}

/** A page out of up to `first` + 1 rows: the one too many says that there are more. */
export function pageOf<Row>(
  [cells, totalCount]: PageCells,
  { read }: Pick<RowShape<Row>, 'read'>,
  range: PageRange,
  cursorOf: (row: Row) => string,
): Page<Row> {
  const rows = cells.map(read);
  const hasNextPage = range.first !== undefined && rows.length > range.first;
  return {
    rows: hasNextPage ? rows.slice(0, range.first) : rows,
    hasNextPage,
    hasPreviousPage: range.after !== null || range.offset > 0,
    cursorOf,
    totalCount,
  };
}

/** The cursors of one list: the place of a row in its order, opaque to clients, and no other list's. */
export interface Cursors {
  to(...place: string[]): string;
  placeOf(after: string): string[];
}

/** `readers` read the parts of a place. */
export function cursorsOf(list: string, ...readers: ((value: unknown, member: string) => string)[]): Cursors {
  return {
    to: (...place) => Buffer.from(JSON.stringify([list, ...place])).toString('base64url'),
    placeOf(after) {
      try {
        const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString());
        if (Array.isArray(parts) && parts[0] === list && parts.length === readers.length + 1) {
          return readers.map((read, index) => read(parts[index + 1], 'after'));
        }
      } catch {}
      throw new BadInput('must be a cursor that this list gave', 'after');
    },
  };
}
