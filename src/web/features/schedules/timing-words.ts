import type { TFunction } from 'i18next';
import type { Schedule } from '#shared/api/schedules.ts';
import { languageTag } from '../../lib/i18n.ts';

type Timing = Pick<Schedule, 'cron_format' | 'run_at' | 'time_zone'>;

/** When a schedule is due, in words; empty while the library that describes cron texts is loaded. */
export function timingWords(
  t: TFunction,
  { cron_format, run_at, time_zone: timeZone }: Timing,
  sentenceOf: (cron: string) => string | null | undefined,
): string {
  if (run_at === null) return sentenceOf(cron_format) ?? '';
  const format = new Intl.DateTimeFormat(languageTag, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return t('schedule.once', { time: format.format(Date.parse(run_at)) });
}
