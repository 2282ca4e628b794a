// The variables of a task of Terraform or OpenTofu. Variable files override those of the repository, but not
// every command accepts them. So each value is an environment variable (`TF_VAR_name`) too, for all commands:
// OpenTofu needs values where it reads its backend or an encrypted plan.

import { terraformOptions } from '#shared/terraform/options.ts';
import type { Preparation } from '../prepare/prepare.ts';
import { canBeHeld, valuesOf, type Values } from '../prepare/variables.ts';

/** The CLI args of the template between the extra variables and the answers: the last value of a variable wins. */
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

/** The CLI args that set variables; only plan accepts all of them. */
export const variableArguments = (args: string[]): string[] =>
  terraformOptions(args)
    .filter(({ name }) => name === 'var' || name === 'var-file')
    .flatMap(({ words }) => words);

/**
 * Whether apply accepts variable files beside a saved plan. Terraform needs them for ephemeral variables,
 * OpenTofu also where a file of the repository sets another value than the plan has.
 */
export function takesVariablesAtApply(app: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Terraform 1.10 accepts them, but compares lists and objects wrongly.
  return major > 1 || (major === 1 && minor >= (app === 'tofu' ? 9 : 11));
}

// For all values; the arguments and the environment of a program share 2 MiB.
const MAX_CHARACTERS = 256 * 1024;

/** The values as environment variables, without nulls, which would become the text "null". */
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

/** A value as the programs parse it: a text as it is, other values as HCL, which is JSON but for some escapes. */
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
