import { Link } from '@tanstack/react-router';
import type { Event } from '#shared/api/events.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { column } from '../../resources/columns.ts';
import { eventWords } from './event-words.ts';
import classes from './event-list.module.css';

const who = ({ username }: Event): string => username || t('activity.server');

export function eventColumns(projectId: number | undefined, events: Event[] = []): Column<Event>[] {
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
