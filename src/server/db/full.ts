// Whether something could not be written because the disk is full.

const codes = /^(?:SQLITE_FULL|SQLITE_IOERR\w*|ENOSPC|EDQUOT|53100)$/;
// SQLite ends a transaction by itself when it cannot write, and then it is asked to end it.
const words = 'cannot rollback - no transaction is active';

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && codes.test(code)) return true;
  return error.message === words || isDiskFull(error.cause);
}

/** Does something that is not worth failing for: without room it is left undone. */
export async function ifThereIsRoom(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
