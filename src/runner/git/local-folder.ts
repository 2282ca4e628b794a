// Checks repositories that are folders of this machine.

import { realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isAllowedFolder, type RunnerConfig } from '../config/runner-config.ts';
import { isDemo, makeDemo } from './demo-repository.ts';
import { tryGit } from './git.ts';
import { gitIn, type FetchOptions } from './mirror.ts';

/**
 * Throws unless the folder lies in an allowed folder. Its real path has to as well, because a link
 * inside an allowed folder may point out of it. A submodule has to lie in the same allowed folder
 * as its `repository`. A demo repository that another server has made is made here as well.
 */
export async function checkFolder(
  config: RunnerConfig,
  folder: string,
  repository: string | null = null,
): Promise<void> {
  const { localRepositories } = config;
  const allowed =
    repository === null ? localRepositories : innermost(localRepositories, repository);
  // Checked first, so that nobody learns whether other folders exist.
  if (!isAllowedFolder({ localRepositories: allowed }, folder)) throw outside(folder, repository);
  let real = await realOf(folder);
  if (real === null && isDemo(config, folder)) {
    real = await realOf(await makeDemo(config, basename(folder)));
  }
  if (real === null) throw new Error(`The folder ${folder} does not exist on the server.`);
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => root)));
  if (!isAllowedFolder({ localRepositories: roots }, real)) throw outside(folder, repository);
}

const realOf = (folder: string): Promise<string | null> => realpath(folder).catch(() => null);

/** The allowed folder that contains the folder; of several, the innermost. */
const innermost = (roots: string[], folder: string): string[] =>
  roots
    .filter((root) => isAllowedFolder({ localRepositories: [root] }, folder))
    .sort((a, b) => b.length - a.length)
    .slice(0, 1);

const outside = (folder: string, repository: string | null): Error =>
  new Error(
    `The folder ${folder} is outside ` +
      (repository === null
        ? 'the folders that the administrator allows for local repositories '
        : `the folder for local repositories that ${repository} lies in `) +
      '(SIGNALBOX_LOCAL_REPOSITORIES).',
  );

/**
 * Whether the folder is a git repository; otherwise it holds only files. Throws where it was one and git
 * cannot read it, as a worktree whose repository is gone: its files are not those of a commit.
 */
export async function isGitRepository(folder: string, options: FetchOptions): Promise<boolean> {
  const isThere = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );
  for (const place of [join(folder, '.git'), folder]) {
    const parts = ['HEAD', 'objects', 'refs'].map((name) => isThere(join(place, name)));
    if (!(await Promise.all(parts)).includes(false)) return true;
  }
  // In a worktree `.git` is a file that names the repository.
  if (!(await isThere(join(folder, '.git')))) return false;
  const { exitCode, stderr, failure } = await tryGit(
    ['rev-parse', '--git-dir'],
    gitIn(folder, options),
  );
  if (exitCode === 0) return true;
  options.signal?.throwIfAborted();
  const why = failure ?? stderr.trim();
  throw new Error(
    `Git cannot read the repository of the folder ${folder}: ${why}\n` +
      `If the folder only holds files, remove ${join(folder, '.git')}.`,
  );
}
