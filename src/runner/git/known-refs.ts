// Remembers what was last fetched, because a repository that has not changed needs no fetch. Asking for
// its refs starts a third of the programs of a fetch, and compares nothing with the objects of a mirror.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localPath } from '#shared/git/repository-url.ts';
import { stateOf } from '../../node/async/state-of.ts';
import type { Commit } from '../api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { git, tryGit } from './git.ts';
import { readLocalRefs } from './local-refs.ts';
import { gitIn, type FetchOptions, type RevisionRequest } from './mirror.ts';

/** What a run needs of the mirror of a repository. */
export interface Fetched {
  commit: Commit;
  /** Branches and tags in the format of git's file `packed-refs`. */
  refs: string;
  /** As in `Content`. */
  shallow: string;
  hasLargeFiles: boolean;
}

interface KnownRefs {
  /** What the repository said of HEAD, its branches and its tags. */
  refs: string;
  /** The identity of the mirror's objects. */
  objects: string | null;
  /** What was fetched, by branch and commit. */
  fetched: Map<string, Fetched>;
}

const keyOf = ({ branch, commit }: RevisionRequest): string => `${branch}\n${commit ?? ''}`;

/** A text that changes with HEAD, the branches and the tags of a repository. */
export async function askRefs(url: string, options: FetchOptions): Promise<string> {
  const folder = localPath(url);
  const refs = folder && (readLocalRefs(folder) ?? (await listLocalRefs(folder, options)));
  return refs ?? (await askForRefs(url, options));
}

function askForRefs(url: string, options: FetchOptions): Promise<string> {
  const args = ['ls-remote', '--quiet', '--', url, 'HEAD', 'refs/heads/*', 'refs/tags/*'];
  return git(args, gitIn(options.workspace.dir, options));
}

/** The same of a folder, with one program instead of three; null: it cannot be told in this way. */
async function listLocalRefs(folder: string, options: FetchOptions): Promise<string | null> {
  const at = gitIn(folder, options);
  // Git must not look for a repository in the folders above.
  const env = { ...at.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const args = ['show-ref', '--head', '--heads', '--tags'];
  const { exitCode, stdout } = await tryGit(args, { ...at, env });
  return exitCode === 0 ? stdout : null;
}

/**
 * What was fetched, by the mirror, whose name is that of the repository and its address. An entry counts
 * only while the repository says the same refs, asked with the key of the run, and the mirror has the same
 * objects; what it holds depends on nothing else but the branch and the commit that were asked for.
 */
class FetchedRefs {
  readonly #known = new Map<string, KnownRefs>();

  /** What was fetched before for the same refs of the repository; null: it has to be fetched. */
  async find(mirror: string, refs: string, wanted: RevisionRequest): Promise<Fetched | null> {
    const found = this.#known.get(mirror);
    const isSame = found?.refs === refs && found.objects === (await identityOf(mirror));
    return (isSame && found.fetched.get(keyOf(wanted))) || null;
  }

  async keep(
    mirror: string,
    refs: string,
    wanted: RevisionRequest,
    fetched: Fetched,
  ): Promise<void> {
    const objects = await identityOf(mirror);
    const found = this.#known.get(mirror);
    const isSame = found?.refs === refs && found.objects === objects;
    if (isSame) found.fetched.set(keyOf(wanted), fetched);
    else this.#known.set(mirror, { refs, objects, fetched: new Map([[keyOf(wanted), fetched]]) });
  }
}

export const fetchedRefsOf = stateOf((_config: RunnerConfig) => new FetchedRefs());

/** Identifies the folder of a mirror's objects: a mirror that was removed and made again is empty. */
async function identityOf(mirror: string): Promise<string | null> {
  const found = await stat(join(mirror, 'objects')).catch(() => null);
  return found && `${found.ino} ${found.birthtimeMs}`;
}
