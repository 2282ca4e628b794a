// The launch options of schedules and integrations: JSON, and what they refer to as foreign keys.

import { fullTaskParams, type TaskParams } from '#shared/launch.ts';

type ReferenceColumns = Pick<TaskParams, 'inventory_id' | 'execution_environment_id'>;

export interface TaskParamsColumns extends ReferenceColumns {
  /** Null without options. */
  task_params: Omit<TaskParams, keyof ReferenceColumns> | null;
}

/** Separates the columns of task params from those of the rest of a row. */
export function splitTaskParams<Row extends TaskParamsColumns>({
  task_params,
  inventory_id,
  execution_environment_id,
  ...rest
}: Row): Omit<Row, keyof TaskParamsColumns> & { task_params: TaskParams | null } {
  const columns = { task_params, inventory_id, execution_environment_id };
  return { ...rest, task_params: toTaskParams(columns) };
}

export const toTaskParams = ({
  task_params,
  inventory_id,
  execution_environment_id,
}: TaskParamsColumns): TaskParams | null =>
  task_params && fullTaskParams({ ...task_params, inventory_id, execution_environment_id });

export function fromTaskParams(params: TaskParams | null): TaskParamsColumns {
  if (!params) return { task_params: null, inventory_id: null, execution_environment_id: null };
  const { inventory_id, execution_environment_id, ...task_params } = params;
  return { task_params, inventory_id, execution_environment_id };
}
