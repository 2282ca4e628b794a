// The supervisors of a run, one for each step. The kernel takes as long to move one into its control group as git takes
// to fetch the files, so the first one starts during the preparation.

import { startSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { heldLimits, type Limited } from './held-limits.ts';

interface LimitedSupervisor extends Supervisor {
  /** The lines of the log about the limits of the program. */
  limitLines: string[];
}

export interface Supervisors {
  startFirst: (workspace: Workspace) => void;
  /** Returns the supervisor of a step, started now or before. */
  of: (workspace: Workspace, step: number) => Promise<LimitedSupervisor>;
  /** Ends a started supervisor that no step uses. */
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
      // The first step handles the error.
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
