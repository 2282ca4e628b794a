import type { ReactNode } from 'react';
import { taskStatuses } from '#shared/task-status.ts';
import { languageTag, t, timeTag } from '../lib/i18n.ts';
import { duration, relativeTime } from '../lib/time.ts';
import { roomForChips } from '../ui/lists/column-room.ts';
import type { Column } from '../ui/lists/data-table.tsx';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Room for any relative time, past or ahead, within a year. */
export function roomForTimes(): readonly string[] {
  const now = Date.now();
  const distances = [59 * minute, 23 * hour, 2 * day, 29 * day];
  return distances
    .flatMap((distance) => [now - distance, now + distance])
    .map((time) => relativeTime(new Date(time).toISOString(), now, timeTag()));
}

/** Room for any duration of less than a hundred days. */
export const roomForDurations = (): readonly string[] =>
  [99 * day + 23 * hour, 23 * hour + 59 * minute, 59 * minute + 59_000].map((length) =>
    duration(new Date(0).toISOString(), length, languageTag),
  );

/** Room for the status of a task or of a run of a workflow. */
export const roomForStatuses = (): readonly string[] => [
  ...roomForChips(taskStatuses.map((status) => t(`task.status.${status}`))),
  t('task.not_launched'),
];

type Options<Row> = Omit<Column<Row>, 'key' | 'title' | 'hiddenTitle' | 'cell'>;

/** A column of a table; without options, every table shows it in its natural width. */
export const column = <Row>(
  key: string,
  title: string,
  options: Options<Row>,
  cell: Column<Row>['cell'],
): Column<Row> => ({ key, title, ...options, cell });

/** A column of texts, by which the list sorts. */
export const sortedColumn = <Row>(
  key: string,
  title: string,
  options: Options<Row>,
  textOf: (row: Row) => string,
): Column<Row> => ({ key, title, ...options, sortBy: textOf, cell: textOf });

/** The buttons of a row. */
export const actionsColumn = <Row>(cell: Column<Row>['cell']): Column<Row> => ({
  key: 'actions',
  title: '',
  hiddenTitle: t('common.actions'),
  align: 'end',
  cell,
});

/** The parts that the features of tasks and workflows own. */
export interface LaunchLinks {
  renderTask: (taskId: number) => ReactNode;
  renderRun: (runId: number) => ReactNode;
}

interface Launch {
  task_id: number | null;
  workflow_run_id: number | null;
}

/** The task or the run that a schedule or an integration launched. */
export const launchedColumn = <Row extends Launch>(
  { renderTask, renderRun }: LaunchLinks,
  options: Options<Row>,
): Column<Row> =>
  column('launched', t('starts.launched'), options, ({ task_id: task, workflow_run_id: run }) =>
    task !== null ? renderTask(task) : run !== null ? renderRun(run) : '—',
  );
