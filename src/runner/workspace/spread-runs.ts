// Placement of the folders of runs on ext4, which puts a new folder into the block group of its parent, and skips inodes
// that were freed in the last minutes. A task creates and removes about twenty files, so each of a hundred tasks would
// take longer than the one before it.

import { mkdir } from 'node:fs/promises';
import type { RunnerConfig } from '../config/runner-config.ts';
import { asServer } from './run-users.ts';
import { runsOf } from './workspace.ts';

/**
 * Marks the folder of all runs as the top of unrelated trees, chattr(1), which ext4 spreads over its groups. Other file
 * systems neither have nor need this.
 */
export async function spreadRuns(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const folder = runsOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await asServer('chattr', ['+T', folder]).catch(() => undefined);
}
