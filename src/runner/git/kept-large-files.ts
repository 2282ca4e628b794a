// Keeps the contents that git-lfs has fetched beside the mirror for later runs. git-lfs searches for them beside
// the objects that the repository of a run borrows.

import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Where git-lfs stores contents in a repository or beside borrowed objects, by their hashes. */
const contentsIn = (repository: string): string => join(repository, 'lfs', 'objects');

const MAX_UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Keeps what the repository of a run has fetched, and removes what was unused for a month. If the disk is full
 * or the mirror is removed concurrently, the next run fetches again.
 */
export async function keepLargeFiles(repository: string, mirror: string): Promise<void> {
  const [from, to] = [contentsIn(join(repository, '.git')), contentsIn(mirror)];
  try {
    for (const path of await listContents(from)) await keep(join(from, path), join(to, path));
    await removeUnused(to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** The paths of contents in a folder of git-lfs: `ab/cd/abcd…`. No link is followed. */
async function listContents(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map(({ name }) => join(name.slice(0, 2), name.slice(2, 4), name));
}

async function keep(from: string, to: string): Promise<void> {
  const kept = await stat(to).catch(() => null);
  const now = new Date();
  if (kept) {
    if (now.getTime() - kept.mtimeMs > dayMs) await utimes(to, now, now);
    return;
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const copy = join(dirname(to), `new-${randomBytes(6).toString('hex')}`);
  try {
    if (join(dirname(to), await copyHashed(from, copy)) === to) await rename(copy, to);
  } finally {
    await rm(copy, { force: true });
  }
}

/** Copies a file and returns its hash, which must be its name, since later runs trust kept contents. */
async function copyHashed(from: string, to: string): Promise<string> {
  const hash = createHash('sha256');
  async function* hashing(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  const target = await open(to, 'wx', 0o600);
  await pipeline(source.createReadStream(), hashing, target.createWriteStream());
  return hash.digest('hex');
}

async function removeUnused(folder: string): Promise<void> {
  for (const path of await listContents(folder)) {
    const { mtimeMs } = await stat(join(folder, path));
    if (Date.now() - mtimeMs > MAX_UNUSED_MS) await rm(join(folder, path), { force: true });
  }
}
