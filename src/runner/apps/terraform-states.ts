// Where the state of Terraform lies between two runs of a template.

import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import type { RunUser } from '../system/run-as.ts';
import type { Preparation } from '../prepare/prepare.ts';
import { giveFolder, isTaken } from '../workspace/run-users.ts';

/** Has a folder for each project, with what the runs of its templates leave for each other. */
export const statesOf = (config: RunnerConfig): string => join(config.dataDir, 'terraform');

/** What the runs of a template leave for each other. */
const stateOf = (config: RunnerConfig, task: { project_id: number; template_id: number }): string =>
  join(statesOf(config), String(task.project_id), String(task.template_id));

/** Takes it back from the user of a run that has ended: the user's next task may be anybody's. */
export async function takeStateBack(
  config: RunnerConfig,
  task: { project_id: number; template_id: number },
  user: RunUser,
): Promise<void> {
  const folder = stateOf(config, task);
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === user.uid) await giveFolder(folder, null);
}

/** What the runs of a template leave for each other, given to whom the programs run as. */
export async function ownFolder(preparation: Preparation): Promise<string> {
  const folder = stateOf(preparation.ctx.config, preparation.task);
  const { user } = preparation.workspace;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!user) return folder;
  // Whatever the umask of the server is: the way to it leads through the folder of the project.
  await chmod(dirname(folder), 0o711);
  const { uid } = await stat(folder);
  if (uid === user.uid) return folder;
  // Taken away from a task that runs, its state could not be written at the end.
  if (isTaken(preparation.ctx.config, uid))
    throw new Error('Another task of this template works on the state now.');
  await giveFolder(folder, user);
  await chmod(folder, 0o700);
  return folder;
}
