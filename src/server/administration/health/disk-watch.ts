// Checks whether the disk of the data folder and the database have room.

import type { Kysely } from 'kysely';
import type { RoomState } from '#shared/api/system.ts';
import type { Config } from '../../config/config.ts';
import { isDiskFull } from '../../../node/fs/disk-full.ts';
import { hasFoundNoRoom, noteRoom } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { freeBytes, MIN_FREE_BYTES } from '../../../node/fs/disk-space.ts';
import type { Log } from '../../../node/log/log.ts';
import { tryToWrite, tryToWriteALittle } from '../installation/settings.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context/context.ts';

// Milliseconds between two checks, which is also how long a result is used again.
const pause = 15_000;
const fresh = 1000;

interface Room {
  /** The state of the data folder's disk. */
  disk: RoomState;
  /** Whether a statement has failed on a full disk of the database, and the next one would fail too. */
  isDatabaseFull: boolean;
  /** Whether the data folder's disk has room for new tasks. */
  hasRoomForTasks: boolean;
}

interface DiskWatchParts {
  config: Pick<Config, 'dataDir' | 'lowDiskBytes' | 'leastDiskBytes'>;
  db: Kysely<Tables>;
  log: Log;
}

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  #room: Room = { disk: 'ok', isDatabaseFull: false, hasRoomForTasks: true };
  #lookedAt = -Infinity;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.room();
    this.#timer = setInterval(() => void this.room(), pause);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** The result of the last check if it is recent, otherwise of a new one. */
  async room(): Promise<Room> {
    if (performance.now() - this.#lookedAt > fresh) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }
    await this.#looking;
    return this.#room;
  }

  async #look(): Promise<void> {
    const free = freeBytes(this.#parts.config);
    const disk = this.#stateOf(free);
    // One cause is reported once: the database of SQLite is full when its disk is.
    const room = {
      disk,
      isDatabaseFull: disk !== 'full' && (await this.#isDatabaseFull()),
      hasRoomForTasks: free >= this.#parts.config.leastDiskBytes,
    };
    this.#logChanges(this.#room, room, free);
    this.#room = room;
    this.#lookedAt = performance.now();
  }

  #stateOf(free: number): RoomState {
    if (free < MIN_FREE_BYTES) return 'full';
    return free < this.#parts.config.lowDiskBytes ? 'low' : 'ok';
  }

  async #isDatabaseFull(): Promise<boolean> {
    const { db } = this.#parts;
    if (!hasFoundNoRoom(db)) return false;
    try {
      await tryToWrite(db);
    } catch (error) {
      // Other errors of the database are reported elsewhere.
      if (isDiskFull(error)) return true;
    }
    noteRoom(db);
    return false;
  }

  #logChanges(before: Room, now: Room, free: number): void {
    const { log, config } = this.#parts;
    const facts = { folder: config.dataDir, freeBytes: free };
    if (now.isDatabaseFull && !before.isDatabaseFull) log.error(words.databaseFull);
    if (!now.isDatabaseFull && before.isDatabaseFull) log.warn(words.databaseRoom);
    if (before.hasRoomForTasks && !now.hasRoomForTasks) log.error(facts, words.noTasks);
    if (!before.hasRoomForTasks && now.hasRoomForTasks) log.warn(facts, words.tasks);
    if (now.disk === before.disk) return;
    if (now.disk === 'full') log.error(facts, words.full);
    else log.warn(facts, now.disk === 'low' ? words.low : words.room);
  }
}

const words = {
  full: 'the disk of the data folder is full: nothing can be stored until there is room',
  low: 'the disk of the data folder is nearly full (SIGNALBOX_LOW_DISK_BYTES)',
  room: 'the disk of the data folder has room again',
  noTasks:
    'the disk of the data folder has too little room for new tasks: they wait (SIGNALBOX_LEAST_DISK_BYTES)',
  tasks: 'the disk of the data folder has room for new tasks again',
  databaseFull: 'the database has no room: nothing can be stored until there is some',
  databaseRoom: 'the database has room again',
};

// Checks whether data folder and database can be written: both may have become read-only.

/** Throws, except on a full disk, which the state of the disk reports. */
export async function writeToFolder({ config }: Pick<Context, 'config'>): Promise<void> {
  const path = join(config.dataDir, '.writable');
  try {
    await writeFile(path, '\n', { mode: 0o600 });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Throws, except on a full disk, which the state of the database reports. */
export async function writeToDatabase({ db }: Pick<Context, 'db'>): Promise<void> {
  try {
    await tryToWriteALittle(db);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
