// The text with which the waiting shell of a supervisor becomes the program.

import { join } from 'node:path';
import type { Command } from '../programs/process.ts';
import { quoted } from '../programs/shell.ts';

/**
 * The shell first takes the right to start the program, and runs nothing if somebody else has it. It runs
 * nothing of a text in braces that has no end either, so a runner that is killed can send a part of it.
 */
export function startText(folder: string, { command, args, cwd, env }: Command): string {
  const text = [
    '{',
    `set -C; { true >${quoted(join(folder, 'claimed'))}; } 2>/dev/null || exit 0; set +C`,
    `cd -P ${quoted(cwd)} || exit 126`,
    'unset OLDPWD',
    ...exportsOf(env),
    `exec ${[command, ...args].map(quoted).join(' ')} </dev/null`,
    '}\n',
  ].join('\n');
  // A shell would leave it out, and the program would get another text than was asked for.
  if (text.includes('\0')) throw new Error('The command of this task contains a NUL character.');
  return text;
}

// A shell exports only variables with such names.
const variableName = /^[A-Za-z_]\w*$/;

/** The commands of a shell for these variables. It goes on after one that it keeps to itself, such as UID. */
export const exportsOf = (env: Record<string, string>): string[] =>
  Object.entries(env)
    .filter(([name]) => variableName.test(name))
    .map(([name, value]) => `command export ${name}=${quoted(value)}`);
