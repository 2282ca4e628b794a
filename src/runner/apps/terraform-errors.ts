// The headline of an error as Terraform and OpenTofu print it, for people to read; nothing is decided
// by it. What a script of the configuration prints has the name of its resource before it.

import { stripVTControlCharacters } from 'node:util';

const plain = /^(?:│ )?Error: (\S.*)$/;

/** Null: the line begins no error. */
export function errorHeadline(line: string): string | null {
  const text = line.startsWith('{') ? messageOf(line) : stripVTControlCharacters(line);
  return plain.exec(text)?.[1]?.trimEnd().replace(/\.$/, '') ?? null;
}

/** With `-json` each line is an object. */
function messageOf(line: string): string {
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    return entry['@level'] === 'error' ? String(entry['@message']) : '';
  } catch {
    return '';
  }
}
