// Reads the few settings of an `ansible.cfg` that the runner has to know.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A configuration file of Ansible. */
export interface AnsibleConfiguration {
  text: string;
  /** The folder of the file, from which Ansible takes relative paths in it. */
  folder: string;
}

/** The value of the first of these settings that a file has; null: it has none of them. */
export function settingOf(text: string, ...names: string[]): string | null {
  for (const line of text.split('\n')) {
    const end = line.search(/[=:]/);
    if (end < 0 || !names.includes(line.slice(0, end).trim())) continue;
    // For Ansible a comment begins only after a space.
    const [value = ''] = line
      .slice(end + 1)
      .trim()
      .split(/\s;/, 1);
    if (value !== '') return value;
  }
  return null;
}

/** The names in a setting that is a list, whose lines may go on in indented ones; null: there is none. */
export function namesOf(text: string, name: string): string[] | null {
  const whole = text.replaceAll(/\n[ \t]+(?=[^\s#;])/g, ' ');
  const names = settingOf(whole, name)
    ?.split(',')
    .map((one) => one.trim());
  return names?.filter((one) => one !== '') ?? null;
}

/** The folders in the first of these settings that the file has, joined by colons; null: it has none. */
export function pathsOf({ text, folder }: AnsibleConfiguration, ...names: string[]): string | null {
  const isWhole = (path: string): boolean => /^(?:[/~$]|\{\{)/.test(path);
  const paths = settingOf(text, ...names)?.split(':');
  return paths?.map((path) => (isWhole(path) ? path : join(folder, path))).join(':') ?? null;
}

const systemFolder = '/etc/ansible';

/** The machine's configuration, for runs whose repository and environment have none. */
export async function readSystemConfiguration(): Promise<AnsibleConfiguration> {
  const text = await readFile(join(systemFolder, 'ansible.cfg'), 'utf8').catch(() => '');
  return { text, folder: systemFolder };
}
