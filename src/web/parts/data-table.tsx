// The table of all pages. It draws only the rows in view, however long the list is. If the columns do not fit, each row becomes a card.
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  head: string;
  /** A track of CSS grid, such as `minmax(10rem, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** The value by which a fully loaded list is sorted. */
  sortBy?: (row: Row) => string | number;
  /** Numbers are aligned at the end of the column, so that their digits line up. */
  isNumber?: boolean;
  /** On a card the cell takes a full line. */
  isFullWidth?: boolean;
  /** In a dense table the cell may take several lines, because it shows texts that nobody may miss. */
  isWrapped?: boolean;
}

/** The headings by which a user sorts the list, and the current order. */
export interface Sorting {
  sortableHeads: readonly string[];
  /** The heading by which the list is sorted, or undefined for its default order. */
  sortedHead: string | undefined;
  isDescending: boolean;
  toggle: (head: string) => void;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** The total number of rows, if more can be loaded. */
  total?: number;
  /** Loads the next page. Called when the end of the list comes into view. */
  onEnd?: (() => void) | undefined;
  /** A note about a row that no longer belongs to the list and is removed when the list is opened again. */
  noteFor?: (row: Row) => string | undefined;
  sorting?: Sorting;
  /** A row is one line. A text that is too long ends with an ellipsis, and is the tooltip of its cell. */
  isDense?: boolean;
  /** A control in front of the first heading, such as a check box that selects all rows. Cards have no headings. */
  headControl?: ReactNode;
}

const ROW_PX = 45;
const DENSE_ROW_PX = 27;
/** The row heights of each visit of a page. With them the browser's Back button returns to the same scroll position. */
const measurementsByVisit = new Map<string, VirtualItem[]>();
/** Limits the memory: a list may have thousands of rows. */
const MAX_VISITS = 20;

export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, getKey, total = rows.length, onEnd, noteFor, sorting, isDense = false } = props;
  const body = useRef<HTMLDivElement>(null);
  const { top, width } = usePosition(body);
  // The router numbers the entries of the history. Typing in a filter replaces the address but keeps the number.
  const visit = `${window.history.state?.idx} ${label}`;
  const virtualizer = useWindowVirtualizer({
    initialMeasurementsCache: measurementsByVisit.get(visit) ?? [],
    count: rows.length,
    estimateSize: () => (isDense ? DENSE_ROW_PX : ROW_PX),
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => getKey(rows[index] as Row),
  });
  useEffect(
    () => () => {
      measurementsByVisit.delete(visit);
      measurementsByVisit.set(visit, virtualizer.takeSnapshot());
      const [oldest] = measurementsByVisit.keys();
      if (oldest !== undefined && measurementsByVisit.size > MAX_VISITS) measurementsByVisit.delete(oldest);
    },
    [visit, virtualizer],
  );
  const items = virtualizer.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= rows.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  const tracks = { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div className={styles['frame']} data-cards={width < minimumWidthRem(columns)} data-dense={isDense}>
      {/* A <table> cannot leave out rows, so the table is built of <div> elements with roles. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: a table of plain cells takes no focus */}
      <div className={styles['table']} role="table" aria-label={label} aria-rowcount={total + 1}>
        <div className={styles['top']} role="rowgroup">
          <div className={styles['head']} role="row" aria-rowindex={1} style={tracks}>
            {columns.map(({ head, isNumber }, column) => (
              <div key={head} role="columnheader" data-number={isNumber} aria-sort={getSortDirection(head, sorting)}>
                {column === 0 && props.headControl}
                {sorting?.sortableHeads.includes(head) ? (
                  <button type="button" className={styles['sort']} onClick={() => sorting.toggle(head)}>
                    <span>{head}</span>
                    <span aria-hidden="true">{SORT_ARROWS[getSortDirection(head, sorting) ?? 'none']}</span>
                  </button>
                ) : (
                  <span>{head}</span>
                )}
              </div>
            ))}
          </div>
        </div>
        <div
          ref={body}
          className={styles['body']}
          role="rowgroup"
          style={{ height: virtualizer.getTotalSize() }}
          onPointerOver={isDense ? ({ target }) => showWholeText(target as Element) : undefined}
        >
          {items.map(({ key, index, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              className={styles['row']}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              data-key={key}
              data-marked={noteFor?.(rows[index] as Row) !== undefined}
              style={{ ...tracks, translate: `0 ${start - virtualizer.options.scrollMargin}px` }}
            >
              {columns.map(({ head, cell, isNumber, isFullWidth, isWrapped }, column) => (
                <div
                  key={head}
                  role="cell"
                  data-head={head}
                  data-number={isNumber}
                  data-line={isFullWidth}
                  data-wrapped={isWrapped}
                >
                  {wrapText(cell(rows[index] as Row))}
                  {column === 0 && <RowNote>{noteFor?.(rows[index] as Row)}</RowNote>}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: see above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
    </div>
  );
}

const SORT_ARROWS = { none: ' ↕', ascending: ' ↑', descending: ' ↓' };

function getSortDirection(head: string, sorting: Sorting | undefined): keyof typeof SORT_ARROWS | undefined {
  if (!sorting?.sortableHeads.includes(head)) return undefined;
  if (sorting.sortedHead !== head) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

/** Wraps a text that has siblings. A browser that translates the page replaces text nodes, and React could then not remove them. */
const wrapText = (content: ReactNode) =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content;

/** Makes the text of a cell its tooltip if the cell is too narrow for it. */
function showWholeText(target: Element): void {
  const cell = target.closest('[role=cell]');
  if (cell === null || !(cell instanceof HTMLElement)) return;
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    (element) => element.scrollWidth > element.clientWidth && element.clientWidth > 0,
  );
  if (isCut) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

/** The note is placed in the corner of the row, so that nothing moves. */
const RowNote = ({ children }: { children: string | undefined }) =>
  children !== undefined && <span className={styles['mark']}>{children}</span>;

/** The sum of the minimum widths of the columns, with a gap of 1 rem between them and at each end. */
const minimumWidthRem = (columns: readonly { width: string }[]) =>
  columns.reduce((sum, { width }) => sum + Number.parseFloat(width.replace(/^\D+/, '')) + 1, 1);

/** Follows the distance of an element from the top of the page in px, because the content above it may grow, and its width in rem. */
function usePosition(element: React.RefObject<HTMLElement | null>): { top: number; width: number } {
  const [position, setPosition] = useState({ top: 0, width: Number.POSITIVE_INFINITY });
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box === undefined) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [top, width] = [Math.round(box.top + window.scrollY), box.width / rem];
      setPosition((previous) => (previous.top === top && previous.width === width ? previous : { top, width }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return position;
}
