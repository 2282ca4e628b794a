// Makes a git repository with one commit from a folder of files.

import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerConfig } from '../system/config.ts';
import { git } from './git.ts';

/** Answers the path of the new repository in the data folder. */
export async function createGitRepository(
  config: RunnerConfig,
  name: string,
  files: string,
): Promise<string> {
  const target = join(config.dataDir, 'repositories', name);
  await mkdir(target, { recursive: true });
  await cp(files, target, { recursive: true });
  const env = {
    PATH: config.path,
    HOME: target,
    GIT_AUTHOR_NAME: 'Signalbox',
    GIT_AUTHOR_EMAIL: 'signalbox@localhost',
    GIT_COMMITTER_NAME: 'Signalbox',
    GIT_COMMITTER_EMAIL: 'signalbox@localhost',
  };
  const options = { cwd: target, env, user: null };
  await git(['init', '--quiet', '--initial-branch=main', '.'], options);
  await git(['add', '--all'], options);
  await git(['commit', '--quiet', '--message', 'Add the demo playbooks'], options);
  // The users of tasks read it; they cannot list the folder that contains it.
  await chmod(target, 0o755);
  return target;
}
