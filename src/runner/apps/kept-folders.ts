// The folders of the data folder in which programs of a run write what later runs find.

import type { RunnerConfig } from '../config/runner-config.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { takeHomeBack } from '../prepare/persistent-home.ts';
import { takeFactsBack } from './fact-cache.ts';
import { takeStateBack } from './terraform-states.ts';

/** Takes these folders back from the user of a run that has ended. */
export async function takeKeptBack(
  config: RunnerConfig,
  task: { project_id: number; template_id: number },
  user: RunUser,
): Promise<void> {
  await takeStateBack(config, task, user);
  await takeFactsBack(config, task, user);
  await takeHomeBack(config, task, user);
}
