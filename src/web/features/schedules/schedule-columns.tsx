import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  IconCalendarOff,
  IconCircleCheck,
  IconCircleX,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import { fireResults, type Fire, type FireResult, type Schedule } from '#shared/api/schedules.ts';
import { isKnown, t, timeTag } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { useOptimisticValue } from '../../lib/use-optimistic-value.ts';
import { Spinner } from '../../ui/feedback/chip.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import { column, type LaunchLinks, roomForTimes, sortedColumn } from '../../resources/columns.ts';
import { roomForCharacters, roomForChips } from '../../ui/lists/column-room.ts';
import { ScheduleTarget } from './target-link.tsx';
import { nameOf, switchSchedule } from './schedules.queries.ts';

interface Cells extends LaunchLinks {
  mayEdit: (schedule: Schedule) => boolean;
  /** Describes a cron expression; returns '' while the library is loaded. */
  sentenceOf: (cron: string) => string;
}

export const scheduleColumns = ({ mayEdit, ...links }: Cells): Column<Schedule>[] => [
  column(
    'starts',
    t('starts.label'),
    {
      from: 'medium',
      room: roomForCharacters(20),
      sortBy: ({ tpl_name, workflow_name }) => tpl_name ?? workflow_name ?? '',
    },
    (schedule) => <ScheduleTarget schedule={schedule} />,
  ),
  column('cron', t('schedule.cron'), { from: 'small', room: roomForCharacters(24) }, (schedule) => {
    const words = timingWords(schedule, links.sentenceOf);
    return (
      <span className="column min-w-0" style={{ lineHeight: 1.35 }}>
        {schedule.cron_format && <code>{schedule.cron_format}</code>}
        <span className="smaller soft cut" title={words}>
          {words}
        </span>
      </span>
    );
  }),
  sortedColumn(
    'zone',
    t('schedule.time_zone'),
    { from: 'large', room: roomForCharacters(16) },
    ({ time_zone }) => time_zone,
  ),
  column(
    'next',
    t('schedule.next'),
    { from: 'small', room: roomForTimes(), sortBy: ({ next_due }) => next_due ?? '~' },
    ({ next_due }) => (next_due === null ? '—' : <TimeAhead time={next_due} />),
  ),
  column(
    'last',
    t('schedule.last'),
    { from: 'medium', room: roomForLastFires() },
    ({ last_fire: fire }) =>
      fire === null ? (
        '—'
      ) : (
        <span className="inline-flex items-center gap-8">
          <FireChip result={fire.result} />
          {fire.task_id !== null && links.renderTask(fire.task_id)}
          {fire.workflow_run_id !== null && links.renderRun(fire.workflow_run_id)}
        </span>
      ),
  ),
  column('active', t('schedule.active'), { sortBy: ({ active }) => (active ? 0 : 1) }, (schedule) =>
    mayEdit(schedule) ? <ActiveSwitch schedule={schedule} /> : activeWords(schedule),
  ),
];

export const activeWords = ({ active }: Schedule): string =>
  t(active ? 'schedule.on' : 'schedule.off');

export function ActiveSwitch({ schedule }: { schedule: Schedule }) {
  const change = useMutation(switchSchedule());
  const { shown, ask, settle } = useOptimisticValue(schedule.active);
  const params = { project_id: schedule.project_id, schedule_id: schedule.id };
  const save = (active: boolean) => {
    ask(active);
    change.mutate({ params, body: { active } }, { onError: toastFailure, onSettled: settle });
  };
  return (
    <Switch
      size="sm"
      aria-label={t('schedule.active_label', { name: nameOf(schedule) })}
      checked={shown}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}

/** As wide as the number of any task. */
const wideId = 999_999;

/** Room for a result and the number of its task. */
const roomForLastFires = () =>
  roomForChips(fireResults.map((result) => `${t(`schedule.result.${result}`)} #${wideId}`));

const looks: ChipStyles<FireResult> = {
  checking: { tone: 'running', icon: <Spinner /> },
  started: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  skipped: { tone: 'neutral', icon: <IconPlayerSkipForward size={15} /> },
  missed: { tone: 'warning', icon: <IconCalendarOff size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

export function FireChip({ result }: { result: FireResult }) {
  return (
    <StateChip state={result} looks={looks} words={(known) => t(`schedule.result.${known}`)} />
  );
}

/**
 * Why a due time was skipped or failed, and how many due times the entry stands for; may be empty.
 */
export function fireReason({ result, reason, code, params, error, count }: Fire): string {
  if (reason !== null) return t(`schedule.skipped.${reason}`);
  if (code !== null && isKnown('errors', code)) return t(`errors.${code}`, { ...params });
  if (result === 'missed') return t('schedule.missed_times', { count });
  return error ?? '';
}

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
