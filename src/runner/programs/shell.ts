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
