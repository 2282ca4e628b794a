// The execution environment of the kind `pod`, for the side-car: the programs of the main container.

import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { Execution } from '../execution/execution.ts';
import type { HeldLimits, LimitName } from '../programs/task-limits.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { notePod, runInMain, supervisorIn, untilMainIsReady } from './main-container.ts';

export interface PodRequest {
  /** By which the main container is reached. */
  folder: string;
  execution: ExecutionSnapshot;
  /** The limits of the task, by those that the cluster can hold; throws if it has to hold more. */
  holdLimits: (able: LimitName[]) => HeldLimits;
  workspace: Workspace;
  signal: AbortSignal;
}

/** The limits that a pod can have. */
export const podLimits: LimitName[] = ['memoryMib', 'cpuPercent'];

/** Settles when the main container runs. */
export async function openPod(request: PodRequest): Promise<Execution> {
  const { folder, execution, workspace, signal } = request;
  const { lines: limitLines } = request.holdLimits(podLimits);
  const main = await untilMainIsReady(folder, signal);
  await notePod(workspace.dir, main);
  const { mark, dir } = workspace;
  return {
    path: main.path,
    identity: `${execution.image} `,
    isContainer: true,
    limitLines,
    share: () => undefined,
    run: (command, stop, onError) => runInMain(main, { ...command, mark, dir }, stop, onError),
    relayFor: null,
    supervisorFor: (step) => supervisorIn(main, { step, mark }),
    // Only the cluster knows its digest: the side-car adds it to what the run reports.
    image: null,
  };
}
