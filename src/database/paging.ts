// Pages of a list: the range that a request asks for, and the page that answers it.
import { BadInput } from '../errors';

/** What of a list is asked for: `first` rows after the cursor, less `offset` rows that are skipped. */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

/** A page request with every number in its range. `first` undefined means all. */
export interface PageRange {
  first: number | undefined;
  after: string | null;
  offset: number;
}

export interface Page<Row> {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(row: Row): string;
  /** Counts when it is called: a page whose total nobody asks for costs no count. */
  totalCount(): Promise<number>;
}

/** The most rows that one page may hold, where the whole list is not offered. */
export const MOST_ROWS = 1000;

/** Numbers out of range are clamped, as §8 of the print job document does with its own. */
export function pageRange({ first, after, offset }: PageRequest, defaultFirst?: number): PageRange {
  const wanted = first ?? defaultFirst;
  const most = defaultFirst === undefined ? Number.MAX_SAFE_INTEGER : MOST_ROWS;
  return {
    first: wanted === undefined ? undefined : Math.min(Math.max(wanted, 1), most),
    after: after ?? null,
    offset: Math.max(offset ?? 0, 0),
  };
}

/** A page out of up to `first` + 1 rows: the one too many says that there are more. */
export function pageOf<Row>(
  rows: Row[],
  range: PageRange,
  cursorOf: (row: Row) => string,
  totalCount: () => Promise<number>,
): Page<Row> {
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
