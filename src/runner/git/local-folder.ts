import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isAllowedFolder, type RunnerConfig } from '../config/runner-config.ts';
import { isDemo, makeDemo } from './demo-repository.ts';
import { tryGit } from './git.ts';
import { gitIn, type FetchOptions } from './mirror.ts';

/**
 * Throws unless the folder lies in an allowed folder. Its real path has to as well, because a link inside an
 * allowed folder may lead out. A submodule has to lie in the same allowed folder as its `repository`. A demo
 * repository that does not exist on this server is created.
 */
export async function checkFolder(
  config: RunnerConfig,
  folder: string,
  repository: string | null = null,
): Promise<void> {
  const { localRepositories } = config;
  const allowed =
    repository === null ? localRepositories : innermost(localRepositories, repository);
  // Checked first, so that the error does not reveal whether other folders exist.
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

/** The innermost of the allowed folders that contain the folder. */
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
 * False: a plain folder of files. Throws if it looks like a repository that git cannot read, such as a worktree
 * whose repository was removed: its files are not those of a commit.
 */
export async function isGitRepository(folder: string, options: FetchOptions): Promise<boolean> {
  const isRepository = (place: string): boolean =>
    ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(place, name)));
  if (isRepository(join(folder, '.git')) || isRepository(folder)) return true;
  // In a worktree `.git` is a file with the path of the repository.
  if (!existsSync(join(folder, '.git'))) return false;
  const args = ['rev-parse', '--git-dir'];
  const { exitCode, stderr, failure } = await tryGit(args, gitIn(folder, options));
  if (exitCode === 0) return true;
  options.signal?.throwIfAborted();
  const why = failure ?? stderr.trim();
  throw new Error(
    `Git cannot read the repository of the folder ${folder}: ${why}\n` +
      `If the folder only holds files, remove ${join(folder, '.git')}.`,
  );
}
