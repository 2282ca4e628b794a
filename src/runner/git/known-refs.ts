// Caches the result of the last fetch, because an unchanged repository needs none. Listing its refs starts a third
// of the processes of a fetch, and compares no objects.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localPath } from '#shared/git/repository-url.ts';
import type { Commit } from '../api/runner-api.ts';
import { git, tryGit } from './git.ts';
import { readLocalRefs } from './local-refs.ts';
import { gitIn, type FetchOptions, type RevisionRequest } from './mirror.ts';

/** What a run needs of a mirror. */
export interface Fetched {
  commit: Commit;
  /** In the format of git's file `packed-refs`. */
  refs: string;
  /** As in `Content`. */
  shallow: string;
  hasLargeFiles: boolean;
}

interface KnownRefs {
  /** HEAD, branches and tags, as the repository reported them. */
  refs: string;
  /** The identity of the mirror's objects. */
  objects: string | null;
  /** By branch and commit. */
  fetched: Map<string, Fetched>;
}

// By the mirror, whose name includes the repository and its address. An entry is valid only while the repository
// reports the same refs to the key of the run, and the mirror has the same objects.
const known = new Map<string, KnownRefs>();

const keyOf = ({ branch, commit }: RevisionRequest): string => `${branch}\n${commit ?? ''}`;

/** A text that changes with HEAD, the branches and the tags of a repository. */
export async function askRefs(url: string, options: FetchOptions): Promise<string> {
  const folder = localPath(url);
  const refs = folder && (readLocalRefs(folder) ?? (await listLocalRefs(folder, options)));
  const args = ['ls-remote', '--quiet', '--', url, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
  return refs ?? git(args, gitIn(options.workspace.dir, options));
}

/** The same for a local repository, with one process instead of three; null: it failed. */
async function listLocalRefs(folder: string, options: FetchOptions): Promise<string | null> {
  const at = gitIn(folder, options);
  // Git must not look for a repository in the folders above.
  const env = { ...at.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const args = ['show-ref', '--head', '--heads', '--tags'];
  const { exitCode, stdout } = await tryGit(args, { ...at, env });
  return exitCode === 0 ? stdout : null;
}

/** The cached fetch for the same refs of the repository; null: it has to be fetched. */
export async function findFetched(
  mirror: string,
  refs: string,
  wanted: RevisionRequest,
): Promise<Fetched | null> {
  const found = known.get(mirror);
  const isSame = found?.refs === refs && found.objects === (await identityOf(mirror));
  return (isSame && found.fetched.get(keyOf(wanted))) || null;
}

export async function keepFetched(
  mirror: string,
  refs: string,
  wanted: RevisionRequest,
  fetched: Fetched,
): Promise<void> {
  const objects = await identityOf(mirror);
  const found = known.get(mirror);
  const isSame = found?.refs === refs && found.objects === objects;
  if (isSame) found.fetched.set(keyOf(wanted), fetched);
  else known.set(mirror, { refs, objects, fetched: new Map([[keyOf(wanted), fetched]]) });
}

/** Identifies the folder of a mirror's objects, to detect that the mirror was removed and made again. */
async function identityOf(mirror: string): Promise<string | null> {
  const found = await stat(join(mirror, 'objects')).catch(() => null);
  return found && `${found.ino} ${found.birthtimeMs}`;
}
