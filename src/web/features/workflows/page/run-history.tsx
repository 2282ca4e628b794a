import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ShortRun } from '#shared/api/workflow-runs.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import { CursorPager } from '../../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../../ui/lists/cursors.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import { type RunFilter, runStatusFilters } from '../run-filter.ts';
import { workflowQueries } from '../workflows.queries.ts';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';

interface Filtering {
  projectId: number;
  filter: RunFilter;
  onFilter: (filter: RunFilter) => void;
}

interface Props extends Filtering {
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

export function RunHistory({ trail, onTrail, ...filtering }: Props) {
  const { projectId, filter } = filtering;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...workflowQueries.runs(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isWhole = !trail && filter.status === undefined && filter.workflow === undefined;
  const isEmpty = data?.items.length === 0;
  if (isEmpty && isWhole) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title={t('workflow.no_runs.title')}
        text={t('workflow.no_runs.of_project')}
      />
    );
  }
  return (
    <>
      <RunFilters {...filtering} />
      {isEmpty ? (
        <EmptyState icon={<IconSearch size={24} />} title={t('history.nothing')} />
      ) : (
        <DataTable
          label={t('workflow.all_runs')}
          columns={runColumns({ withWorkflow: true })}
          rows={data?.items}
          rowKey={({ id }) => id}
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

function RunFilters({ projectId, filter, onFilter }: Filtering) {
  const { data: workflows } = useQuery(workflowQueries.list(projectId));
  const { status, workflow } = filter;
  return (
    <FilterBar
      label={t('workflow.filter_runs')}
      isFiltered={status !== undefined || workflow !== undefined}
      onClear={() => onFilter({})}
    >
      <ChoiceFilter
        label={t('task.column.status')}
        options={runStatusFilters.map((value) => ({
          value,
          label: value === 'unfinished' ? t('history.unfinished') : t(`workflow.status.${value}`),
        }))}
        value={status}
        onChoose={(chosen) =>
          onFilter({ ...filter, status: runStatusFilters.find((one) => one === chosen) })
        }
      />
      <ChoiceFilter
        label={t('workflow.one')}
        options={(workflows ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={workflow?.toString()}
        onChoose={(id) => onFilter({ ...filter, workflow: id ? Number(id) : undefined })}
      />
    </FilterBar>
  );
}

/** `withWorkflow`: the list has runs of several workflows. */
function runColumns({ withWorkflow = false }: { withWorkflow?: boolean } = {}): Column<ShortRun>[] {
  const run: Column<ShortRun> = {
    key: 'run',
    title: t('workflow.runs'),
    cell: ({ id, project_id: projectId }) => <RunLink projectId={projectId} id={id} />,
  };
  return [run, ...(withWorkflow ? [workflowColumn()] : []), ...facts()];
}

const workflowColumn = (): Column<ShortRun> => ({
  key: 'workflow',
  title: t('workflow.one'),
  wide: true,
  cell: ({ project_id: projectId, workflow_id: workflowId, name }) => (
    <Link
      to="/project/$projectId/workflows/$workflowId"
      params={{ projectId, workflowId }}
      className="break"
    >
      {name}
    </Link>
  ),
});

const facts = (): Column<ShortRun>[] => [
  {
    key: 'message',
    title: t('task.fact.message'),
    wide: true,
    from: 'medium',
    cell: ({ message }) => message,
  },
  {
    key: 'status',
    title: t('task.column.status'),
    cell: ({ status, waits_for: waitsFor }) => <RunChip status={status} waitsFor={waitsFor} />,
  },
  launchedByColumn(({ user_name: user }) => user),
  {
    key: 'start',
    title: t('task.column.start'),
    from: 'small',
    cell: ({ created }) => <TimeAgo time={created} />,
  },
  {
    key: 'duration',
    title: t('task.column.duration'),
    from: 'small',
    cell: ({ created, end }) => <Duration start={created} end={end} />,
  },
];

export interface RunTableProps {
  projectId: number;
  workflowId: number;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

export function RunTable({ projectId, workflowId, trail, onTrail }: RunTableProps) {
  const before = cursorOf(trail);
  const { data, error, refetch } = useQuery(
    workflowQueries.runs(projectId, { workflow: workflowId }, before),
  );
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (data?.items.length === 0 && !trail) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title={t('workflow.no_runs.title')}
        text={t('workflow.no_runs.text')}
      />
    );
  }
  return (
    <>
      <DataTable
        label={t('workflow.runs')}
        columns={runColumns()}
        rows={data?.items}
        rowKey={({ id }) => id}
      />
      <CursorPager trail={trail} onTrail={onTrail} next={data?.next ?? null} />
    </>
  );
}
