// The folders of the data folder that programs of a run write for later runs.

import { lstat } from 'node:fs/promises';
import type { TemplateRef } from '../api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { factsFolder } from '../prepare/caches.ts';
import { homeOf } from '../prepare/persistent-home.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { stateOf } from './terraform-states.ts';

/** Returns the folders to the runner after a run, since the user's next task may belong to another project. */
export async function takeKeptBack(
  config: RunnerConfig,
  task: TemplateRef,
  user: RunUser,
): Promise<void> {
  const { project_id: projectId } = task;
  const folders = [
    stateOf(config, task),
    factsFolder(config, projectId),
    homeOf(config, projectId),
  ];
  for (const folder of folders) {
    const owner = (await lstat(folder).catch(() => null))?.uid;
    if (owner === user.uid) await giveFolder(folder, null);
  }
}
