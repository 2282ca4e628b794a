// The step of a script task: one program with the script and its arguments. Variables are passed in the
// environment and in a file, since the arguments of a task are visible to all its viewers.

import { baseEnvironment } from '../prepare/environment.ts';
import { givenVariables, taskEnvironment, type Preparation } from '../prepare/prepare.ts';
import type { Command } from '../programs/process.ts';
import type { Step } from './app.ts';
import { startFile, workingFolder } from '../prepare/working-folder.ts';
import { scriptVariables } from '../prepare/variables.ts';

export const scriptSteps: Step[] = [
  {
    command: (preparation) => {
      const { path, args } = preparation.task.snapshot.program;
      return scriptCommand(preparation, path, args);
    },
  },
];

export async function scriptCommand(
  preparation: Preparation,
  program: string,
  programArgs: string[],
): Promise<Command> {
  const { task, workspace, keys } = preparation;
  const { snapshot, answers } = task;
  const { folder } = workingFolder(preparation);
  const { argument: script } = startFile(preparation, 'script');
  const secrets = keys.environment.variables;
  const variables = scriptVariables(snapshot, { secrets, answers, secretAnswers: keys.answers });
  await sayNames(preparation, variables);
  const own = {
    ...variables.process,
    ...baseEnvironment(preparation),
    PATH: preparation.execution.path,
    PWD: folder,
    SIGNALBOX_VARIABLES: await workspace.writeSecret(
      'variables.json',
      JSON.stringify(variables.all),
    ),
    ...(snapshot.debug && { SIGNALBOX_TASK_DEBUG: '1' }),
  };
  return {
    command: program,
    args: [...programArgs, script, ...snapshot.arguments],
    cwd: folder,
    env: await taskEnvironment(preparation, folder, {
      own,
      last: answersOver(preparation, variables),
    }),
  };
}

/** The answers to the survey that override variables of the template's environment. */
function answersOver(preparation: Preparation, { process }: Variables): Record<string, string> {
  const { task, keys } = preparation;
  const given = givenVariables(preparation);
  const isAnswer = (name: string): boolean =>
    [task.answers, keys.answers].some((one) => Object.hasOwn(one, name));
  return Object.fromEntries(
    Object.entries(process).filter(([name]) => Object.hasOwn(given, name) && isAnswer(name)),
  );
}

type Variables = ReturnType<typeof scriptVariables>;

async function sayNames({ say }: Preparation, { all, kept }: Variables): Promise<void> {
  const names = Object.keys(all);
  if (names.length > 0) await say(`Variables: ${names.join(', ')}`);
  if (kept.length === 0) return;
  await say(`Only in the file of variables, since programs obey them: ${kept.join(', ')}`);
}
