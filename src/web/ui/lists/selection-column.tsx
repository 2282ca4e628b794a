import { t } from '../../lib/i18n.ts';
import type { Column } from './data-table.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import type { Selection } from './use-selection.ts';

/** The column of checkboxes; the one in its heading selects all rows of all pages. */
export function selectionColumn<Row>(
  selection: Selection<Row>,
  keyOf: (row: Row) => string,
): Column<Row> {
  const { selected, isAll, isSelectable, nameOf } = selection;
  return {
    key: 'selection',
    title: '',
    isSelection: true,
    head: (
      <RowCheckbox
        label={selection.selectAllWords}
        checked={isAll}
        indeterminate={selected.length > 0 && !isAll}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
    ),
    cell: (row) =>
      isSelectable(row) && (
        <RowCheckbox
          label={t('bulk.select_row', { name: nameOf(row) })}
          checked={selection.has(row)}
          onChange={(withShift) => selection.toggle(keyOf(row), withShift)}
        />
      ),
  };
}
