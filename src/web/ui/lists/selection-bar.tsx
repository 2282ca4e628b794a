import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import classes from './selection-bar.module.css';
import type { Selection } from './use-selection.ts';

interface Props<Row> {
  selection: Pick<
    Selection<Row>,
    'selected' | 'isAll' | 'selectAllWords' | 'note' | 'selectAll' | 'clear' | 'focusList'
  >;
  /** The actions with the selected rows. */
  children: ReactNode;
}

/** Stays in sight at the bottom of a list while rows are selected. */
export function SelectionBar<Row>({ selection, children }: Props<Row>) {
  const { selected, isAll, selectAllWords, note, selectAll, clear, focusList } = selection;
  const clearAndFocus = () => {
    clear();
    focusList();
  };
  return (
    <div
      role="toolbar"
      aria-label={t('bulk.label')}
      className={`row wrap gap-8 bg-raised border-strong rounded-8 shadow ${classes.bar}`}
    >
      <CloseButton size="sm" aria-label={t('bulk.clear')} onClick={clearAndFocus} />
      <output className="weight-550 numbers nowrap">
        {t('bulk.selected', { count: selected.length })}
      </output>
      {note && <span className="small soft">{note}</span>}
      {!isAll && !note && (
        <Button variant="subtle" size="compact-sm" onClick={selectAll}>
          {selectAllWords}
        </Button>
      )}
      <span className={`row wrap gap-8 ${classes.actions}`}>{children}</span>
    </div>
  );
}
