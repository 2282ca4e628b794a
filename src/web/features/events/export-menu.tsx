import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { IconDownload } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import type { EventFilter } from './event-filter.ts';
import { exportFormats, exportPath } from './events.queries.ts';

interface Props {
  /** Missing for the events of all projects. */
  projectId?: number;
  filter: EventFilter;
}

export function ExportMenu({ projectId, filter }: Props) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t('activity.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {exportFormats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={exportPath(projectId, filter, format)}
            download
          >
            {t(`activity.format.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
