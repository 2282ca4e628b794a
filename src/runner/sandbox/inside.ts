// Resolves and reads paths of a checkout. Each part of a path is resolved by itself, links are followed only inside the
// root, and the path that is finally opened contains no link.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

/** The resolved path, as parts without a link; `outside` does not reveal whether something exists there. */
export type ResolvedPath = { parts: string[]; stat: Stats } | 'absent' | 'outside';

const MAX_LINKS = 40;

export function resolveInside(root: string, path: string): ResolvedPath {
  const done: string[] = [];
  const rest = path.split('/');
  let stat = lstat(root);
  for (let links = 0; stat && rest.length > 0;) {
    const name = rest.shift() ?? '';
    if (!isStep(name, done, root)) return 'outside';
    const at = join(root, ...done);
    stat = lstat(at);
    if (!stat?.isSymbolicLink()) continue;
    links += 1;
    done.pop();
    const target = readlinkSync(at);
    const isAbsolute = target.startsWith('/');
    if (links > MAX_LINKS || (isAbsolute && root !== '/')) return 'outside';
    if (isAbsolute) done.length = 0;
    rest.unshift(...target.split('/'));
  }
  return stat ? { parts: done, stat } : 'absent';
}

/** Applies one part of a path; false: it would leave the root. */
function isStep(name: string, done: string[], root: string): boolean {
  if (name === '' || name === '.') return true;
  if (name === '..') return done.pop() !== undefined || root === '/';
  done.push(name);
  return true;
}

function lstat(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** Changes with a file or folder anywhere, without reading its content; empty: it does not exist. */
export function stateOf(path: string): string {
  const stat = lstat(path);
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
}

export function isFolder(root: string, path: string): boolean {
  const resolved = resolveInside(root, path);
  return typeof resolved !== 'string' && resolved.stat.isDirectory();
}

/** Whether a file begins with "#!", even if it is not executable. */
export function isScript(path: string): boolean {
  const resolved = resolveInside('/', path);
  if (typeof resolved === 'string' || !resolved.stat.isFile()) return false;
  let file: number | null = null;
  try {
    file = openWithoutLinks('/', resolved.parts);
    const begin = Buffer.alloc(2);
    return fstatSync(file).isFile() && readSync(file, begin) === 2 && begin.toString() === '#!';
  } catch {
    // Ansible itself reports that it cannot be read.
    return false;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The limit of a file. */
export const MAX_BYTES = 256 * 1024;

export type FileText = { text: string } | { refused: string } | null;

/** Reads a regular file inside the root, with the rights of this process. Null: it does not exist. */
export function readInside(root: string, path: string, limit: number = MAX_BYTES): FileText {
  const resolved = resolveInside(root, path);
  if (resolved === 'absent') return null;
  if (resolved === 'outside') return { refused: 'it leads out of the repository' };
  // Checked before opening, because opening a device can have side effects.
  if (!resolved.stat.isFile()) return { refused: 'it is not a regular file' };
  let file: number | null = null;
  try {
    file = openWithoutLinks(root, resolved.parts);
    const stat = fstatSync(file);
    if (!stat.isFile()) return { refused: 'it is not a regular file' };
    if (stat.size > limit) return { refused: tooLarge(limit) };
    return readAll(file, limit);
  } catch {
    return { refused: 'it cannot be read by the user that tasks run as' };
  } finally {
    if (file !== null) closeSync(file);
  }
}

const tooLarge = (limit: number): string => `it is larger than ${limit / 1024} KiB`;

/** The names in a folder inside the root; empty: the folder does not exist. */
export function listInside(root: string, path: string): string[] {
  const resolved = resolveInside(root, path);
  if (typeof resolved === 'string' || !resolved.stat.isDirectory()) return [];
  return readdirSync(join(root, ...resolved.parts)).sort();
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens the path part by part, so that a link that is put there concurrently is not followed. */
function openWithoutLinks(root: string, parts: string[]): number {
  // openat(2) exists only on Linux, by paths of /proc/self/fd.
  if (process.platform !== 'linux') {
    return openSync(join(root, ...parts), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  }
  let at = openSync(root, O_RDONLY | O_DIRECTORY);
  for (const [index, name] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const flags = O_RDONLY | O_NOFOLLOW | (isLast ? O_NONBLOCK : O_DIRECTORY);
    try {
      const next = openSync(`/proc/self/fd/${at}/${name}`, flags);
      closeSync(at);
      at = next;
    } catch (error) {
      closeSync(at);
      throw error;
    }
  }
  return at;
}

/** Reads until the end, because virtual files of the system report a wrong size. */
function readAll(file: number, limit: number): FileText {
  const buffer = Buffer.allocUnsafe(limit + 1);
  let size = 0;
  for (;;) {
    const read = readSync(file, buffer, size, buffer.length - size, null);
    if (read === 0) break;
    size += read;
    if (size > limit) return { refused: tooLarge(limit) };
  }
  return { text: buffer.toString('utf8', 0, size) };
}
