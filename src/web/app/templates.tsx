import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { LastTasks } from '../features/tasks/task-history.tsx';
import { TaskLink } from '../features/tasks/task-link.tsx';
import { TaskStatusChip } from '../features/tasks/task-status-chip.tsx';
import { TemplateList } from '../features/templates/template-list.tsx';
import { useAccess } from './access.ts';
import { useLaunch } from './launch.tsx';

export function Templates() {
  const { projectId } = useParams({ from: '/app/project/$projectId/templates' });
  const { q = '' } = useSearch({ from: '/app/project/$projectId/templates' });
  const navigate = useNavigate({ from: '/project/$projectId/templates' });
  const may = useAccess(projectId);
  const launch = useLaunch();
  const search = (text: string) =>
    void navigate({
      search: (before) => ({ ...before, q: text || undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <TemplateList
      key={projectId}
      projectId={projectId}
      search={q}
      onSearch={search}
      mayRun={may('run_tasks')}
      mayManage={may('manage_resources')}
      onRun={({ id }) => launch({ templateId: id })}
      renderStatus={(task) => <TaskStatusChip task={task} />}
      renderTaskLink={(id) => <TaskLink id={id} />}
      renderTasks={(templateId) => <LastTasks projectId={projectId} templateId={templateId} />}
    />
  );
}
