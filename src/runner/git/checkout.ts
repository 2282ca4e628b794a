// Puts the files of one commit into a folder of the run. The folder is a repository of its own, which
// borrows the objects of the mirror and shares nothing else with it.

import { lchown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readGitReference } from '#shared/git/git-reference.ts';
import { hasPassword, localPath, repositoryType } from '#shared/git/repository-url.ts';
import type { Commit } from '../api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { explaining } from './failure.ts';
import { fetchLargeFiles, hasLargeFiles } from './large-files.ts';
import { checkFolder, isGitRepository } from './local-folder.ts';
import { askRefs, fetchedRefsOf, type Fetched } from './known-refs.ts';
import type { Owner } from './mirror-name.ts';
import {
  anyHash,
  fetchAll,
  fetchCommit,
  findCommit,
  findWanted,
  notExact,
  notFetched,
  freshen,
  lendObjects,
  takeBack,
  gitIn,
  listRefs,
  mirrorPath,
  readShallow,
  type FetchOptions,
  type RevisionRequest,
} from './mirror.ts';
import { findHead, findRemoteHead } from './remote-refs.ts';
import type { RunUser } from '../../node/process/run-users.ts';
import { resolveInside } from '../sandbox/inside.ts';
import { copyFolder, isThere } from '../workspace/run-files.ts';
import { giveFolder } from '../workspace/run-users.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import {
  listSubmodulePaths,
  listSubmodules,
  resolveAddress,
  type Submodule,
} from './submodules.ts';
import { layOut, type Content } from './lay-out.ts';

export type Source = Owner & RevisionRequest & { withSubmodules: boolean };

/**
 * Puts the files of the source and, if wanted, of its submodules into `target`, a folder that does not exist
 * yet. Returns the commit; null: the source is a plain folder.
 */
export async function checkOut(
  source: Source,
  target: string,
  options: FetchOptions,
): Promise<Commit | null> {
  const folder = localPath(source.url);
  if (folder !== null) await checkFolder(options.config, folder);
  if (folder !== null && !(await isGitRepository(folder, options))) {
    const { user } = options.workspace;
    await newFolder(target, user);
    await copyFolder(folder, target, user);
    return null;
  }
  if (['http', 'git'].includes(repositoryType(source.url) ?? '')) {
    await options.say?.(
      'Warning: this address is not encrypted, so others can read and change it.',
    );
  }
  const mirror = mirrorPath(options.config, source, source.url);
  const {
    commit,
    hasLargeFiles: isLarge,
    ...content
  } = await alone(mirror, options, async (open) => {
    const fetched = await fetchIfChanged(mirror, source, { ...options, open });
    return { ...fetched, objects: await lendObjects(mirror, options) };
  });
  await newFolder(target, options.workspace.user);
  await layOut({ ...content, hash: commit.hash }, target, options);
  if (isLarge) await fetchLargeFiles(target, { url: source.url, mirror }, options);
  if (source.withSubmodules) {
    await addSubmodules({ owner: source, url: source.url, depth: 1 }, target, options);
  } else {
    await sayLeftOut(target, options);
  }
  return commit;
}

async function fetchNow(
  mirror: string,
  source: Source,
  { said, ...options }: FetchOptions & { said: string | null },
): Promise<Fetched> {
  const at = gitIn(mirror, options);
  const { refs, wanted } = await fetchWanted(mirror, source, { ...options, said });
  const commit = wanted ?? refuse(source);
  const shallow = readShallow(mirror);
  return { refs, commit, shallow, hasLargeFiles: await hasLargeFiles(commit.hash, at) };
}

/** The repository may get new commits between two questions. */
const MAX_FETCHES = 3;

/**
 * Fetches a repository, until the branch or tag of the source has the commit that the repository says.
 * Git leaves out a ref that it cannot take, warns of it, and ends with success. `said` is what the
 * repository said before; null: the mirror was empty, so it has no older commit.
 */
async function fetchWanted(
  mirror: string,
  source: Source,
  { said, ...options }: FetchOptions & { said: string | null },
) {
  const at = gitIn(mirror, options);
  for (let fetches = 1; ; fetches += 1) {
    await explaining(() => fetchAll(mirror, source, options));
    const refs = await listRefs(at);
    const wanted = await findWanted(source, refs, at);
    if (!isMoving(source)) return { refs, wanted };
    const hash = wanted?.hash ?? null;
    if (hash !== null && (said === null || hash === findHead(said, source.branch)))
      return { refs, wanted };
    const newest = await findRemoteHead(source, options.workspace.dir, options);
    if (hash === newest) return { refs, wanted };
    if (fetches === MAX_FETCHES) throw new Error(notFetched(source, newest, hash));
  }
}

