import { useParams } from '@tanstack/react-router';
import { TaskPage } from '../../features/tasks/page/task-page.tsx';
import { useAccess } from '../session/access.ts';
import { useLaunch } from '../dialogs/launch.tsx';

export function TaskScreen() {
  const { projectId, taskId } = useParams({ from: '/app/project/$projectId/tasks/$taskId' });
  const launch = useLaunch();
  return (
    <TaskPage
      key={taskId}
      projectId={projectId}
      taskId={taskId}
      may={useAccess(projectId)}
      onRunAgain={(task) => launch({ templateId: task.template_id, earlier: task })}
    />
  );
}
