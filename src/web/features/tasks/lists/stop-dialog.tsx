import { useMutation } from '@tanstack/react-query';
import type { ActiveTask } from '#shared/api/active-tasks.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { stopActiveTask } from '../active-tasks.queries.ts';

/** Asks before a task is stopped, or force stopped if it is stopping already. */
export function StopDialog({ task, onClose }: { task: ActiveTask | null; onClose: () => void }) {
  const { mutate, isPending } = useMutation(stopActiveTask());
  const force = task?.status === 'stopping';
  const names = { name: task?.template_name, project: task?.project_name };
  const confirm = () =>
    task &&
    mutate(
      {
        params: { project_id: task.project_id, task_id: task.task_id },
        body: { force },
      },
      { onError: toastFailure, onSettled: onClose },
    );
  return (
    <ConfirmDialog
      opened={task !== null}
      onClose={onClose}
      title={t(force ? 'admin.force_stop_title' : 'admin.stop_title', { id: task?.task_id })}
      text={t(force ? 'admin.force_stop_text' : 'admin.stop_text', names)}
      action={force ? t('task.force_stop') : t('task.stop')}
      busy={isPending}
      onConfirm={() => void confirm()}
    />
  );
}
