import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCalendarClock } from '@tabler/icons-react';
import type { Schedule } from '#shared/api/schedules.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { BulkBar, BulkFailureDialog, useBulk } from '../../resources/bulk-bar.tsx';
import { changedByBulk, scheduleActions } from './schedule-bulk.tsx';
import { scheduleColumns } from './schedule-columns.tsx';
import { nameOf, scheduleQueries, scheduleResource } from './schedules.queries.ts';
import type { LaunchLinks } from '../../resources/columns.ts';
import type { ListSelection } from '../../ui/lists/use-selection.ts';

const ScheduleDialog = lazyExport(() => import('./schedule-dialog.tsx'), 'ScheduleDialog');

interface Props extends Omit<ResourceListProps, 'mayEdit'>, LaunchLinks {
  mayEdit: (schedule: Schedule) => boolean;
  /** Shows the schedules in another way. */
  moreActions: ReactNode;
}

export function ScheduleList(props: Props) {
  const { projectId, mayManage, mayEdit, address, moreActions, ...links } = props;
  const { data } = useQuery(scheduleQueries.list(projectId));
  const sentence = useQuery(scheduleQueries.sentence());
  const sentenceOf = (cron: string) => sentence.data?.(cron) ?? '';
  const bulk = useBulk({ idOf: ({ id }: Schedule) => id, refresh: changedByBulk });
  const selection: ListSelection<Schedule> = {
    isSelectable: mayEdit,
    nameOf,
    renderBar: (selected) => (
      <BulkBar selection={selected} bulk={bulk} actions={scheduleActions(projectId)} />
    ),
  };
  return (
    <ResourceList
      mayManage={mayManage}
      mayEdit={mayEdit}
      address={address}
      moreActions={moreActions}
      resource={scheduleResource}
      scope={{ projectId }}
      query={scheduleQueries.list(projectId)}
      Dialog={ScheduleDialog}
      icon={<IconCalendarClock size={24} />}
      renderName={(schedule) => (
        <Link
          to="/project/$projectId/schedules/$scheduleId"
          params={{ projectId, scheduleId: schedule.id }}
          className="weight-550 color-text"
          title={nameOf(schedule)}
        >
          {nameOf(schedule)}
        </Link>
      )}
      columns={scheduleColumns({ mayEdit, sentenceOf, ...links })}
      textOf={({ name, tpl_name, workflow_name, cron_format }) =>
        `${name} ${tpl_name ?? workflow_name} ${cron_format}`
      }
      selection={data?.some(mayEdit) ? selection : undefined}
    >
      <BulkFailureDialog bulk={bulk} />
    </ResourceList>
  );
}
