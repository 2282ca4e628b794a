import { ScheduleList } from '../../features/schedules/schedule-list.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { useListProps } from '../address/list-address.ts';

export function Schedules() {
  const list = useListProps('manage_resources');
  return (
    <ScheduleList
      key={list.projectId}
      {...list}
      renderTask={(id) => <TaskLink id={id} />}
      renderRun={(id) => <RunLink projectId={list.projectId} id={id} />}
    />
  );
}
