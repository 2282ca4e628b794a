// Gives a run the container of its execution environment, and says how that has failed.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionSnapshot } from '#shared/api/execution-environments.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import { openContainer, openKnownContainer } from '../containers/container.ts';
import type { Execution } from '../execution/execution.ts';
import { mirrorName } from '../git/mirror-name.ts';
import { mirrorsOf } from '../git/mirror.ts';
import type { ProgramResult } from '../supervisor/supervisor.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PlacedRun, Run } from './run.ts';
import { heldLimits } from './supervisors.ts';

export async function openTaskContainer(
  run: Run,
  workspace: Workspace,
  chosen: ExecutionSnapshot,
): Promise<Execution> {
  const { ctx, keys, log, control } = run;
  return openContainer({
    config: ctx.config,
    execution: chosen,
    login: keys.registry ?? { type: 'none' },
    holdLimits: (able) => heldLimits(run, able),
    workspace,
    signal: control.signal,
    say: log.say,
  });
}

/** Starts the container of the first step before the keys of the run are opened; null: its image may not be there. */
export async function startKnownContainer(
  run: PlacedRun,
  workspace: Workspace,
  chosen: ExecutionSnapshot,
): Promise<Execution | null> {
  const execution = await openKnownContainer({
    config: run.ctx.config,
    execution: chosen,
    holdLimits: (able) => heldLimits(run, able),
    workspace,
  });
  if (!execution) return null;
  await shareMirrors(run, execution);
  run.supervisors.startFirst(workspace, execution);
  return execution;
}

/** Records which image the programs of a run come from, beside its first program. */
export function recordImage({ ctx, task, background }: Run, { image: find }: Execution): void {
  if (!find) return;
  background.inBackground(async () => {
    await ctx.runnerApi.recordTools(task, { programs: [], requirements: [], image: await find() });
  });
}

/** Lets programs in a container see the mirrors whose objects the checkouts of the run borrow. */
export async function shareMirrors(
  { ctx, task }: Pick<PlacedRun, 'ctx' | 'task'>,
  { isContainer, share }: Execution,
): Promise<void> {
  if (!isContainer) return;
  const { repository, inventoryRepository } = task.snapshot;
  const repositories = [repository, ...(inventoryRepository ? [inventoryRepository] : [])];
  const owners = repositories.map(({ id, git_url: url }) => mirrorName({ repositoryId: id, url }));
  const folder = mirrorsOf(ctx.config);
  // Submodules have mirrors with the same beginning.
  const isOwn = (name: string): boolean => owners.some((owner) => name.startsWith(owner));
  const names = (await readdir(folder).catch(() => [])).filter(isOwn);
  for (const name of names) share(join(folder, name), 'read');
}

/** The exit codes of podman and docker when they cannot run the first program of a container. */
const notRunnable = [126, 127];

/** Why the program could not run or end in its container; null: it did both. */
export function containerFailure(
  { container, exitCode }: Pick<ProgramResult, 'container' | 'exitCode'>,
  { executionEnvironment, program }: Pick<TaskSnapshot, 'executionEnvironment' | 'program'>,
): Failure | null {
  const image = executionEnvironment?.image ?? '';
  if (!container) return null;
  if (container.how === 'ended') {
    const params = { image, program: program.path };
    return container.isMissing ? { code: 'failure.image_without_program', params } : null;
  }
  if (container.how === 'lost') return { code: 'failure.container_lost', params: {} };
  const isWithoutShell = notRunnable.includes(exitCode ?? 0);
  return isWithoutShell
    ? { code: 'failure.image_without_sh', params: { image } }
    : { code: 'failure.container_start', params: { image } };
}
