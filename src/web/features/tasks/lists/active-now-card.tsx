import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Task } from '#shared/api/tasks.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { t } from '../../../lib/i18n.ts';
import { Duration } from '../../../lib/time-text.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/page/card.tsx';
import classes from './active-now-card.module.css';
import { TaskLink, TaskTemplateLink } from '../task-link.tsx';
import { TaskStatusChip } from '../task-status-chip.tsx';
import { taskQueries, unfinishedLimit } from '../tasks.queries.ts';
import { WaitingReason } from '../waiting-reason.tsx';

const shown = 2;

export function ActiveNowCard({ projectId }: { projectId: number }) {
  const { data, error, refetch } = useQuery(taskQueries.unfinished(projectId));
  const waiting = data?.filter(({ status }) => status === 'waiting').length ?? 0;
  const active = (data?.length ?? 0) - waiting;
  return (
    <Card
      title={t('stats.now')}
      note={active + waiting > 0 && t('stats.now_note', { active, waiting })}
    >
      {error && !data && <QueryFailure error={error} refetch={refetch} />}
      {!data && !error && <Skeleton width="70%" />}
      {data?.length === 0 && <p className="soft">{t('stats.nothing_now')}</p>}
      {data && data.length > 0 && <Tasks projectId={projectId} tasks={data} />}
    </Card>
  );
}

function Tasks({ projectId, tasks }: { projectId: number; tasks: Task[] }) {
  const more = tasks.length - shown;
  return (
    <>
      <ul className={`column ${classes.list}`}>
        {tasks
          .toSorted(byStatus)
          .slice(0, shown)
          .map((task) => (
            <li key={task.id} className="row wrap py-4" style={{ columnGap: 12 }}>
              <Row task={task} />
            </li>
          ))}
      </ul>
      {more > 0 && (
        <Link
          to="/project/$projectId/history"
          params={{ projectId }}
          search={{ status: 'unfinished' }}
          className="inline-block small"
          style={{ marginTop: 6 }}
        >
          {tasks.length === unfinishedLimit
            ? t('stats.many_more')
            : t('stats.more', { count: more })}
        </Link>
      )}
    </>
  );
}

/** Running tasks first, then those that wait for a confirmation, then the queue. */
function byStatus(one: Task, other: Task): number {
  return placeOf(one) - placeOf(other) || one.id - other.id;
}

function placeOf({ status }: Task): number {
  if (status === 'waiting') return 2;
  return status === 'waiting_confirmation' ? 0 : 1;
}

function Row({ task }: { task: Task }) {
  return (
    <>
      <span className="flex baseline gap-8 min-w-0" style={{ flex: '1 1 150px' }}>
        <TaskLink id={task.id} />
        <TaskTemplateLink task={task} />
        {task.start !== null && (
          <span className="flex-none small soft">
            <Duration start={task.start} end={task.end} />
          </span>
        )}
      </span>
      <TaskStatusChip task={task} />
      {task.status === 'waiting' && (
        <span className="small" style={{ flex: '1 0 100%' }}>
          <WaitingReason task={task} />
        </span>
      )}
    </>
  );
}
