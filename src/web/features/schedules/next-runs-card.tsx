import { useQuery } from '@tanstack/react-query';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import { RankCard } from '../../ui/page/rank-card.tsx';
import { scheduleQueries } from './schedules.queries.ts';
import { ScheduleTarget } from './target-link.tsx';

const MAX_RUNS = 5;

export function NextRunsCard({ projectId, limit }: { projectId: number; limit: number }) {
  const { data, error, refetch } = useQuery(scheduleQueries.dueNext(projectId, MAX_RUNS));
  const due = data?.flatMap((schedule) =>
    schedule.next_due === null ? [] : [{ ...schedule, next_due: schedule.next_due }],
  );
  return (
    <RankCard
      title={t('stats.next')}
      limit={limit}
      empty={t('stats.nothing_next')}
      failure={error && !data && <QueryFailure error={error} refetch={refetch} />}
      entries={due?.map((schedule) => ({
        key: schedule.id,
        value: <TimeAhead time={schedule.next_due} />,
        name: (
          <span className="flex baseline gap-8 min-w-0 grow first-line">
            <ScheduleTarget schedule={schedule} />
            {schedule.name && <span className="soft">{schedule.name}</span>}
          </span>
        ),
      }))}
    />
  );
}
