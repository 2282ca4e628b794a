import { Button, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { Link } from '@tanstack/react-router';
import {
  IconChevronDown,
  IconDownload,
  IconLink,
  IconMaximize,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Task, WholeTask } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { t } from '../../../lib/i18n.ts';
import { failureWords } from '../../../lib/error-words.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { MenuButton } from '../../../ui/buttons/menu-button.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { ActionButton } from '../../../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { statusWords, TaskStatusChip } from '../task-status-chip.tsx';
import { TaskTemplateLink } from '../task-link.tsx';
import { WaitingReason } from '../waiting-reason.tsx';
import { RunAgainButton } from '../run-again-button.tsx';
import { stopTask } from '../tasks.queries.ts';
import { TaskFacts } from './task-facts.tsx';
import classes from './task-view.module.css';

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
  mayRun: boolean;
  onRunAgain: () => void;
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
      <Reason task={task} />
      <TaskActions {...props} />
      <TaskFacts task={task} />
    </div>
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

interface TaskActionsProps {
  task: Task;
  mayRun: boolean;
  onRunAgain: () => void;
  /** Whether it is the page of the task, and not the dialog. */
  isPage: boolean;
}

function TaskActions({ task, mayRun, onRunAgain, isPage }: TaskActionsProps) {
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

function Download({ task }: Pick<TaskActionsProps, 'task'>) {
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

type StopKind = 'stop' | 'force_stop';

/** Stops a task, or force stops one that is stopping; both ask for confirmation. */
function StopButton({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const [asked, setAsked] = useState<StopKind | null>(null);
  const stop = useMutation({
    ...stopTask(),
    onError: toastFailure,
    onSettled: () => setAsked(null),
  });
  const way: StopKind | null = isFinished(task.status)
    ? null
    : task.status === 'stopping'
      ? 'force_stop'
      : 'stop';
  const send = () =>
    stop.mutate({
      params: { project_id: task.project_id, task_id: task.id },
      body: { force: asked === 'force_stop' },
    });
  return (
    <>
      {way && (
        <ActionButton
          color="danger"
          variant={way === 'force_stop' ? 'filled' : 'light'}
          size="compact-sm"
          leftSection={<IconPlayerStop size={15} />}
          refused={mayRun ? null : t('role.read_only')}
          loading={stop.isPending}
          onClick={() => setAsked(way)}
        >
          {t(`task.${way}`)}
        </ActionButton>
      )}
      {/* Closes a question that no longer fits the status, so that a click does not confirm the
          other one. */}
      <StopQuestion
        task={task}
        way={asked === way ? asked : null}
        onClose={() => setAsked(null)}
        busy={stop.isPending}
        onConfirm={send}
      />
    </>
  );
}

interface QuestionProps {
  task: Task;
  way: StopKind | null;
  onClose: () => void;
  busy: boolean;
  onConfirm: () => void;
}

function StopQuestion({ task, way, ...rest }: QuestionProps) {
  const forced = way === 'force_stop';
  const asking = task.status === 'waiting' ? 'task.stop_waiting_text' : 'task.stop_text';
  return (
    <ConfirmDialog
      opened={way !== null}
      title={t(forced ? 'task.force_stop_title' : 'task.stop_title', { id: task.id })}
      text={t(forced ? 'task.force_stop_text' : asking)}
      action={t(forced ? 'task.force_stop' : 'task.stop')}
      confirmsOnEnter={!forced}
      {...rest}
    />
  );
}
