// Locks a data folder for one server, because two servers on it would run the same tasks.
//
// The lock is SQLite's exclusive lock on an empty database made for this purpose. The system releases
// it when the process ends, however it ends. Programs that the server has started do not inherit it.
// Unlike a socket, it also works between containers that share the folder.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { ConfigError } from '../../runner/system/config.ts';
import type { Config } from '../config/config.ts';
import { databaseFailure } from './failure.ts';
import { keepToOwner } from './file-modes.ts';

/** Milliseconds to wait for the previous server to end, and between two attempts. */
const lockWaitMs = 2000;
const lockPauseMs = 50;

/** Locks the folder and answers the function that unlocks it; throws when another server has locked it. */
export async function holdFolder({ dataDir }: Pick<Config, 'dataDir'>): Promise<() => void> {
  const lock = openLock(join(dataDir, 'server.lock'));
  const limit = performance.now() + lockWaitMs;
  try {
    while (!isTaken(lock)) {
      if (performance.now() > limit) throw heldByAnother(dataDir);
      await delay(lockPauseMs);
    }
  } catch (error) {
    lock.close();
    throw databaseFailure(lock.name, error) ?? error;
  }
  return () => lock.close();
}

function openLock(file: string): Database.Database {
  try {
    keepToOwner(file);
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw databaseFailure(file, error) ?? error;
  }
}

function isTaken(lock: Database.Database): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

const heldByAnother = (dataDir: string): ConfigError =>
  new ConfigError(
    `Another server works on the data folder ${dataDir}. Stop it first, or give this one a folder of its own: SIGNALBOX_DATA_DIR.`,
  );
