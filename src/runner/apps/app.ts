// The steps of an app: commands that run one after the other, each under a supervisor.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import {
  type ConfirmationReason,
  confirmationReasons,
} from '#shared/catalogue/confirmation-reasons.ts';
import type { Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';

/** `ask`: somebody has to confirm the task before it goes on. */
export type Verdict = 'go on' | 'ask' | 'success' | 'failure';

export interface SavedPlan {
  /** The command that prints it as JSON. */
  show: (preparation: Preparation) => Promise<Command>;
  /** Whether an exit code of the step says that the plan changes something. */
  isChange: (exitCode: number | null) => boolean;
}

export interface Step {
  /**
   * The number of the step, if it is not its place in the list. A task that waits knows its step by the
   * number, so a version that adds a step gives it a new one.
   */
  number?: number;
  /**
   * Writes the files that the command needs and returns the command; null: the step is left out.
   * A runner that has restarted calls it again when the step has to begin again.
   */
  command: (preparation: Preparation) => Promise<Command | null>;
  /** The meaning of an exit code. Without this function 0 goes on and every other code fails. */
  verdict?: (exitCode: number, task: RunnerTask) => Verdict;
  /** Why somebody has to confirm the step whatever the verdict says; null: the verdict counts. */
  whyAsk?: (preparation: Preparation) => Promise<ConfirmationReason | null>;
  /** The plan that the step has saved, when it has not failed. */
  plan?: SavedPlan;
  /** The headline of the error that a line of the program begins, to be shown as the reason; null: none. */
  errorIn?: (line: string) => string | null;
  /** The line of the log for a verdict. */
  words?: Partial<Record<Verdict, string>>;
}

function verdictOf(step: Step, exitCode: number, task: RunnerTask): Verdict {
  return step.verdict?.(exitCode, task) ?? (exitCode === 0 ? 'go on' : 'failure');
}

export type NumberedStep = Step & { number: number };

export const numbered = (steps: Step[]): NumberedStep[] =>
  steps.map((step, index) => ({ ...step, number: step.number ?? index + 1 }));

/** What becomes of a run after a step, and why somebody has to confirm it whatever the verdict says. */
interface FinalVerdict {
  verdict: Verdict;
  why: ConfirmationReason | null;
}

/** The verdict on the end of a step, which somebody may have to confirm all the same. */
export async function finalVerdict(
  step: Step,
  exitCode: number,
  { preparation, task }: { preparation: Preparation; task: RunnerTask },
): Promise<FinalVerdict> {
  const verdict = verdictOf(step, exitCode, task);
  const mayAsk = verdict === 'go on' || verdict === 'ask';
  if (!mayAsk || !step.whyAsk || task.is_confirmed) return { verdict, why: null };
  const why = await step.whyAsk(preparation);
  if (why === null) return { verdict, why };
  await preparation.say(confirmationReasons.message(why));
  return { verdict: 'ask', why };
}
