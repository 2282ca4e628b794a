// The launch options that schedules and integrations give their tasks, in two columns: JSON, and the
// inventory in a column of its own, whose foreign key prevents the deletion of the inventory.

import { fullTaskParams, type TaskParams } from '#shared/launch.ts';

export interface TaskParamsColumns {
  /** Without the inventory; null for no options. */
  task_params: Omit<TaskParams, 'inventory_id'> | null;
  inventory_id: number | null;
}

export const toTaskParams = ({ task_params, inventory_id }: TaskParamsColumns): TaskParams | null =>
  task_params && fullTaskParams({ ...task_params, inventory_id });

export function fromTaskParams(params: TaskParams | null): TaskParamsColumns {
  if (!params) return { task_params: null, inventory_id: null };
  const { inventory_id, ...task_params } = params;
  return { task_params, inventory_id };
}
