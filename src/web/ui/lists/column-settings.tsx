import { Checkbox, Popover } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { IconColumns3 } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { HeadButton } from '../buttons/head-button.tsx';
import type { Column } from './data-table.tsx';
import type { ColumnChoice } from './use-column-choice.ts';

interface Props {
  columns: Pick<Column<never>, 'key' | 'title' | 'from'>[];
  choice: ColumnChoice;
  width: number;
}

/** The menu that shows and hides the columns of a table. */
export function ColumnSettings({ columns, choice, width }: Props) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <HeadButton label={t('list.columns')} icon={<IconColumns3 size={18} />} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('list.columns')}>
        <div className="column gap-10" style={{ minWidth: 150 }}>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              label={column.title}
              checked={choice.isShown(column, width)}
              onChange={(event) => choice.choose(column.key, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
