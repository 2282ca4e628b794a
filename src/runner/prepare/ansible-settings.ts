// What a configuration of Ansible says, as far as we have to know it.

import { readFile } from 'node:fs/promises';

/** The value of the first of these settings that a file has; null: it has none of them. */
export function settingOf(text: string, ...names: string[]): string | null {
  for (const line of text.split('\n')) {
    const end = line.search(/[=:]/);
    if (end < 0 || !names.includes(line.slice(0, end).trim())) continue;
    // Ansible takes a comment for one only behind a space.
    const [value = ''] = line
      .slice(end + 1)
      .trim()
      .split(/\s;/, 1);
    if (value !== '') return value;
  }
  return null;
}

/** The settings of the machine, where neither repository nor environment have any. */
export const readSystemSettings = (): Promise<string> =>
  readFile('/etc/ansible/ansible.cfg', 'utf8').catch(() => '');
