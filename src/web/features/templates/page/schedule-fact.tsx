import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { TimeAhead } from '../../../lib/time-text.tsx';
import { scheduleQueries } from '../../schedules/schedules.queries.ts';
import { Fact } from '../../../ui/page/facts.tsx';

/** The schedules of the template with their next due times; null if it has none. */
export function ScheduleFact({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data } = useQuery(scheduleQueries.ofTemplate(projectId, templateId));
  const { data: sentence } = useQuery({
    ...scheduleQueries.sentence(),
    enabled: (data?.length ?? 0) > 0,
  });
  if (!data || data.length === 0) return null;
  return (
    <Fact name={t('template.form.schedule')} wide>
      {data.map(({ id, name, cron_format: cron, time_zone: zone, active, next_due: next }) => (
        <div key={id}>
          {name && `${name}: `}
          <code>{cron}</code> · {sentence?.(cron) ?? cron} · {zone} ·{' '}
          {active && next ? <TimeAhead time={next} /> : t('schedule.off')}
        </div>
      ))}
    </Fact>
  );
}
