import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';

export function RunLink({ projectId, id }: { projectId: number; id: number }) {
  return (
    <Link
      to="/project/$projectId/workflow_runs/$runId"
      params={{ projectId, runId: id }}
      className="numbers"
    >
      {t('workflow.run.title', { id })}
    </Link>
  );
}
