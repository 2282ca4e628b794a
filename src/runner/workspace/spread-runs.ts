// Where ext4 puts the folders of runs. It puts a new folder into the block group of its parent, and when
// it looks there for a free inode it passes over each that was freed in the last minutes. A task makes
// and removes about twenty files, so each of a hundred tasks would take longer than the one before it.

import { mkdir } from 'node:fs/promises';
import type { RunnerConfig } from '../config/runner-config.ts';
import { asServer } from './run-users.ts';
import { runsOf } from './workspace.ts';

/**
 * Marks the folder of all runs as the top of trees that have nothing to do with each other, chattr(1),
 * which ext4 spreads over its groups. Other file systems have no such mark and do not need it.
 */
export async function spreadRuns(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const folder = runsOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await asServer('chattr', ['+T', folder]).catch(() => undefined);
}
