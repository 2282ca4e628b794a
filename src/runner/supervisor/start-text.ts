// The script with which the waiting shell of a supervisor becomes the program.

import { join } from 'node:path';
import type { Command } from '../programs/process.ts';
import { quoted } from '../programs/shell.ts';

/**
 * The shell first claims the start of the program, and exits if it was claimed before. A shell executes nothing of
 * braces without an end, so a runner that is killed may send an incomplete text.
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
  // A shell would drop it, which would change the program's arguments.
  if (text.includes('\0')) throw new Error('The command of this task contains a NUL character.');
  return text;
}

// A shell exports only variables with such names.
const variableName = /^[A-Za-z_]\w*$/;

/** The shell commands for these variables. `command` continues after an error, such as for the read-only UID. */
export const exportsOf = (env: Record<string, string>): string[] =>
  Object.entries(env)
    .filter(([name]) => variableName.test(name))
    .map(([name, value]) => `command export ${name}=${quoted(value)}`);
