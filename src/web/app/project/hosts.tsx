import { Suspense } from 'react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { HostList } from '../../features/hosts/host-list.tsx';
import { HostViews } from '../../features/hosts/host-views.tsx';
import type { HostFilter } from '../../features/hosts/hosts.queries.ts';
import { HostPage } from '../../features/hosts/host-page.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { t } from '../../lib/i18n.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { Page } from '../../ui/page/page.tsx';
import { useTrail } from '../address/list-address.ts';
import { useLaunch } from '../dialogs/launch.tsx';
import { useAccess } from '../session/access.ts';

const HostMap = lazyExport(() => import('../../features/hosts/map/host-map.tsx'), 'HostMap');

const list = '/app/project/$projectId/hosts' as const;
const one = '/app/project/$projectId/hosts/$host' as const;

export function Hosts() {
  const { projectId } = useParams({ from: list });
  const { q, outcome, sort, as } = useSearch({ from: list });
  const navigate = useNavigate({ from: '/project/$projectId/hosts' });
  const trail = useTrail();
  const may = useAccess(projectId);
  const launch = useLaunch();
  const shared = {
    projectId,
    filter: { q, outcome },
    onFilter: (filter: HostFilter) =>
      void navigate({
        search: { ...filter, sort, as },
        // Typing must not add an entry to the browser's history for each letter.
        replace: filter.q !== q,
        resetScroll: false,
      }),
    seesInventories: may('inventory.read'),
    renderTask: (id: number) => <TaskLink id={id} />,
  };
  return (
    <Page
      title={t('host.list')}
      actions={
        <HostViews
          view={as ?? 'list'}
          onView={(view) =>
            void navigate({
              search: { q, outcome, as: view === 'map' ? view : undefined },
              resetScroll: false,
            })
          }
        />
      }
    >
      {as === 'map' ? (
        <Suspense fallback={<div style={{ minHeight: '100vh' }} />}>
          <HostMap key={projectId} {...shared} />
        </Suspense>
      ) : (
        <HostList
          key={projectId}
          {...shared}
          onRun={may('template.run', 'somewhere') ? launch : undefined}
          sort={sort}
          onSort={(next) =>
            void navigate({
              search: (all) => ({ ...all, sort: next, before: undefined }),
              replace: true,
              resetScroll: false,
            })
          }
          {...trail}
        />
      )}
    </Page>
  );
}

export function HostDetail() {
  const { projectId, host } = useParams({ from: one });
  return (
    <HostPage
      key={host}
      projectId={projectId}
      host={host}
      seesInventories={useAccess(projectId)('inventory.read')}
      {...useTrail()}
      renderTask={(id) => <TaskLink id={id} />}
    />
  );
}
