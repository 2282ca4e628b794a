import { Link } from '@tanstack/react-router';
import { useHasTasks } from '../../features/projects/use-has-tasks.ts';
import { t } from '../../lib/i18n.ts';

export function DashboardTabs({ projectId }: { projectId: number }) {
  const hasTasks = useHasTasks(projectId);
  const shared = { params: { projectId }, activeOptions: { includeSearch: false } };
  return (
    <>
      {hasTasks && (
        <Link to="/project/$projectId/history" {...shared}>
          {t('dashboard.history')}
        </Link>
      )}
      <Link to="/project/$projectId/workflow_runs" {...shared}>
        {t('workflow.all_runs')}
      </Link>
      <Link to="/project/$projectId/activity" {...shared}>
        {t('dashboard.activity')}
      </Link>
    </>
  );
}
