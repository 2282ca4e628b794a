// The launch options of schedules and integrations: JSON, and the inventory as a foreign key.

import { fullTaskParams, type TaskParams } from '#shared/launch.ts';

export interface TaskParamsColumns {
  /** Null without options. */
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
