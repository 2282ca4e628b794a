import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconSearch, IconServer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MAX_BULK_IDS } from '#shared/api/bulk.ts';
import type { Host } from '#shared/api/hosts.ts';
import { t } from '../../lib/i18n.ts';
import { queryClient } from '../../lib/query.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { cursorOf } from '../../ui/lists/cursors.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { DryRunBadge } from '../../ui/feedback/dry-run-badge.tsx';
import { column, roomForTimes } from '../../resources/columns.ts';
import { roomForCharacters } from '../../ui/lists/column-room.ts';
import { HostLink } from '../../resources/links.tsx';
import { HostFilters } from './host-filters.tsx';
import { OutcomeChip, ResultCell, roomForOutcomes } from './host-outcome.tsx';
import {
  groupsOf,
  type HostFilter,
  hostQueries,
  type HostSort,
  hostSorts,
} from './hosts.queries.ts';
import classes from './host-list.module.css';
import { isPattern, type RunOnHosts, RunOnHostsBar } from './run-on-hosts.tsx';
import { matchingOf, PagedTable, type PageAddress } from '../../resources/paged-table.tsx';

interface Props extends PageAddress {
  projectId: number;
  filter: HostFilter;
  onFilter: (filter: HostFilter) => void;
  sort: HostSort | undefined;
  onSort: (sort: HostSort | undefined) => void;
  seesInventories: boolean;
  renderTask: (taskId: number) => ReactNode;
  /** Undefined: the user may run nothing. */
  onRun: RunOnHosts | undefined;
}

export function HostList({ projectId, filter, sort, trail, onTrail, onRun, ...props }: Props) {
  const before = cursorOf(trail);
  const wanted = { ...filter, ...(sort && { sort }) };
  const result = useQuery({
    ...hostQueries.page(projectId, { ...wanted, ...(before && { before }) }),
    // Keeps the old rows until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  const matching = matchingOf({
    result,
    trail,
    key: JSON.stringify(wanted),
    read: () =>
      queryClient.fetchQuery(hostQueries.page(projectId, { ...wanted, limit: MAX_BULK_IDS })),
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <PagedTable
      result={result}
      trail={trail}
      onTrail={onTrail}
      label={t('host.list')}
      columns={columns({ projectId, ...props })}
      sort={sort ?? 'name'}
      onSort={(next) => props.onSort(hostSorts.find((one) => one === next))}
      expectedRows={20}
      filters={<HostFilters filter={filter} onFilter={props.onFilter} isFiltered={isFiltered} />}
      isFiltered={isFiltered}
      none={
        <EmptyState
          icon={<IconServer size={24} />}
          title={t('host.none.title')}
          text={t(props.seesInventories ? 'host.none.text' : 'host.none.text_guest')}
        />
      }
      nothing={<EmptyState icon={<IconSearch size={24} />} title={t('host.nothing')} />}
      selection={
        onRun && {
          isSelectable: ({ name }) => isPattern(name),
          nameOf: ({ name }) => name,
          matching,
          renderBar: (selection) => <RunOnHostsBar {...{ projectId, selection, onRun }} />,
        }
      }
    />
  );
}

interface Context extends Pick<Props, 'renderTask' | 'seesInventories'> {
  projectId: number;
}

// Only makes the headings sortable; the server sorts.
const sortable = () => 0;

function columns({ projectId, seesInventories, renderTask }: Context): Column<Host>[] {
  const list: Column<Host>[] = [
    column('name', t('task.hosts.host'), { wide: true, sortBy: sortable }, ({ name }) => (
      <HostLink projectId={projectId} host={name} />
    )),
    column(
      'last_run',
      t('host.last_run'),
      { room: roomForLastRuns(), sortBy: sortable },
      ({ last_run: run }) => <LastRun run={run} />,
    ),
    column('results', t('host.results'), { from: 'medium' }, ({ results }) => (
      <ResultCell results={results} />
    )),
    column(
      'last_failure',
      t('host.last_failure'),
      { from: 'large', wide: true },
      ({ last_failure: failure }) => <LastFailure failure={failure} renderTask={renderTask} />,
    ),
  ];
  if (seesInventories) {
    list.push(
      column(
        'inventories',
        t('host.inventories'),
        { from: 'large', room: roomForCharacters(20) },
        (host) => <Inventories host={host} />,
      ),
    );
  }
  return list;
}

/** Room for an outcome and its time in one line. */
const roomForLastRuns = () =>
  roomForOutcomes().flatMap((outcome) => roomForTimes().map((time) => `${outcome}\u2003${time}`));

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
