import { setTimeout as delay } from 'node:timers/promises';

// Rows that go in one statement, and milliseconds in which others get the database.
const atOnce = 500;
const pause = 5;

/** Deletes until nothing is left to delete. `remove` takes so many at most and answers how many. */
export async function deleteInPieces(
  remove: (limit: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await remove(atOnce)) === atOnce) await delay(pause);
}
