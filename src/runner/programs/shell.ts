// Quotes for a shell.

import type { Command } from './process.ts';

/** The text, quoted as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command for the log. Secrets are passed in files; `mask` masks those that users have put into the arguments. */
export function shownCommand(
  { command, args }: Pick<Command, 'command' | 'args'>,
  mask: (text: string) => string,
): string {
  // Masked before quoting, because quoting changes a secret that contains quotes.
  return [command, ...args].map((word) => asTyped(mask(word))).join(' ');
}

const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));

/** Commands that put a shell into the folder and the environment of a program. */
export const surroundings = ({ cwd, env }: Command): string[] => [
  `cd -P ${quoted(cwd)} || exit 126`,
  'unset OLDPWD',
  ...exportsOf(env),
];

/** The program with its arguments as words of a shell. */
export const words = ({ command, args }: Command): string =>
  [command, ...args].map(quoted).join(' ');

/** Commands that a shell executes as a whole or, if their end is missing, not at all. */
export function inBraces(...lines: string[]): string {
  const text = ['{', ...lines, '}\n'].join('\n');
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
