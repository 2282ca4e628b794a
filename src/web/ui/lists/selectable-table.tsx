import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { selectionColumn } from './selection-column.tsx';
import { type ListSelection, type SelectionOptions, useSelection } from './use-selection.ts';
import { useSelectionKeys } from './use-selection-keys.ts';

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'pageSize'>;

interface Props<Row> extends TableProps<Row> {
  /** The rows of all pages; undefined while they are loaded. */
  all: Row[] | undefined;
  /** Undefined: no row can be selected. */
  selection: ListSelection<Row> | undefined;
  /** Replaces the table if there are no rows; the selection stays for when there are. */
  nothing?: ReactNode;
  /** The content between the table and the bar, such as a pager. */
  children?: ReactNode;
}

const notSelectable: SelectionOptions<unknown> = { isSelectable: () => false, nameOf: String };

/** A page of rows, and below it the bar of those that are selected on any page. */
export function SelectableTable<Row>(props: Props<Row>) {
  const { all, selection: options, nothing, children, columns, ...table } = props;
  const keyOf = (row: Row) => String(table.rowKey(row));
  const state = useSelection(all ?? [], keyOf, options ?? notSelectable);
  const { ref, focusList } = useSelectionKeys(state);
  const selection = { ...state, focusList };
  return (
    <div ref={ref} data-selecting={selection.selected.length > 0 || undefined}>
      {nothing && all?.length === 0 ? (
        nothing
      ) : (
        <DataTable
          {...table}
          columns={options ? [selectionColumn(selection, keyOf), ...columns] : columns}
        />
      )}
      {children}
      {selection.selected.length > 0 && options?.renderBar(selection)}
    </div>
  );
}
