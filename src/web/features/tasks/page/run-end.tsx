import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WholeTask } from '#shared/api/tasks.ts';
import { TaskChanges } from '../changes/task-changes.tsx';
import { useWhyFailed, WhyFailed } from '../failure/why-failed.tsx';
import { TaskOutputs } from '../outputs/task-outputs.tsx';
import { taskQueries } from '../tasks.queries.ts';

/**
 * How long the changes are awaited, in milliseconds: the server may have to read the repository
 * first.
 */
const MAX_WAIT = 1000;

/**
 * What is above the log of a finished task. It appears at once, because parts that load one by one
 * would each move the log.
 */
export function RunEnd({ task }: { task: WholeTask }) {
  const { isLoading: readsOutputs } = useQuery(taskQueries.outputs(task.project_id, task.id));
  const { isLoading: readsFailures } = useWhyFailed(task);
  const isFailed = task.status === 'error';
  const { data: changes, isLoading: readsChanges } = useQuery({
    ...taskQueries.changes(task.project_id, task.id),
    enabled: isFailed,
  });
  const isLate = useIsLate();
  const awaitsChanges = isFailed && readsChanges && !isLate;
  if (readsOutputs || readsFailures || awaitsChanges) return null;
  return (
    <>
      {isFailed && <WhyFailed task={task} hasNeverWorked={changes?.since === null} />}
      <TaskChanges task={task} />
      <TaskOutputs task={task} />
    </>
  );
}

function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), MAX_WAIT);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}
