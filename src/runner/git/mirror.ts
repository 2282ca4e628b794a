// Keeps one bare mirror of each repository and refreshes it under a lock. Runs borrow its objects. A
// playbook can write to the mirror, so only objects, contents of Git LFS and refs are kept from one use
// to the next.

import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readGitReference } from '#shared/git/git-reference.ts';
import { localPath } from '#shared/git/repository-url.ts';
import type { Commit } from '../api/runner-api.ts';
import type { RunnerConfig } from '../config/runner-config.ts';
import { networkVariables } from '../../node/net/connections.ts';
import { git, GitError, tryGit, type GitOptions } from './git.ts';
import { mark, mirrorName, type Owner } from './mirror-name.ts';
import { createProgress } from './transfer.ts';
import { readInside } from '../sandbox/inside.ts';
import { asServer, giveFolder } from '../workspace/run-users.ts';
import { folderLocksOf } from '../config/folder-locks.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface RevisionRequest {
  /** A branch, a tag or a commit; empty: what the repository's HEAD points to. */
  branch: string;
  commit: string | null;
}

export interface FetchOptions {
  config: RunnerConfig;
  env: Record<string, string>;
  /** The workspace of the run or look that git runs for. */
  workspace: Pick<Workspace, 'dir' | 'user'>;
  signal?: AbortSignal;
  /** Whether files in Git LFS stay pointers. */
  pointersOnly?: boolean;
  /** Called with the progress of a long transfer. */
  say?: (line: string) => Promise<void>;
}

/** The folder of all mirrors. */
export const mirrorsOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string =>
  join(dataDir, 'mirrors');

/**
 * The folder of a mirror. Each address has its own, so that no file of an old address is run by
 * mistake. A submodule has one for each repository that uses it, because users of other
 * repositories may not be allowed to read it.
 */
export function mirrorPath(config: RunnerConfig, owner: Owner, url: string): string {
  const submodule = url === owner.url ? '' : `-${mark(url)}`;
  return join(mirrorsOf(config), `${mirrorName(owner)}${submodule}.git`);
}

export const gitIn = (
  cwd: string,
  { config, env, signal, workspace }: FetchOptions,
): GitOptions => ({
  cwd,
  user: workspace.user,
  env: { ...env, ...networkVariables(config) },
  signal,
});

/**
 * Makes the mirror, or removes everything but what it keeps from it: configuration and hooks. `hash` is one
 * of the repository: objects that are named by the other kind of hash are removed as well.
 */
export async function freshen(mirror: string, hash: string): Promise<void> {
  const before = readInside(mirror, 'config');
  if (before && 'text' in before && !hasFormat(before.text, hash)) {
    await rm(mirror, { recursive: true, force: true, maxRetries: 3 });
  }
  for (const name of ['objects', 'refs']) {
    await mkdir(join(mirror, name), { recursive: true, mode: 0o700 });
  }
  const kept = ['objects', 'refs', 'packed-refs', 'lfs'];
  if (/^(?:[0-9a-f]{40,64}\n)*$/.test(readShallow(mirror))) kept.push('shallow');
  const others = (await readdir(mirror)).filter(
    (name) => !kept.includes(name) && !name.endsWith('.lock'),
  );
  for (const name of others) await rm(join(mirror, name), { recursive: true, force: true });
  await rm(foreignObjects(mirror), { recursive: true, force: true });
  await writeFile(join(mirror, 'HEAD'), 'ref: refs/heads/main\n', { mode: 0o600 });
  await writeFile(join(mirror, 'config'), formatConfig(hash, true), { mode: 0o600 });
}

/** The file that names further folders of objects; a mirror has all of its own. */
const foreignObjects = (mirror: string): string => join(mirror, 'objects/info/alternates');

/** Fetches all branches and tags of an address into the mirror. */
export async function fetchAll(
  mirror: string,
  { url, branch }: { url: string; branch: string },
  options: FetchOptions,
): Promise<void> {
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  if (branch === '') refs.push('+HEAD:refs/signalbox/head');
  await fetch(mirror, ['--force', '--prune', '--no-tags', '--', url, ...refs], { ...options, url });
}

/** Fetches one commit that no branch contains into the mirror. */
export async function fetchCommit(
  mirror: string,
  { url, hash }: { url: string; hash: string },
  options: FetchOptions,
): Promise<void> {
  await fetch(mirror, ['--no-tags', '--', url, hash], { ...options, url });
}

// The address is an argument each time; the mirror's configuration does not contain it.
async function fetch(
  mirror: string,
  args: string[],
  { url, ...options }: FetchOptions & { url: string },
): Promise<void> {
  const onError = createProgress((line) => void options.say?.(line).catch(() => undefined));
  const at = { ...gitIn(mirror, options), onError, isLocal: localPath(url) !== null };
  const flags = ['--progress', '--no-write-fetch-head', '--update-shallow'];
  // With the history that a shallow source has by now, which may be more than before.
  if (readShallow(mirror) !== '') flags.push('--unshallow');
  await pastLocks(mirror, () => git(['fetch', ...flags, ...args], at));
}

/** The file `shallow` of a mirror, which lists the commits whose parents the source does not have. */
export function readShallow(mirror: string): string {
  const found = readInside(mirror, 'shallow');
  return found && 'text' in found ? found.text : '';
}

const lockTries = 6;
const lockPauseMs = 300;

/**
 * Retries work that fails because of git's lock files. A git that an earlier runner has left gets
 * time to end. After that the locks are stale, left by a git that was killed, because only one run
 * at a time works on a mirror, and they are removed.
 */
