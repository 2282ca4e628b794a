import { Button, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { Link } from '@tanstack/react-router';
import { IconChevronDown, IconDownload, IconLink, IconMaximize } from '@tabler/icons-react';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { t } from '../../../lib/i18n.ts';
import { failureWords } from '../../../lib/error-words.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { MenuButton } from '../../../ui/buttons/menu-button.tsx';
import { statusWords, TaskStatusChip } from '../task-status-chip.tsx';
import { TaskTemplateLink } from '../task-link.tsx';
import { WaitingReason } from '../waiting-reason.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import { stopTask } from '../tasks.queries.ts';
import { TaskFacts } from './task-facts.tsx';
import classes from './task-view.module.css';
import { StopButton } from '../../../resources/stop-button.tsx';
import { type May, refusalOf } from '../../../lib/roles/may.ts';

export function TaskTitle({ task }: { task: Task }) {
  return (
    <span className={`flex baseline gap-8 min-w-0 ${classes.title}`}>
      <TaskTemplateLink task={task} />
      <span className="soft" aria-hidden="true">
        ›
      </span>
      <span className="flex-none">{t('task.title', { id: task.id })}</span>
    </span>
  );
}

interface Props {
  task: WholeTask;
  may: May;
  onRunAgain: () => void;
  onPrint: () => void;
  /** Whether it is the page of the task, and not the dialog. */
  isPage: boolean;
}

export function TaskHeader(props: Props) {
  const { task } = props;
  const status = statusWords(task.status);
  return (
    <div className={`row wrap flex-none border-bottom ${classes.header}`}>
      <TaskStatusChip task={task} />
      <VisuallyHidden component="output" aria-live="polite">
        {t('task.announce', { id: task.id, status })}
      </VisuallyHidden>
      <TaskNumber task={task} />
      <Reason task={task} />
      <TaskActions {...props} />
      <TaskFacts task={task} />
    </div>
  );
}

/** The number of the Ansible task that runs, of those of an earlier run. */
function TaskNumber({ task: { status, progress, expected_tasks: total } }: Pick<Props, 'task'>) {
  if (status !== 'running' || !progress || progress.tasks === 0) return null;
  const { tasks: number } = progress;
  return (
    <span className="small soft numbers nowrap">
      {total === null || number > total
        ? t('task.number', { number })
        : t('task.number_of', { number, total })}
    </span>
  );
}

/** Why the task waits or has failed. */
function Reason({ task }: Pick<Props, 'task'>) {
  // The confirmation card has the reason.
  if (task.status === 'waiting_confirmation') return null;
  if (task.failure) {
    const words = failureWords(task.failure);
    return (
      <span
        className={`min-w-0 soft ${classes.reason} ${task.status === 'error' ? 'color-danger cut' : ''}`}
        title={words}
      >
        {words}
      </span>
    );
  }
  return (
    <span className={`min-w-0 soft ${classes.reason}`}>
      <WaitingReason task={task} />
    </span>
  );
}

const DownloadChoices = lazyExport(() => import('./download-choices.tsx'), 'DownloadChoices');

function TaskActions({ task, may, onRunAgain, onPrint, isPage }: Props) {
  const params = { projectId: task.project_id, taskId: task.id };
  return (
    <div className={`flex wrap gap-8 ml-auto ${classes.actions}`}>
      <StopButton
        kind={stopKind(task.status)}
        wordsOf={(kind) => ({
          title: t(`task.${kind}_title`, { id: task.id }),
          text: t(
            kind === 'stop' && task.status === 'waiting'
              ? 'task.stop_waiting_text'
              : `task.${kind}_text`,
          ),
        })}
        mutation={stopTask()}
        argsOf={(body) => ({ params: { project_id: task.project_id, task_id: task.id }, body })}
        refused={refusalOf(may, 'task.stop')}
        isSmall
      />
      <RunAgainButton may={may} taskId={task.id} onClick={onRunAgain} />
      {may('task.log') && <Download task={task} onPrint={onPrint} />}
      <Button
        {...tool(t('task.copy_link'))}
        leftSection={<IconLink size={15} />}
        onClick={() => void copy(location.href, t('task.link_copied'))}
      />
      {!isPage && (
        <Button
          {...tool(t('task.open_page'))}
          leftSection={<IconMaximize size={15} />}
          renderRoot={(props) => (
            <Link
              to="/project/$projectId/tasks/$taskId"
              params={params}
              search={({ line, view, host, section }) => ({ line, view, host, section })}
              {...props}
            />
          )}
        />
      )}
    </div>
  );
}

/** The props of a button that shows only its icon on small screens. */
const tool = (label: string) =>
  ({
    variant: 'default',
    size: 'compact-sm',
    classNames: { label: classes.label, section: classes.icon },
    'aria-label': label,
    title: label,
    children: label,
  }) as const;

const stopKind = (status: Task['status']) => {
  if (isFinished(status)) return null;
  return status === 'stopping' ? 'force_stop' : 'stop';
};

function Download({ task, onPrint }: Pick<Props, 'task' | 'onPrint'>) {
  const button = (
    <Button
      {...tool(t('task.download'))}
      leftSection={<IconDownload size={15} />}
      rightSection={<IconChevronDown size={14} />}
    />
  );
  return (
    <MenuButton button={button}>
      <DownloadChoices button={button} task={task} onPrint={onPrint} />
    </MenuButton>
  );
}
