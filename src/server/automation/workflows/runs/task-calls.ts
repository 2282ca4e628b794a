// What runs of workflows need of tasks, which are above them and pass these functions.

import type { NewTask } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import type { Extracted } from '../../tasks/launch/survey.ts';

/** What a launch has beside what people can set. */
export interface LaunchExtras {
  /** Values of variables that were taken from elsewhere, whose names an administrator chose. */
  extracted?: Extracted;
  /** Such values that are secret. */
  secrets?: Extracted;
  /** The run of a workflow, and the key of the node that the task is. */
  node?: { runId: number; key: string };
}

export type StartTask = (
  ctx: Context,
  projectId: number,
  launch: NewTask,
  extras?: LaunchExtras,
) => Promise<{ id: number }>;

export interface TaskCalls {
  start: StartTask;
  stop: (ctx: Context, projectId: number, id: number, force: boolean) => Promise<void>;
}
