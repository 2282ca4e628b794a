// Waits for something to become true; tests never sleep.

import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again; answers the first value that is neither false nor null. */
export async function until<T>(
  condition: () => T | Promise<T>,
  seconds = 30,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (Date.now() > end)
      throw new Error(`Not true within ${seconds} seconds: ${String(condition)}`);
    await delay(10);
  }
}
