import { Menu } from '@mantine/core';
import { IconExternalLink, IconPrinter } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { pathOf } from '#shared/api/path.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { OpenedMenu } from '../../../ui/buttons/opened-menu.tsx';

const downloads = [
  ['plain', {}],
  ['times', { time: 'on' }],
  ['colours', { color: 'on' }],
  ['times_colours', { time: 'on', color: 'on' }],
] as const;

interface Props {
  button: ReactElement;
  task: Task;
  onPrint: () => void;
}

export function DownloadChoices({ button, task, onPrint }: Props) {
  const params = { project_id: task.project_id, task_id: task.id };
  return (
    <OpenedMenu button={button} position="bottom-end" width={240}>
      {downloads.map(([name, query]) => (
        <Menu.Item
          key={name}
          component="a"
          href={pathOf(tasks.text, { params, query })}
          download={`task_${task.id}.txt`}
        >
          {t(`task.download_as.${name}`)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        component="a"
        href={pathOf(tasks.text, { params, query: { inline: 'on' } })}
        target="_blank"
        leftSection={<IconExternalLink size={15} />}
      >
        {t('task.raw')}
      </Menu.Item>
      <Menu.Item leftSection={<IconPrinter size={15} />} onClick={onPrint}>
        {t('task.print')}
      </Menu.Item>
    </OpenedMenu>
  );
}
