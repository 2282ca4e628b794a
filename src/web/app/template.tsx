import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { TaskHistory } from '../features/tasks/task-history.tsx';
import { TemplatePage } from '../features/templates/template-page.tsx';
import { useAccess } from './access.ts';
import { useLaunch } from './launch.tsx';

export function TemplateDetail() {
  const from = '/app/project/$projectId/templates/$templateId' as const;
  const { projectId, templateId } = useParams({ from });
  const { page = 1 } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/templates/$templateId' });
  const mayRun = useAccess(projectId)('run_tasks');
  const launch = useLaunch();
  return (
    <TemplatePage
      projectId={projectId}
      templateId={templateId}
      mayRun={mayRun}
      onRun={() => launch({ templateId })}
    >
      <TaskHistory
        projectId={projectId}
        templateId={templateId}
        page={page}
        onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
        onRunAgain={(task) => launch({ templateId, earlier: task })}
        mayRun={mayRun}
      />
    </TemplatePage>
  );
}
