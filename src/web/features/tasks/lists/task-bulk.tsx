// The actions with the selected tasks of a list.

import { IconPlayerStop, IconRepeat } from '@tabler/icons-react';
import type { BulkResult } from '#shared/api/bulk.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import type { BulkAction } from '../../../resources/bulk-action.ts';
import { BulkBar, BulkFailureDialog, useBulk } from '../../../resources/bulk-bar.tsx';
import type { May } from '../../../lib/roles/may.ts';
import type { ListSelection } from '../../../ui/lists/use-selection.ts';

const icon = { size: 15 };

export const callBulk = (projectId: number, action: 'stop' | 'restart', ids: number[]) =>
  call(tasks.bulk, { params: { project_id: projectId }, body: { action, ids } });

/** `mayStop`: whether the user may stop a task; by default each. */
export const stopAction = <Row extends { status: TaskStatus }>(
  stop: (ids: number[]) => Promise<BulkResult[]>,
  mayStop: (row: Row) => boolean = () => true,
): BulkAction<Row> => ({
  key: 'stop',
  label: (count) => t('task.bulk.stop', { count }),
  icon: <IconPlayerStop {...icon} />,
  text: t('task.bulk.stop_text'),
  isDangerous: true,
  appliesTo: (row) => !isFinished(row.status) && row.status !== 'stopping' && mayStop(row),
  call: stop,
});

const restartAction = (
  projectId: number,
  mayRestart: (task: Task) => boolean,
): BulkAction<Task> => ({
  key: 'restart',
  label: (count) => t('task.bulk.restart', { count }),
  icon: <IconRepeat {...icon} />,
  text: t('task.bulk.restart_text'),
  appliesTo: (task) => isFinished(task.status) && mayRestart(task),
  call: (ids) => callBulk(projectId, 'restart', ids),
});

/**
 * The selection in a list of tasks of a project, for users who may do something with it, and its
 * dialog, which is mounted beside the list.
 */
export function useTaskSelection(projectId: number, may: May) {
  const bulk = useBulk({
    idOf: ({ id }: Task) => id,
    refresh: [tasks.list, tasks.count, tasks.lastOfTemplate],
  });
  const mayTask = (right: 'task.stop' | 'task.restart') => (task: Task) =>
    may(right, { type: 'template', id: task.template_id });
  const actions = [
    ...(may('task.stop', 'somewhere')
      ? [stopAction((ids) => callBulk(projectId, 'stop', ids), mayTask('task.stop'))]
      : []),
    ...(may('task.restart', 'somewhere')
      ? [restartAction(projectId, mayTask('task.restart'))]
      : []),
  ];
  const selection: ListSelection<Task> = {
    isSelectable: () => true,
    nameOf: ({ id, tpl_alias: name }) => `#${id} ${name}`,
    renderBar: (selected) => <BulkBar {...{ bulk, selection: selected, actions }} />,
  };
  return {
    selection: actions.length > 0 ? selection : undefined,
    dialog: <BulkFailureDialog bulk={bulk} />,
  };
}
