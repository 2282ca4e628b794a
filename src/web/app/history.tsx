import { Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { TaskHistory } from '../features/tasks/task-history.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { Page } from '../ui/page.tsx';
import { useAccess } from './access.ts';

export function History() {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/app/project/$projectId/history' });
  const { page = 1 } = useSearch({ from: '/app/project/$projectId/history' });
  const navigate = useNavigate({ from: '/project/$projectId/history' });
  const may = useAccess(projectId);
  return (
    <Page
      title={t('dashboard.title')}
      tabs={
        <Link to="/project/$projectId/history" params={{ projectId }} aria-current="page">
          {t('dashboard.history')}
        </Link>
      }
    >
      <TaskHistory
        projectId={projectId}
        page={page}
        onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
        mayRun={may('run_tasks')}
        emptyAction={
          <Button
            renderRoot={(props) => (
              <Link to="/project/$projectId/templates" params={{ projectId }} {...props} />
            )}
          >
            {t('dashboard.run_template')}
          </Button>
        }
      />
    </Page>
  );
}
