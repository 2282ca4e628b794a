// Keeps the files of small commits in memory and writes them for the next run. For a few files git takes
// longer to start than to write them, and the runner longer still to start git.
//
// Git has to lay out what it does not write as it is stored: commits with attributes or submodules. Files
// that are no text are left to it as well.

import { createHash } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUmaskStrict } from '../programs/process.ts';
import type { RunnerConfig } from '../system/config.ts';
import { whenAllEnded } from '../system/when-all-ended.ts';
import { isThere } from '../workspace/run-files.ts';
import { git, type GitOptions } from './git.ts';
import { printIndex } from './index-file.ts';
import { writeRepository, type Content } from './lay-out.ts';
import type { FetchOptions } from './mirror.ts';

const mostFiles = 64;
const mostBytes = 64 * 1024;
const mostCommits = 16;

interface SmallFile {
  path: string;
  mode: number;
  id: string;
  /** The content of the file, or where the link leads. */
  text: string;
}

/**
 * By the folder of the objects and the hash, which says all about the files; null: git has to lay out this
 * commit. The rights of the files follow the umask, which stays while the runner lives.
 */
const kept = new Map<string, SmallFile[] | null>();

const keyOf = ({ objects, hash }: Content): string => `${objects}\n${hash}`;

/** Whether it is known how this commit is laid out. */
export const isKnown = (content: Content): boolean => kept.has(keyOf(content));

const link = 0o120000;

/** Forgets all commits whose objects are in such a folder. */
export function forgetSmall(isGone: (objects: string) => boolean): void {
  for (const key of kept.keys()) if (isGone(key.slice(0, key.lastIndexOf('\n')))) kept.delete(key);
}

/** Keeps the files of a commit, or that git has to lay it out. */
export async function keepSmall(
  config: RunnerConfig,
  content: Content,
  signal: AbortSignal,
): Promise<void> {
  const cwd = dirname(content.objects);
  const env = { PATH: config.path, HOME: cwd };
  try {
    kept.set(keyOf(content), await readFiles(content.hash, { cwd, env, user: null, signal }));
  } catch (error) {
    // The runner stops, or the repository was removed meanwhile: no run waits for this.
    if (!signal.aborted && (await isThere(content.objects))) throw error;
  }
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > mostCommits) kept.delete(oldest);
}

/** Null: they are too many or too large, or git does not write them as they are. */
async function readFiles(hash: string, at: GitOptions): Promise<SmallFile[] | null> {
  // Indexes are written for SHA-1 only (`index-file.ts`).
  if (hash.length !== 40) return null;
  const files = await listFiles(hash, at);
  if (files === null) return null;
  const input = files.map(({ id }) => `${id}\n`).join('');
  const blobs = Buffer.from(await git(['cat-file', '--batch'], { ...at, input }));
  let from = 0;
  const read: SmallFile[] = [];
  for (const { path, mode, id, size } of files) {
    const start = from + Buffer.byteLength(`${id} blob ${size}\n`);
    const text = blobs.toString('utf8', start, start + size);
    // Of bytes that are no UTF-8, git's output has become another text.
    if (blobHash(text) !== id) return null;
    read.push({ path, mode, id, text });
    from = start + size + 1;
  }
  return read;
}

// Mode, hash, size and path of a file. A submodule has no size.
const listedFile = /^(\d+) blob ([\da-f]{40}) +(\d+)\t(.+)$/s;

async function listFiles(hash: string, at: GitOptions) {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', hash];
  const lines = (await git(args, at)).split('\0').slice(0, -1);
  if (lines.length > mostFiles) return null;
  const files = lines.map((line) => {
    const [, mode = '', id = '', size, path = ''] = listedFile.exec(line) ?? [];
    return { path, mode: parseInt(mode, 8), id, size: Number(size) };
  });
  const isPlain = files.every(({ path }) => !/(?:^|\/)\.gitattributes$|\ufffd/i.test(path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return isPlain && bytes <= mostBytes ? files : null;
}

const blobHash = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');

/** Lays out a commit whose files are kept; false: they are not, or could not be written. */
export async function layOutSmall(
  content: Content,
  target: string,
  options: FetchOptions,
): Promise<boolean> {
  const files = kept.get(keyOf(content));
  if (!files) return false;
  // The order of the map tells which was used last.
  kept.delete(keyOf(content));
  kept.set(keyOf(content), files);
  try {
    await writeRepository(content, target, options);
    await writeFiles(files, target);
    return true;
  } catch {
    // Git does it once more, and says why it cannot be done.
    await rm(target, { recursive: true, force: true });
    return false;
  }
}

async function writeFiles(files: SmallFile[], target: string): Promise<void> {
  const isLink = ({ mode }: SmallFile): boolean => mode === link;
  for (const folder of foldersOf(files)) await makeFolder(join(target, folder));
  const plain = files.filter((file) => !isLink(file));
  await whenAllEnded(plain.map((file) => writeOne(file, target)));
  // Links come last, so that no file is written to where one leads.
  for (const { path, text } of files.filter(isLink)) await symlink(text, join(target, path));
  const entries = files.map((file) => ({
    ...file,
    state: lstatSync(join(target, file.path), { bigint: true }),
  }));
  await writeFile(join(target, '.git', 'index'), printIndex(entries));
}

/** The folders of all files, each before those in it. */
function foldersOf(files: SmallFile[]): Set<string> {
  const found = new Set<string>();
  const add = (folder: string): void => {
    if (folder === '.' || found.has(folder)) return;
    add(dirname(folder));
    found.add(folder);
  };
  for (const { path } of files) add(dirname(path));
  return found;
}

// Files and folders have the modes that git gives them, for which it has the usual umask.

async function makeFolder(path: string): Promise<void> {
  await mkdir(path);
  if (isUmaskStrict()) chmodSync(path, 0o755);
}

async function writeOne({ path, mode, text }: SmallFile, target: string): Promise<void> {
  const place = join(target, path);
  const isProgram = (mode & 0o100) !== 0;
  await writeFile(place, text, { flag: 'wx', mode: isProgram ? 0o777 : 0o666 });
  if (isUmaskStrict()) chmodSync(place, isProgram ? 0o755 : 0o644);
}
