// The files of pinned ssh host keys, one for each project, with the lines that ssh writes when it connects to a host for
// the first time. The runner adds lines, and the server removes them.

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
import type { DataDirConfig } from '../fs/data-dir-config.ts';

export const knownHostsOf = ({ dataDir }: DataDirConfig): string => join(dataDir, 'known-hosts');

export const knownHostsPath = (place: DataDirConfig, projectId: number): string =>
  join(knownHostsOf(place), String(projectId));

export const readHostKeys = (place: DataDirConfig, projectId: number): HostKey[] =>
  readLines(place, projectId).flatMap((line) => parse(line) ?? []);

/** Removes a key and returns it; null: no such key is pinned. */
export function forgetHostKey(place: DataDirConfig, projectId: number, id: string): HostKey | null {
  return whileLocked(place, projectId, () => {
    const lines = readLines(place, projectId);
    const gone = lines.map(parse).find((key) => key?.id === id);
    if (!gone) return null;
    const kept = lines.filter((line) => parse(line)?.id !== id);
    write(place, projectId, kept);
    return gone;
  });
}

export function forgetHostKeys(place: DataDirConfig, projectId: number): void {
  whileLocked(place, projectId, () => rmSync(knownHostsPath(place, projectId), { force: true }));
}

/** Adds the host keys that ssh has pinned in the file of a run. Keys that the project has pinned do not change. */
export function addHostKeys(place: DataDirConfig, projectId: number, text: string): void {
  whileLocked(place, projectId, () => {
    const lines = readLines(place, projectId);
    const pinned = new Set(lines.map(placeOf));
    const added = text
      .slice(0, MAX_CHARACTERS_READ)
      .split('\n')
      .filter((line) => parse(line) !== null && !pinned.has(placeOf(line)));
    if (added.length > 0) write(place, projectId, [...lines, ...added]);
  });
}

const MAX_CHARACTERS_READ = 1024 * 1024;

function readLines(place: DataDirConfig, projectId: number): string[] {
  try {
    const text = readFileSync(knownHostsPath(place, projectId), 'utf8');
    return text.split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function write(place: DataDirConfig, projectId: number, lines: string[]): void {
  const path = knownHostsPath(place, projectId);
  writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const lockPauseMs = 5;
// An older lock was left by a process that was killed.
const MAX_HOLD_MS = 2000;

/** Server and runner are two processes that change the file. */
function whileLocked<T>(place: DataDirConfig, projectId: number, work: () => T): T {
  const lock = `${knownHostsPath(place, projectId)}.lock`;
  mkdirSync(knownHostsOf(place), { recursive: true, mode: 0o700 });
  while (!isLocked(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPauseMs);
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Tries to create the lock, which is a folder. Removes a stale lock. */
function isLocked(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - statSync(lock).mtimeMs > MAX_HOLD_MS) rmdirSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return false;
}

/** The host and the key type of a line. */
const placeOf = (line: string): string => line.trim().split(/\s+/, 2).join(' ');

/** Null for comments, and for lines with a marker, which only an administrator can have written. */
function parse(line: string): HostKey | null {
  const [host, type, key] = line.trim().split(/\s+/);
  if (!host || !type || !key || /^[#@]/.test(host)) return null;
  const sha256 = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  const id = createHash('sha256').update(`${host} ${type} ${key}`).digest('hex').slice(0, 24);
  return { id, host, type, fingerprint: `SHA256:${trimEndOf(sha256, '=')}` };
}
