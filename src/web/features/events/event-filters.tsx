import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import { objectTypes } from '#shared/object-types.ts';
import { t } from '../../lib/i18n.ts';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { memberQueries } from '../members/members.queries.ts';
import { type EventFilter, isObjectType } from './event-filter.ts';
import { codeWords, eventGroups, kindWords } from './event-words.ts';

interface Props {
  /** Missing for the events of all projects. */
  projectId: number | undefined;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
}

export function EventFilters({ projectId, filter, onFilter }: Props) {
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
