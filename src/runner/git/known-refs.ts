// Remembers what was last fetched, because a repository that has not changed needs no fetch. Asking for
// its refs starts a third of the programs of a fetch, and compares nothing with the objects of a mirror.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localPath } from '#shared/git/repository-url.ts';
import type { Commit } from '../desk/desk.ts';
import { git, tryGit } from './git.ts';
import { gitIn, type FetchOptions, type Wanted } from './mirror.ts';

/** What a run needs of the mirror of a repository. */
export interface Fetched {
  commit: Commit;
  /** Branches and tags in the format of git's file `packed-refs`. */
  refs: string;
  hasLargeFiles: boolean;
}

interface Known {
  /** The repository's answer with HEAD, its branches and its tags. */
  said: string;
  /** What was fetched, by branch and commit. */
  fetched: Map<string, Fetched>;
}

const known = new Map<string, Known>();

const keyOf = ({ branch, commit }: Wanted): string => `${branch}\n${commit ?? ''}`;

/** HEAD, branches and tags of a repository, and the identity of its mirror's folder of objects. */
export async function askRefs(mirror: string, url: string, options: FetchOptions): Promise<string> {
  // A mirror that was removed and made again is empty, and its folder of objects is another one.
  const { ino, birthtimeMs } = await stat(join(mirror, 'objects'));
  const folder = localPath(url);
  const refs =
    (folder && (await listLocalRefs(folder, options))) ?? (await askForRefs(url, options));
  return `${ino} ${birthtimeMs}\n${refs}`;
}

function askForRefs(url: string, options: FetchOptions): Promise<string> {
  const args = ['ls-remote', '--quiet', '--', url, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
  return git(args, gitIn(options.workspace.dir, options));
}

/** The same of a folder, with a third of the programs; null: it cannot be told in this way. */
async function listLocalRefs(folder: string, options: FetchOptions): Promise<string | null> {
  const at = gitIn(folder, options);
  // Git must not look for a repository in the folders above.
  const env = { ...at.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const args = ['show-ref', '--head', '--heads', '--tags'];
  const { exitCode, stdout } = await tryGit(args, { ...at, env });
  return exitCode === 0 ? stdout : null;
}

/** What was fetched before for the same answer of the repository; null: it has to be fetched. */
export function findFetched(mirror: string, said: string, wanted: Wanted): Fetched | null {
  const found = known.get(mirror);
  return (found?.said === said && found.fetched.get(keyOf(wanted))) || null;
}

export function keepFetched(mirror: string, said: string, wanted: Wanted, fetched: Fetched): void {
  const found = known.get(mirror);
  if (found?.said === said) found.fetched.set(keyOf(wanted), fetched);
  else known.set(mirror, { said, fetched: new Map([[keyOf(wanted), fetched]]) });
}
