// Makes the files of SQLite readable by the user of the server only, whatever the umask is.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const ofOwner = 0o600;

/** The endings of the files beside a database. SQLite creates them with the mode of the database. */
const companions = ['-wal', '-shm', '-journal'];

/** Creates the database file if it is missing, and corrects the modes of existing files. */
export function keepToOwner(file: string): void {
  makeEmpty(file);
  for (const path of [file, ...companions.map((suffix) => file + suffix)]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && (stat.mode & 0o777) !== ofOwner) chmodSync(path, ofOwner);
  }
}

function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', ofOwner));
  } catch {
    // The file exists, or SQLite reports why it cannot be created.
  }
}
