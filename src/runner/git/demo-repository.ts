// The repositories of demo projects, which lie in the data folder. Each server makes its own copies, so that
// tasks of a demo project run on any server.

import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunnerConfig } from '../config/runner-config.ts';
import { git } from './git.ts';

const files = fileURLToPath(new URL('demo-files', import.meta.url));

const demoName = /^demo-[0-9a-f]{12}$/;

const folderOf = ({ dataDir }: RunnerConfig): string => join(dataDir, 'repositories');

/** Whether a path is that of a demo repository in this data folder, even if it does not exist yet. */
export const isDemo = (config: RunnerConfig, path: string): boolean =>
  demoName.test(basename(path)) && path === join(folderOf(config), basename(path));

// All servers have to make the same commit.
const facts = {
  GIT_AUTHOR_NAME: 'Signalbox',
  GIT_AUTHOR_EMAIL: 'signalbox@localhost',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Signalbox',
  GIT_COMMITTER_EMAIL: 'signalbox@localhost',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** Makes a demo repository and returns its path; one that was made concurrently is kept. */
export async function makeDemo(config: RunnerConfig, name: string): Promise<string> {
  const target = join(folderOf(config), name);
  const draft = join(folderOf(config), `.${name}-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  try {
    await cp(files, draft, { recursive: true });
    const env = { PATH: config.path, HOME: draft, ...facts };
    const options = { cwd: draft, env, user: null };
    await git(['init', '--quiet', '--initial-branch=main', '.'], options);
    await git(['add', '--all'], options);
    await git(['commit', '--quiet', '--message', 'Add the demo playbooks'], options);
    // Users of tasks read it; they cannot list the folder above.
    await chmod(draft, 0o755);
    await rename(draft, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}