async function pastLocks(mirror: string, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isLocked = error instanceof GitError && /\.lock'|cannot lock/i.test(error.message);
      if (!isLocked || tries === lockTries) throw error;
      if (tries === lockTries - 1) await removeLocks(mirror);
      else await delay(lockPauseMs);
    }
  }
}

async function removeLocks(mirror: string): Promise<void> {
  const names = await readdir(mirror, { recursive: true });
  const locks = names.filter((name) => name.endsWith('.lock'));
  await Promise.all(locks.map((name) => rm(join(mirror, name), { force: true })));
}

/** Gives the mirror with all its files back to the runner. */
export async function takeBack(mirror: string): Promise<void> {
  if (await stat(mirror).catch(() => null)) await giveFolder(mirror, null);
}

/**
 * Returns the folder in which a run finds the objects of the mirror. Programs of another user get
 * hard links that they can only read. They have no access to the mirror itself or to others.
 */
export async function lendObjects(
  mirror: string,
  { workspace: { dir, user } }: FetchOptions,
): Promise<string> {
  const objects = join(mirror, 'objects');
  if (user) await takeBack(mirror);
  await rm(foreignObjects(mirror), { recursive: true, force: true });
  if (!user) return objects;
  const lent = await mkdtemp(join(dir, 'objects-'));
  const largeFiles = join(mirror, 'lfs');
  const folders = (await stat(largeFiles).catch(() => null)) ? [objects, largeFiles] : [objects];
  await asServer('cp', ['-R', '-P', '-l', '--', ...folders, lent]);
  await asServer('chmod', ['-R', 'a+rX', '--', lent]);
  return join(lent, 'objects');
}

/** The wanted commit; null: these refs of the mirror do not contain it. */
export async function findWanted(
  { branch, commit }: RevisionRequest,
  refs: string,
  at: GitOptions,
): Promise<Commit | null> {
  if (commit) return findCommit(commit, at);
  if (branch === '') return findCommit('refs/signalbox/head', at);
  const reference = readGitReference(branch);
  if (reference?.kind === 'commit') {
    const { hash } = reference;
    return (await isInHistory(hash, at)) ? findCommit(hash, at) : null;
  }
  const found = reference?.refs.map((name) => hashOf(refs, name)).find((hash) => hash !== null);
  return found ? findCommit(found, at) : null;
}

/** The hash of the ref with exactly this name; git itself would also accept refs that end alike. */
function hashOf(refs: string, name: string): string | null {
  const end = refs.indexOf(` ${name}\n`);
  return end < 0 ? null : refs.slice(refs.lastIndexOf('\n', end) + 1, end);
}

/** Whether a branch or tag contains the commit. Some servers also serve commits of forks. */
async function isInHistory(hash: string, at: GitOptions): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', `--contains=${hash}`, 'refs/heads', 'refs/tags'];
  const { exitCode, stdout } = await tryGit(args, at);
  return exitCode === 0 && stdout !== '';
}

/** The commit with this hash or ref of the mirror; null: the mirror does not have it. */
export async function findCommit(name: string, at: GitOptions): Promise<Commit | null> {
  const args = ['log', '-1', '--format=%H%n%s', '--end-of-options', `${name}^{commit}`, '--'];
  const { exitCode, stdout } = await tryGit(args, at);
  const [hash, message = ''] = stdout.split('\n');
  return exitCode === 0 && hash ? { hash, message } : null;
}

/** The error for a branch that was saved before names had to be exact. */
export const notExact = (branch: string): string =>
  `"${branch}" is not the exact name of a branch or tag, and not a full commit.`;

/** The error for a branch or tag of which git has left out the newest commit. */
export const notFetched = (
  { branch }: RevisionRequest,
  newest: string | null,
  hash: string | null,
): string =>
  `The newest commit of ${branch || 'HEAD'} in the repository is ${newest ?? 'none'}, but git has ` +
  `fetched ${hash ?? 'none'}. An older commit is not run in its place.`;

/** Branches and tags in the format of git's file `packed-refs`. */
export async function listRefs(at: GitOptions): Promise<string> {
  const format = '--format=%(objectname) %(refname)';
  return git(['for-each-ref', format, 'refs/heads', 'refs/tags'], at);
}

/** Removes a mirror when no run works on it, unless it is needed by then. */
export async function removeMirror(
  config: RunnerConfig,
  mirror: string,
  isNeeded: () => boolean,
): Promise<void> {
  await folderLocksOf(config).runExclusive(mirror, async () => {
    if (!isNeeded()) await rm(mirror, { recursive: true, force: true, maxRetries: 3 });
  });
}

// The hash functions of git, SHA-1 and SHA-256. All objects of a repository use the same one, so copies need it too.

const isSha256 = (hash: string): boolean => hash.length === 64;

/** The beginning of git's file `config` for a repository with the hash function of this hash. */
export const formatConfig = (hash: string, isBare: boolean): string =>
  [
    ...(isSha256(hash) ? ['[extensions]', `\t${sha256Setting}`] : []),
    '[core]',
    `\trepositoryformatversion = ${isSha256(hash) ? 1 : 0}`,
    `\tbare = ${isBare}`,
    '',
  ].join('\n');

const sha256Setting = 'objectformat = sha256';

/** Whether a repository with this `config` uses the hash function of this hash. */
const hasFormat = (config: string, hash: string): boolean =>
  config.includes(sha256Setting) === isSha256(hash);

/** Any hash in a list of refs; empty: there is none. */
export const anyHash = (refs: string): string =>
  /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/m.exec(refs)?.[0] ?? '';
