import { useParams } from '@tanstack/react-router';
import { EventList } from '../../features/events/event-list.tsx';
import { ExportMenu } from '../../features/events/export-menu.tsx';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';
import { useAccess } from '../session/access.ts';
import { DashboardTabs } from './dashboard-tabs.tsx';
import { useEventAddress } from '../address/event-address.ts';

export function Activity() {
  const { projectId } = useParams({ from: '/app/project/$projectId/activity' });
  const address = useEventAddress();
  const may = useAccess(projectId);
  return (
    <Page
      title={t('dashboard.title')}
      tabs={<DashboardTabs projectId={projectId} />}
      actions={may('event.audit') && <ExportMenu projectId={projectId} filter={address.filter} />}
    >
      <EventList key={projectId} projectId={projectId} {...address} />
    </Page>
  );
}
