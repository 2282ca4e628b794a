// The files of pinned ssh host keys, one for each project: lines that ssh adds to a file at first
// sight. The runner adds to them, and the server removes from them.

import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { trimEndOf } from '#shared/trim-end.ts';
import type { HostKey } from '#shared/api/host-keys.ts';
import type { RunnerConfig } from './config.ts';

type Place = Pick<RunnerConfig, 'dataDir'>;

/** The folder of all projects' files. */
export const knownHostsOf = ({ dataDir }: Place): string => join(dataDir, 'known-hosts');

/** The file of a project. */
export const knownHostsPath = (place: Place, projectId: number): string =>
  join(knownHostsOf(place), String(projectId));

/** The pinned keys of a project; none where it has no file. */
export const readHostKeys = (place: Place, projectId: number): HostKey[] =>
  readLines(place, projectId).flatMap((line) => parse(line) ?? []);

/** Removes one key; answers it, or null where it is not pinned. */
export function forgetHostKey(place: Place, projectId: number, id: string): HostKey | null {
  return whileLocked(place, projectId, () => {
    const lines = readLines(place, projectId);
    const gone = lines.map(parse).find((key) => key?.id === id);
    if (!gone) return null;
    const kept = lines.filter((line) => parse(line)?.id !== id);
    write(place, projectId, kept);
    return gone;
  });
}

export function forgetHostKeys(place: Place, projectId: number): void {
  whileLocked(place, projectId, () => rmSync(knownHostsPath(place, projectId), { force: true }));
}

/**
 * Adds what ssh has pinned in the file of a run to that of its project. A key that is pinned
 * already stays what it is, whatever the run says.
 */
export function addHostKeys(place: Place, projectId: number, text: string): void {
  whileLocked(place, projectId, () => {
    const lines = readLines(place, projectId);
    const pinned = new Set(lines.map(placeOf));
    const added = text
      .slice(0, longestFile)
      .split('\n')
      .filter((line) => parse(line) !== null && !pinned.has(placeOf(line)));
    if (added.length > 0) write(place, projectId, [...lines, ...added]);
  });
}

const longestFile = 1024 * 1024;

function readLines(place: Place, projectId: number): string[] {
  try {
    const text = readFileSync(knownHostsPath(place, projectId), 'utf8');
    return text.split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function write(place: Place, projectId: number, lines: string[]): void {
  const path = knownHostsPath(place, projectId);
  writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

// Milliseconds: between two tries to get the lock, and after which nobody can hold it any more.
const pause = 5;
const longestHold = 2000;

/** Server and runner are two processes: what one reads and writes must not fall between the other's. */
function whileLocked<T>(place: Place, projectId: number, work: () => T): T {
  const lock = `${knownHostsPath(place, projectId)}.lock`;
  mkdirSync(knownHostsOf(place), { recursive: true, mode: 0o700 });
  while (!isLocked(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Makes the lock, which is a folder; one that a process which was killed has left is removed. */
function isLocked(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - statSync(lock).mtimeMs > longestHold) rmdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return false;
}

/** A host and the type of its key. */
const placeOf = (line: string): string => line.trim().split(/\s+/, 2).join(' ');

/** Null for remarks and for marked lines, which only an administrator can have written. */
function parse(line: string): HostKey | null {
  const [host, type, key] = line.trim().split(/\s+/);
  if (!host || !type || !key || /^[#@]/.test(host)) return null;
  const sha256 = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  const id = createHash('sha256').update(`${host} ${type} ${key}`).digest('hex').slice(0, 24);
  return { id, host, type, fingerprint: `SHA256:${trimEndOf(sha256, '=')}` };
}
