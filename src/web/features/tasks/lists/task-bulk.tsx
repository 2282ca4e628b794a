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

export const stopAction = (
  stop: (ids: number[]) => Promise<BulkResult[]>,
): BulkAction<{ status: TaskStatus }> => ({
  key: 'stop',
  label: (count) => t('task.bulk.stop', { count }),
  icon: <IconPlayerStop {...icon} />,
  text: t('task.bulk.stop_text'),
  isDangerous: true,
  appliesTo: ({ status }) => !isFinished(status) && status !== 'stopping',
  call: stop,
});

const restartAction = (projectId: number): BulkAction<{ status: TaskStatus }> => ({
  key: 'restart',
  label: (count) => t('task.bulk.restart', { count }),
  icon: <IconRepeat {...icon} />,
  text: t('task.bulk.restart_text'),
  appliesTo: ({ status }) => isFinished(status),
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
  const actions = [
    ...(may('task.stop') ? [stopAction((ids) => callBulk(projectId, 'stop', ids))] : []),
    ...(may('task.restart') ? [restartAction(projectId)] : []),
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
