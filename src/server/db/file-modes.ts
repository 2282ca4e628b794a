// Files of SQLite are for the user of the server alone, whatever the umask is.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const ofOwner = 0o600;

/** What SQLite keeps beside a database; it makes each with the mode of the database itself. */
const companions = ['-wal', '-shm', '-journal'];

/** Makes the database, if there is none, and mends the modes of what is there. */
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
    // It is there, or SQLite will say why it cannot be made.
  }
}
