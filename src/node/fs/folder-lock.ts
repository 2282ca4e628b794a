// Locks a data folder for one server or runner, because two of them would run the same tasks.
//
// The lock is SQLite's exclusive lock on an empty database. The system releases it when the process ends, however it
// ends, and child processes do not inherit it. Unlike a socket, it works between containers that share the folder. It
// uses the SQLite of Node, since a runner has no packages with native code.

import { closeSync, fchownSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config-error.ts';
import type { DataDirConfig } from './data-dir-config.ts';

/** How long to wait for the previous server to end, and between two attempts. */
const lockWaitMs = 2000;
const lockPauseMs = 50;

/** Returns the function that unlocks the folder; throws when another server has locked it. */
export async function holdFolder({ dataDir }: DataDirConfig): Promise<() => void> {
  const unlock = await holdFile(join(dataDir, 'server.lock'), lockWaitMs);
  if (!unlock) throw heldByAnother(dataDir);
  return unlock;
}

/** Locks a file of the data folder; null: another process has held the lock for `waitMs`. */
export async function holdFile(file: string, waitMs: number): Promise<(() => void) | null> {
  const lock = openLock(file);
  const limit = performance.now() + waitMs;
  try {
    while (!isTaken(lock)) {
      if (performance.now() >= limit) {
        lock.close();
        return null;
      }
      await delay(lockPauseMs);
    }
  } catch (error) {
    lock.close();
    throw unusable(file, error);
  }
  return () => lock.close();
}

function openLock(file: string): DatabaseSync {
  // Created before SQLite opens it, to restrict its permissions whatever the umask is.
  const handle = openSync(file, 'a', 0o600);
  // A command of root must leave a file that the user of the server can lock too.
  const { uid, gid } = statSync(dirname(file));
  if (process.getuid?.() === 0) fchownSync(handle, uid, gid);
  closeSync(handle);
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (error) {
    throw unusable(file, error);
  }
}

/** SQLITE_BUSY: another process has the lock. */
const busy = 5;

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
  }
}

const unusable = (file: string, cause: unknown): ConfigError =>
  new ConfigError(
    `The data folder cannot be locked with ${file}: ${(cause as Error).message}. Remove this file if no other server works on the folder, and start again.`,
    { cause },
  );

const heldByAnother = (dataDir: string): ConfigError =>
  new ConfigError(
    `Another server works on the data folder ${dataDir}. Stop it first, or give this one a folder of its own: SIGNALBOX_DATA_DIR.`,
  );
