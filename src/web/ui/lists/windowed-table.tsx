import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './windowed-table.module.css';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The height of every row and of the header, in pixels. */
  rowHeight: number;
  /** Rows that are drawn above and below the visible ones. */
  overscan?: number;
  /** `grid-template-columns`; headings and rows have one cell per column. */
  columns: string;
  /** The cells of the header; null where columns do not fit. */
  head: ReactNode;
  renderRow: (row: Row) => ReactNode;
  /** A value for styling. */
  kindOf?: (row: Row) => string | undefined;
  /** The scroll position while the table is unmounted. */
  place: ScrollPosition;
}

export interface ScrollPosition {
  top: () => number;
  keep: (top: number) => void;
}

/** A scroll position that survives an unmount of the table. */
export function usePlace(): ScrollPosition {
  const [place] = useState(() => {
    let kept = 0;
    return {
      top: () => kept,
      keep: (top: number) => {
        kept = top;
      },
    };
  });
  return place;
}

/** A virtual table with rows of one height. */
export function WindowedTable<Row>(props: Props<Row>) {
  const { label, rows, rowKey, rowHeight, columns, head, renderRow, kindOf, place } = props;
  const { overscan = 10 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | number | null>(null);
  const { first, last, onScroll } = useWindow(frame, { rowHeight, overscan }, rows.length, place);
  const shown = rows.slice(first, last).map((row, index) => ({ row, index: first + index }));
  // The focused row stays mounted, so that the focus is not lost.
  const kept = focused === null ? -1 : rows.findIndex((row) => rowKey(row) === focused);
  const keptRow = rows[kept];
  if (keptRow !== undefined && kept < first) shown.unshift({ row: keptRow, index: kept });
  if (keptRow !== undefined && kept >= last) shown.push({ row: keptRow, index: kept });
  const headRows = head === null ? 0 : 1;
  return (
    <section
      ref={frame}
      className="flex-1 min-h-0 relative overflow-auto focus-inside"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
      aria-label={label}
      onScroll={onScroll}
    >
      <table
        className={`block ${classes.table}`}
        aria-label={label}
        aria-rowcount={rows.length + headRows}
      >
        {head !== null && (
          <thead
            className={`block smaller weight-550 soft bg-surface border-bottom ${classes.head}`}
          >
            <tr
              aria-rowindex={1}
              className={classes.cells}
              style={{ gridTemplateColumns: columns, height: rowHeight }}
            >
              {head}
            </tr>
          </thead>
        )}
        <tbody className="block relative" style={{ height: rows.length * rowHeight }}>
          {shown.map(({ row, index }) => (
            <tr
              key={rowKey(row)}
              aria-rowindex={index + 1 + headRows}
              className={`border-bottom absolute hover ${classes.cells} ${classes.row}`}
              data-kind={kindOf?.(row)}
              style={{
                gridTemplateColumns: columns,
                height: rowHeight,
                transform: `translateY(${index * rowHeight}px)`,
              }}
              onFocus={() => setFocused(rowKey(row))}
              onBlur={(event) => {
                if (isLeft(event)) setFocused(null);
              }}
            >
              {renderRow(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isLeft = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  !currentTarget.contains(relatedTarget);

/** The rows to draw: from `first` on; `last` is exclusive. */
function useWindow(
  frame: { current: HTMLDivElement | null },
  { rowHeight, overscan }: { rowHeight: number; overscan: number },
  count: number,
  place: ScrollPosition,
) {
  const [{ top, height }, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const read = () => setView({ top: element.scrollTop, height: element.clientHeight });
    element.scrollTo({ top: place.top(), behavior: 'instant' });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, place]);
  return {
    first: Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - overscan),
    last: Math.min(count, Math.ceil((top + height) / rowHeight) + overscan),
    onScroll: () => {
      const { scrollTop, clientHeight } = frame.current ?? { scrollTop: 0, clientHeight: 0 };
      place.keep(scrollTop);
      setView({ top: scrollTop, height: clientHeight });
    },
  };
}
