import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../lib/i18n.ts';
import { TimeAhead } from '../../../lib/time-text.tsx';
import { scheduleQueries } from '../../schedules/schedules.queries.ts';
import classes from './template-page.module.css';

/** The schedules of the template, each with its next time; nothing where there is none. */
export function ScheduleFact({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { t } = useTranslation();
  const { data } = useQuery(scheduleQueries.ofTemplate(projectId, templateId));
  const { data: sentence } = useQuery({
    ...scheduleQueries.sentence(),
    enabled: (data?.length ?? 0) > 0,
  });
  if (!data || data.length === 0) return null;
  return (
    <div className={classes.fact} data-wide>
      <dt>{t('template.form.schedule')}</dt>
      {data.map(({ id, name, cron_format: cron, time_zone: zone, active, next_due: next }) => (
        <dd key={id}>
          {name && `${name}: `}
          <code>{cron}</code> · {sentence?.(cron) ?? cron} · {zone} ·{' '}
          {active && next ? <TimeAhead time={next} /> : t('schedule.off')}
        </dd>
      ))}
    </div>
  );
}
