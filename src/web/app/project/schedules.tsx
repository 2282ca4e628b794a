import { useParams } from '@tanstack/react-router';
import { ScheduleList } from '../../features/schedules/schedule-list.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { useAccess } from '../session/access.ts';
import { useListAddress } from '../address/list-address.ts';

export function Schedules() {
  const { projectId } = useParams({ from: '/app/project/$projectId/schedules' });
  const mayManage = useAccess(projectId)('manage_resources');
  const address = useListAddress(mayManage);
  return (
    <ScheduleList
      key={projectId}
      projectId={projectId}
      mayManage={mayManage}
      address={address}
      renderTask={(id) => <TaskLink id={id} />}
      renderRun={(id) => <RunLink projectId={projectId} id={id} />}
    />
  );
}
