import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { TextInput } from '@mantine/core';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { objectTypes } from '#shared/object-types.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { CursorPager } from '../../ui/lists/cursor-pager.tsx';
import { cursorOf, type Trail } from '../../ui/lists/cursors.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { memberQueries } from '../members/members.queries.ts';
import { eventColumns } from './event-columns.tsx';
import { type EventFilter, isObjectType } from './event-filter.ts';
import { eventQueries } from './events.queries.ts';
import { codeWords, eventGroups, kindWords } from './event-words.ts';

interface Props {
  /** Missing for the events of all projects. */
  projectId?: number;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
  trail: Trail;
  onTrail: (trail: Trail) => void;
}

export function EventList({ projectId, filter, onFilter, trail, onTrail }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...eventQueries.page(projectId, filter, cursorOf(trail)),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  const isWhole = !trail && Object.values(filter).every((value) => value === undefined);
  const next = data?.next ?? null;
  return (
    <>
      <EventFilters projectId={projectId} filter={filter} onFilter={onFilter} />
      {data?.items.length === 0 ? (
        <Nothing isWhole={isWhole} isLast={next === null} />
      ) : (
        <DataTable
          label={t('activity.title')}
          columns={eventColumns(projectId, data?.items)}
          rows={data?.items}
          rowKey={({ id }) => id}
          expectedRows={20}
        />
      )}
      <CursorPager trail={trail} onTrail={onTrail} next={next} isTurning={isPlaceholderData} />
    </>
  );
}

function Nothing({ isWhole, isLast }: { isWhole: boolean; isLast: boolean }) {
  if (isWhole) {
    return (
      <EmptyState
        icon={<IconListDetails size={24} />}
        title={t('activity.none.title')}
        text={t('activity.none.text')}
      />
    );
  }
  const title = isLast ? t('activity.nothing') : t('activity.nothing_yet');
  return <EmptyState icon={<IconSearch size={24} />} title={title} />;
}

interface EventFiltersProps {
  /** Missing for the events of all projects. */
  projectId: number | undefined;
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
