// The supervisors of a run, one for each step. The kernel takes as long to move one into its control group as git takes
// to fetch the files, so the first one starts during the preparation.

import { startSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import type { Execution } from '../execution/execution.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import { unheldLimits } from '../programs/control-group.ts';
import {
  limitNames,
  limitWords,
  lowerOf,
  noLimits,
  type HeldLimits,
  type LimitName,
  type TaskLimits,
} from '../programs/task-limits.ts';

interface LimitedSupervisor extends Supervisor {
  /** The lines of the log about the limits of the program. */
  limitLines: string[];
  /** The command that has started its shell; null: its own. */
  relay: string | null;
}

type StartedElsewhere = Pick<Execution, 'relayFor' | 'supervisorFor' | 'limitLines'>;

export type Supervisors = ReturnType<typeof createSupervisors>;

export function createSupervisors(run: Limited) {
  let first: Promise<LimitedSupervisor> | null = null;
  const start = async (
    workspace: Workspace,
    step: number,
    execution: StartedElsewhere | null = null,
  ): Promise<LimitedSupervisor> => {
    if (execution?.limitLines) {
      // The engine of containers or the cluster holds the limits.
      const started = await startSupervisor(workspace, step, noLimits, execution);
      const relay = execution.relayFor && JSON.stringify(execution.relayFor(started.folder));
      return { ...started, relay, limitLines: execution.limitLines };
    }
    const { held, lines: limitLines } = heldLimits(run);
    return { ...(await startSupervisor(workspace, step, held)), relay: null, limitLines };
  };
  /** Ends a started supervisor that no step uses. */
  const dismiss = async (): Promise<void> => {
    const started = first;
    first = null;
    (await started?.catch(() => null))?.dismiss();
  };
  return {
    dismiss,
    startFirst(workspace: Workspace, execution: StartedElsewhere | null = null): void {
      first = start(workspace, 1, execution);
      // The first step handles the error.
      first.catch(() => undefined);
    },
    /** Returns the supervisor of a step, started now or before. */
    async of(
      workspace: Workspace,
      step: number,
      execution: StartedElsewhere,
    ): Promise<LimitedSupervisor> {
      const waiting = step === 1 ? await first : null;
      // Its container lacks files that the step turned out to need.
      const isOther =
        waiting?.relay && JSON.stringify(execution.relayFor?.(waiting.folder)) !== waiting.relay;
      if (waiting && !isOther) {
        first = null;
        return waiting;
      }
      void dismiss();
      return start(workspace, step, execution);
    },
  };
}

// The limits of a task on this machine: the lower ones of its template and of the administrator.

interface Limited {
  ctx: Pick<RunContext, 'config'>;
  task: Pick<RunnerTask, 'snapshot'>;
}

export function limitsOf({ ctx, task: { snapshot } }: Limited): TaskLimits {
  const { executionEnvironment: own } = snapshot;
  const ofEnvironment = own && {
    memoryMib: own.memory_limit_mib,
    cpuPercent: own.cpu_limit_percent,
    processes: own.process_limit,
  };
  const asked = lowerOf(snapshot.limits ?? noLimits, ofEnvironment ?? noLimits);
  return lowerOf(asked, ctx.config.taskLimits);
}

/**
 * The limits that this machine can enforce, or those of `able`. Throws if one cannot be enforced although the
 * administrator requires it.
 */
export function heldLimits(run: Limited, able: LimitName[] | null = null): HeldLimits {
  const limits = limitsOf(run);
  const unheld = able
    ? limitNames(limits).filter((name) => !able.includes(name))
    : unheldLimits(limits);
  const held = { ...limits };
  for (const name of unheld) held[name] = 0;
  const missing = limitWords({
    ...noLimits,
    ...Object.fromEntries(unheld.map((name) => [name, limits[name]])),
  });
  if (missing !== '' && run.ctx.config.requireTaskLimits) throw new Error(unheldWords(missing));
  const words = limitWords(held);
  const lines = words === '' ? [] : [`Limits of this task: ${words}.`];
  return { held, lines: missing === '' ? lines : [...lines, unheldWords(missing)] };
}

const unheldWords = (missing: string): string =>
  `This server cannot hold limits of this task (${missing}): it needs control groups of version 2 that systemd hands to it (Delegate and DelegateSubgroup of its unit).`;
