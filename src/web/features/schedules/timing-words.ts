import type { Schedule } from '#shared/api/schedules.ts';
import { t, timeTag } from '../../lib/i18n.ts';

type Timing = Pick<Schedule, 'cron_format' | 'run_at' | 'time_zone'>;

/**
 * When a schedule is due, and in which zone; empty while the library that describes cron
 * expressions is loaded.
 */
export function timingWords(
  { cron_format, run_at, time_zone: timeZone }: Timing,
  sentenceOf: (cron: string) => string | null | undefined,
): string {
  const withZone = (words: string): string => `${words} · ${timeZone}`;
  if (run_at === null) {
    const sentence = sentenceOf(cron_format);
    return sentence ? withZone(sentence) : '';
  }
  const format = new Intl.DateTimeFormat(timeTag(), {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return withZone(t('schedule.once', { time: format.format(Date.parse(run_at)) }));
}
