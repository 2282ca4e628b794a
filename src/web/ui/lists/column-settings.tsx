import { ActionIcon, Checkbox, Popover } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './column-settings.module.css';
import type { HiddenColumns } from './use-hidden-columns.ts';

interface Props {
  /** The columns that may be hidden. */
  columns: { key: string; title: string }[];
  hidden: HiddenColumns;
}

/** The menu that chooses the columns of a table. */
export function ColumnSettings({ columns, hidden }: Props) {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('list.columns')}
          title={t('list.columns')}
        >
          <IconColumns3 size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('list.columns')}>
        <div className={classes.list}>
          {columns.map(({ key, title }) => (
            <Checkbox
              key={key}
              label={title}
              checked={!hidden.isHidden(key)}
              onChange={() => hidden.onToggle(key)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
