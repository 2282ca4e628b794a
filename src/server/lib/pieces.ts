// Splits long synchronous work, so that it does not block the event loop.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const PIECE_MS = 20;

/** Runs the generator to its end and returns its result; other work may run at each `yield`. */
export async function inPieces<T>(work: Generator<void, T>): Promise<T> {
  for (let end = performance.now() + PIECE_MS; ;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await yieldToEventLoop();
    end = performance.now() + PIECE_MS;
  }
}
