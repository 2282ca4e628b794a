// A task of a script: one program with the script, its arguments and variables. Secrets come by
// its environment and by a file, never as arguments.

import { insideOnly } from '../foreign/foreign.ts';
import { taskEnvironment, type Preparation } from '../prepare.ts';
import type { Command } from '../process.ts';
import type { Step } from './app.ts';
import { assignments, scriptVariables, type Values } from './variables.ts';

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
  const { task, workspace, keys } = preparation;
  const { snapshot, answers } = task;
  insideOnly(workspace.checkout, snapshot.playbook, 'script');
  const secrets = keys.environment.variables;
  const variables = scriptVariables(snapshot, { secrets, answers, secretAnswers: keys.answers });
  const own = {
    ...environmentOf(variables.hidden),
    SIGNALBOX_VARIABLES: await workspace.writeSecret(
      'variables.json',
      JSON.stringify(variables.all),
    ),
    ...(snapshot.debug && { SIGNALBOX_TASK_DEBUG: '1' }),
  };
  return {
    command: program,
    args: [
      ...programArgs,
      snapshot.playbook,
      ...snapshot.arguments,
      ...assignments(variables.shown),
    ],
    cwd: workspace.checkout,
    env: await taskEnvironment(preparation, workspace.checkout, own),
  };
}

/** Those whose names the environment of a process can hold. */
function environmentOf(hidden: Values): Record<string, string> {
  const named = Object.entries(hidden).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
