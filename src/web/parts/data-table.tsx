// The one table: only the rows in view are in the page, however many there are. Where its columns do not fit, each row is a card.
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  head: string;
  /** A track of CSS grid, such as `minmax(10rem, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** What a list that is here as a whole is sorted by. */
  by?: (row: Row) => string | number;
  /** Numbers stand at the end, so that their digits are below each other. */
  isNumber?: boolean;
  /** On a card it has a line of its own. */
  isLine?: boolean;
}

/** Headings by which the reader sorts the list. */
export interface Sorting {
  heads: readonly string[];
  /** The heading that it is sorted by; undefined: by none of them. */
  head: string | undefined;
  isDescending: boolean;
  turn: (head: string) => void;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** How many rows there are in all, when more can be loaded. */
  total?: number;
  /** Called when the end comes into view: loads the next page. */
  onEnd?: (() => void) | undefined;
  /** The sentence that says why a row stays only until the list is opened again. */
  markOf?: (row: Row) => string | undefined;
  sorting?: Sorting;
}

const ROW_PX = 45;
/** The heights of the rows by the visit of a page: Back returns to a place that is given in pixels. */
const measured = new Map<string, VirtualItem[]>();
/** A list may have thousands of rows. */
const MAX_VISITS = 20;

export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, total = rows.length, onEnd, markOf, sorting } = props;
  const body = useRef<HTMLDivElement>(null);
  const { top, width } = usePlace(body);
  // The router's number of the entry in the history: each letter in a filter replaces the address, and keeps the number.
  const visit = `${window.history.state?.idx} ${label}`;
  const virtualizer = useWindowVirtualizer({
    initialMeasurementsCache: measured.get(visit) ?? [],
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => keyOf(rows[index] as Row),
  });
  useEffect(
    () => () => {
      measured.delete(visit);
      measured.set(visit, virtualizer.takeSnapshot());
      const [oldest] = measured.keys();
      if (oldest !== undefined && measured.size > MAX_VISITS) measured.delete(oldest);
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
    <div className={styles['frame']} data-cards={width < neededRem(columns)}>
      {/* Rows that are not in the page cannot be in a <table>, hence the roles. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: a table of plain cells takes no focus */}
      <div className={styles['table']} role="table" aria-label={label} aria-rowcount={total + 1}>
        <div className={styles['top']} role="rowgroup">
          <div className={styles['head']} role="row" aria-rowindex={1} style={tracks}>
            {columns.map(({ head, isNumber }) => (
              <div key={head} role="columnheader" data-number={isNumber} aria-sort={sortOf(head, sorting)}>
                {sorting?.heads.includes(head) ? (
                  <button type="button" className={styles['sort']} onClick={() => sorting.turn(head)}>
                    <span>{head}</span>
                    <span aria-hidden="true">{SIGNS[sortOf(head, sorting) ?? 'none']}</span>
                  </button>
                ) : (
                  head
                )}
              </div>
            ))}
          </div>
        </div>
        <div ref={body} className={styles['body']} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ key, index, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              className={styles['row']}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              data-key={key}
              data-marked={markOf?.(rows[index] as Row) !== undefined}
              style={{ ...tracks, translate: `0 ${start - virtualizer.options.scrollMargin}px` }}
            >
              {columns.map(({ head, cell, isNumber, isLine }, column) => (
                <div key={head} role="cell" data-head={head} data-number={isNumber} data-line={isLine}>
                  {inElement(cell(rows[index] as Row))}
                  {column === 0 && <Mark>{markOf?.(rows[index] as Row)}</Mark>}
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

const SIGNS = { none: ' ↕', ascending: ' ↑', descending: ' ↓' };

function sortOf(head: string, sorting: Sorting | undefined): keyof typeof SIGNS | undefined {
  if (!sorting?.heads.includes(head)) return undefined;
  if (sorting.head !== head) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

/** A text beside other nodes: a browser that translates moves it, and React could not take it out any more. */
const inElement = (content: ReactNode) =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content;

/** In the corner of the row, so that nothing moves. */
const Mark = ({ children }: { children: string | undefined }) =>
  children !== undefined && <span className={styles['mark']}>{children}</span>;

/** The least widths of the columns, a gap between them, and one at each end. */
const neededRem = (columns: readonly { width: string }[]) =>
  columns.reduce((sum, { width }) => sum + Number.parseFloat(width.replace(/^\D+/, '')) + 1, 1);

/** How far below the top of the page an element is, since the parts above it may load and grow; and how wide it is, in rem. */
function usePlace(element: React.RefObject<HTMLElement | null>): { top: number; width: number } {
  const [place, setPlace] = useState({ top: 0, width: Number.POSITIVE_INFINITY });
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box === undefined) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [top, width] = [Math.round(box.top + window.scrollY), box.width / rem];
      setPlace((before) => (before.top === top && before.width === width ? before : { top, width }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return place;
}
