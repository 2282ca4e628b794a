// The folders that keep the state of Terraform between two runs of a template.

import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import type { RunUser } from '../system/run-as.ts';
import type { Preparation } from '../prepare/prepare.ts';
import { giveFolder, isTaken } from '../workspace/run-users.ts';

/** The folder of all states; it has a folder for each project, and in it one for each template. */
export const statesOf = (config: RunnerConfig): string => join(config.dataDir, 'terraform');

/** The folder of a template's state. */
const stateOf = (config: RunnerConfig, task: { project_id: number; template_id: number }): string =>
  join(statesOf(config), String(task.project_id), String(task.template_id));

/** Gives the folder back to the runner after a run, because the user's next task may be another project's. */
export async function takeStateBack(
  config: RunnerConfig,
  task: { project_id: number; template_id: number },
  user: RunUser,
): Promise<void> {
  const folder = stateOf(config, task);
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === user.uid) await giveFolder(folder, null);
}

/** Gives the folder of the template's state to the user of this run and answers its path. */
export async function ownFolder(preparation: Preparation): Promise<string> {
  const folder = stateOf(preparation.ctx.config, preparation.task);
  const { user } = preparation.workspace;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!user) return folder;
  // Set explicitly, whatever the umask is, because the user has to pass the folder of the project.
  await chmod(dirname(folder), 0o711);
  const { uid } = await stat(folder);
  if (uid === user.uid) return folder;
  // Another running task with this state could not write it any more.
  if (isTaken(preparation.ctx.config, uid))
    throw new Error('Another task of this template works on the state now.');
  await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}
