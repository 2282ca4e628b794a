import { useQuery } from '@tanstack/react-query';
import { taskVersion } from '../task-link.tsx';
import { taskQueries } from '../tasks.queries.ts';
import { LinkedConfirmation } from './linked-confirmation.tsx';
import { type May, mayOn } from '../../../lib/roles/may.ts';

interface Props {
  projectId: number;
  taskId: number;
  may: May;
}

/** On the page of a workflow run: the card of a task that waits for a confirmation; else nothing. */
export function NodeConfirmation({ projectId, taskId, may }: Props) {
  const { data: task } = useQuery(taskQueries.one(projectId, taskId));
  if (task?.status !== 'waiting_confirmation') return null;
  return (
    <div style={{ marginBottom: 20 }}>
      <LinkedConfirmation
        task={{ ...task, version: taskVersion(task) }}
        template={task.tpl_alias}
        heading="h2"
        may={mayOn(may, 'template', task.template_id)}
      />
    </div>
  );
}
