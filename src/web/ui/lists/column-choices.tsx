import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { OpenedMenu } from '../buttons/opened-menu.tsx';
import type { Column } from './data-table.tsx';
import type { ColumnChoice } from './use-column-choice.ts';

export interface ColumnChoicesProps {
  button: ReactElement;
  columns: Pick<Column<never>, 'key' | 'title' | 'from'>[];
  choice: ColumnChoice;
  width: number;
}

/** The lazy-loaded part of `ColumnSettings`. */
export function ColumnChoices({ button, columns, choice, width }: ColumnChoicesProps) {
  return (
    <OpenedMenu button={button} position="bottom-end" closeOnItemClick={false}>
      {columns.map((column) => (
        <Menu.CheckboxItem
          key={column.key}
          checked={choice.isShown(column, width)}
          onChange={(isShown) => choice.choose(column.key, isShown)}
        >
          {column.title}
        </Menu.CheckboxItem>
      ))}
    </OpenedMenu>
  );
}
