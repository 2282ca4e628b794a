import type { Schedule } from '#shared/api/schedules.ts';
import { ScheduleList } from '../../features/schedules/schedule-list.tsx';
import { ScheduleWeek } from '../../features/schedules/calendar/schedule-week.tsx';
import { ScheduleViews } from '../../features/schedules/schedule-views.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { RunLink } from '../../features/workflows/run-link.tsx';
import { useCalendarAddress } from '../address/calendar-address.ts';
import { mayOnStarter } from '../../lib/roles/may.ts';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

export function Schedules() {
  const list = useListProps('schedule.edit');
  const may = useAccess(list.projectId);
  const { view, onView, ...calendar } = useCalendarAddress();
  const Screen = view === 'week' ? ScheduleWeek : ScheduleList;
  return (
    <Screen
      key={list.projectId}
      {...list}
      {...calendar}
      mayEdit={(schedule: Schedule) => mayOnStarter(may, schedule)('schedule.edit')}
      moreActions={<ScheduleViews view={view} onView={onView} />}
      renderTask={(id) => <TaskLink id={id} />}
      renderRun={(id) => <RunLink projectId={list.projectId} id={id} />}
    />
  );
}
