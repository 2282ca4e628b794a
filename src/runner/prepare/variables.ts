// Builds the variables of a task for programs other than Ansible. All functions are pure.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Answers } from '#shared/api/task-snapshot.ts';
import { isSteering } from '#shared/environment-names.ts';
import { parseExactly } from '../../node/json/exact-json.ts';

/** The details of the task for its program. */
export interface TaskDetails {
  id: number;
  username: string;
  /** The address of the task in the console; null: the public address is not set. */
  url: string | null;
  message?: string;
  type?: string;
  /** The version that a deploy gets. */
  incoming_version?: string;
  /** The version that a build makes. */
  target_version?: string;
}

/** The details as environment variables, with our prefix and with the one that existing scripts use. */
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

/** The environment variables that the template's environment sets. */
export function processVariables(snapshot: TaskSnapshot): Record<string, string> {
  const env = Object.entries(parseExactly(snapshot.environment?.env ?? '{}'));
  const plain = env.filter(([, value]) => value !== null);
  return Object.fromEntries(plain.map(([name, value]) => [name, asText(value)]));
}

export type Values = Record<string, unknown>;

/** The extra variables and `others`; later ones win. Object.fromEntries also accepts the name `__proto__`. */
export function valuesOf(snapshot: TaskSnapshot, ...others: Answers[]): Values {
  const environment = parseExactly(snapshot.environment?.json ?? '{}');
  return Object.fromEntries([environment, ...others].flatMap((group) => Object.entries(group)));
}

export interface ScriptGiven {
  /** The secrets of the environment. */
  secrets: Answers;
  answers: Answers;
  secretAnswers: Answers;
}

interface ScriptVariables {
  all: Values;
  /** Those that are environment variables too. */
  process: Record<string, string>;
  /** Names of those that are not, because they would change how programs behave. */
  kept: string[];
}

/** The variables of a script. */
export function scriptVariables(
  snapshot: TaskSnapshot,
  { secrets, answers, secretAnswers }: ScriptGiven,
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
