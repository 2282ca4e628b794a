// Keeps a checkout of each large commit ready for its next run, because git takes seconds to write tens
// of thousands of files. Each of them is used by one run only: the run gets the folder itself, so that
// nothing that it changes is there for a later run. A spare checkout is made when a task has ended.
//
// The files of small commits are kept in memory instead (`small-commits.ts`).
//
// Where programs of runs have the same user as the runner, they could write to it. So the hash of its
// index stays in the memory of the runner, and git compares all files with the index before a run
// gets them. With users of their own for programs there are no spare checkouts.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { freeBytes } from '../system/free-room.ts';
import type { RunnerConfig } from '../system/config.ts';
import { git } from './git.ts';
import { layOut, writeRepository, type Content } from './lay-out.ts';
import { gitIn, mirrorsOf, type FetchOptions } from './mirror.ts';
import { forgetSmall, isKnown, keepSmall, layOutSmall } from './small-commits.ts';

/** The bytes of the index from which on a spare is worth it: those of about a thousand files. */
const leastIndexBytes = 100_000;
const mostSpares = 8;
const longestUnusedMs = 24 * 60 * 60 * 1000;
/** Bytes of the disk that spares leave to everything else. */
const leastFreeBytes = 5 * 1024 * 1024 * 1024;

interface Spare {
  folder: string;
  hash: string;
  indexHash: string;
  madeAt: number;
}

/**
 * By the folder of their objects: which commits were checked out last, and their spares. The files of a
 * spare depend on its commit alone, with which git compares them once more; refs and borders are written
 * for each run.
 */
const wanted = new Map<string, Content & { isLarge: boolean }>();
const spares = new Map<string, Spare>();
const making = new Map<string, Promise<void>>();
/** The folders that are being made, and those that runs are taking their files from now. */
const inUse = new Set<string>();

const sparesOf = ({ dataDir }: Pick<RunnerConfig, 'dataDir'>): string => join(dataDir, 'spares');

/** Lays out a commit, from memory or from its spare checkout if there is one. */
export async function layOutAgain(
  content: Content,
  target: string,
  options: FetchOptions,
): Promise<void> {
  const { user } = options.workspace;
  if (user !== null) return layOut(content, target, options);
  if (await layOutSmall(content, target, options)) return;
  await making.get(content.objects);
  if (!(await takeSpare(content, target, options))) await layOut(content, target, options);
  const { size } = await lstat(join(target, '.git', 'index'));
  const isLarge = size >= leastIndexBytes;
  if (isLarge || !isKnown(content)) wanted.set(content.objects, { ...content, isLarge });
}

/** Makes the spare the folder of a run; false: there is none, or something has changed it. */
async function takeSpare(
  content: Content,
  target: string,
  options: FetchOptions,
): Promise<boolean> {
  const spare = spares.get(content.objects);
  if (!spare || spare.hash !== content.hash) return false;
  spares.delete(content.objects);
  inUse.add(spare.folder);
  try {
    await rename(join(spare.folder, 'tree'), target);
    await writeRepository(content, target, options);
    await rename(join(spare.folder, 'index'), join(target, '.git', 'index'));
    if (await isUntouched(spare, target, options)) return true;
  } catch (error) {
    options.signal?.throwIfAborted();
    // Something has removed or changed its files, so it is no better than none.
    if (!(error instanceof Error)) throw error;
  } finally {
    await rm(spare.folder, { recursive: true, force: true });
    inUse.delete(spare.folder);
  }
  await rm(target, { recursive: true, force: true });
  return false;
}

async function isUntouched(
  { indexHash }: Spare,
  target: string,
  options: FetchOptions,
): Promise<boolean> {
  if ((await hashOfIndex(join(target, '.git', 'index'))) !== indexHash) return false;
  const every = ['--untracked-files=all', '--ignored=traditional', '--ignore-submodules=all'];
  const args = ['--no-optional-locks', 'status', '--porcelain', ...every];
  return (await git(args, gitIn(target, options))) === '';
}

const hashOfIndex = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Keeps the commits that runs have had since, one after the other. */
export async function makeSpares(config: RunnerConfig, signal: AbortSignal): Promise<void> {
  for (const content of wanted.values()) {
    if (signal.aborted) return;
    if (!content.objects.startsWith(`${mirrorsOf(config)}/`)) continue;
    wanted.delete(content.objects);
    if (!content.isLarge) {
      await keepSmall(config, content, signal);
      continue;
    }
    if (spares.get(content.objects)?.hash === content.hash) continue;
    if (freeBytes(config) < leastFreeBytes) return;
    const made = makeSpare(config, content, signal);
    // A run of this commit that begins meanwhile waits, and then has the files earlier.
    const done = made.then(
      () => undefined,
      () => undefined,
    );
    making.set(content.objects, done);
    try {
      await made;
    } finally {
      making.delete(content.objects);
    }
  }
}

async function makeSpare(
  config: RunnerConfig,
  content: Content,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(sparesOf(config), { recursive: true, mode: 0o700 });
  // At once, so that no sweep finds a folder that is not known yet.
  const folder = mkdtempSync(join(sparesOf(config), 'spare-'));
  inUse.add(folder);
  const tree = join(folder, 'tree');
  const env = { PATH: config.path, HOME: folder };
  try {
    await layOut(content, tree, { config, env, signal, workspace: { dir: folder, user: null } });
    await rename(join(tree, '.git', 'index'), join(folder, 'index'));
    await rm(join(tree, '.git'), { recursive: true });
    const indexHash = await hashOfIndex(join(folder, 'index'));
    const old = spares.get(content.objects);
    spares.set(content.objects, { folder, hash: content.hash, indexHash, madeAt: Date.now() });
    if (old) await rm(old.folder, { recursive: true, force: true });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    // The runner stops, or the repository was removed meanwhile: no run waits for this.
    if (!signal.aborted && (await lstat(content.objects).catch(() => null))) throw error;
  } finally {
    inUse.delete(folder);
  }
}

/** Removes spares that no run has taken for a day, those beyond the limit, and those of earlier runners. */
export async function sweepSpares(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const newest = ofFolder(config).toSorted(([, a], [, b]) => b.madeAt - a.madeAt);
  for (const [index, [objects, { madeAt }]] of newest.entries()) {
    const isKept = index < mostSpares && Date.now() - madeAt < longestUnusedMs;
    if (!isKept || !(await lstat(objects).catch(() => null))) spares.delete(objects);
  }
  forgetSmall((objects) => !existsSync(objects));
  await removeUnknown(config);
}

/** Removes all spares, also those that are being made, and forgets all small commits. */
export async function removeSpares(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  await Promise.all(making.values());
  for (const [objects] of ofFolder(config)) spares.delete(objects);
  forgetSmall((objects) => objects.startsWith(`${mirrorsOf(config)}/`));
  await removeUnknown(config);
}

const ofFolder = (config: Pick<RunnerConfig, 'dataDir'>): [string, Spare][] =>
  [...spares].filter(([, { folder }]) => folder.startsWith(`${sparesOf(config)}/`));

async function removeUnknown(config: Pick<RunnerConfig, 'dataDir'>): Promise<void> {
  const found = await readdir(sparesOf(config)).catch(() => []);
  // Looked up after the folders were listed: more of them may be known by now, but none was forgotten.
  const folders = [...ofFolder(config).map(([, { folder }]) => folder), ...inUse];
  const known = new Set(folders.map((folder) => basename(folder)));
  for (const name of found) {
    if (known.has(name)) continue;
    await rm(join(sparesOf(config), name), { recursive: true, force: true });
  }
}
