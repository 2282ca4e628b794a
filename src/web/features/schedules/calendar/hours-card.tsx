import { IconX } from '@tabler/icons-react';
import { t, timeTag } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Card } from '../../../ui/page/card.tsx';
import type { HourRange } from './calendar-address.ts';
import { type CalendarColumn, runningIn } from './calendar-model.ts';
import { CalendarTable, type TableProps } from './calendar-table.tsx';
import { clock, longDay } from './calendar-week.ts';

interface Props extends Omit<TableProps, 'columns' | 'label'> {
  column: CalendarColumn;
  range: HourRange;
  onClose: () => void;
}

/** What runs in the hours that were chosen. */
export function HoursCard({ column, range: { from, to }, onClose, ...props }: Props) {
  const title = `${longDay(column.day, timeTag())}, ${clock(from * 60, timeTag())}–${clock((to % 24) * 60, timeTag())}`;
  const running = runningIn(column, from, to);
  const count = running.runs.length + running.bands.length;
  return (
    <div style={{ marginBottom: 12 }}>
      <Card
        title={title}
        note={t('schedule.calendar.runs', { count })}
        action={
          <IconButton label={t('common.close')} icon={<IconX size={16} />} onClick={onClose} />
        }
      >
        {count === 0 ? (
          <p className="small soft">{t('schedule.calendar.nothing_then')}</p>
        ) : (
          <CalendarTable {...props} label={title} columns={[{ ...column, ...running }]} />
        )}
      </Card>
    </div>
  );
}
