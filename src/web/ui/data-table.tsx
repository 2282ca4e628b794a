import { Fragment, type ReactNode } from 'react';
import { Bone } from './bones.tsx';
import classes from './data-table.module.css';

export interface Column<Row> {
  key: string;
  /** The heading; empty for a column of buttons, which needs `hiddenTitle`. */
  title: string;
  hiddenTitle?: string;
  cell: (row: Row) => ReactNode;
  /** The narrowest table that shows the column: small 560 px, medium 840 px, large 1080 px. */
  from?: 'small' | 'medium' | 'large';
  align?: 'end';
  /** Takes what is left, or most of it; texts that are too long end in an ellipsis. */
  wide?: boolean | 'most';
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
}

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, renderBelow, expectedRows = 6 } = props;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {columns.map(({ key, title, hiddenTitle, from, align, wide }) => (
              <th key={key} scope="col" data-from={from} data-align={align} data-wide={wide}>
                {title || <span className={classes.hidden}>{hiddenTitle}</span>}
              </th>
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
                      <Bone />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function Cells<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  return columns.map(({ key, cell, from, align, wide }) => (
    <td key={key} data-from={from} data-align={align} data-wide={wide}>
      {cell(row)}
    </td>
  ));
}
