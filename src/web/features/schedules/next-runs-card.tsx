import { useQuery } from '@tanstack/react-query';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/page/card.tsx';
import { scheduleQueries } from './schedules.queries.ts';
import { ScheduleTarget } from './target-link.tsx';

const shown = 4;

export function NextRunsCard({ projectId }: { projectId: number }) {
  const { data, error, refetch } = useQuery(scheduleQueries.dueNext(projectId, shown));
  const due = data?.filter(({ next_due: time }) => time !== null);
  return (
    <Card title={t('stats.next')}>
      {error && !data && <QueryFailure error={error} refetch={refetch} />}
      {due?.length === 0 && <p className="soft">{t('stats.nothing_next')}</p>}
      {!data && !error && <Skeleton width="70%" />}
      <ul className="column gap-4">
        {due?.map((schedule) => (
          <li key={schedule.id} className="row gap-10" style={{ minHeight: 30 }}>
            <ScheduleTarget schedule={schedule} />
            {schedule.name && (
              <span className="soft cut small" style={{ flex: '0 1 auto' }}>
                {schedule.name}
              </span>
            )}
            <span className="flex-none ml-auto small">
              {schedule.next_due && <TimeAhead time={schedule.next_due} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
