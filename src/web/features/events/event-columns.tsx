import { Link } from '@tanstack/react-router';
import type { Event } from '#shared/api/events.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import classes from './event-list.module.css';
import { EventSentence } from './event-sentence.tsx';

const who = ({ username }: Event): string => username || t('activity.server');

export function eventColumns(projectId: number | undefined, events: Event[] = []): Column<Event>[] {
  return [
    {
      key: 'what',
      title: t('activity.column.what'),
      wide: 'most',
      cell: (event) => (
        <span className={`block py-4 break white-space-normal ${classes.what}`}>
          <EventSentence event={event} projectId={projectId} />
          <span className="block smaller soft narrow-only">{who(event)}</span>
        </span>
      ),
    },
    { key: 'who', title: t('activity.column.who'), from: 'small', cell: who },
    ...(projectId === undefined
      ? [
          {
            key: 'project',
            title: t('activity.column.project'),
            from: 'medium' as const,
            cell: project,
          },
        ]
      : []),
    {
      key: 'via',
      title: t('activity.column.via'),
      from: 'medium',
      cell: ({ via }) => t(`activity.via.${via}`),
    },
    // The server returns IP addresses only to users who may see them.
    ...(events.some(({ ip }) => ip !== null)
      ? [
          {
            key: 'ip',
            title: t('activity.column.ip'),
            from: 'large' as const,
            cell: ({ ip }: Event) => (ip ? <code>{ip}</code> : '—'),
          },
        ]
      : []),
    {
      key: 'when',
      title: t('activity.column.when'),
      align: 'end',
      cell: ({ created }) => <TimeAgo time={created} />,
    },
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
