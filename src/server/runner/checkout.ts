// A repository → the files of one commit in a folder of the run's own. One bare mirror a
// repository is kept and refreshed under a lock; each run gets a worktree of it.

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { localPath } from '#shared/repository-url.ts';
import { isAllowedFolder, type Config } from '../config.ts';
import { git, GitError, tryGit, type GitOptions } from './git.ts';

export interface Source {
  repositoryId: number;
  url: string;
  /** Empty: what the repository's HEAD points to. */
  branch: string;
  commit: string | null;
}

export interface Commit {
  hash: string;
  message: string;
}

export interface CheckoutOptions {
  config: Config;
  env: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Puts the files of the source into `target`, a folder that does not exist yet. Answers the
 * commit, or null for a plain folder, which has none.
 */
export async function checkOut(
  source: Source,
  target: string,
  options: CheckoutOptions,
): Promise<Commit | null> {
  const folder = localPath(source.url);
  if (folder !== null) await checkFolder(options.config, folder);
  if (folder !== null && !(await isGitRepository(folder, options))) {
    await cp(folder, target, { recursive: true, verbatimSymlinks: true });
    return null;
  }
  const mirror = mirrorPath(options.config, source);
  return withLock(mirror, async () => {
    await refresh(mirror, source, options);
    const at = gitIn(mirror, options);
    const commit = await findCommit(source, at);
    await git(['worktree', 'add', '--quiet', '--detach', '--', target, commit.hash], at);
    return commit;
  });
}

const gitIn = (cwd: string, { env, signal }: CheckoutOptions): GitOptions => ({ cwd, env, signal });

/** A link inside an allowed folder may point out of it, so the real path counts. */
async function checkFolder(config: Config, folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) throw new Error(`The folder ${folder} does not exist on the server.`);
  const roots = await Promise.all(
    config.localRepositories.map((root) => realpath(root).catch(() => root)),
  );
  if (isAllowedFolder({ ...config, localRepositories: roots }, real)) return;
  throw new Error(
    `The folder ${folder} is outside the folders that the administrator allows for local ` +
      'repositories (SIGNALBOX_LOCAL_REPOSITORIES).',
  );
}

async function isGitRepository(folder: string, options: CheckoutOptions): Promise<boolean> {
  const entries = [join(folder, '.git'), join(folder, 'HEAD')];
  const found = await Promise.all(entries.map((path) => stat(path).catch(() => null)));
  if (!found.some(Boolean)) return false;
  const { exitCode } = await tryGit(['rev-parse', '--git-dir'], gitIn(folder, options));
  return exitCode === 0;
}

/** Another address means another mirror, so that no file of the old one is run by mistake. */
function mirrorPath(
  config: Config,
  { repositoryId, url }: Pick<Source, 'repositoryId' | 'url'>,
): string {
  const mark = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(config.dataDir, 'mirrors', `${repositoryId}-${mark}.git`);
}

async function refresh(mirror: string, source: Source, options: CheckoutOptions): Promise<void> {
  const at = gitIn(mirror, options);
  if (!(await stat(join(mirror, 'HEAD')).catch(() => null))) {
    await mkdir(mirror, { recursive: true, mode: 0o700 });
    await git(['init', '--quiet', '--bare', '--', '.'], at);
  }
  // The address is given anew each time: nothing of it is kept in the mirror's configuration.
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  if (source.branch === '') refs.push('+HEAD:refs/signalbox/head');
  const fetch = ['fetch', '--quiet', '--force', '--prune', '--no-tags', '--', source.url, ...refs];
  await pastLocks(mirror, () => git(fetch, at));
}

// Tries and milliseconds between them.
const lockTries = 6;
const lockPause = 300;

/**
 * A git that was killed leaves its lock files behind. One that still runs, left by an earlier
 * server, gets time to end; then the locks are stale, since here only one works on a mirror.
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
      else await delay(lockPause);
    }
  }
}

async function removeLocks(mirror: string): Promise<void> {
  const names = await readdir(mirror, { recursive: true });
  const locks = names.filter((name) => name.endsWith('.lock'));
  await Promise.all(locks.map((name) => rm(join(mirror, name), { force: true })));
}

async function findCommit({ branch, commit }: Source, at: GitOptions): Promise<Commit> {
  const names = commit
    ? [commit]
    : branch === ''
      ? ['refs/signalbox/head']
      : [`refs/heads/${branch}`, `refs/tags/${branch}`];
  for (const name of names) {
    const args = ['log', '-1', '--format=%H%n%s', '--end-of-options', `${name}^{commit}`, '--'];
    const { exitCode, stdout } = await tryGit(args, at);
    const [hash, message = ''] = stdout.split('\n');
    if (exitCode === 0 && hash) return { hash, message };
  }
  throw new Error(
    commit
      ? `The commit ${commit} is not in the repository any more.`
      : `The repository has no branch or tag "${branch}".`,
  );
}

/**
 * Lets the mirror of a source forget worktrees whose folders are gone: `git worktree prune`, but
 * without a process, since every run ends with it.
 */
export async function forgetWorktrees(
  config: Config,
  source: Pick<Source, 'repositoryId' | 'url'>,
): Promise<void> {
  const mirror = mirrorPath(config, source);
  const known = join(mirror, 'worktrees');
  await withLock(mirror, async () => {
    for (const name of await readdir(known).catch(() => [])) {
      const place = await readFile(join(known, name, 'gitdir'), 'utf8').catch(() => null);
      // One without a place is being made by a git that an earlier server has left.
      if (place === null || (await stat(place.trim()).catch(() => null))) continue;
      await rm(join(known, name), { recursive: true, force: true });
    }
  });
}

const locks = new Map<string, Promise<unknown>>();

/** One at a time for each mirror: two fetches into it would fail. */
async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = locks.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  locks.set(key, turn);
  try {
    return await turn;
  } finally {
    if (locks.get(key) === turn) locks.delete(key);
  }
}
