// All logs together may use the event loop for half of the time. The other half is left for requests and
// for the start of other tasks. Output that is printed meanwhile waits in the spools.

import { setTimeout as delay } from 'node:timers/promises';

let freeAt = 0;

/** Waits as long as the last work on a log has taken. */
export async function restAfter(milliseconds: number): Promise<void> {
  const now = performance.now();
  freeAt = Math.max(now, freeAt) + milliseconds;
  await delay(Math.ceil(freeAt - now));
}
