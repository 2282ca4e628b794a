// Optional work of a run beside its program.

import { setTimeout as delay } from 'node:timers/promises';
import type { RunContext } from '../api/runner-api.ts';

/** How long the end of a run waits for the work, and how long the work may take in total. */
const MAX_END_MS = 5_000;
const MAX_WORK_MS = 60_000;

export type Background = ReturnType<typeof createBackground>;

export function createBackground(ctx: Pick<RunContext, 'log'>, stopped: AbortSignal) {
  const over = new AbortController();
  const all: Promise<void>[] = [];
  let waiting: (() => void)[] = [];
  return {
    /** Starts the work as soon as the next program has started. */
    inBackground(work: (signal: AbortSignal) => Promise<void>): void {
      waiting.push(() => {
        const late = AbortSignal.timeout(MAX_WORK_MS);
        const signal = AbortSignal.any([stopped, over.signal, late]);
        const begun = work(signal).catch((error: unknown) => {
          ctx.log.debug({ err: error }, 'background work of a run failed');
        });
        all.push(begun);
      });
    },
    /** Call when a program has started; again has no effect. */
    hasStarted(): void {
      for (const begin of waiting) begin();
      waiting = [];
    },
    /** Executes the run, then waits a short time for the work. */
    async during<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run();
      } finally {
        const finished = Promise.all(all);
        await within(finished, MAX_END_MS);
        over.abort();
        // Aborted work must not use the folder of the run afterwards.
        await within(finished, MAX_END_MS);
      }
    },
  };
}

/** Settles with the work, or after the timeout. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const waiting = new AbortController();
  const late = delay(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  waiting.abort();
}
