// Logs may keep the event loop busy for half of the time, all of them together: the other half is
// for requests and for the start of other tasks. What is printed meanwhile waits in the spools.

import { setTimeout as delay } from 'node:timers/promises';

let freeAt = 0;

/** Settles when others have had as long as this work has taken. */
export async function restAfter(milliseconds: number): Promise<void> {
  const now = performance.now();
  freeAt = Math.max(now, freeAt) + milliseconds;
  await delay(Math.ceil(freeAt - now));
}
