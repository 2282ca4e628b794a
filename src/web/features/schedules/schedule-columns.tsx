import { Link } from '@tanstack/react-router';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { Schedule } from '#shared/api/schedules.ts';
import { TimeAhead } from '../../lib/time-text.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { RowActions } from '../../ui/lists/row-actions.tsx';
import { ActiveSwitch } from './active-switch.tsx';
import { FireChip } from './fire-result.tsx';
import { nameOf } from './schedule-name.ts';
import { TargetLink } from './target-link.tsx';
import { timingWords } from './timing-words.ts';

interface Cells {
  t: TFunction;
  mayManage: boolean;
  /** Describes a cron expression; empty while the library is loaded. */
  sentenceOf: (cron: string) => string;
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
  onEdit: (id: number) => void;
  onDelete: (schedule: Schedule) => void;
}

export function scheduleColumns(cells: Cells): Column<Schedule>[] {
  const { t, mayManage, sentenceOf, renderTask, renderRun } = cells;
  const list: Column<Schedule>[] = [
    { key: 'name', title: t('common.name'), wide: true, sortBy: nameOf, cell: nameCell },
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
        const words = timingWords(t, schedule, sentenceOf);
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
      // A narrow window is left to the names.
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
            {fire.task_id !== null && renderTask(fire.task_id)}
            {fire.workflow_run_id !== null && renderRun(fire.workflow_run_id)}
          </span>
        ),
    },
    {
      key: 'active',
      title: t('schedule.active'),
      sortBy: ({ active }) => (active ? 0 : 1),
      cell: (schedule) =>
        mayManage ? <ActiveSwitch schedule={schedule} /> : activeWords(t, schedule),
    },
  ];
  return mayManage ? [...list, actions(cells)] : list;
}

const activeWords = (t: TFunction, { active }: Schedule): string =>
  active ? t('schedule.on') : t('schedule.off');

const nameCell = (schedule: Schedule) => (
  <Link
    to="/project/$projectId/schedules/$scheduleId"
    params={{ projectId: schedule.project_id, scheduleId: schedule.id }}
    className="weight-550 color-text"
    title={nameOf(schedule)}
  >
    {nameOf(schedule)}
  </Link>
);

const actions = ({ t, onEdit, onDelete }: Cells): Column<Schedule> => ({
  key: 'actions',
  title: '',
  hiddenTitle: t('common.actions'),
  align: 'end',
  cell: (schedule) => (
    <RowActions>
      <IconButton
        label={t('common.edit_label', { name: nameOf(schedule) })}
        hint={t('common.edit')}
        icon={<IconPencil size={16} />}
        onClick={() => onEdit(schedule.id)}
      />
      <IconButton
        label={t('common.delete_label', { name: nameOf(schedule) })}
        hint={t('common.delete')}
        icon={<IconTrash size={16} />}
        onClick={() => onDelete(schedule)}
      />
    </RowActions>
  ),
});
