import { useQuery } from '@tanstack/react-query';
import type { Task } from '#shared/api/tasks.ts';
import { TaskChanges } from '../changes/task-changes.tsx';
import { useWhyFailed } from '../failure/use-why-failed.ts';
import { WhyFailed } from '../failure/why-failed.tsx';
import { TaskOutputs } from '../outputs/task-outputs.tsx';
import { taskQueries } from '../tasks.queries.ts';

/**
 * What stands above the log of a task that has ended. It comes in one piece: each part that came by
 * itself would move the log once more, under the pointer of those who read it.
 */
export function RunEnd({ task }: { task: Task }) {
  const { isLoading: readsOutputs } = useQuery(taskQueries.outputs(task.project_id, task.id));
  const { isLoading: readsFailures } = useWhyFailed(task);
  if (readsOutputs || readsFailures) return null;
  return (
    <>
      {task.status === 'error' && <WhyFailed task={task} />}
      <TaskChanges task={task} />
      <TaskOutputs task={task} />
    </>
  );
}
