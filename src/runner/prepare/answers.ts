// The answers to the survey that are environment variables of the programs of a run. All others are
// variables of the run.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { RunKeys } from '../api/run-secrets.ts';
import { asText, canBeHeld } from './variables.ts';

/** The task and its keys without the answers for the environment, which stand apart. */
export function splitEnvironmentAnswers(task: RunnerTask, keys: RunKeys) {
  const plain = splitAnswers(task.snapshot, task.answers);
  const secret = splitAnswers(task.snapshot, keys.answers);
  return {
    task: { ...task, answers: plain.variables },
    keys: { ...keys, answers: secret.variables },
    environmentAnswers: { ...plain.environment, ...secret.environment },
  };
}

function splitAnswers({ environmentAnswers = [] }: TaskSnapshot, answers: Answers) {
  const isEnvironment = ([name]: [string, unknown]): boolean => environmentAnswers.includes(name);
  const all = Object.entries(answers);
  const texts = all
    .filter(isEnvironment)
    .map(([name, value]): [string, string] => [name, asText(value)]);
  return {
    variables: Object.fromEntries(all.filter((one) => !isEnvironment(one))),
    environment: Object.fromEntries(texts.filter(([, text]) => canBeHeld(text))),
  };
}
