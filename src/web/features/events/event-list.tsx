import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { objectTypes } from '#shared/object-types.ts';
import { recordedEvents } from '#shared/catalogue/recorded-events.ts';
import type { Event } from '#shared/api/events.ts';
import { t } from '../../lib/i18n.ts';
import { cursorOf } from '../../ui/lists/cursors.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { ChoiceFilter } from '../../ui/forms/choice-filter.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { type PageAddress, PagedTable } from '../../resources/paged-table.tsx';
import { TimeAgo } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { column } from '../../resources/columns.ts';
import { memberQueries } from '../members/members.queries.ts';
import { type EventFilter, isObjectType } from './event-filter.ts';
import { codeWords, eventGroups, eventWords, kindWords } from './event-words.ts';
import { eventQueries } from './events.queries.ts';
import classes from './event-list.module.css';

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

const who = ({ username }: Event): string => username || t('activity.server');

function eventColumns(projectId: number | undefined, events: Event[] = []): Column<Event>[] {
  return [
    column('what', t('activity.column.what'), { wide: 'most' }, (event) => (
      <span className={`block py-4 break white-space-normal ${classes.what}`}>
        <EventSentence event={event} projectId={projectId} />
        <span className="block smaller soft narrow-only">{who(event)}</span>
      </span>
    )),
    { key: 'who', title: t('activity.column.who'), from: 'small', cell: who },
    ...(projectId === undefined
      ? [column('project', t('activity.column.project'), { from: 'medium' as const }, project)]
      : []),
    column('via', t('activity.column.via'), { from: 'medium' }, ({ via }) =>
      t(`activity.via.${via}`),
    ),
    // The server returns IP addresses only to users who may see them.
    ...(events.some(({ ip }) => ip !== null)
      ? [
          column('ip', t('activity.column.ip'), { from: 'large' as const }, ({ ip }: Event) =>
            ip ? <code>{ip}</code> : '—',
          ),
        ]
      : []),
    column('when', t('activity.column.when'), { align: 'end' }, ({ created }) => (
      <TimeAgo time={created} />
    )),
  ];
}

function project({ project_id: id, project_name: name }: Event) {
  if (id === null || name === null) return '—';
  return (
    <Link to="/project/$projectId/activity" params={{ projectId: id }} title={name}>
      {name}
    </Link>
  );
}

/** The screens of the objects of a project, below its address. */
const places: Partial<Record<Event['object_type'], (id: number) => string>> = {
  project: () => 'history',
  user: () => 'team',
  key: () => 'keys',
  host_key: () => 'repositories',
  host_config: () => 'keys/hosts',
  repository: () => 'repositories',
  inventory: () => 'inventory',
  environment: () => 'environment',
  view: (id) => `views/${id}/templates`,
  template: (id) => `templates/${id}`,
  integration: (id) => `integration/${id}`,
  alert_channel: () => 'settings',
};

/** The address of the object of an event; null if it has no screen or was deleted. */
function placeOf(event: Event): string | null {
  const { code, project_id: projectId, object_type: type, object_id: id } = event;
  if (projectId === null || id === null || /\.(?:deleted|removed)$/.test(code)) return null;
  const place = places[type];
  return place ? `/project/${projectId}/${place(id)}` : null;
}

// A placeholder that no name contains.
const mark = '\u0000';

/** The sentence of an event, with a link to its object. `projectId` is the open project. */
function EventSentence({ event, projectId }: { event: Event; projectId?: number | undefined }) {
  const { params, object_name: name } = event;
  const task = params['task'];
  const isOfTask =
    event.object_type === 'task' && task !== undefined && event.code !== 'task.deleted';
  const place = placeOf(event);
  if (!isOfTask && (place === null || params['name'] !== name)) return eventWords(event);
  const sentence = eventWords(event, isOfTask ? { task: mark } : { name: mark });
  const [before, after] = sentence.split(mark);
  if (after === undefined) return sentence;
  return (
    <>
      {before}
      {isOfTask ? (
        <TaskOfEvent event={event} id={Number(task)} projectId={projectId} />
      ) : (
        <Link to={place ?? '/'}>{name}</Link>
      )}
      {after}
    </>
  );
}

interface TaskProps {
  event: Event;
  id: number;
  projectId: number | undefined;
}

function TaskOfEvent({ event, id, projectId }: TaskProps) {
  if (event.project_id === projectId) {
    return (
      <Link to="." search={(search) => ({ ...search, t: id })} resetScroll={false}>
        {id}
      </Link>
    );
  }
  return (
    <Link
      to="/project/$projectId/history"
      params={{ projectId: event.project_id ?? 0 }}
      search={{ t: id }}
    >
      {id}
    </Link>
  );
}
