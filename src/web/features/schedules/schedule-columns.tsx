import type { ReactNode } from 'react';
import type { Schedule } from '#shared/api/schedules.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { FireChip } from './fire-result.tsx';
import { TargetLink } from './target-link.tsx';
import { timingWords } from './timing-words.ts';

interface Cells {
  mayManage: boolean;
  /** Describes a cron expression; returns '' while the library is loaded. */
  sentenceOf: (cron: string) => string;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

export const scheduleColumns = ({ mayManage, ...links }: Cells): Column<Schedule>[] => [
  {
    key: 'starts',
    title: t('starts.label'),
    from: 'medium',
    sortBy: ({ tpl_name, workflow_name }) => tpl_name ?? workflow_name ?? '',
    cell: (schedule) => <TargetLink schedule={schedule} />,
  },
  {
    key: 'cron',
    title: t('schedule.cron'),
    from: 'small',
    cell: (schedule) => {
      const words = timingWords(schedule, links.sentenceOf);
      return (
        <span className="column min-w-0" style={{ lineHeight: 1.35 }}>
          {schedule.cron_format && <code>{schedule.cron_format}</code>}
          <span className="smaller soft cut" title={words}>
            {words}
          </span>
        </span>
      );
    },
  },
  {
    key: 'zone',
    title: t('schedule.time_zone'),
    from: 'large',
    sortBy: ({ time_zone }) => time_zone,
    cell: ({ time_zone }) => time_zone,
  },
  {
    key: 'next',
    title: t('schedule.next'),
    from: 'small',
    sortBy: ({ next_due }) => next_due ?? '~',
    cell: ({ next_due }) => (next_due === null ? '—' : <TimeAhead time={next_due} />),
  },
  {
    key: 'last',
    title: t('schedule.last'),
    from: 'medium',
    cell: ({ last_fire: fire }) =>
      fire === null ? (
        '—'
      ) : (
        <span className="inline-flex items-center gap-8">
          <FireChip result={fire.result} />
          {fire.task_id !== null && links.renderTask(fire.task_id)}
          {fire.workflow_run_id !== null && links.renderRun(fire.workflow_run_id)}
        </span>
      ),
  },
  {
    key: 'active',
    title: t('schedule.active'),
    sortBy: ({ active }) => (active ? 0 : 1),
    cell: (schedule) => (mayManage ? <ActiveSwitch schedule={schedule} /> : activeWords(schedule)),
  },
];

export const activeWords = ({ active }: Schedule): string =>
  t(active ? 'schedule.on' : 'schedule.off');
