// A command as people would type it. Secrets stand in files and never in it, unless somebody has
// put one into the arguments.

import { quoted } from '../workspace/credentials.ts';
import type { Mask } from '../log/mask.ts';
import type { Command } from '../programs/process.ts';

export function shownCommand(
  { command, args }: Pick<Command, 'command' | 'args'>,
  mask: Mask,
): string {
  // Masked before it is quoted: the quotes would tear a secret apart that has some of its own.
  return [command, ...args].map((word) => asTyped(mask(word))).join(' ');
}

const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
