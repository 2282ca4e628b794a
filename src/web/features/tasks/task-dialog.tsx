import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Bone } from '../../ui/bones.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { HostResults } from './host-results.tsx';
import classes from './task-dialog.module.css';
import { TaskCommands } from './task-commands.tsx';
import { TaskHeader, TaskTitle } from './task-header.tsx';
import { TaskLog } from './task-log.tsx';
import { taskQueries } from './tasks.queries.ts';

interface Props {
  projectId: number;
  taskId: number;
  mayRun: boolean;
  onClose: () => void;
  onRunAgain: (task: Task) => void;
}

/** One task and its log, over whatever screen is open. */
export function TaskDialog({ projectId, taskId, mayRun, onClose, onRunAgain }: Props) {
  const { t } = useTranslation();
  const { data: task, error, refetch } = useQuery(taskQueries.one(projectId, taskId));
  return (
    <Dialog
      opened
      onClose={onClose}
      wholePage
      title={task ? <TaskTitle task={task} /> : t('task.title', { id: taskId })}
    >
      {task ? (
        <>
          <TaskHeader task={task} mayRun={mayRun} onRunAgain={() => onRunAgain(task)} />
          <TaskCommands commands={task.commands} />
          <HostResults task={task} />
          <TaskLog key={task.id} task={task} />
        </>
      ) : error ? (
        <div className={classes.failure}>
          <Failure message={errorWords(error)} onRetry={() => void refetch()} />
          <Button variant="default" mt={12} onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      ) : (
        <div className={classes.header}>
          <Bone width={90} height={22} />
          <Bone width="40%" />
        </div>
      )}
    </Dialog>
  );
}
