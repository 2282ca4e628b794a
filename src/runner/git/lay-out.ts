// Writes the files of one commit, with a repository that borrows the objects of a mirror.

import { join } from 'node:path';
import { writeAll } from '../workspace/run-files.ts';
import { git } from './git.ts';
import { gitIn, type FetchOptions, formatConfig } from './mirror.ts';

export interface Content {
  /** The folder of the objects. */
  objects: string;
  hash: string;
  refs: string;
  /** The file `shallow` of the repository with the objects; empty: the history is complete. */
  shallow: string;
}

/**
 * A worktree would share the mirror's configuration and refs with every other run, and `git clone` takes three
 * times as long.
 */
export async function layOut(
  { objects, hash, refs, shallow }: Content,
  target: string,
  options: FetchOptions,
): Promise<void> {
  const own = join(target, '.git');
  const folders = ['objects/info', 'refs'].map((name) => join(own, name));
  const files = {
    [join(own, 'HEAD')]: `${hash}\n`,
    [join(own, 'config')]: `${formatConfig(hash, false)}\tlogallrefupdates = true\n`,
    [join(own, 'objects/info/alternates')]: `${objects}\n`,
    [join(own, 'packed-refs')]: refs,
    ...(shallow !== '' && { [join(own, 'shallow')]: shallow }),
  };
  await writeAll({ folders, files }, options.workspace.user);
  await git(['read-tree', '--reset', '-u', 'HEAD'], gitIn(target, options));
}
