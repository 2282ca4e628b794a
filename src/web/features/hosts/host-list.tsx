import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconSearch, IconServer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Host } from '#shared/api/hosts.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { DryRunBadge } from '../../ui/feedback/dry-run-badge.tsx';
import { HostFilters } from './host-filters.tsx';
import { OutcomeChip, ResultCell } from './host-outcome.tsx';
import classes from './host-list.module.css';
import {
  groupsOf,
  type HostFilter,
  hostQueries,
  type HostSort,
  hostSorts,
} from './hosts.queries.ts';

interface Props {
  projectId: number;
  filter: HostFilter;
  onFilter: (filter: HostFilter) => void;
  sort: HostSort | undefined;
  onSort: (sort: HostSort | undefined) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
  seesInventories: boolean;
  renderTask: (taskId: number) => ReactNode;
}

export function HostList({ projectId, filter, sort, trail, onTrail, ...props }: Props) {
  const before = cursorOf(trail);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...hostQueries.page(projectId, { ...filter, ...(sort && { sort }), ...(before && { before }) }),
    // Keeps the old rows until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isEmpty = data?.items.length === 0;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isEmpty && !isFiltered && !trail) {
    return (
      <EmptyState
        icon={<IconServer size={24} />}
        title={t('host.none.title')}
        text={t(props.seesInventories ? 'host.none.text' : 'host.none.text_guest')}
      />
    );
  }
  return (
    <>
      <HostFilters filter={filter} onFilter={props.onFilter} isFiltered={isFiltered} />
      {isEmpty ? (
        <EmptyState icon={<IconSearch size={24} />} title={t('host.nothing')} />
      ) : (
        <DataTable
          label={t('host.list')}
          columns={columns({ projectId, ...props })}
          rows={data?.items}
          rowKey={({ id }) => id}
          sort={sort ?? 'name'}
          onSort={(next) => props.onSort(hostSorts.find((one) => one === next))}
          expectedRows={20}
        />
      )}
      <CursorPager
        trail={trail}
        onTrail={onTrail}
        next={data?.next ?? null}
        isTurning={isPlaceholderData}
      />
    </>
  );
}

function HostLink({ projectId, host }: { projectId: number; host: string }) {
  return (
    <Link
      to="/project/$projectId/hosts/$host"
      params={{ projectId, host }}
      className="cut"
      title={host}
    >
      {host}
    </Link>
  );
}

interface Context extends Pick<Props, 'renderTask' | 'seesInventories'> {
  projectId: number;
}

// Only makes the headings sortable; the server sorts.
const sortable = () => 0;

function columns({ projectId, seesInventories, renderTask }: Context): Column<Host>[] {
  const list: Column<Host>[] = [
    {
      key: 'name',
      title: t('task.hosts.host'),
      wide: true,
      sortBy: sortable,
      cell: ({ name }) => <HostLink projectId={projectId} host={name} />,
    },
    {
      key: 'last_run',
      title: t('host.last_run'),
      sortBy: sortable,
      cell: ({ last_run: run }) => <LastRun run={run} />,
    },
    {
      key: 'results',
      title: t('host.results'),
      from: 'medium',
      cell: ({ results }) => <ResultCell results={results} />,
    },
    {
      key: 'last_failure',
      title: t('host.last_failure'),
      from: 'large',
      wide: true,
      cell: ({ last_failure: failure }) => (
        <LastFailure failure={failure} renderTask={renderTask} />
      ),
    },
  ];
  if (seesInventories) {
    list.push({
      key: 'inventories',
      title: t('host.inventories'),
      from: 'large',
      cell: (host) => <Inventories host={host} />,
    });
  }
  return list;
}

function LastRun({ run }: { run: Host['last_run'] }) {
  if (!run) return <span className="soft">{t('host.outcome.none')}</span>;
  return (
    <span className={`inline-flex wrap items-center gap-2-8 ${classes.run}`}>
      <OutcomeChip outcome={run.outcome} />
      {run.dry_run && <DryRunBadge />}
      <span className="soft">
        <TimeAgo time={run.end} />
      </span>
    </span>
  );
}

function LastFailure({
  failure,
  renderTask,
}: {
  failure: Host['last_failure'];
  renderTask: Props['renderTask'];
}) {
  if (!failure) return '—';
  const { task_id: id, end, first_failure: first } = failure;
  const words = first ? `${first.task}: ${first.message}` : '';
  return (
    <span className={`inline-flex max-w-full ${classes.failure}`}>
      <span className={`inline-flex wrap items-center gap-2-8 ${classes.run}`}>
        {renderTask(id)}
        <span className="soft">
          <TimeAgo time={end} />
        </span>
      </span>
      {words && (
        <span className="soft cut block max-w-full" title={words}>
          {words}
        </span>
      )}
    </span>
  );
}

function Inventories({ host }: { host: Host }) {
  const names = host.inventories.map(({ name }) => name).join(', ');
  const groups = groupsOf(host).join(', ');
  return (
    <span className={`inline-flex max-w-full ${classes.failure}`}>
      <span className={`cut block ${classes.message}`} title={names}>
        {names || '—'}
      </span>
      {groups && (
        <span className={`soft cut block ${classes.message}`} title={groups}>
          {groups}
        </span>
      )}
    </span>
  );
}
