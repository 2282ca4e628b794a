import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { scheduleQueries } from '../../features/schedules/schedules.queries.ts';
import { SchedulePage } from '../../features/schedules/schedule-page.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { mayOnStarter } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { useEditAddress } from '../address/edit-address.ts';

const from = '/app/project/$projectId/schedules/$scheduleId' as const;

export function ScheduleDetail() {
  const { projectId, scheduleId } = useParams({ from });
  const { before } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/schedules/$scheduleId' });
  const may = useAccess(projectId);
  const { data } = useQuery(scheduleQueries.one(projectId, scheduleId));
  const mayManage = data
    ? mayOnStarter(may, data)('schedule.edit')
    : may('schedule.edit', 'somewhere');
  return (
    <SchedulePage
      key={scheduleId}
      projectId={projectId}
      scheduleId={scheduleId}
      mayManage={mayManage}
      address={useEditAddress('edit', mayManage, scheduleId)}
      trail={before}
      onTrail={(trail) => void navigate({ search: (search) => ({ ...search, before: trail }) })}
      renderTask={(id) => <TaskLink id={id} />}
      renderRun={(id) => <RunLink projectId={projectId} id={id} />}
      onDeleted={() =>
        void navigate({ to: '/project/$projectId/schedules', params: { projectId }, search: {} })
      }
    />
  );
}
