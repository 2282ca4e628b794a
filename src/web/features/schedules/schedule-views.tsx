import { t } from '../../lib/i18n.ts';
import { Segments } from '../../ui/page/segments.tsx';

type View = 'list' | 'week';

export function ScheduleViews({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <Segments<View>
      aria-label={t('schedule.calendar.view')}
      value={view}
      onChange={onView}
      data={[
        { value: 'list', label: t('schedule.calendar.list') },
        { value: 'week', label: t('schedule.calendar.week') },
      ]}
    />
  );
}
