import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import classes from './data-table.module.css';
import { directionOf, nextSort } from './sort.ts';

export interface Column<Row> {
  key: string;
  /** The heading; empty for a column of buttons, which needs `hiddenTitle`. */
  title: string;
  hiddenTitle?: string;
  cell: (row: Row) => ReactNode;
  /** The narrowest table that shows the column: small 560 px, medium 840 px, large 1080 px. */
  from?: 'small' | 'medium' | 'large';
  align?: 'end';
  /**
   * The column takes the remaining width, or most of it; texts that are too long end in an
   * ellipsis.
   */
  wide?: boolean | 'most';
  /** The column is not squeezed by others, which may be many: they are scrolled to. */
  keepsRoom?: boolean;
  /** The column is narrow, so that others have room. */
  narrow?: boolean;
  /** The value by which the heading sorts. */
  sortBy?: (row: Row) => string | number;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => number | string;
  /** Shown below a row, over all columns. */
  renderBelow?: (row: Row) => ReactNode;
  /** How many rows the skeleton has while loading. */
  expectedRows?: number;
  /** The column the rows are sorted by; see sort.ts. The rows come sorted. */
  sort?: string;
  onSort?: (sort: string) => void;
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, renderBelow, expectedRows = 6, sort = '', onSort } = props;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} aria-busy={!rows}>
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
                    <tr className={classes.row} data-open={more ? true : undefined}>
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
                  {columns.map(({ key, from }) => (
                    <td key={key} data-from={from}>
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
  const { key, title, hiddenTitle, from, align, wide, sortBy } = column;
  const direction = directionOf(sort, key);
  const place = {
    scope: 'col',
    'data-from': from,
    'data-align': align,
    'data-wide': wide,
  } as const;
  if (!sortBy || !onSort) {
    return <th {...place}>{title || <span className={classes.hidden}>{hiddenTitle}</span>}</th>;
  }
  return (
    <th {...place} aria-sort={direction ?? 'none'}>
      <button type="button" className={classes.sort} onClick={() => onSort(nextSort(sort, key))}>
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

function Cells<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  return columns.map(({ key, cell, from, align, wide, keepsRoom, narrow }) => (
    <td
      key={key}
      data-from={from}
      data-align={align}
      data-wide={wide}
      data-keeps-room={keepsRoom}
      data-narrow={narrow}
    >
      {cell(row)}
    </td>
  ));
}
