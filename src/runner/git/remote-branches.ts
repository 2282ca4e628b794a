import { localPath } from '#shared/git/repository-url.ts';
import { explaining } from './failure.ts';
import { git } from './git.ts';
import { checkFolder, isGitRepository } from './local-folder.ts';
import { gitIn, type FetchOptions } from './mirror.ts';

// A longer list does not help to choose.
const MAX_BRANCHES = 1000;

export interface Branches {
  branches: string[];
  /** The branch of HEAD. */
  head: string | null;
}

export async function findBranches(
  url: string,
  cwd: string,
  options: FetchOptions,
): Promise<Branches> {
  const folder = localPath(url);
  if (folder !== null) {
    await checkFolder(options.config, folder);
    // A plain folder has no branches.
    if (!(await isGitRepository(folder, options))) return { branches: [], head: null };
  }
  const args = ['ls-remote', '--quiet', '--symref', '--', url, 'HEAD', 'refs/heads/*'];
  const printed = await explaining(() => git(args, gitIn(cwd, options)));
  const [, head = null] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(printed) ?? [];
  const names = [...printed.matchAll(/^[\da-f]+\trefs\/heads\/(\S+)$/gm)].map(([, name]) => name);
  return { branches: names.filter((name) => name !== undefined).slice(0, MAX_BRANCHES), head };
}
