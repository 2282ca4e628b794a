import { setImmediate } from 'node:timers/promises';

/** Batches of a long list, between which the event loop does other work. */
export async function* batchesOf<Item>(all: Item[], size: number): AsyncGenerator<Item[]> {
  for (let at = 0; at < all.length; at += size) {
    if (at > 0) await setImmediate();
    yield all.slice(at, at + size);
  }
}
