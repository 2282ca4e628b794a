// Tells whether a write failed because a disk is full.

// SQLite answers SQLITE_IOERR… when a quota is used up, and for the files beside its database.
const ofFolder =
  /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMMAP|SHMOPEN)|ENOSPC|EDQUOT)$/;
const ofDatabaseServer = '53100';

/** Which disk is full: that of our own folders, or that of the PostgreSQL server; null: neither. */
export function fullDisk(error: unknown): 'folder' | 'database' | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (code === ofDatabaseServer) return 'database';
  if (typeof code === 'string' && ofFolder.test(code)) return 'folder';
  return fullDisk(error.cause);
}

export const isDiskFull = (error: unknown): boolean => fullDisk(error) !== null;

/** Waits for a write that may be left out when the disk is full; throws every other error. */
export async function ignoreDiskFull(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
