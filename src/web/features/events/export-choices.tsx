import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { t } from '../../lib/i18n.ts';
import { OpenedMenu } from '../../ui/buttons/opened-menu.tsx';
import type { EventFilter } from './event-filter.ts';
import { exportFormats, exportPath } from './events.queries.ts';

export interface ExportedEvents {
  /** Missing for the events of all projects. */
  projectId?: number;
  filter: EventFilter;
}

interface Props extends ExportedEvents {
  button: ReactElement;
}

/** The menu itself, which `export-menu.tsx` lazy-loads. */
export function ExportChoices({ button, projectId, filter }: Props) {
  return (
    <OpenedMenu button={button} position="bottom-end" width={200}>
      {exportFormats.map((format) => (
        <Menu.Item key={format} component="a" href={exportPath(projectId, filter, format)} download>
          {t(`activity.format.${format}`)}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
