// The variables of a task, as programs other than Ansible get them. Pure.

import type { TaskSnapshot } from '../../tasks/snapshot.ts';
import type { Answers } from '../../tasks/survey.ts';
import { parseExactly } from '../../exact-json.ts';

/** What a program learns of its task. */
export interface TaskDetails {
  id: number;
  username: string;
  /** Where the task is shown; null: the public address is not set. */
  url: string | null;
  message?: string;
  type?: string;
  /** Of a deploy. */
  incoming_version?: string;
  /** Of a build. */
  target_version?: string;
}

/** The same for programs that read their environment: under our name and the one scripts know. */
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

/** Variables of the process that the environment of the template gives. */
export function processVariables(snapshot: TaskSnapshot): Record<string, string> {
  const env = Object.entries(parseExactly(snapshot.environment?.env ?? '{}'));
  const plain = env.filter(([, value]) => value !== null);
  return Object.fromEntries(plain.map(([name, value]) => [name, asText(value)]));
}

export type Values = Record<string, unknown>;

/** Extra variables and what outranks them; later ones win. By assignment no name could be `__proto__`. */
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

/** What a script gets: all variables; of these the secret ones, and those that anybody may see. */
export function scriptVariables(
  snapshot: TaskSnapshot,
  { secrets, answers, secretAnswers }: ScriptGiven,
): Record<'all' | 'hidden' | 'shown', Values> {
  const all = valuesOf(snapshot, secrets, answers, secretAnswers);
  const isHidden = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(secretAnswers, name) ||
    (Object.hasOwn(secrets, name) && !Object.hasOwn(answers, name));
  const entries = Object.entries(all);
  return {
    all,
    hidden: Object.fromEntries(entries.filter(isHidden)),
    shown: Object.fromEntries(entries.filter((entry) => !isHidden(entry))),
  };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** `name=value`, as scripts get them; a nested value is JSON. */
export function assignments(values: Values): string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${asText(value)}`);
}
