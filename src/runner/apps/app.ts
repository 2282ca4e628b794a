// What an app does with a task: commands, one after the other, each under a supervisor.

import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';

/** `ask`: somebody has to confirm the task before it goes on. */
export type Verdict = 'go on' | 'ask' | 'success' | 'failure';

export interface Step {
  /**
   * The command, with the files that it needs written; null: nothing is to be done here.
   * Called again when a server that comes back has to begin the step anew.
   */
  command: (preparation: Preparation) => Promise<Command | null>;
  /** What an exit code means. Without it 0 goes on and any other one fails. */
  verdict?: (exitCode: number, task: RunnerTask) => Verdict;
  /** What the log says of a verdict. */
  words?: Partial<Record<Verdict, string>>;
}

export function verdictOf(step: Step, exitCode: number, task: RunnerTask): Verdict {
  return step.verdict?.(exitCode, task) ?? (exitCode === 0 ? 'go on' : 'failure');
}
