import { useMutation } from '@tanstack/react-query';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { t } from '../../../lib/i18n.ts';
import { ActionButton } from '../../../ui/buttons/action-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { stopTask } from '../tasks.queries.ts';

type StopKind = 'stop' | 'force_stop';

/** Stops a task, or force stops one that is stopping; both ask for confirmation. */
export function StopButton({ task, mayRun }: { task: Task; mayRun: boolean }) {
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
