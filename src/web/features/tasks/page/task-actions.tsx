import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconChevronDown, IconDownload, IconLink, IconMaximize } from '@tabler/icons-react';
import type { Task } from '#shared/api/tasks.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { t } from '../../../lib/i18n.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { MenuButton } from '../../../ui/buttons/menu-button.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import classes from './task-view.module.css';
import { StopButton } from './stop-buttons.tsx';

const DownloadChoices = lazyExport(() => import('./download-choices.tsx'), 'DownloadChoices');

interface Props {
  task: Task;
  mayRun: boolean;
  onRunAgain: () => void;
  /** Whether it is the page of the task, and not the dialog. */
  isPage: boolean;
}

export function TaskActions({ task, mayRun, onRunAgain, isPage }: Props) {
  const params = { projectId: task.project_id, taskId: task.id };
  return (
    <div className={`flex wrap gap-8 ml-auto ${classes.actions}`}>
      <StopButton task={task} mayRun={mayRun} />
      <RunAgainButton mayRun={mayRun} taskId={task.id} onClick={onRunAgain} />
      <Download task={task} />
      <CopyLink />
      {!isPage && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconMaximize size={15} />}
          classNames={{ label: classes.label, section: classes.icon }}
          aria-label={t('task.open_page')}
          title={t('task.open_page')}
          renderRoot={(props) => (
            <Link
              to="/project/$projectId/tasks/$taskId"
              params={params}
              search={({ line, view, host, section }) => ({ line, view, host, section })}
              {...props}
            />
          )}
        >
          {t('task.open_page')}
        </Button>
      )}
    </div>
  );
}

function Download({ task }: Pick<Props, 'task'>) {
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={15} />}
      rightSection={<IconChevronDown size={14} />}
      classNames={{ label: classes.label, section: classes.icon }}
      aria-label={t('task.download')}
      title={t('task.download')}
    >
      {t('task.download')}
    </Button>
  );
  return (
    <MenuButton button={button}>
      <DownloadChoices button={button} task={task} />
    </MenuButton>
  );
}

function CopyLink() {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconLink size={15} />}
      classNames={{ label: classes.label, section: classes.icon }}
      aria-label={t('task.copy_link')}
      title={t('task.copy_link')}
      onClick={() => void copy(location.href, t('task.link_copied'))}
    >
      {t('task.copy_link')}
    </Button>
  );
}
