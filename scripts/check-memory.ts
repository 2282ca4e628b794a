// Remembers which steps of `npm run check` have passed, and with which files. A step that has
// passed is skipped only if every file of the checkout and every installed package is the same.

import { createHash, type Hash } from 'node:crypto';
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

// Git ignores these, and no step reads them.
const unread = ['.git', '.setup', 'coverage', 'data', 'dist', 'node_modules'];
// Most commits change words and pictures, which the remembered steps do not read.
const unreadEnding = /\.(?:log|md|webp)$/;

// What npm has installed, which can differ from package-lock.json.
const installed = 'node_modules/.package-lock.json';

/**
 * The key is computed before the first step begins: a file that is saved meanwhile belongs to the
 * next check.
 */
export function checkMemory(root: string, folder: string) {
  const key = contentKey(root);
  const fileOf = (step: string): string => join(folder, step.replaceAll(/\W+/g, '-'));
  return {
    has: (step: string): boolean =>
      existsSync(fileOf(step)) && readFileSync(fileOf(step), 'utf8') === key,
    /** To be called after the step has passed. */
    remember(step: string): void {
      // The step may have read some files before a change and some after it.
      if (contentKey(root) !== key) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(fileOf(step), key);
    },
  };
}

/** A hash of the names and contents of all files that a step may read. */
export function contentKey(root: string): string {
  const hash = createHash('sha256');
  for (const entry of entriesOf(root)) {
    if (!unread.includes(entry.name)) addTo(hash, root, entry);
  }
  if (existsSync(join(root, installed))) addFile(hash, root, installed);
  return hash.digest('hex');
}

function addTo(hash: Hash, root: string, entry: Dirent, folder = ''): void {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) {
    for (const inside of entriesOf(join(root, path))) addTo(hash, root, inside, path);
  } else if (entry.isSymbolicLink()) {
    hash.update(`${path}\0link\0${readlinkSync(join(root, path))}\0`);
  } else if (entry.isFile() && !unreadEnding.test(path)) {
    addFile(hash, root, path);
  }
}

function addFile(hash: Hash, root: string, path: string): void {
  const content = readFileSync(join(root, path));
  // The length comes first, so that no content can look like the next file.
  hash.update(`${path}\0${content.length}\0`).update(content);
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
