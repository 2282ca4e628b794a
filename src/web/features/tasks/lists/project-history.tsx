import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { TextInput } from '@mantine/core';
import type { Task } from '#shared/api/tasks.ts';
import type { ListSelection } from '../../../ui/lists/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { queryClient } from '../../../lib/query.ts';
import { cursorOf } from '../../../ui/lists/cursors.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { memberQueries } from '../../members/members.queries.ts';
import { templateQueries } from '../../templates/templates.queries.ts';
import {
  nameOf,
  type Period,
  periodNames,
  periodOf,
  statusFilters,
  type TaskFilter,
} from '../task-filter.ts';
import { useTaskSelection } from './task-bulk.tsx';
import { useTaskColumns } from './task-history.tsx';
import { matchingOf, PagedTable, type PageAddress } from '../../../resources/paged-table.tsx';
import { taskQueries } from '../tasks.queries.ts';
import type { May } from '../../../lib/roles/may.ts';

interface Props extends TaskFiltersProps, PageAddress {
  may: May;
  emptyAction?: ReactNode;
}

/** The tasks of a project, the newest first; the websocket updates the newest page. */
export function ProjectHistory({ trail, onTrail, may, emptyAction, ...filtering }: Props) {
  const { projectId, filter } = filtering;
  const result = useQuery({
    ...taskQueries.page(projectId, filter, cursorOf(trail)),
    // Keeps the old rows until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  const { selection, dialog } = useTaskSelection(projectId, may);
  const count = useQuery({
    ...taskQueries.count(projectId, filter),
    placeholderData: keepPreviousData,
  });
  const matching = matchingOf<Task>({
    result,
    trail,
    key: JSON.stringify(filter),
    count: count.data,
    read: () => queryClient.fetchQuery(taskQueries.firstMatching(projectId, filter)),
  });
  const ofAllPages: ListSelection<Task> | undefined = selection && { ...selection, matching };
  const nothing = result.data?.next ? t('history.nothing_yet') : t('history.nothing');
  return (
    <>
      <PagedTable
        result={result}
        trail={trail}
        onTrail={onTrail}
        label={t('task.history')}
        columns={useTaskColumns({ withTemplate: true })}
        expectedRows={20}
        filters={<TaskFilters {...filtering} />}
        isFiltered={Object.values(filter).some((value) => value !== undefined)}
        none={
          <EmptyState
            icon={<IconHistory size={24} />}
            title={t('task.none.title')}
            text={t('task.none.project')}
          >
            {emptyAction}
          </EmptyState>
        }
        nothing={<EmptyState icon={<IconSearch size={24} />} title={nothing} />}
        total={<Total projectId={projectId} filter={filter} />}
        selection={ofAllPages}
      />
      {dialog}
    </>
  );
}

function Total({ projectId, filter }: { projectId: number; filter: TaskFilter }) {
  const { data } = useQuery({
    ...taskQueries.count(projectId, filter),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  return t(data.is_whole ? 'history.total' : 'history.total_at_least', { count: data.count });
}

interface TaskFiltersProps {
  projectId: number;
  filter: TaskFilter;
  onFilter: (filter: TaskFilter) => void;
}

function TaskFilters({ projectId, filter, onFilter }: TaskFiltersProps) {
  const { data: templates } = useQuery(templateQueries.list(projectId));
  const { data: members } = useQuery(memberQueries.list(projectId));
  const { status, template, user, q } = filter;
  const statuses = statusFilters.map((value) => ({
    value,
    label: value === 'unfinished' ? t('history.unfinished') : t(`task.status.${value}`),
  }));
  const change = (part: TaskFilter) => onFilter({ ...filter, ...part });
  return (
    <FilterBar
      label={t('history.filter')}
      isFiltered={Object.values(filter).some((value) => value !== undefined)}
      onClear={() => onFilter({})}
    >
      <SearchBox
        label={t('history.search')}
        value={q ?? ''}
        onSearch={(text) => change({ q: text || undefined })}
      />
      <ChoiceFilter
        label={t('task.column.status')}
        options={statuses}
        value={status}
        onChoose={(chosen) => change({ status: statusFilters.find((one) => one === chosen) })}
      />
      <ChoiceFilter
        label={t('template.one')}
        options={(templates ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={template?.toString()}
        onChoose={(id) => change({ template: id ? Number(id) : undefined })}
      />
      <ChoiceFilter
        label={t('task.column.user')}
        options={(members ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={user?.toString()}
        onChoose={(id) => change({ user: id ? Number(id) : undefined })}
      />
      <PeriodFilter period={filter} onPeriod={change} />
    </FilterBar>
  );
}

const ownDays = 'days';

interface PeriodFilterProps {
  period: Period;
  onPeriod: (period: Period) => void;
}

/** The days on which tasks ended: a preset, or a first and a last day. */
function PeriodFilter({ period: { from, to }, onPeriod }: PeriodFilterProps) {
  const [wanted, setWanted] = useState(false);
  // The day on which the page was opened.
  const [opened] = useState(() => new Date());
  const name = nameOf({ from, to }, opened);
  const hasDays = from !== undefined || to !== undefined;
  const isOwn = wanted || (hasDays && name === null);
  const choose = (chosen: string | undefined) => {
    setWanted(chosen === ownDays);
    const usual = periodNames.find((one) => one === chosen);
    if (usual) onPeriod(periodOf(usual, new Date()));
    else if (chosen === undefined) onPeriod({ from: undefined, to: undefined });
  };
  const day = (side: 'from' | 'to') => (
    <TextInput
      type="date"
      aria-label={t(`activity.${side}`)}
      leftSectionWidth={46}
      leftSection={<span className="soft">{t(`activity.${side}`)}</span>}
      value={(side === 'from' ? from : to) ?? ''}
      onChange={(event) => onPeriod({ [side]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <>
      <ChoiceFilter
        label={t('history.period')}
        options={[...periodNames, ownDays].map((value) => ({
          value,
          label: t(`history.${value as (typeof periodNames)[number] | typeof ownDays}`),
        }))}
        value={isOwn ? ownDays : (name ?? undefined)}
        onChoose={choose}
      />
      {isOwn && day('from')}
      {isOwn && day('to')}
    </>
  );
}
