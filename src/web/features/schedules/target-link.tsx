import { Link } from '@tanstack/react-router';
import type { Schedule } from '#shared/api/schedules.ts';

type Named = Pick<
  Schedule,
  'project_id' | 'template_id' | 'tpl_name' | 'workflow_id' | 'workflow_name'
>;

export function TargetLink({ schedule }: { schedule: Named }) {
  const { project_id: projectId, template_id: templateId, workflow_id: workflowId } = schedule;
  if (workflowId !== null) {
    return (
      <Link
        to="/project/$projectId/workflows/$workflowId"
        params={{ projectId, workflowId }}
        className="cut"
        title={schedule.workflow_name ?? ''}
      >
        {schedule.workflow_name}
      </Link>
    );
  }
  if (templateId === null) return '—';
  return (
    <Link
      to="/project/$projectId/templates/$templateId"
      params={{ projectId, templateId }}
      className="cut"
      title={schedule.tpl_name ?? ''}
    >
      {schedule.tpl_name}
    </Link>
  );
}
