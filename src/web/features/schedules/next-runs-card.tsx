import { useQuery } from '@tanstack/react-query';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/page/card.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import classes from './next-runs-card.module.css';
import { scheduleQueries } from './schedules.queries.ts';
import { TargetLink } from './target-link.tsx';

const shown = 4;

/** The next launches by schedules of the project. */
export function NextRunsCard({ projectId }: { projectId: number }) {
  const { data, error, refetch } = useQuery(scheduleQueries.dueNext(projectId, shown));
  const due = data?.filter(({ next_due: time }) => time !== null);
  return (
    <Card title={t('stats.next')}>
      {error && !data && <Failure message={errorWords(error)} onRetry={() => void refetch()} />}
      {due?.length === 0 && <p className="soft">{t('stats.nothing_next')}</p>}
      {!data && !error && <Skeleton width="70%" />}
      <ul className={classes.list}>
        {due?.map((schedule) => (
          <li key={schedule.id}>
            <TargetLink schedule={schedule} />
            {schedule.name && <span className={`soft cut ${classes.name}`}>{schedule.name}</span>}
            <span className={classes.time}>
              {schedule.next_due && <TimeAhead time={schedule.next_due} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
