// Whether something could not be written because a disk is full.

// SQLITE_IOERR…: what SQLite says of a quota, and of the files beside its database.
const ofFolder =
  /^(?:SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMMAP|SHMOPEN)|ENOSPC|EDQUOT)$/;
const ofDatabaseServer = '53100';

/** Whose disk is full: that of our own folders, or that of the PostgreSQL server; null: none is. */
export function fullDisk(error: unknown): 'folder' | 'database' | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (code === ofDatabaseServer) return 'database';
  if (typeof code === 'string' && ofFolder.test(code)) return 'folder';
  return fullDisk(error.cause);
}

export const isDiskFull = (error: unknown): boolean => fullDisk(error) !== null;

/** Does something that is not worth failing for: without room it is left undone. */
export async function ifThereIsRoom(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
