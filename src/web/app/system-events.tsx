import { useNavigate, useSearch } from '@tanstack/react-router';
import { EventList } from '../features/events/event-list.tsx';
import { ExportMenu } from '../features/events/export-menu.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { AdminPage } from './admin-page.tsx';

export function SystemEvents() {
  const { t } = useTranslation();
  const { before, t: _task, ...filter } = useSearch({ from: '/app/events' });
  const navigate = useNavigate({ from: '/events' });
  return (
    <AdminPage title={t('admin.events')} actions={<ExportMenu filter={filter} />}>
      <EventList
        filter={filter}
        onFilter={(wanted) =>
          void navigate({
            search: wanted,
            replace: wanted.q !== filter.q,
            resetScroll: false,
          })
        }
        trail={before}
        onTrail={(trail) =>
          void navigate({ search: (all) => ({ ...all, before: trail }), resetScroll: false })
        }
      />
    </AdminPage>
  );
}
