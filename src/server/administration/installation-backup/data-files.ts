// Lists the files of the data folder that a backup contains, while tasks change them.

import { constants } from 'node:fs';
import { lstat, open, readdir, readlink, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix } from 'node:path';
import type { Member } from './archive-writer.ts';
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

// Which parts of the data folder a backup of the installation contains.

/** Folders that nothing can make again. */
export const keptFolders = [
  // Repositories that were made here, such as those of demo projects.
  'repositories',
  // The pinned keys of ssh hosts.
  'known-hosts',
  // The states of Terraform that no backend keeps.
  'terraform',
  // What was set aside, such as states of templates that were deleted.
  'set-aside',
] as const;

/** What the product makes again, or what belongs to one machine, with the reason. */
export const leftOut: Record<string, string> = {
  'signalbox.db': 'a consistent copy is in the backup',
  'signalbox.db-wal': 'its content is in the copy of the database',
  'signalbox.db-shm': 'belongs to running processes',
  'master.key': 'kept apart from the backup',
  'server.lock': 'belongs to a running server',
  'backup.lock': 'belongs to a running backup',
  'runner.pid': 'belongs to a running runner',
  'runner.sock': 'belongs to a running server',
  installation: 'the id of the installation is in the database',
  installations: 'what other installations have kept here, which is no part of this one',
  'runner-id': 'names a server of this machine',
  'runner.json': 'the identity of a remote runner, which has no database',
  upgrades: 'copies of the database from before upgrades, for the way back on this machine',
  'cache-cleared': 'a note about the caches',
  '.writable': 'tells whether the folder can be written',
  '.restore': 'belongs to a running restore',
  'restore-unfinished': 'the mark of a restore',
  restored: 'the settings of the backup that was restored',
  runs: 'files of running tasks, which do not go on elsewhere',
  mirrors: 'copies of repositories, which are fetched again',
  spares: 'checkouts of earlier versions, which are removed',
  galaxy: 'roles and collections, which are installed again',
  venvs: 'packages of Python, which are installed again',
  environments: 'programs of execution environments, which are installed again',
  images: 'notes of when images of containers were used last',
  facts: 'a cache of facts, which are gathered again',
  homes: 'caches of programs, which the product removes when the disk is full',
};
