// What was last fetched of local repositories: one that has not changed since needs no fetch. Asking
// it costs a third of the programs that a fetch does, and nobody on a network waits for it.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commit } from '../desk/desk.ts';
import { git } from './git.ts';
import { gitIn, type FetchOptions, type Wanted } from './mirror.ts';

/** What the mirror of a repository holds that a run needs. */
export interface Fetched {
  commit: Commit;
  /** Branches and tags, as git keeps them in its file `packed-refs`. */
  refs: string;
}

interface Known {
  /** What the repository said of its branches and tags. */
  said: string;
  /** By what was wanted. */
  fetched: Map<string, Fetched>;
}

const known = new Map<string, Known>();

const keyOf = ({ branch, commit }: Wanted): string => `${branch}\n${commit ?? ''}`;

/** Branches and tags of a local repository, and which folder of objects its mirror has. */
export async function askLocal(
  mirror: string,
  url: string,
  options: FetchOptions,
): Promise<string> {
  // One that was removed and made again holds nothing.
  const { ino, birthtimeMs } = await stat(join(mirror, 'objects'));
  const args = ['ls-remote', '--quiet', '--refs', '--', url, 'refs/heads/*', 'refs/tags/*'];
  const refs = await git(args, gitIn(options.workspace.dir, options));
  return `${ino} ${birthtimeMs}\n${refs}`;
}

/** Null: it has to be fetched. */
export function findFetched(mirror: string, said: string, wanted: Wanted): Fetched | null {
  const found = known.get(mirror);
  return (found?.said === said && found.fetched.get(keyOf(wanted))) || null;
}

export function keepFetched(mirror: string, said: string, wanted: Wanted, fetched: Fetched): void {
  const found = known.get(mirror);
  if (found?.said === said) found.fetched.set(keyOf(wanted), fetched);
  else known.set(mirror, { said, fetched: new Map([[keyOf(wanted), fetched]]) });
}
