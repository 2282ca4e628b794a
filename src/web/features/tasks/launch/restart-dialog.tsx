import { useMutation } from '@tanstack/react-query';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { restartTask } from '../tasks.queries.ts';

interface Props {
  earlier: Task;
  opened: boolean;
  onClose: () => void;
  onStarted: (task: Task) => void;
}

/** Re-runs a task as it was, for users who may choose no options of a run. */
export function RestartDialog({ earlier, opened, onClose, onStarted }: Props) {
  const restart = useMutation({ ...restartTask(), onSuccess: onStarted, onError: toastFailure });
  const params = { project_id: earlier.project_id, task_id: earlier.id };
  return (
    <ConfirmDialog
      opened={opened}
      title={t('new_task.title_again', { id: earlier.id })}
      text={t('task.restart_text')}
      action={t('task.run_again')}
      isHarmless
      confirmsOnEnter
      busy={restart.isPending}
      onConfirm={() => restart.mutate({ params })}
      onClose={onClose}
    />
  );
}
