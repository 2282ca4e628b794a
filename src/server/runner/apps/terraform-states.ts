import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { RunUser } from '../../run-as.ts';
import { giveFolder } from '../run-users.ts';

/** Has a folder for each project, with what the runs of its templates leave for each other. */
export const statesOf = (config: Config): string => join(config.dataDir, 'terraform');

/** What the runs of a template leave for each other. */
export const stateOf = (
  config: Config,
  task: { project_id: number; template_id: number },
): string => join(statesOf(config), String(task.project_id), String(task.template_id));

/** Takes it back from the user of a run that has ended: the user's next task may be anybody's. */
export async function takeStateBack(
  config: Config,
  task: { project_id: number; template_id: number },
  user: RunUser,
): Promise<void> {
  const folder = stateOf(config, task);
  const owner = (await stat(folder).catch(() => null))?.uid;
  if (owner === user.uid) await giveFolder(folder, null);
}
