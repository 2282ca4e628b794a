import { setTimeout as delay } from 'node:timers/promises';

// Other statements run during the pause.
const ROWS_PER_STATEMENT = 500;
const PAUSE_MS = 5;

/** Deletes in batches. `remove` deletes at most `limit` rows and returns their number. */
export async function deleteInPieces(
  remove: (limit: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await remove(ROWS_PER_STATEMENT)) === ROWS_PER_STATEMENT)
    await delay(PAUSE_MS);
}
