import { t } from '../../../lib/i18n.ts';
import classes from './calendar.module.css';
import type { CalendarRun } from './calendar-model.ts';

type Result = CalendarRun['result'];

// Each result has a sign, so that its colour is not the only difference.
export const signs: Record<Result, string> = {
  due: '',
  success: '✓',
  failed: '×',
  missed: '!',
  skipped: '–',
  stopped: '■',
  running: '▸',
  started: '·',
};

export function resultWords(result: Result): string {
  switch (result) {
    case 'due':
      return t('schedule.due');
    case 'success':
    case 'stopped':
    case 'running':
      return t(`task.status.${result}`);
    case 'failed':
    case 'missed':
    case 'skipped':
    case 'started':
      return t(`schedule.result.${result}`);
  }
}

const inLegend: Result[] = ['due', 'success', 'failed', 'missed', 'skipped'];

export function Legend() {
  return (
    <ul className={`flex wrap smaller soft gap-4-16 ${classes.legend}`}>
      {inLegend.map((result) => (
        <li key={result} className="row gap-6">
          <span className={classes.sample} data-result={result} aria-hidden="true">
            {signs[result]}
          </span>
          {resultWords(result)}
        </li>
      ))}
      <li className="row gap-6">
        <span className={classes.loadSample} aria-hidden="true" />
        {t('schedule.calendar.load')}
      </li>
    </ul>
  );
}
