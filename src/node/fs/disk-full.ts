// Detects write errors because of a full disk.

// SQLite reports SQLITE_IOERR… when a quota is exceeded, and for the files beside its database.
const ofFolder =
  /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMMAP|SHMOPEN)|ENOSPC|EDQUOT)$/;
const ofDatabaseServer = '53100';

/** Which disk is full: of the server's folders, or of the PostgreSQL server; null: neither. */
export function fullDisk(error: unknown): 'folder' | 'database' | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (code === ofDatabaseServer) return 'database';
  if (typeof code === 'string' && ofFolder.test(code)) return 'folder';
  return fullDisk(error.cause);
}

export const isDiskFull = (error: unknown): boolean => fullDisk(error) !== null;

/** Ignores the error of an optional write if the disk is full. */
export async function ignoreDiskFull(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
