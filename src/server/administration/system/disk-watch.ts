// Whether there is room to store anything: on the disk of the data folder, and in the database.

import type { Kysely } from 'kysely';
import type { RoomState } from '#shared/api/system.ts';
import type { Config } from '../../config/config.ts';
import { isDiskFull } from '../../../runner/system/full.ts';
import { hasFoundNoRoom, noteRoom } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { freeBytes, leastRoom } from '../../../runner/system/free-room.ts';
import type { Log } from '../../../runner/system/log.ts';
import { tryToWrite } from './settings.store.ts';

// Milliseconds between two looks, and for how long what a look has found is good enough.
const pause = 15_000;
const fresh = 1000;

export interface Room {
  /** Of the data folder. */
  disk: RoomState;
  /** A statement has found no room in the database, and the next one would find none either. */
  isDatabaseFull: boolean;
}

export interface DiskWatchParts {
  config: Pick<Config, 'dataDir' | 'lowDiskBytes'>;
  db: Kysely<Tables>;
  log: Log;
}

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  #room: Room = { disk: 'ok', isDatabaseFull: false };
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

  /** What was found a moment ago, or is found now. */
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
    const free = await freeBytes(this.#parts.config);
    const disk = this.#stateOf(free);
    // One cause is told once: SQLite's database is full with its disk.
    const room = { disk, isDatabaseFull: disk !== 'full' && (await this.#isDatabaseFull()) };
    this.#tell(this.#room, room, free);
    this.#room = room;
    this.#lookedAt = performance.now();
  }

  #stateOf(free: number): RoomState {
    if (free < leastRoom) return 'full';
    return free < this.#parts.config.lowDiskBytes ? 'low' : 'ok';
  }

  async #isDatabaseFull(): Promise<boolean> {
    const { db } = this.#parts;
    if (!hasFoundNoRoom(db)) return false;
    try {
      await tryToWrite(db);
    } catch (error) {
      // Whatever else is wrong with the database shows elsewhere.
      if (isDiskFull(error)) return true;
    }
    noteRoom(db);
    return false;
  }

  #tell(before: Room, now: Room, free: number): void {
    const { log, config } = this.#parts;
    const facts = { folder: config.dataDir, freeBytes: free };
    if (now.isDatabaseFull && !before.isDatabaseFull) log.error(words.databaseFull);
    if (!now.isDatabaseFull && before.isDatabaseFull) log.warn(words.databaseRoom);
    if (now.disk === before.disk) return;
    if (now.disk === 'full') log.error(facts, words.full);
    else log.warn(facts, now.disk === 'low' ? words.low : words.room);
  }
}

const words = {
  full: 'the disk of the data folder is full: nothing can be stored until there is room',
  low: 'the disk of the data folder is nearly full (SIGNALBOX_LOW_DISK_BYTES)',
  room: 'the disk of the data folder has room again',
  databaseFull: 'the database has no room: nothing can be stored until there is some',
  databaseRoom: 'the database has room again',
};
