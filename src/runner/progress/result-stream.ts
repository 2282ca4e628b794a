// Sends the results of a run in batches. They are numbered in the order of the progress file, so a runner that has
// restarted reads the file again and skips stored results. A run keeps a million results; those after the limit of
// text bytes have no texts.

import type { RunResult } from '#shared/api/run-results.ts';
import type { HeldTask, RunContext } from '../api/runner-api.ts';

const MAX_RESULTS = 1_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** The approximate size of a result without texts. */
const usualBytes = 400;
const batchBytes = 1024 * 1024;
const MAX_CONCURRENT = 1000;

interface Numbered {
  id: number;
  /** `passed`: not to be sent, because it is stored already or exceeds the limit. */
  kept: 'passed' | 'whole' | 'without texts';
}

export type ResultStream = ReturnType<typeof createResultStream>;

export function createResultStream(
  { runnerApi, log }: Pick<RunContext, 'runnerApi' | 'log'>,
  task: HeldTask & { results: number },
) {
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
      // After a restart of the reader they are not sent again.
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
    /** Numbers the next result. `bytes`: its size in the file. */
    number(bytes: number): Numbered {
      last += 1;
      // Stored results count too, so that the limit is reached at the same result after a restart.
      textBytes += Math.max(0, bytes - usualBytes);
      if (isOver || last <= task.results || last > MAX_RESULTS) return { id: last, kept: 'passed' };
      return { id: last, kept: textBytes > MAX_TEXT_BYTES ? 'without texts' : 'whole' };
    },
    /** Adds a result; sends the batch when it is large enough. */
    async add(result: RunResult, bytes: number): Promise<void> {
      waiting.push(result);
      waitingBytes += bytes;
      if (waiting.length >= MAX_CONCURRENT || waitingBytes >= batchBytes) await send();
    },
    send,
  };
}
