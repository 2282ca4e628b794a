// A command as people would type it. Secrets stand in files and never in it.

import type { Command } from './process.ts';

export function shownCommand({ command, args }: Pick<Command, 'command' | 'args'>): string {
  const quoted = args.map((arg) =>
    /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`,
  );
  return [command, ...quoted].join(' ');
}
