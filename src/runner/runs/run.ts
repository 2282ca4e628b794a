// A run in progress.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { RunKeys } from '../api/run-secrets.ts';
import type { Mask, PartMask } from '../log/mask.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { Background } from './background.ts';
import type { TaskControl } from './control.ts';
import type { Execution } from '../execution/execution.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Supervisors } from './supervisors.ts';

export interface Run {
  ctx: RunContext;
  task: RunnerTask;
  keys: RunKeys;
  /** The texts that the mask replaces. */
  secrets: string[];
  mask: Mask;
  maskPart: PartMask;
  maskTail: PartMask;
  /** Adds to `secrets`. */
  hide: (secrets: string[]) => void;
  log: TaskLog;
  control: TaskControl;
  background: Background;
  supervisors: Supervisors;
  place: Promise<RunWorkspace>;
}

/** A run whose keys need not be open yet. */
export type PlacedRun = Pick<Run, 'ctx' | 'task' | 'control' | 'supervisors'>;

export interface RunWorkspace {
  workspace: Workspace;
  /** Whether an earlier runner, or this one before a confirmation, has made it. */
  isLeft: boolean;
  /** The container of the first step, if it starts already. */
  execution: Execution | null;
}
