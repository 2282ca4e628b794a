import type { Schedule } from '#shared/api/schedules.ts';
import { TargetLink } from '../../resources/links.tsx';

type Named = Pick<
  Schedule,
  'project_id' | 'template_id' | 'tpl_name' | 'workflow_id' | 'workflow_name'
>;

export const ScheduleTarget = ({ schedule }: { schedule: Named }) => (
  <TargetLink
    projectId={schedule.project_id}
    target={schedule}
    name={schedule.workflow_id === null ? schedule.tpl_name : schedule.workflow_name}
    className="cut"
  />
);
