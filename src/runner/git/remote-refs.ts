import { readGitReference } from '#shared/git/git-reference.ts';
import { localPath } from '#shared/git/repository-url.ts';
import { explaining } from './failure.ts';
import { git } from './git.ts';
import { checkFolder, isGitRepository } from './local-folder.ts';
import { gitIn, notExact, type FetchOptions } from './mirror.ts';

interface Remote {
  url: string;
  /** A branch, a tag or a commit; empty: HEAD. */
  branch: string;
}

/** The hash of the commit; null: there is no such branch or tag. */
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
  const reference = referenceOf(branch);
  // A commit never changes.
  if (reference.kind === 'commit') return reference.hash;
  const args = ['ls-remote', '--quiet', '--', url, ...namesOf(reference.refs)];
  return findHead(await explaining(() => git(args, gitIn(cwd, options))), branch);
}

/** The hash in the output of `git ls-remote`; null: the branch or tag does not exist. */
export function findHead(printed: string, branch: string): string | null {
  const reference = referenceOf(branch);
  if (reference.kind === 'commit') return reference.hash;
  const hashes: Record<string, string> = {};
  for (const line of printed.split('\n')) {
    const [hash = '', name = ''] = line.split('\t');
    hashes[name] = hash;
  }
  // As in a run, a branch precedes a tag of the same name.
  return (
    namesOf(reference.refs)
      .map((name) => hashes[name])
      .find(Boolean) ?? null
  );
}

function referenceOf(branch: string) {
  const reference =
    branch === '' ? { kind: 'name' as const, refs: ['HEAD'] } : readGitReference(branch);
  if (reference === null) throw new Error(notExact(branch));
  return reference;
}

/** For an annotated tag, git prints a second line with `^{}`, which has the hash of its commit. */
const namesOf = (refs: string[]): string[] => refs.flatMap((name) => [`${name}^{}`, name]);

// A longer list does not help to choose.
const MAX_BRANCHES = 1000;

interface Branches {
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
