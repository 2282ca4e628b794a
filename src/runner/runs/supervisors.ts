// The supervisors of a run, one for each step. The kernel takes as long to put one into its control
// group as git takes to fetch the files, so the first one starts beside the preparation.

import { startSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { heldLimits, type Limited } from './held-limits.ts';

interface LimitedSupervisor extends Supervisor {
  /** The lines of the log about the limits of its program. */
  limitLines: string[];
}

export interface Supervisors {
  /** Starts the supervisor of the first step. */
  startFirst: (workspace: Workspace) => void;
  /** The supervisor of a step. Throws if it cannot be started. */
  of: (workspace: Workspace, step: number) => Promise<LimitedSupervisor>;
  /** Ends a supervisor that no step has taken, also one that is just being started. */
  dismiss: () => Promise<void>;
}

export function createSupervisors(run: Limited): Supervisors {
  let first: Promise<LimitedSupervisor> | null = null;
  const start = async (workspace: Workspace, step: number): Promise<LimitedSupervisor> => {
    const { held, lines: limitLines } = heldLimits(run);
    return { ...(await startSupervisor(workspace, step, held)), limitLines };
  };
  const dismiss = async (): Promise<void> => {
    const started = first;
    first = null;
    (await started?.catch(() => null))?.dismiss();
  };
  return {
    dismiss,
    startFirst(workspace) {
      first = start(workspace, 1);
      // The first step hears of a failure.
      first.catch(() => undefined);
    },
    of(workspace, step) {
      const waiting = step === 1 ? first : null;
      if (waiting) first = null;
      else void dismiss();
      return waiting ?? start(workspace, step);
    },
  };
}
