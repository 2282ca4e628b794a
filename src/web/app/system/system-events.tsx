import { EventList } from '../../features/events/event-list.tsx';
import { ExportMenu } from '../../features/events/export-menu.tsx';
import { t } from '../../lib/i18n.ts';
import { AdminPage } from './admin-page.tsx';
import { useEventAddress } from '../address/event-address.ts';

export function SystemEvents() {
  const address = useEventAddress();
  return (
    <AdminPage title={t('admin.events')} actions={<ExportMenu filter={address.filter} />}>
      <EventList {...address} />
    </AdminPage>
  );
}
