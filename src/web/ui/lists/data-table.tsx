import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import classes from './data-table.module.css';
import { directionOf, nextSort } from './sort.ts';
import { useRowLinks } from './use-row-links.ts';
import { usePages } from './use-pages.tsx';

export interface Column<Row> {
  key: string;
  /** The heading; empty for a column of buttons, which needs `hiddenTitle`. */
  title: string;
  hiddenTitle?: string;
  /** Replaces the title. */
  head?: ReactNode;
  /** Whether it is the column of checkboxes. */
  isSelection?: boolean;
  cell: (row: Row) => ReactNode;
  /** The whole text of a cell that may be cut. */
  titleOf?: (row: Row) => string;
  /** The narrowest table that shows the column: small 560 px, medium 840, large 1080, huge 1480. */
  from?: 'small' | 'medium' | 'large' | 'huge';
  align?: 'end';
  /** Whether the column takes the remaining width, or most of it; long texts end in an ellipsis. */
  wide?: boolean | 'most';
  /** Whether the column keeps its width, so that many columns make the table scroll. */
  keepsRoom?: boolean;
  /**
   * Texts for which the column always has room; see column-room.ts. Its cells do not change its
   * width, so that columns stay in place when rows change.
   */
  room?: readonly string[];
  /** The value by which the heading sorts. */
  sortBy?: (row: Row) => string | number;
  /** Whether the first click on the heading sorts descending, as for times. */
  isNewestFirst?: boolean;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  /** Shown below a row, over all columns. */
  renderBelow?: (row: Row) => ReactNode;
  expectedRows?: number;
  /** The sorted column; see sort.ts. The caller passes the rows in this order. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** By default all rows of tables up to a hundred. */
  pageSize?: number;
}

/** A table in pages, unless the caller passes the rows of one page. */
export function DataTable<Row>({ rows, pageSize, ...props }: Props<Row>) {
  const { shown, pager } = usePages(rows, pageSize);
  return (
    <>
      <Table {...props} rows={shown} />
      {pager}
    </>
  );
}

function Table<Row>(props: Omit<Props<Row>, 'pageSize'>) {
  const { label, columns, rows, rowKey, renderBelow, expectedRows = 6, sort = '', onSort } = props;
  const rowLinks = useRowLinks();
  return (
    <div className={classes.frame}>
      <table
        ref={rowLinks}
        className={`w-full ${classes.table}`}
        aria-label={label}
        aria-busy={!rows}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => {
                const more = renderBelow?.(row);
                return (
                  <Fragment key={rowKey(row)}>
                    <tr
                      className={classes.row}
                      data-row-key={rowKey(row)}
                      data-open={more ? true : undefined}
                    >
                      <Cells row={row} columns={columns} />
                    </tr>
                    {more && (
                      <tr className={classes.below}>
                        <td colSpan={columns.length}>{more}</td>
                      </tr>
                    )}
                  </Fragment>
                );
              })
            : Array.from({ length: expectedRows }, (_, index) => (
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column.key} {...placeOf(column)}>
                      <Skeleton />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { key, title, hiddenTitle, head, from, align, wide, room, isSelection, sortBy } = column;
  const direction = directionOf(sort, key);
  const place = {
    scope: 'col',
    'data-from': from,
    'data-align': align,
    'data-wide': wide,
    'data-room': room?.join('\n'),
    'data-selection': isSelection,
    'data-buttons': isOfButtons(column) || undefined,
  } as const;
  if (!sortBy || !onSort) {
    return (
      <th {...place}>
        {head ??
          (title || <span className={`visually-hidden ${classes.hidden}`}>{hiddenTitle}</span>)}
      </th>
    );
  }
  return (
    <th {...place} aria-sort={direction ?? 'none'}>
      <button
        type="button"
        className={`inline-flex items-center gap-4 py-4 ${classes.sort}`}
        onClick={() => onSort(nextSort(sort, key, column.isNewestFirst))}
      >
        {title}
        {direction === 'descending' ? (
          <IconChevronDown size={14} aria-hidden="true" />
        ) : (
          <IconChevronUp size={14} aria-hidden="true" data-idle={direction === null} />
        )}
      </button>
    </th>
  );
}

/** Attributes for the style sheet; the skeleton has them too, so that columns do not move. */
const placeOf = <Row,>(column: Column<Row>) => {
  const { from, align, wide, keepsRoom, room, isSelection } = column;
  return {
    'data-selection': isSelection,
    'data-from': from,
    'data-align': align,
    'data-wide': wide,
    'data-keeps-room': keepsRoom,
    'data-has-room': room !== undefined || undefined,
    'data-buttons': isOfButtons(column) || undefined,
  };
};

const isOfButtons = <Row,>({ hiddenTitle }: Column<Row>): boolean => hiddenTitle !== undefined;

function Cells<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  const name = columns.find(({ isSelection }) => !isSelection);
  return columns.map((column) => (
    <td
      key={column.key}
      title={column.titleOf?.(row)}
      data-row-name={column === name || undefined}
      {...placeOf(column)}
    >
      {column.cell(row)}
    </td>
  ));
}
