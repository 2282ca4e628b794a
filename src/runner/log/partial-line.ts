// Shows the unfinished last line of a program: a prompt, or the progress of a download. It has no number yet and is
// not stored. Throttled, and cut to a few thousand characters.

import { lastState } from '#shared/terminal.ts';
import type { HeldTask, RunContext } from '../api/runner-api.ts';
import type { PartMask } from './mask.ts';

const pauseMs = 500;
const MAX_CHARACTERS = 2000;

export interface PartialLine {
  /** Receives the text since the last whole line; null: it is too long to be shown. */
  take: (text: () => string | null) => void;
}

/** `lines`: the number of lines before this one. */
export function createPartialLine(
  { runnerApi, log }: Pick<RunContext, 'runnerApi' | 'log'>,
  task: HeldTask,
  { mask, lines }: { mask: PartMask; lines: () => number },
): PartialLine {
  let sent = '';
  let nextMs = 0;
  let isBusy = false;
  const send = async (after: number, output: string): Promise<void> => {
    isBusy = true;
    // Errors are not retried: the line is stored when it ends.
    await runnerApi.sendPartialLine(task, { after, output }).catch((error: unknown) => {
      log.debug({ err: error, taskId: task.id }, 'sending a partial line failed');
    });
    isBusy = false;
  };
  return {
    take(read) {
      const now = performance.now();
      if (isBusy || now < nextMs) return;
      nextMs = now + pauseMs;
      const text = read();
      if (text === null) return;
      // The last character may be incomplete.
      const shown = lastState(mask(text.replace(/\uFFFD$/, ''))).slice(0, MAX_CHARACTERS);
      const after = lines();
      const key = `${after} ${shown}`;
      if (key === sent) return;
      sent = key;
      void send(after, shown);
    },
  };
}
