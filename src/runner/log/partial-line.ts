// Shows the last line of a program before its end: a prompt, or the progress of a download. Such a line
// has no number yet and is not stored. At most a few are sent in a second, each cut to a few thousand
// characters.

import { lastState } from '#shared/terminal.ts';
import type { HeldTask, RunContext } from '../api/runner-api.ts';
import type { PartMask } from './mask.ts';

const pauseMs = 500;
const MAX_CHARACTERS = 2000;

export interface PartialLine {
  /** Takes the text since the last whole line; null: it is too long to be shown. */
  take: (text: () => string | null) => void;
}

/** `lines` answers how many lines the log has before this one. */
export function createPartialLine(
  { runnerApi, log }: Pick<RunContext, 'runnerApi' | 'log'>,
  task: HeldTask,
  { mask, lines }: { mask: PartMask; lines: () => number },
): PartialLine {
  let told = '';
  let nextMs = 0;
  let isBusy = false;
  const tell = async (after: number, output: string): Promise<void> => {
    isBusy = true;
    // Nothing is lost with it: the line is stored when it ends.
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
      // The last character may be cut in the middle of its bytes.
      const shown = lastState(mask(text.replace(/\uFFFD$/, ''))).slice(0, MAX_CHARACTERS);
      const after = lines();
      const key = `${after} ${shown}`;
      if (key === told) return;
      told = key;
      void tell(after, shown);
    },
  };
}
