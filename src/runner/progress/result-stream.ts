// Sends the results of a run in batches. Their numbers are their order in the file of the callback, so
// a runner that has restarted reads the file again and passes over what is stored.
//
// A run keeps a million results. When their texts have reached the limit, later results have none.

import type { RunResult } from '#shared/api/run-results.ts';
import type { HeldTask, RunContext } from '../api/runner-api.ts';

const MAX_RESULTS = 1_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** A result without texts takes about as much. */
const usualBytes = 400;
const batchBytes = 1024 * 1024;
const MAX_CONCURRENT = 1000;

/** What becomes of a result. */
interface Numbered {
  id: number;
  /** `passed`: it is stored, or there is no room for it. */
  kept: 'passed' | 'whole' | 'without texts';
}

export interface ResultStream {
  /** Gives the next result its number. `bytes`: its size in the file. */
  number: (bytes: number) => Numbered;
  /** Adds a result that is kept; sends results when enough of them wait. */
  add: (result: RunResult, bytes: number) => Promise<void>;
  /** Sends the results that wait. */
  send: () => Promise<void>;
}

export function createResultStream(
  { runnerApi, log }: Pick<RunContext, 'runnerApi' | 'log'>,
  task: HeldTask & { results: number },
): ResultStream {
  let last = 0;
  let textBytes = 0;
  let waiting: RunResult[] = [];
  let waitingBytes = 0;
  let isOver = false;
  const send = async (): Promise<void> => {
    const from = waiting[0]?.id;
    if (from === undefined) return;
    const results = waiting;
    waiting = [];
    waitingBytes = 0;
    if (await runnerApi.storeResults(task, from, results)) {
      // Whoever reads the file again need not send them again.
      task.results = from - 1 + results.length;
      return;
    }
    isOver = true;
    log.warn(
      { taskId: task.id, from },
      'results of a task are missing, so later ones are not kept',
    );
  };
  return {
    number(bytes) {
      last += 1;
      // Counted for stored results too, so that a runner that has restarted decides as the one before.
      textBytes += Math.max(0, bytes - usualBytes);
      if (isOver || last <= task.results || last > MAX_RESULTS) return { id: last, kept: 'passed' };
      return { id: last, kept: textBytes > MAX_TEXT_BYTES ? 'without texts' : 'whole' };
    },
    async add(result, bytes) {
      waiting.push(result);
      waitingBytes += bytes;
      if (waiting.length >= MAX_CONCURRENT || waitingBytes >= batchBytes) await send();
    },
    send,
  };
}
