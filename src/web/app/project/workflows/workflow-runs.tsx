import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { RunHistory } from '../../../features/workflows/page/run-history.tsx';
import { t } from '../../../lib/i18n.ts';
import { Page } from '../../../ui/page/page.tsx';
import { useTrail } from '../../address/list-address.ts';
import { DashboardTabs } from '../dashboard-tabs.tsx';

const from = '/app/project/$projectId/workflow_runs' as const;

export function WorkflowRuns() {
  const { projectId } = useParams({ from });
  const { status, workflow } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/workflow_runs' });
  return (
    <Page title={t('dashboard.title')} tabs={<DashboardTabs projectId={projectId} />}>
      <RunHistory
        key={projectId}
        projectId={projectId}
        filter={{ status, workflow }}
        onFilter={(search) => void navigate({ search, resetScroll: false })}
        {...useTrail()}
      />
    </Page>
  );
}
