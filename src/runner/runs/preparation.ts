// What the steps of a run get: how they prepare themselves, and with which programs they run.

import { openTaskContainer } from './open-container.ts';
import { ExecutionFailed } from '../execution/execution-failed.ts';
import { openPod } from '../pods/open-pod.ts';
import type { LimitName } from '../programs/task-limits.ts';
import { heldLimits } from './supervisors.ts';
import { serverExecution, type Execution } from '../execution/execution.ts';
import type { FilePreparation, Preparation } from '../prepare/prepare.ts';
import { splitEnvironmentAnswers } from '../prepare/variables.ts';
import { openTools } from '../tools/open-tools.ts';
import { keepKnown } from '../workspace/known-secrets.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Run } from './run.ts';

/** A run whose files and programs are there. */
export interface OpenedRun {
  run: Run;
  workspace: Workspace;
  execution: Execution;
}

export const preparationOf = ({ run, workspace, execution }: OpenedRun): Preparation => ({
  ...filePreparationOf(run, workspace),
  execution,
});

export function filePreparationOf(run: Run, workspace: Workspace): FilePreparation {
  const { ctx, log, control } = run;
  const say = (line: string): Promise<void> => log.say(line.split('\n'));
  const hide = async (found: string[]): Promise<void> => {
    run.hide(found);
    await keepKnown(workspace, run.secrets);
  };
  return {
    ctx,
    ...splitEnvironmentAnswers(run.task, run.keys),
    workspace,
    signal: control.signal,
    say,
    sayAll: log.say,
    hide,
    inBackground: run.background.inBackground,
  };
}

/** Makes the programs of the task's execution environment available. Throws `ExecutionFailed`. */
export async function openExecution(run: Run, workspace: Workspace): Promise<Execution> {
  const chosen = run.task.snapshot.executionEnvironment;
  if (!chosen || chosen.kind === 'server') return serverExecution(run.ctx.config);
  // A later server may know more kinds.
  const kind: string = chosen.kind;
  if (kind === 'tools') return openTools(filePreparationOf(run, workspace), chosen);
  if (kind === 'container') return openTaskContainer(run, workspace, chosen);
  const folder = run.ctx.config.podFolder;
  if (kind === 'pod' && folder !== null) {
    const holdLimits = (able: LimitName[]) => heldLimits(run, able);
    return openPod({
      folder,
      execution: chosen,
      holdLimits,
      workspace,
      signal: run.control.signal,
    });
  }
  throw new ExecutionFailed('failure.execution_kind', { name: chosen.name, kind });
}
