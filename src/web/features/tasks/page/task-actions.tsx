import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  IconCheck,
  IconChevronDown,
  IconDownload,
  IconLink,
  IconMaximize,
  IconPlayerStop,
  IconX,
} from '@tabler/icons-react';
import { lazy, useState } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { ActionButton } from '../../../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { MenuButton } from '../../../ui/buttons/menu-button.tsx';
import { toastError } from '../../../ui/feedback/toast.ts';
import { RunAgainButton } from '../run-again-button.tsx';
import classes from './task-view.module.css';
import { confirmTask, stopTask } from '../tasks.queries.ts';

const DownloadChoices = lazy(async () => {
  const { DownloadChoices: component } = await import('./download-choices.tsx');
  return { default: component };
});

interface Props {
  task: Task;
  mayRun: boolean;
  onRunAgain: () => void;
  /** It has the page for itself. */
  isPage: boolean;
}

export function TaskActions({ task, mayRun, onRunAgain, isPage }: Props) {
  const { t } = useTranslation();
  const params = { projectId: task.project_id, taskId: task.id };
  return (
    <div className={classes.actions}>
      {task.status === 'waiting_confirmation' && <Confirmation task={task} mayRun={mayRun} />}
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
              search={({ line }) => ({ line })}
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

type Acting = Pick<Props, 'task' | 'mayRun'>;

function Confirmation({ task, mayRun }: Acting) {
  const { t } = useTranslation();
  const onError = (error: unknown) => toastError(errorWords(error));
  const confirm = useMutation({ ...confirmTask(), onError });
  const stop = useMutation({ ...stopTask(), onError });
  const params = { project_id: task.project_id, task_id: task.id };
  const refused = mayRun ? null : t('role.read_only');
  return (
    <>
      <ActionButton
        variant="filled"
        size="compact-sm"
        leftSection={<IconCheck size={15} />}
        refused={refused}
        loading={confirm.isPending}
        onClick={() => confirm.mutate({ params })}
      >
        {t('task.confirm')}
      </ActionButton>
      <ActionButton
        color="danger"
        variant="light"
        size="compact-sm"
        leftSection={<IconX size={15} />}
        refused={refused}
        loading={stop.isPending}
        onClick={() => stop.mutate({ params, body: { force: false } })}
      >
        {t('task.reject')}
      </ActionButton>
    </>
  );
}

function StopButton({ task, mayRun }: Acting) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  const stop = useMutation({
    ...stopTask(),
    onError: (error) => toastError(errorWords(error)),
    onSettled: () => setIsAsking(false),
  });
  const isStoppable = !isFinished(task.status);
  const force = task.status === 'stopping';
  const send = () =>
    stop.mutate({ params: { project_id: task.project_id, task_id: task.id }, body: { force } });
  return (
    <>
      {isStoppable && (
        <ActionButton
          color="danger"
          variant={force ? 'filled' : 'light'}
          size="compact-sm"
          leftSection={<IconPlayerStop size={15} />}
          refused={mayRun ? null : t('role.read_only')}
          loading={stop.isPending}
          onClick={() => (force ? setIsAsking(true) : send())}
        >
          {force ? t('task.force_stop') : t('task.stop')}
        </ActionButton>
      )}
      <ConfirmDialog
        opened={isAsking && isStoppable}
        onClose={() => setIsAsking(false)}
        title={t('task.force_stop_title', { id: task.id })}
        text={t('task.force_stop_text')}
        action={t('task.force_stop')}
        busy={stop.isPending}
        onConfirm={send}
      />
    </>
  );
}

function Download({ task }: Pick<Props, 'task'>) {
  const { t } = useTranslation();
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={15} />}
      rightSection={<IconChevronDown size={14} />}
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
  const { t } = useTranslation();
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
