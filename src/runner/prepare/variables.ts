// Builds the variables of a task for programs other than Ansible. All functions are pure.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { RunKeys } from '../api/run-secrets.ts';
import { isSteering } from '#shared/environment-names.ts';
import { parseExactly } from '../../node/json/exact-json.ts';

/** The details of the task for its program. */
export interface TaskDetails {
  id: number;
  username: string;
  /** The address of the task in the console; null: the server has no public address. */
  url: string | null;
  message?: string;
  type?: string;
  /** The version that a deploy installs. */
  incoming_version?: string;
  /** The version that a build makes. */
  target_version?: string;
}

/** The details as environment variables, also with the prefix that existing scripts use. */
export function detailVariables(details: TaskDetails): Record<string, string> {
  if (!details.type) return {};
  const { type, incoming_version: incoming, target_version: target } = details;
  const values = { TYPE: type, INCOMING_VERSION: incoming, TARGET_VERSION: target };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    ['SIGNALBOX', 'SEMAPHORE'].flatMap((prefix) =>
      given.map(([name, value]) => [`${prefix}_TASK_${name}`, String(value)]),
    ),
  );
}

export function processVariables(snapshot: TaskSnapshot): Record<string, string> {
  const env = Object.entries(parseExactly(snapshot.environment?.env ?? '{}'));
  const plain = env.filter(([, value]) => value !== null);
  return Object.fromEntries(plain.map(([name, value]) => [name, asText(value)]));
}

export type Values = Record<string, unknown>;

/** The extra variables and `others`; the last value wins. Object.fromEntries supports the name `__proto__`. */
export function valuesOf(snapshot: TaskSnapshot, ...others: Answers[]): Values {
  const environment = parseExactly(snapshot.environment?.json ?? '{}');
  return Object.fromEntries([environment, ...others].flatMap((group) => Object.entries(group)));
}

interface ScriptVariables {
  all: Values;
  /** Those that are environment variables too. */
  process: Record<string, string>;
  /** Names of those that are not, because they would change the behaviour of programs. */
  kept: string[];
}

/** `secrets`: those of the environment. */
export function scriptVariables(
  snapshot: TaskSnapshot,
  { secrets, answers, secretAnswers }: Record<'secrets' | 'answers' | 'secretAnswers', Answers>,
): ScriptVariables {
  const all = valuesOf(snapshot, secrets, answers, secretAnswers);
  const isAnswer = (name: string): boolean =>
    Object.hasOwn(answers, name) || Object.hasOwn(secretAnswers, name);
  const texts = Object.entries(all).map(([name, value]): [string, string] => [name, asText(value)]);
  const able = texts.filter(([name, text]) => canBeNamed(name) && canBeHeld(text));
  const isKept = ([name]: [string, string]): boolean => isAnswer(name) && isSteering(name);
  return {
    all,
    process: Object.fromEntries(able.filter((one) => !isKept(one))),
    kept: able.filter(isKept).map(([name]) => name),
  };
}

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const canBeNamed = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

// Linux accepts no variable of more than 128 KiB, and none with a zero byte.
export const canBeHeld = (text: string): boolean => text.length < 32_768 && !text.includes('\0');

/** Separates the answers to the survey that are environment variables from the task and its keys. */
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
