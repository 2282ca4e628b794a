import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { noRunSearch } from '../../features/tasks/run-search.ts';
import { useAccess } from '../session/access.ts';
import { useLaunch } from './launch.tsx';

const TaskDialog = lazyExport(
  () => import('../../features/tasks/page/task-dialog.tsx'),
  'TaskDialog',
);

export function TaskOverlay({ projectId }: { projectId: number }) {
  const { t: taskId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const may = useAccess(projectId);
  const launch = useLaunch();
  if (taskId === undefined) return null;
  const close = () =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, ...noRunSearch, t: undefined }),
      resetScroll: false,
    });
  return (
    <Suspense>
      <TaskDialog
        key={taskId}
        projectId={projectId}
        taskId={taskId}
        may={may}
        onClose={close}
        onRunAgain={(task) => launch({ templateId: task.template_id, earlier: task })}
      />
    </Suspense>
  );
}
