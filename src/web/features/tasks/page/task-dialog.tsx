import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Task } from '#shared/api/tasks.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TaskTitle } from './task-header.tsx';
import { TaskView } from './task-view.tsx';
import { taskQueries } from '../tasks.queries.ts';
import type { May } from '../../../lib/roles/may.ts';

interface Props {
  projectId: number;
  taskId: number;
  may: May;
  onClose: () => void;
  onRunAgain: (task: Task) => void;
}

export function TaskDialog({ onClose, ...props }: Props) {
  const { data: task } = useQuery(taskQueries.one(props.projectId, props.taskId));
  return (
    <Dialog
      opened
      onClose={onClose}
      wholePage
      title={task ? <TaskTitle task={task} /> : t('task.title', { id: props.taskId })}
      help="log"
    >
      <TaskView
        {...props}
        wayOut={
          <Button variant="default" mt={12} onClick={onClose}>
            {t('common.close')}
          </Button>
        }
      />
    </Dialog>
  );
}
