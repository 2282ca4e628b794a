import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Task } from '#shared/api/tasks.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { HostResults } from './host-results.tsx';
import { TaskCommands } from './task-commands.tsx';
import { TaskHeader } from './task-header.tsx';
import { TaskLog } from '../log-view/task-log.tsx';
import classes from './task-view.module.css';
import { taskQueries } from '../tasks.queries.ts';

interface Props {
  projectId: number;
  taskId: number;
  mayRun: boolean;
  onRunAgain: (task: Task) => void;
  isPage?: boolean;
  /** A way on from a task that cannot be shown. */
  wayOut?: ReactNode;
}

/** One task and its log: what the dialog and the page have in common. */
export function TaskView(props: Props) {
  const { projectId, taskId, mayRun, onRunAgain, isPage = false, wayOut } = props;
  const { data: task, error, refetch } = useQuery(taskQueries.one(projectId, taskId));
  if (task) {
    return (
      <div className={classes.view}>
        <TaskHeader
          task={task}
          mayRun={mayRun}
          onRunAgain={() => onRunAgain(task)}
          isPage={isPage}
        />
        <TaskCommands commands={task.commands} />
        <HostResults task={task} />
        <TaskLog key={task.id} task={task} />
      </div>
    );
  }
  if (error) {
    return (
      <div className={classes.failure}>
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
        {wayOut}
      </div>
    );
  }
  return (
    <div className={classes.header}>
      <Skeleton width={90} height={22} />
      <Skeleton width="40%" />
    </div>
  );
}
