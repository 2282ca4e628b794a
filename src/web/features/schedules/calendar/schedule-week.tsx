import { type ReactNode, Suspense } from 'react';
import { t } from '../../../lib/i18n.ts';
import { AddButton, type ResourceListProps } from '../../../resources/resource-list.tsx';
import { lazyExport } from '../../../ui/lazy-export.ts';
import { OnceOpened } from '../../../ui/dialogs/once-opened.tsx';
import { Page } from '../../../ui/page/page.tsx';
import type { CalendarAddress } from './calendar-address.ts';

const ScheduleDialog = lazyExport(() => import('../schedule-dialog.tsx'), 'ScheduleDialog');
const ScheduleCalendar = lazyExport(() => import('./schedule-calendar.tsx'), 'ScheduleCalendar');

interface Props extends Omit<ResourceListProps, 'mayEdit'>, CalendarAddress {
  moreActions: ReactNode;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

/** The schedules of a project as a calendar. */
export function ScheduleWeek({ mayManage, address, moreActions, ...calendar }: Props) {
  return (
    <Page
      title={t('schedule.list')}
      actions={
        <>
          {moreActions}
          {mayManage && <AddButton noun="schedule" address={address} />}
        </>
      }
    >
      <Suspense fallback={<div style={{ minHeight: '100vh' }} />}>
        <ScheduleCalendar {...calendar} />
      </Suspense>
      <OnceOpened opened={address.edit !== null}>
        <ScheduleDialog
          projectId={calendar.projectId}
          edit={address.edit}
          onClose={() => address.onEdit(null)}
        />
      </OnceOpened>
    </Page>
  );
}
