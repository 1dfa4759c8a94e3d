// Pages of a list: the requested range, the page itself, and the cursors.
import { BadInput } from '../errors';

/** A request for `first` rows after the cursor `after` and after `offset` more rows. */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

/** The selected parts of a page; other parts are not read. */
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

/** A page of a list, and the value of its connection in the graph. */
export interface Page<Row> {
  nodes: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(row: Row): string;
  /** The cursor of the page's end, for a list whose page can end behind its last row. */
  endCursor?: string | null;
  /** Null unless it was selected. */
  totalCount: number | null;
}

/** The largest page of a list. All cameras may be read in one page. */
export const MAX_PAGE_ROWS = 1000;
/** The items of all input lists of an operation: it must not write for longer than a request may take. */
export const MAX_INPUT_ITEMS = 1000;

export const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Clamps numbers that are out of range, as §8 of the print job document does. */
export function pageRange({ first, after, offset }: PageRequest, selected: Selected, defaultFirst?: number): PageRange {
  const wanted = first ?? defaultFirst;
  const max = defaultFirst === undefined ? Number.MAX_SAFE_INTEGER : MAX_PAGE_ROWS;
  return {
    first: wanted === undefined ? undefined : clamp(wanted, 1, max),
    after: after ?? null,
    offset: Math.max(offset ?? 0, 0),
    selected,
  };
}

/** The cursors of one list. A cursor is the sort key of a row; other lists refuse it. */
export interface Cursors {
  to(...key: string[]): string;
  keyOf(after: string): string[];
}

/** @param readers read the parts of a key */
export function cursorsOf(list: string, ...readers: ((value: unknown, member: string) => string)[]): Cursors {
  return {
    to: (...key) => Buffer.from(JSON.stringify([list, ...key])).toString('base64url'),
    keyOf(after) {
      try {
        const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString());
        if (Array.isArray(parts) && parts[0] === list && parts.length === readers.length + 1) {
          return readers.map((read, index) => read(parts[index + 1], 'after'));
        }
      } catch {}
      throw new BadInput('must be a cursor that this list gave, in the same order', 'after');
    },
  };
}
