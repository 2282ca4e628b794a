// Does long work in pieces, between which other requests are answered.

import { setImmediate as others } from 'node:timers/promises';

/** The milliseconds of a piece. */
const pieceMs = 20;

/** Goes on with the work from one `yield` to the next; returns what it returns. */
export async function inPieces<T>(work: Generator<void, T>): Promise<T> {
  for (let end = performance.now() + pieceMs; ;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await others();
    end = performance.now() + pieceMs;
  }
}
