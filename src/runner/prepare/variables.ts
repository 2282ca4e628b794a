// The variables of a task, as programs other than Ansible get them. Pure.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Answers } from '#shared/api/task-snapshot.ts';
import { parseExactly } from '../system/exact-json.ts';

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

interface ScriptVariables {
  all: Values;
  /** Those that are variables of its process too. */
  process: Record<string, string>;
  /** Names of those that are not, since programs obey them. */
  kept: string[];
}

/** What a script gets. */
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

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const canBeNamed = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

// The system takes no variable of more than 128 KiB, and none with a zero byte.
const canBeHeld = (text: string): boolean => text.length < 32_768 && !text.includes('\0');

/** What programs and their libraries obey: who only answers questions must not set it. */
const isSteering = (name: string): boolean =>
  /^(?:LD|DYLD|GIT|SSH|PIP|BASH|SIGNALBOX)_/.test(name) || steering.has(name.toUpperCase());

const steering = new Set(
  (
    'PATH HOME SHELL ENV IFS PWD USER LOGNAME TMPDIR SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH ' +
    'GLOBIGNORE PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS ' +
    'PERLLIB PERL5LIB PERL5OPT PERL5DB RUBYLIB RUBYOPT NODE_OPTIONS NODE_PATH PSMODULEPATH ' +
    'GCONV_PATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS'
  ).split(' '),
);
