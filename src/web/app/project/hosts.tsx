import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { HostList } from '../../features/hosts/host-list.tsx';
import { HostPage } from '../../features/hosts/host-page.tsx';
import { TaskLink } from '../../features/tasks/task-link.tsx';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page/page.tsx';
import { useTrail } from '../address/list-address.ts';
import { useAccess } from '../session/access.ts';

const list = '/app/project/$projectId/hosts' as const;
const one = '/app/project/$projectId/hosts/$host' as const;

/** Guests do not see the content of inventories. */
function useSeesInventories(projectId: number): boolean {
  const may = useAccess(projectId);
  return may('run_tasks') || may('manage_resources');
}

export function Hosts() {
  const { projectId } = useParams({ from: list });
  const { q, outcome, sort } = useSearch({ from: list });
  const navigate = useNavigate({ from: '/project/$projectId/hosts' });
  return (
    <Page title={t('host.list')}>
      <HostList
        key={projectId}
        projectId={projectId}
        filter={{ q, outcome }}
        onFilter={(filter) =>
          void navigate({
            search: { ...filter, sort },
            // Typing must not add an entry to the browser's history for each letter.
            replace: filter.q !== q,
            resetScroll: false,
          })
        }
        sort={sort}
        onSort={(next) =>
          void navigate({
            search: (all) => ({ ...all, sort: next, before: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        {...useTrail()}
        seesInventories={useSeesInventories(projectId)}
        renderTask={(id) => <TaskLink id={id} />}
      />
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
      seesInventories={useSeesInventories(projectId)}
      {...useTrail()}
      renderTask={(id) => <TaskLink id={id} />}
    />
  );
}