/** Whether the source is a branch or a tag, not a commit. */
const isMoving = ({ branch, commit }: RevisionRequest): boolean =>
  !commit && (branch === '' || readGitReference(branch)?.kind === 'name');

/** Fetches a repository if its branches, tags or HEAD have changed since this runner fetched it last. */
async function fetchIfChanged(
  mirror: string,
  source: Source,
  { open, ...options }: FetchOptions & { open: Open },
): Promise<Fetched> {
  const first = await fetchForPod(mirror, source, options);
  if (first) return first;
  const refs = await explaining(() => askRefs(source.url, options));
  const known = fetchedRefsOf(options.config);
  const kept = await known.find(mirror, refs, source);
  if (kept) return kept;
  await open(anyHash(refs));
  const fetched = await fetchNow(mirror, source, { ...options, said: refs });
  await known.keep(mirror, refs, source, fetched);
  return fetched;
}

/**
 * Fetches a repository at once, without asking for its refs, into the new mirror of a pod, which nothing is compared
 * with; null: it has to be asked.
 */
async function fetchForPod(
  mirror: string,
  source: Source,
  options: FetchOptions,
): Promise<Fetched | null> {
  if (options.config.podFolder === null || (await isThere(mirror))) return null;
  await freshen(mirror, '');
  try {
    return await fetchNow(mirror, source, { ...options, said: null });
  } catch (error) {
    if (/mismatched algorithms/.test((error as Error).message)) return null;
    throw error;
  }
}

/**
 * Fetches a repository into its mirror and works there with the commit of the source, before
 * another run changes the mirror.
 */
export function inMirror<T>(
  source: Source,
  options: FetchOptions,
  work: (mirror: string, commit: Commit) => Promise<T>,
): Promise<T> {
  const mirror = mirrorPath(options.config, source, source.url);
  return alone(mirror, options, async (open) => {
    const { commit } = await fetchIfChanged(mirror, source, { ...options, open });
    await open(commit.hash);
    return work(mirror, commit);
  });
}

/**
 * Works in a mirror that has these commits; null: there is none. A mirror that lacks one is fetched,
 * but only a local repository gets a new mirror: any other could take longer than somebody waits.
 */
export async function inMirrorWith<T>(
  owner: Owner,
  hashes: string[],
  options: FetchOptions,
  work: (mirror: string) => Promise<T>,
): Promise<T | null> {
  const mirror = mirrorPath(options.config, owner, owner.url);
  const folder = localPath(owner.url);
  if (folder !== null) await checkFolder(options.config, folder);
  const mayBegin = folder === null ? await isThere(mirror) : await isGitRepository(folder, options);
  if (!mayBegin) return null;
  return alone(mirror, options, async (open) => {
    await open(hashes[0] ?? '');
    const has = (hash: string) => findCommit(hash, gitIn(mirror, options));
    const hasAll = async () => !(await Promise.all(hashes.map(has))).includes(null);
    if (await hasAll()) return work(mirror);
    await explaining(() => fetchAll(mirror, { url: owner.url, branch: 'any' }, options));
    return (await hasAll()) ? work(mirror) : null;
  });
}

/** Makes a folder in the run's folder, which belongs to the runner: nobody can put a link in its place. */
async function newFolder(path: string, user: RunUser | null): Promise<void> {
  if (!user) return;
  await mkdir(path, { mode: 0o700 });
  await lchown(path, user.uid, user.gid);
}

/**
 * Makes the mirror ready for git, once; what a run may have written to it is removed. `hash` is one of the
 * repository.
 */
type Open = (hash: string) => Promise<void>;

/** Works on a mirror in turn, because two fetches into one mirror at once would fail. */
function alone<T>(
  mirror: string,
  { config, signal, workspace: { user } }: FetchOptions,
  work: (open: Open) => Promise<T>,
): Promise<T> {
  let opened: Promise<void> | null = null;
  const open = async (hash: string): Promise<void> => {
    // A runner may have ended before it took the mirror back from a user.
    if (user) await takeBack(mirror);
    await freshen(mirror, hash);
    if (user) await giveFolder(mirror, user);
  };
  const begin = () => work((hash) => (opened ??= open(hash)));
  return folderLocksOf(config).runExclusive(mirror, begin, signal);
}

