import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import type { ShortRun } from '#shared/api/workflow-runs.ts';
import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import { cursorOf } from '../../../ui/lists/cursors.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Duration, TimeAgo } from '../../../lib/time-text.tsx';
import { launchedByColumn } from '../../../ui/lists/launched-by-column.tsx';
import {
  column,
  roomForDurations,
  roomForStatuses,
  roomForTimes,
} from '../../../resources/columns.ts';
import { roomForCharacters } from '../../../ui/lists/column-room.ts';
import { type RunFilter, runStatusFilters } from '../run-filter.ts';
import { workflowQueries } from '../workflows.queries.ts';
import { RunLink } from '../run-link.tsx';
import { RunChip } from '../run-status.tsx';
import { PagedTable, type PageAddress } from '../../../resources/paged-table.tsx';
import { Link } from '@tanstack/react-router';

interface Filtering {
  projectId: number;
  filter: RunFilter;
  onFilter: (filter: RunFilter) => void;
}

export function RunHistory({ trail, onTrail, ...filtering }: Filtering & PageAddress) {
  const { projectId, filter } = filtering;
  const result = useQuery({
    ...workflowQueries.runs(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  return (
    <PagedTable
      result={result}
      trail={trail}
      onTrail={onTrail}
      label={t('workflow.all_runs')}
      columns={runColumns(true)}
      filters={<RunFilters {...filtering} />}
      isFiltered={isFiltered(filter)}
      none={
        <EmptyState
          icon={<IconHistory size={24} />}
          title={t('workflow.no_runs.title')}
          text={t('workflow.no_runs.of_project')}
        />
      }
      nothing={<EmptyState icon={<IconSearch size={24} />} title={t('history.nothing')} />}
    />
  );
}

const isFiltered = ({ status, workflow }: RunFilter): boolean =>
  status !== undefined || workflow !== undefined;

function RunFilters({ projectId, filter, onFilter }: Filtering) {
  const { data: workflows } = useQuery(workflowQueries.list(projectId));
  const { status, workflow } = filter;
  return (
    <FilterBar
      label={t('workflow.filter_runs')}
      isFiltered={isFiltered(filter)}
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
const runColumns = (withWorkflow: boolean): Column<ShortRun>[] => [
  column(
    'run',
    t('workflow.runs'),
    { room: roomForCharacters(7) },
    ({ id, project_id: projectId }) => <RunLink projectId={projectId} id={id} />,
  ),
  ...(withWorkflow ? [workflowColumn()] : []),
  column('message', t('task.fact.message'), { wide: true, from: 'medium' }, (run) => run.message),
  column(
    'status',
    t('task.column.status'),
    { room: roomForStatuses() },
    ({ status, waits_for: waitsFor }) => <RunChip status={status} waitsFor={waitsFor} />,
  ),
  launchedByColumn(({ user_name: user }) => user),
  column(
    'start',
    t('task.column.start'),
    { from: 'small', room: roomForTimes() },
    ({ created }) => <TimeAgo time={created} />,
  ),
  column(
    'duration',
    t('task.column.duration'),
    { from: 'small', align: 'end', room: roomForDurations() },
    ({ created, end }) => <Duration start={created} end={end} />,
  ),
];

const workflowColumn = (): Column<ShortRun> =>
  column('workflow', t('workflow.one'), { wide: true }, ({ project_id, workflow_id, name }) => (
    <Link
      to="/project/$projectId/workflows/$workflowId"
      params={{ projectId: project_id, workflowId: workflow_id }}
      className="break"
    >
      {name}
    </Link>
  ));

export interface RunTableProps extends PageAddress {
  projectId: number;
  workflowId: number;
}

export function RunTable({ projectId, workflowId, trail, onTrail }: RunTableProps) {
  const query = workflowQueries.runs(projectId, { workflow: workflowId }, cursorOf(trail));
  return (
    <PagedTable
      result={useQuery(query)}
      trail={trail}
      onTrail={onTrail}
      label={t('workflow.runs')}
      columns={runColumns(false)}
      none={
        <EmptyState
          icon={<IconHistory size={24} />}
          title={t('workflow.no_runs.title')}
          text={t('workflow.no_runs.text')}
        />
      }
    />
  );
}
