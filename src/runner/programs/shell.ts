// Quotes for a shell: one text as a word, and a command as people would type it.
import type { Command } from './process.ts';

/** The text, quoted as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The command as it is shown in the log. Secrets are passed in files, not in commands; `mask` hides
 * those that somebody has typed into the arguments.
 */
export function shownCommand(
  { command, args }: Pick<Command, 'command' | 'args'>,
  mask: (text: string) => string,
): string {
  // Masked before quoting, because quoting changes a secret that contains quotes.
  return [command, ...args].map((word) => asTyped(mask(word))).join(' ');
}

const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