function refuse({ branch, commit }: RevisionRequest): never {
  if (commit) throw new Error(`The commit ${commit} is not in the repository any more.`);
  const reference = readGitReference(branch);
  if (reference === null) throw new Error(notExact(branch));
  throw new Error(
    reference.kind === 'commit'
      ? `No branch or tag of the repository leads to the commit ${branch}.`
      : `The repository has no branch or tag "${branch}".`,
  );
}

interface Parent {
  owner: Owner;
  /** The address that relative addresses of its submodules start from. */
  url: string;
  depth: number;
}

const MAX_LEVELS = 10;

async function addSubmodules(
  parent: Parent,
  checkout: string,
  options: FetchOptions,
): Promise<void> {
  const submodules = await listSubmodules(checkout, gitIn(checkout, options));
  if (submodules.length === 0) return;
  if (parent.depth > MAX_LEVELS) {
    throw new Error(`Submodules are nested more than ${MAX_LEVELS} levels deep.`);
  }
  for (const submodule of submodules) {
    const { path, hash } = submodule;
    const shown = JSON.stringify(path);
    if (submodule.url === null) {
      await options.say?.(`Submodule ${shown}: .gitmodules names no address, so it stays empty.`);
      continue;
    }
    const target = placeOf(checkout, path);
    const url = await addressOf(parent, submodule, options.config);
    await options.say?.(`Submodule ${shown}: ${url}`);
    const content = await obtain(parent.owner, { url, hash }, options);
    await layOut(content, target, options);
    const mirror = mirrorPath(options.config, parent.owner, url);
    if (content.hasLargeFiles) await fetchLargeFiles(target, { url, mirror }, options);
    await addSubmodules({ ...parent, url, depth: parent.depth + 1 }, target, options);
  }
}

const MAX_NAMED_ITEMS = 10;

/** Says which submodules the repository leaves out. */
async function sayLeftOut(checkout: string, options: FetchOptions): Promise<void> {
  const paths = await listSubmodulePaths(checkout, gitIn(checkout, options));
  if (paths.length === 0) return;
  const named = paths.slice(0, MAX_NAMED_ITEMS).map((path) => JSON.stringify(path));
  const more = paths.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  await options.say?.(
    `Submodules stay empty, as the settings of the repository say: ${named.join(', ')}${rest}`,
  );
}

/** The folder of a submodule. Throws when a link of the repository would lead it elsewhere. */
function placeOf(checkout: string, path: string): string {
  const way = resolveInside(checkout, path);
  const wanted = join(checkout, path);
  if (typeof way !== 'string' && join(checkout, ...way.parts) === wanted) {
    if (!path.startsWith('-')) return wanted;
  }
  throw new Error(`The submodule "${path}" has a path that is not allowed.`);
}

async function addressOf(
  parent: Parent,
  { path, url }: Submodule,
  config: RunnerConfig,
): Promise<string> {
  const address = resolveAddress(parent.url, url ?? '');
  if (repositoryType(address) === null || hasPassword(address)) {
    throw new Error(`The submodule "${path}" has an address that is not allowed.`);
  }
  const folder = localPath(address);
  if (folder === null) return address;
  // Authors of a repository elsewhere must not be able to read folders of this server.
  const [own, ofParent] = [localPath(parent.owner.url), localPath(parent.url)];
  if (own === null || ofParent === null) {
    throw new Error(
      `The submodule "${path}" names a folder of the server, as only a local repository may.`,
    );
  }
  await checkFolder(config, folder, own);
  return address;
}

/** The content of a submodule's commit; it is fetched only if no earlier run has fetched it. */
async function obtain(
  owner: Owner,
  { url, hash }: { url: string; hash: string },
  options: FetchOptions,
): Promise<Content & { hasLargeFiles: boolean }> {
  const mirror = mirrorPath(options.config, owner, url);
  return alone(mirror, options, async (open) => {
    await open(hash);
    const at = gitIn(mirror, options);
    if (!(await findCommit(hash, at))) {
      await explaining(async () => {
        await fetchAll(mirror, { url, branch: 'any' }, options);
        if (!(await findCommit(hash, at))) await fetchCommit(mirror, { url, hash }, options);
      });
    }
    const found = { hash, refs: await listRefs(at), hasLargeFiles: await hasLargeFiles(hash, at) };
    return { ...found, shallow: readShallow(mirror), objects: await lendObjects(mirror, options) };
  });
}
