// The steps of an app: commands that run one after the other, each under a supervisor.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import {
  type ConfirmationReason,
  confirmationReasons,
} from '#shared/catalogue/confirmation-reasons.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';

/** `ask`: the task has to be confirmed before its next step. */
export type Verdict = 'go on' | 'ask' | 'success' | 'failure';

export interface SavedPlan {
  /** The command that prints the plan as JSON. */
  show: (preparation: Preparation) => Promise<Command>;
  /** Whether the exit code of the step means that the plan has changes. */
  isChange: (exitCode: number | null) => boolean;
}

export interface Step {
  /**
   * Default: the position in the list, from 1. Parked tasks refer to their step by the number, so a version
   * that inserts a step gives it an unused one.
   */
  number?: number;
  /**
   * Writes the files that the command needs and returns the command; null: the step is skipped. Called again
   * when a runner that has restarted begins the step again.
   */
  command: (preparation: Preparation) => Promise<Command | null>;
  /** The meaning of an exit code. Default: 0 is `go on`, any other code is `failure`. */
  verdict?: (exitCode: number, task: RunnerTask) => Verdict;
  /** Why the step must be confirmed whatever the verdict is; null: the verdict decides. */
  whyAsk?: (preparation: Preparation) => Promise<ConfirmationReason | null>;
  /** The plan that the step has saved, if it succeeded. */
  plan?: SavedPlan;
  /** The headline of the error that begins in a line of the output; null: none. */
  errorIn?: (line: string) => string | null;
  words?: Partial<Record<Verdict, string>>;
}

export type NumberedStep = Step & { number: number };

export const numbered = (steps: Step[]): NumberedStep[] =>
  steps.map((step, index) => ({ ...step, number: step.number ?? index + 1 }));

/** The verdict on the end of a step, and why the task must be confirmed whatever the exit code is. */
export async function finalVerdict(
  step: Step,
  exitCode: number,
  { preparation, task }: { preparation: Preparation; task: RunnerTask },
): Promise<{ verdict: Verdict; why: ConfirmationReason | null }> {
  const verdict = step.verdict?.(exitCode, task) ?? (exitCode === 0 ? 'go on' : 'failure');
  const mayAsk = verdict === 'go on' || verdict === 'ask';
  if (!mayAsk || !step.whyAsk || task.is_confirmed) return { verdict, why: null };
  const why = await step.whyAsk(preparation);
  if (why === null) return { verdict, why };
  await preparation.say(confirmationReasons.message(why));
  return { verdict: 'ask', why };
}
