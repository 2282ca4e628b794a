import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { EventList } from '../features/events/event-list.tsx';
import { ExportMenu } from '../features/events/export-menu.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { Page } from '../ui/page.tsx';
import { useAccess } from './access.ts';
import { DashboardTabs } from './dashboard-tabs.tsx';

export function Activity() {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/app/project/$projectId/activity' });
  const { before, t: _task, ...filter } = useSearch({ from: '/app/project/$projectId/activity' });
  const navigate = useNavigate({ from: '/project/$projectId/activity' });
  const may = useAccess(projectId);
  return (
    <Page
      title={t('dashboard.title')}
      tabs={<DashboardTabs projectId={projectId} />}
      actions={may('update_project') && <ExportMenu projectId={projectId} filter={filter} />}
    >
      <EventList
        key={projectId}
        projectId={projectId}
        filter={filter}
        onFilter={(wanted) =>
          void navigate({
            search: wanted,
            // The way back leads past every letter that was typed.
            replace: wanted.q !== filter.q,
            resetScroll: false,
          })
        }
        trail={before}
        onTrail={(trail) =>
          void navigate({ search: (all) => ({ ...all, before: trail }), resetScroll: false })
        }
      />
    </Page>
  );
}
