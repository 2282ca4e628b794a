// The newest commit of a repository, without fetching anything.

import { localPath } from '#shared/repository-url.ts';
import { explaining } from './failure.ts';
import { git } from './git.ts';
import { checkFolder, isGitRepository } from './local-folder.ts';
import { gitIn, type FetchOptions } from './mirror.ts';

export interface Remote {
  url: string;
  /** A branch or a tag; empty: what the repository's HEAD points to. */
  branch: string;
}

/** Null: there is no such branch or tag. */
export async function findRemoteHead(
  { url, branch }: Remote,
  cwd: string,
  options: FetchOptions,
): Promise<string | null> {
  const folder = localPath(url);
  if (folder !== null) {
    await checkFolder(options.config, folder);
    if (!(await isGitRepository(folder, options))) {
      throw new Error(`The folder ${folder} is not a git repository, so it has no commits.`);
    }
  }
  // Of a tag that is an object of its own the second line names its commit.
  const names = branch === '' ? ['HEAD'] : [`refs/heads/${branch}`, ...tagNames(branch)];
  const args = ['ls-remote', '--quiet', '--', url, ...names];
  const printed = await explaining(() => git(args, gitIn(cwd, options)));
  const hashes: Record<string, string> = {};
  for (const line of printed.split('\n')) {
    const [hash = '', name = ''] = line.split('\t');
    hashes[name] = hash;
  }
  // A branch comes before a tag of the same name, as for a run.
  return names.map((name) => hashes[name]).find(Boolean) ?? null;
}

const tagNames = (tag: string): string[] => [`refs/tags/${tag}^{}`, `refs/tags/${tag}`];
