// Defines the pages of a list: the range that a client asks for, the page that it gets, and the cursors between pages.
import { BadInput } from '../errors';

/** A request for `first` rows. The page starts after the cursor `after`, and skips `offset` more rows. */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

/** The parts of a page that the client selected. Other parts are not read. */
export interface Selected {
  rows: boolean;
  total: boolean;
}

/** A page request whose numbers are in their allowed ranges. If `first` is undefined, the page has all rows. */
export interface PageRange {
  first: number | undefined;
  after: string | null;
  offset: number;
  selected: Selected;
}

/** A page of a list. It is also the value of the list's connection in GraphQL. */
export interface Page<Row> {
  nodes: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(row: Row): string;
  /** The cursor of the page's end, for a list in which the next page does not always start right after the last row. */
  endCursor?: string | null;
  /** `null` if the client did not select the total. */
  totalCount: number | null;
}

/** The most rows of a page. The list of cameras has no such limit. */
export const MAX_PAGE_ROWS = 1000;
/** The most items in all input lists of an operation together, because a write must not take longer than the time limit of a request. */
export const MAX_INPUT_ITEMS = 1000;

export const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Reads a page request. A number out of range becomes the nearest allowed number, as §8 of the print job document demands. */
export function readPageRange(
  { first, after, offset }: PageRequest,
  selected: Selected,
  defaultFirst?: number,
): PageRange {
  const wanted = first ?? defaultFirst;
  const max = defaultFirst === undefined ? Number.MAX_SAFE_INTEGER : MAX_PAGE_ROWS;
  return {
    first: wanted === undefined ? undefined : clamp(wanted, 1, max),
    after: after ?? null,
    offset: Math.max(offset ?? 0, 0),
    selected,
  };
}

/** The cursors of one list. A cursor is the sort key of a row. Other lists refuse it. */
export interface Cursors {
  to(...key: string[]): string;
  keyOf(after: string): string[];
}

/** @param readers the readers of the parts of a key */
export function defineCursors(list: string, ...readers: ((value: unknown, member: string) => string)[]): Cursors {
  return {
    to: (...key) => Buffer.from(JSON.stringify([list, ...key])).toString('base64url'),
    keyOf(after) {
      try {
        const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString());
        if (Array.isArray(parts) && parts[0] === list && parts.length === readers.length + 1) {
          return readers.map((read, index) => read(parts[index + 1], 'after'));
        }
      } catch {}
      throw new BadInput('must be a cursor from an earlier page of this list, in the same order', 'after');
    },
  };
}
