// A repository → the files of one commit in a folder of the run's own. The folder is a
// repository by itself that borrows the objects of the mirror and shares nothing else with it.

import { cp, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPassword, localPath, repositoryType } from '#shared/repository-url.ts';
import type { Config } from '../../config.ts';
import { explaining } from './failure.ts';
import { git } from './git.ts';
import { checkFolder, isGitRepository } from './local-folder.ts';
import {
  fetchAll,
  fetchCommit,
  findCommit,
  freshen,
  gitIn,
  listRefs,
  mirrorPath,
  type Commit,
  type FetchOptions,
  type Owner,
  type Wanted,
} from './mirror.ts';
import { inTurn } from '../turns.ts';
import { listSubmodules, resolveAddress, type Submodule } from './submodules.ts';

export type { Commit } from './mirror.ts';
export type Source = Owner & Wanted;

/**
 * Puts the files of the source into `target`, a folder that does not exist yet, with those of
 * its submodules. Answers the commit, or null for a plain folder, which has none.
 */
export async function checkOut(
  source: Source,
  target: string,
  options: FetchOptions,
): Promise<Commit | null> {
  const folder = localPath(source.url);
  if (folder !== null) await checkFolder(options.config, folder);
  if (folder !== null && !(await isGitRepository(folder, options))) {
    await cp(folder, target, { recursive: true, verbatimSymlinks: true });
    return null;
  }
  if (['http', 'git'].includes(repositoryType(source.url) ?? '')) {
    await options.say?.(
      'Warning: this address is not encrypted, so others can read and change it.',
    );
  }
  const mirror = mirrorPath(options.config, source, source.url);
  const { commit, refs } = await alone(mirror, options, async () => {
    await explaining(() => fetchAll(mirror, source, options));
    const at = gitIn(mirror, options);
    const [found, all] = await Promise.all([findCommit(source, at), listRefs(at)]);
    return { commit: found ?? refuse(source), refs: all };
  });
  await layOut({ mirror, hash: commit.hash, refs }, target, options);
  await addSubmodules({ owner: source, url: source.url, depth: 1 }, target, options);
  return commit;
}

/** Two fetches into one mirror would fail, so each run waits for its turn. */
function alone<T>(mirror: string, { signal }: FetchOptions, work: () => Promise<T>): Promise<T> {
  const begin = async (): Promise<T> => {
    await freshen(mirror);
    return work();
  };
  return inTurn(mirror, begin, signal);
}

function refuse({ branch, commit }: Wanted): never {
  throw new Error(
    commit
      ? `The commit ${commit} is not in the repository any more.`
      : `The repository has no branch or tag "${branch}".`,
  );
}

interface Content {
  mirror: string;
  hash: string;
  refs: string;
}

const ownConfig =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n';

/**
 * A worktree would share the mirror's configuration and refs with every other run, and a clone
 * takes git three times as long as writing these five files.
 */
async function layOut(
  { mirror, hash, refs }: Content,
  target: string,
  options: FetchOptions,
): Promise<void> {
  const own = join(target, '.git');
  await mkdir(join(own, 'objects', 'info'), { recursive: true });
  await mkdir(join(own, 'refs'));
  const files = {
    HEAD: `${hash}\n`,
    config: ownConfig,
    'packed-refs': refs,
    'objects/info/alternates': `${join(mirror, 'objects')}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text);
  await git(['read-tree', '--reset', '-u', 'HEAD'], gitIn(target, options));
}

interface Parent {
  owner: Owner;
  /** Address to which those of its submodules are relative. */
  url: string;
  depth: number;
}

const deepest = 10;

async function addSubmodules(
  parent: Parent,
  checkout: string,
  options: FetchOptions,
): Promise<void> {
  const submodules = await listSubmodules(checkout, gitIn(checkout, options));
  if (submodules.length === 0) return;
  if (parent.depth > deepest) {
    throw new Error(`Submodules are nested more than ${deepest} levels deep.`);
  }
  for (const submodule of submodules) {
    const { path, hash } = submodule;
    const shown = JSON.stringify(path);
    if (submodule.url === null) {
      await options.say?.(`Submodule ${shown}: .gitmodules names no address, so it stays empty.`);
      continue;
    }
    const target = await placeOf(checkout, path);
    const url = await addressOf(parent.url, submodule, options.config);
    await options.say?.(`Submodule ${shown}: ${url}`);
    await layOut(await obtain(parent.owner, { url, hash }, options), target, options);
    await addSubmodules({ ...parent, url, depth: parent.depth + 1 }, target, options);
  }
}

/** Where a submodule belongs: no link of the repository may lead it elsewhere. */
async function placeOf(checkout: string, path: string): Promise<string> {
  const wanted = join(await realpath(checkout), path);
  const real = await realpath(wanted).catch(() => null);
  if (real === wanted && !path.startsWith('-')) return wanted;
  throw new Error(`The submodule "${path}" has a path that is not allowed.`);
}

async function addressOf(base: string, { path, url }: Submodule, config: Config): Promise<string> {
  const address = resolveAddress(base, url ?? '');
  if (repositoryType(address) === null || hasPassword(address)) {
    throw new Error(`The submodule "${path}" has an address that is not allowed.`);
  }
  const folder = localPath(address);
  if (folder !== null) await checkFolder(config, folder);
  return address;
}

/** A commit of a submodule, which is fetched only when no earlier run has done so. */
async function obtain(
  owner: Owner,
  { url, hash }: { url: string; hash: string },
  options: FetchOptions,
): Promise<Content> {
  const mirror = mirrorPath(options.config, owner, url);
  return alone(mirror, options, async () => {
    const at = gitIn(mirror, options);
    const wanted = { branch: '', commit: hash };
    if (!(await findCommit(wanted, at))) {
      await explaining(async () => {
        await fetchAll(mirror, { url, branch: 'any' }, options);
        if (!(await findCommit(wanted, at))) await fetchCommit(mirror, { url, hash }, options);
      });
    }
    return { mirror, hash, refs: await listRefs(at) };
  });
}
