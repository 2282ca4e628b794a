import { useState } from 'react';
import type { Column } from './data-table.tsx';

/** The table widths from which a column is shown by default; see data-table.module.css. */
const widths = { small: 560, medium: 840, large: 1080, huge: 1480 };

type AnyColumn = Pick<Column<never>, 'key' | 'from'>;

export interface ColumnChoice {
  /** Whether a table of this width shows the column. */
  isShown: (column: AnyColumn, width: number) => boolean;
  choose: (key: string, isShown: boolean) => void;
  /** The columns to render: a chosen one is shown at every width. */
  chosenOf: <Row>(columns: Column<Row>[]) => Column<Row>[];
}

const storageKey = (table: string): string => `columns.${table}`;

type Choices = ReadonlyMap<string, boolean>;

/** Stored as "+key" for each shown column, and as "key" for each hidden one. */
function stored(table: string): Choices {
  const words = (localStorage.getItem(storageKey(table)) ?? '').split(' ').filter(Boolean);
  return new Map(
    words.map((word) => (word.startsWith('+') ? [word.slice(1), true] : [word, false])),
  );
}

/**
 * The columns of a table that the user chose; stored in this browser. `atFirst`: hidden by default.
 */
export function useColumnChoice(table: string, atFirst: string[] = []): ColumnChoice {
  const [choices, setChoices] = useState(() => stored(table));
  const choiceOf = (key: string): boolean | undefined =>
    choices.get(key) ?? (atFirst.includes(key) ? false : undefined);
  return {
    isShown: ({ key, from }, width) => choiceOf(key) ?? (!from || width >= widths[from]),
    choose: (key, isShown) => {
      const next = new Map(choices).set(key, isShown);
      const words = [...next].map(([name, isOn]) => (isOn ? `+${name}` : name));
      localStorage.setItem(storageKey(table), words.join(' '));
      setChoices(next);
    },
    chosenOf: (columns) =>
      columns
        .filter(({ key }) => choiceOf(key) !== false)
        .map((column) => {
          const { from: _from, ...always } = column;
          return choiceOf(column.key) ? always : column;
        }),
  };
}
