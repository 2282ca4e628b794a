// What launch options refer to.

import type { TaskParams } from '#shared/launch.ts';
import { hasExecutionEnvironment } from '../../../resources/execution-environments/execution-environments.ts';
import { hasInventory } from '../../../resources/inventories/inventories.ts';
import type { checkReferences } from '../../../resources/resource.ts';

type References = Parameters<typeof checkReferences>[2];
type Referring = Pick<TaskParams, 'inventory_id' | 'execution_environment_id'>;

/** For `checkReferences`, with the paths of the fields in the options of a launch. */
export const launchReferences = (
  { inventory_id: inventory, execution_environment_id: environment }: Referring,
  at = '',
): References => ({
  [`${at}inventory_id`]: [inventory, hasInventory],
  [`${at}execution_environment_id`]: [environment, hasExecutionEnvironment],
});

/** The same for the stored options of a schedule or an integration. */
export const paramsReferences = (params: TaskParams | null | undefined): References =>
  params ? launchReferences(params, 'task_params.') : {};
