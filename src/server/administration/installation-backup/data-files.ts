// Lists the files of the data folder that a backup contains, while tasks change them.

import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix } from 'node:path';
import type { Member } from './archive-writer.ts';
import { keptFolders } from './kept-folders.ts';
import { members } from './manifest.ts';

/** The lock file of Terraform beside a state. */
const isLockOfState = (path: string): boolean =>
  path.startsWith('terraform/') &&
  posix.basename(path).startsWith('.') &&
  path.endsWith('.lock.info');

// Smaller files are read as a whole before their head is written, so that they may change meanwhile.
const smallBytes = 8 * 1024 * 1024;
// How often a file that changes while it is read is read again.
const MAX_READS = 20;

/** The members below `data/`. Calls `leave` for files that a backup cannot contain. */
export async function* dataFiles(
  dataDir: string,
  leave: (path: string, why: string) => void,
): AsyncIterable<Member> {
  for (const folder of keptFolders) yield* walk(dataDir, folder, leave);
}

async function* walk(
  dataDir: string,
  path: string,
  leave: (path: string, why: string) => void,
): AsyncIterable<Member> {
  const found = await lstat(join(dataDir, path)).catch(ifGone);
  if (!found) return;
  if (isLockOfState(path)) {
    leave(path, 'a run works on the state beside it, whose copy may miss what this run makes');
    return;
  }
  const head = { path: members.data + path, mtime: found.mtime };
  if (found.isDirectory()) {
    yield { ...head, type: 'folder', mode: found.mode & 0o777 };
    const names = (await readdir(join(dataDir, path)).catch(ifGone)) ?? [];
    for (const name of names.toSorted()) yield* walk(dataDir, posix.join(path, name), leave);
  } else if (found.isSymbolicLink()) {
    const target = await readlink(join(dataDir, path)).catch(ifGone);
    if (target == null) return;
    if (staysWithin(path, target)) yield { ...head, type: 'link', target };
    else leave(path, 'the link leads out of its folder');
  } else if (found.isFile()) {
    yield* readFile(join(dataDir, path), head);
  } else leave(path, 'it is no file and no folder');
}

/** Whether the target of a link lies in the same project or repository as the link itself. */
export function staysWithin(path: string, target: string): boolean {
  if (isAbsolute(target) || target.includes('\0')) return false;
  const [folder = '', owner = ''] = path.split('/');
  const led = posix.normalize(posix.join(dirname(path), target));
  return led.startsWith(`${folder}/${owner}/`);
}

async function* readFile(
  file: string,
  head: { path: string; mtime: Date },
): AsyncIterable<Member & { type: 'file' }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ifGone);
  if (!handle) return;
  try {
    const { size, mode } = await handle.stat();
    const all = { ...head, type: 'file', mode: mode & 0o777 } as const;
    if (size > smallBytes) {
      const content = handle.createReadStream({ start: 0, autoClose: false });
      yield { ...all, size, content: content as AsyncIterable<Buffer> };
      return;
    }
    const content = await readUnchanged(handle);
    yield { ...all, size: content.length, content };
  } finally {
    await handle.close();
  }
}

/** Reads a file again when it was written meanwhile. */
async function readUnchanged(handle: FileHandle): Promise<Buffer> {
  for (let count = 1; ; count += 1) {
    const before = await handle.stat({ bigint: true });
    const content = Buffer.alloc(Number(before.size));
    const { bytesRead } = await handle.read(content, 0, content.length, 0);
    const after = await handle.stat({ bigint: true });
    const isSame = before.mtimeNs === after.mtimeNs && before.size === after.size;
    if ((isSame && bytesRead === content.length) || count === MAX_READS) {
      return content.subarray(0, bytesRead);
    }
  }
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
