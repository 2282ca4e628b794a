import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../../ui/lists/search-box.tsx';
import { memberQueries } from '../../members/members.queries.ts';
import { templateQueries } from '../../templates/templates.queries.ts';
import { statusFilters, type TaskFilter } from '../task-filter.ts';
import { PeriodFilter } from './period-filter.tsx';

interface Props {
  projectId: number;
  filter: TaskFilter;
  onFilter: (filter: TaskFilter) => void;
}

export function TaskFilters({ projectId, filter, onFilter }: Props) {
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
