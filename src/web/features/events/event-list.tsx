import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { TextInput } from '@mantine/core';
import { objectTypes } from '#shared/object-types.ts';
import { t } from '../../lib/i18n.ts';
import { cursorOf } from '../../ui/lists/cursors.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { eventColumns } from './event-columns.tsx';
import { type EventFilter, isObjectType } from './event-filter.ts';
import { codeWords, eventGroups, kindWords } from './event-words.ts';
import { PagedTable, type PageAddress } from '../../resources/paged-table.tsx';
import { eventQueries } from './events.queries.ts';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { memberQueries } from '../members/members.queries.ts';

interface Props extends EventFiltersProps, PageAddress {}

export function EventList({ trail, onTrail, ...filtering }: Props) {
  const { projectId, filter } = filtering;
  const result = useQuery({
    ...eventQueries.page(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const nothing = result.data?.next ? t('activity.nothing_yet') : t('activity.nothing');
  return (
    <PagedTable
      result={result}
      trail={trail}
      onTrail={onTrail}
      label={t('activity.title')}
      columns={eventColumns(projectId, result.data?.items)}
      expectedRows={20}
      filters={<EventFilters {...filtering} />}
      nothing={
        isFiltered || trail ? (
          <EmptyState icon={<IconSearch size={24} />} title={nothing} />
        ) : (
          <EmptyState
            icon={<IconListDetails size={24} />}
            title={t('activity.none.title')}
            text={t('activity.none.text')}
          />
        )
      }
    />
  );
}

interface EventFiltersProps {
  /** Missing for the events of all projects. */
  projectId?: number | undefined;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
}

function EventFilters({ projectId, filter, onFilter }: EventFiltersProps) {
  const people = usePeople(projectId);
  const change = (part: EventFilter) => onFilter({ ...filter, ...part });
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      aria-label={t(`activity.${name}`)}
      leftSectionWidth={46}
      leftSection={<span className="soft">{t(`activity.${name}`)}</span>}
      value={filter[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <FilterBar
      label={t('activity.filter')}
      isFiltered={Object.values(filter).some((value) => value !== undefined)}
      onClear={() => onFilter({})}
    >
      <SearchBox
        label={t('activity.search')}
        value={filter.q ?? ''}
        onSearch={(q) => change({ q: q || undefined })}
      />
      <ChoiceFilter
        label={t('activity.what')}
        options={codeOptions(t('activity.all'))}
        value={filter.code}
        onChoose={(code) => change({ code })}
      />
      <ChoiceFilter
        label={t('activity.object')}
        options={objectTypes
          .map((type) => ({ value: type, label: kindWords(type) }))
          .toSorted((a, b) => a.label.localeCompare(b.label))}
        value={filter.type}
        onChoose={(type) => change({ type: type && isObjectType(type) ? type : undefined })}
      />
      <ChoiceFilter
        label={t('activity.who')}
        options={people}
        value={filter.user?.toString()}
        onChoose={(id) => change({ user: id ? Number(id) : undefined })}
      />
      {day('from')}
      {day('to')}
    </FilterBar>
  );
}

/**
 * All codes, grouped by the type of their object, each group with an entry for all of its codes.
 */
const codeOptions = (all: string) =>
  eventGroups.map((group) => ({
    group: kindWords(group),
    items: [
      { value: `${group}.`, label: `${kindWords(group)}: ${all}` },
      ...recordedEvents.codes
        .filter((code) => code.startsWith(`${group}.`))
        .map((code) => ({ value: code, label: codeWords(code) })),
    ],
  }));

function usePeople(projectId: number | undefined) {
  const ofProject = useQuery({
    ...memberQueries.list(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  const everybody = useQuery({ ...memberQueries.users(), enabled: projectId === undefined });
  const people = (projectId === undefined ? everybody.data : ofProject.data) ?? [];
  return people.map(({ id, name, username }) => ({
    value: String(id),
    label: `${name} (${username})`,
  }));
}
