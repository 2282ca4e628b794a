import { type ReactNode, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { type MatchingRows, useMatchingRows } from './use-matching-rows.ts';

/** Which rows of a list can be selected, and how they are called. */
export interface SelectionOptions<Row> {
  isSelectable: (row: Row) => boolean;
  nameOf: (row: Row) => string;
}

export interface ListSelection<Row> extends SelectionOptions<Row> {
  /** The bar of the selected rows. */
  renderBar: (selection: Selection<Row>) => ReactNode;
  /** The rows of other pages, if the list is read page by page. */
  matching?: MatchingRows<Row> | undefined;
}

export interface Selection<Row> extends SelectionOptions<Row> {
  /** In the order of the list. */
  selected: Row[];
  /** The number of rows that can be selected, on all pages. */
  total: number;
  isAll: boolean;
  /** The label of what selects all. */
  selectAllWords: string;
  /** Why not all that match are selected; null: all are, or not all were asked for. */
  note: string | null;
  has: (row: Row) => boolean;
  /** `toRow`: selects all rows from the one that was toggled last to this one. */
  toggle: (key: string, toRow: boolean) => void;
  selectAll: () => void;
  clear: () => void;
  /** Deselects all other rows. */
  keep: (rows: Row[]) => void;
  /** Moves the focus to the list, for a bar that disappears while it has the focus. */
  focusList: () => void;
}

/**
 * The selection in a list. `rows`: those that match its filter, on all known pages. A row that no longer
 * matches is not selected while it is hidden, so that nobody acts on what they do not see.
 */
export function useSelection<Row>(
  known: Row[],
  keyOf: (row: Row) => string,
  { matching, ...options }: SelectionOptions<Row> & Pick<ListSelection<Row>, 'matching'>,
): Omit<Selection<Row>, 'focusList'> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const { rows, load, words, note } = useMatchingRows(known, keyOf, matching);
  const selectable = rows.filter(options.isSelectable);
  const has = (row: Row) => keys.has(keyOf(row));
  const toggle = (key: string, toRow: boolean) => {
    const all = selectable.map(keyOf);
    const [from, to] = [anchor === null ? -1 : all.indexOf(anchor), all.indexOf(key)];
    if (to < 0) return;
    setAnchor(key);
    if (toRow && from >= 0) {
      setKeys(new Set([...keys, ...all.slice(Math.min(from, to), Math.max(from, to) + 1)]));
      return;
    }
    const next = new Set(keys);
    if (!next.delete(key)) next.add(key);
    setKeys(next);
  };
  const keep = (kept: Row[]) => setKeys(new Set(kept.map(keyOf)));
  const selectAll = () => {
    if (!load) return keep(selectable);
    return void load().then((all) => keep(all.filter(options.isSelectable)));
  };
  const selected = selectable.filter(has);
  const total = selectable.length;
  return {
    ...options,
    selected,
    total,
    isAll: !load && total > 0 && selected.length === total,
    selectAllWords: words ?? t('bulk.select_all', { count: total }),
    note: selected.length > 0 ? note : null,
    has,
    toggle,
    selectAll,
    clear: () => setKeys(new Set()),
    keep,
  };
}
