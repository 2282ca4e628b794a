// A task of a script: one program with the script, its arguments and variables. Secrets come by
// its environment and by a file, never as arguments.

import type { Answers } from '../../tasks/survey.ts';
import { insideOnly, taskEnvironment, type Preparation } from '../prepare.ts';
import type { Command } from '../process.ts';
import type { Step } from './app.ts';
import { assignments, valuesOf } from './variables.ts';

export const scriptSteps: Step[] = [
  {
    command: (preparation) => {
      const { path, args } = preparation.task.snapshot.program;
      return scriptCommand(preparation, path, args);
    },
  },
];

/** The script, run by this program. */
export async function scriptCommand(
  preparation: Preparation,
  program: string,
  programArgs: string[],
): Promise<Command> {
  const { task, workspace } = preparation;
  const { snapshot, answers, secretAnswers } = task;
  await insideOnly(workspace.checkout, snapshot.playbook, 'script');
  const all = valuesOf(snapshot, answers, secretAnswers);
  const own = {
    ...environmentOf(secretAnswers),
    SIGNALBOX_VARIABLES: await workspace.writeSecret('variables.json', JSON.stringify(all)),
    ...(snapshot.debug && { SIGNALBOX_TASK_DEBUG: '1' }),
  };
  return {
    command: program,
    args: [
      ...programArgs,
      snapshot.playbook,
      ...snapshot.arguments,
      ...assignments(valuesOf(snapshot, answers)),
    ],
    cwd: workspace.checkout,
    env: await taskEnvironment(preparation, workspace.checkout, own),
  };
}

/** The answers whose names the environment of a process can hold. */
function environmentOf(answers: Answers): Record<string, string> {
  const named = Object.entries(answers).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
