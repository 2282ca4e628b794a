// What a shell would read: a text as one word, and a command as people would type it.

import type { Command } from './process.ts';

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A command for the log. Secrets stand in files and never in a command, unless somebody has put one
 * into the arguments: `mask` hides those.
 */
export function shownCommand(
  { command, args }: Pick<Command, 'command' | 'args'>,
  mask: (text: string) => string,
): string {
  // Masked before it is quoted: the quotes would tear a secret apart that has some of its own.
  return [command, ...args].map((word) => asTyped(mask(word))).join(' ');
}

const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
