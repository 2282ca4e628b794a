// Error messages for a database that cannot be used at the start.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../node/config-error.ts';
import { fullDisk } from '../../node/fs/disk-full.ts';

const advice: [code: RegExp, words: (file: string) => string][] = [
  [
    /^SQLITE_(?:NOTADB|CORRUPT)/,
    (file) =>
      `The database ${file} is damaged, or is no database of SQLite. Move it away together with the files ${file}-wal and ${file}-shm, put one from a backup in its place, and start again.`,
  ],
  [
    /^SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)/,
    (file) =>
      `The database ${file} cannot be opened for writing. See that it is a file, and that the user of the server may write to it and to its folder.`,
  ],
  [
    /^SQLITE_BUSY/,
    (file) => `Another program works on the database ${file}. End it, and start again.`,
  ],
];

/** Null for other errors. `file` is the SQLite file, null for PostgreSQL. */
export function databaseFailure(file: string | null, error: unknown): ConfigError | null {
  if (!(error instanceof Error)) return null;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  const full = fullDisk(error);
  if (full !== null) {
    const isOurs = full === 'folder' && file !== null;
    const place = isOurs ? dirname(file) : 'the PostgreSQL server';
    return new ConfigError(`The disk of ${place} is full. Make room, and start again.`, {
      cause: error,
    });
  }
  if (severity !== undefined) {
    return new ConfigError(`The database refuses: ${error.message}.`, { cause: error });
  }
  if (file !== null && typeof code === 'string' && code.startsWith('SQLITE_')) {
    const words = advice.find(([pattern]) => pattern.test(code))?.[1];
    const sentence = words?.(file) ?? `The database ${file} cannot be used.`;
    return new ConfigError(`${sentence} (${error.message})`, { cause: error });
  }
  return databaseFailure(file, error.cause);
}

/** Refuses an empty database file beside a master key, in which a start would create a new installation. */
export function refuseEmptied(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size !== 0 || !existsSync(join(dirname(file), 'master.key'))) return;
  throw new ConfigError(
    `The database ${file} is empty, and its master key is there: something has cut it off. Remove ${file}-wal and ${file}-shm, if they are there, and put a backup of the database in its place. To begin again, remove the whole folder.`,
  );
}

// The write-ahead log (WAL) of SQLite: a header, then frames, each a page with a header.
const MAGIC = [0x377f0682, 0x377f0683];
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Returns a warning when the WAL is truncated or corrupt, which SQLite ignores silently. */
export function cutJournal(file: string): string | null {
  const journal = `${file}-wal`;
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  const head = readHead(journal);
  const frameSize = FRAME_HEADER_BYTES + head.readUInt32BE(8);
  const isWhole =
    size >= HEADER_BYTES &&
    MAGIC.includes(head.readUInt32BE(0)) &&
    (size - HEADER_BYTES) % frameSize === 0;
  if (isWhole) return null;
  return `The journal ${journal} is cut off or damaged: the machine or the disk stopped while it was written. The database is used as it was before that; what was stored last may be missing.`;
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  return head;
}
