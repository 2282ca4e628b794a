// The variables of a task, as programs other than Ansible get them. Pure.

import type { TaskSnapshot } from '../../tasks/snapshot.ts';
import type { Answers } from '../../tasks/survey.ts';

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
  const env = JSON.parse(snapshot.environment?.env ?? '{}') as Record<string, unknown>;
  const plain = Object.entries(env).filter(([, value]) => value !== null);
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}

export type Values = Record<string, unknown>;

/** Extra variables and answers; the answers win. By assignment no name could be `__proto__`. */
export function valuesOf(snapshot: TaskSnapshot, ...answers: Answers[]): Values {
  const environment = JSON.parse(snapshot.environment?.json ?? '{}') as Values;
  return Object.fromEntries([environment, ...answers].flatMap((group) => Object.entries(group)));
}

/** `name=value`, as scripts get them; a nested value is JSON. */
export function assignments(values: Values): string[] {
  return Object.entries(values).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
