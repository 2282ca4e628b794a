import { setTimeout as delay } from 'node:timers/promises';

// The rows that one statement deletes, and the milliseconds in which others may use the database.
const atOnce = 500;
const pause = 5;

/** Deletes until no row is left. `remove` deletes at most so many rows and returns how many. */
export async function deleteInPieces(
  remove: (limit: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await remove(atOnce)) === atOnce) await delay(pause);
}
