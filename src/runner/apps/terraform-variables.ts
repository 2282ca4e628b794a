// The variables of a task of Terraform or OpenTofu. Files of variables win over those that the repository
// brings, but not every command takes them. So each value is an environment variable (`TF_VAR_name`)
// too, which every command reads: OpenTofu needs values where it reads its backend or an encrypted plan.

import { terraformOptions } from '#shared/terraform/options.ts';
import type { Preparation } from '../prepare/prepare.ts';
import { canBeHeld, valuesOf, type Values } from '../prepare/variables.ts';

/**
 * The options that give the values to a command, around the CLI args of the template: the extra
 * variables come before them and the answers behind them, since the last value of a variable counts.
 */
export async function withVariables(preparation: Preparation, args: string[]): Promise<string[]> {
  const { task, keys, workspace } = preparation;
  const extra = valuesOf(task.snapshot, keys.environment.variables);
  const answers = Object.assign({}, task.answers, keys.answers);
  const file = async (name: string, values: Values): Promise<string> =>
    `-var-file=${await workspace.writeSecret(name, JSON.stringify(values))}`;
  const last = Object.keys(answers).length > 0;
  return [
    await file('variables.tfvars.json', extra),
    ...args,
    ...(last ? [await file('answers.tfvars.json', answers)] : []),
  ];
}

/** Those of the CLI args that set variables; only plan takes all of them. */
export const variableArguments = (args: string[]): string[] =>
  terraformOptions(args)
    .filter(({ name }) => name === 'var' || name === 'var-file')
    .flatMap(({ words }) => words);

/**
 * Whether apply takes files of variables beside a saved plan. Terraform needs them there for ephemeral
 * variables. OpenTofu needs them too where a file of the repository sets another value than the plan has.
 */
export function takesVariablesAtApply(app: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Terraform 1.10 takes them, but compares lists and objects wrongly.
  return major > 1 || (major === 1 && minor >= (app === 'tofu' ? 9 : 11));
}

// All together; the arguments and the environment of a program share two mebibytes.
const MAX_CHARACTERS = 256 * 1024;

/** The values as environment variables. A null is left out: as a text it would be the word "null". */
export function variableEnvironment({ task, keys }: Preparation): Record<string, string> {
  const values = valuesOf(task.snapshot, keys.environment.variables, task.answers, keys.answers);
  const env: Record<string, string> = {};
  let room = MAX_CHARACTERS;
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue;
    const text = asVariable(value);
    room -= text.length;
    if (room < 0) break;
    if (canBeHeld(text)) env[`TF_VAR_${name}`] = text;
  }
  return env;
}

/**
 * A value as the programs read it from the environment: a text stands for itself, everything else is
 * an expression of their language. That is JSON but for two escapes and for the beginnings of templates.
 */
export function asVariable(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value)
    .replace(/\\./g, (escape) => unknownEscapes[escape] ?? escape)
    .replace(/[$%](?=\{)/g, (sign) => (sign === '$' ? '\\u0024' : '\\u0025'));
}

const unknownEscapes: Record<string, string> = {
  '\\b': String.raw`\u0008`,
  '\\f': String.raw`\u000c`,
};
