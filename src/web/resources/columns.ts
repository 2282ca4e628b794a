import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import type { Column } from '../ui/lists/data-table.tsx';

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
