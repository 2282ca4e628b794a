// The headline of an error of Terraform and OpenTofu, for people only; no decision depends on it. Output of a
// local-exec provisioner is prefixed with its resource, so it does not match.

import { stripVTControlCharacters } from 'node:util';

const plain = /^(?:│ )?Error: (\S.*)$/;

/** Null: no error begins in this line. */
export function errorHeadline(line: string): string | null {
  const text = line.startsWith('{') ? messageOf(line) : stripVTControlCharacters(line);
  return plain.exec(text)?.[1]?.trimEnd().replace(/\.$/, '') ?? null;
}

/** The message of an error in a line of `-json`. */
function messageOf(line: string): string {
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    return entry['@level'] === 'error' ? String(entry['@message']) : '';
  } catch {
    return '';
  }
}
