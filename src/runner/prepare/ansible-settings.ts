// Parses the settings of an `ansible.cfg` that the runner needs, as Ansible does with Python's `configparser`:
// sections, names in any case, indented continuation lines, and comments that begin with `#` or `;`, or inside of a
// line with a space and `;`.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface AnsibleConfiguration {
  /** The values by section and lower-case name. */
  sections: Map<string, Map<string, string>>;
  /** The folder of the file, to which relative paths refer. */
  folder: string;
}

/** Syntax errors are ignored, because Ansible itself fails with them. */
export function readConfiguration(text: string, folder: string): AnsibleConfiguration {
  const sections: AnsibleConfiguration['sections'] = new Map();
  let settings = new Map<string, string>();
  let open: { name: string; indent: number } | null = null;
  for (const whole of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const line = withoutComment(whole);
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const indent = line.length - line.trimStart().length;
    if (open && indent > open.indent) {
      settings.set(open.name, `${settings.get(open.name)}\n${trimmed}`.trim());
      continue;
    }
    open = null;
    if (trimmed.startsWith('[') && trimmed.includes(']')) {
      const name = trimmed.slice(1, trimmed.lastIndexOf(']'));
      settings = sections.get(name) ?? new Map<string, string>();
      sections.set(name, settings);
      continue;
    }
    const end = trimmed.search(/[=:]/);
    if (end < 0) continue;
    const name = trimmed.slice(0, end).trim().toLowerCase();
    settings.set(name, trimmed.slice(end + 1).trim());
    open = { name, indent };
  }
  return { sections, folder };
}

function withoutComment(line: string): string {
  const start = line.trimStart();
  return start.startsWith('#') || start.startsWith(';') ? '' : (line.split(/\s;/, 1)[0] ?? '');
}

type Section = 'defaults' | 'inventory' | 'ssh_connection' | 'persistent_connection';

/** The value of the first of these settings that is set; null: none. */
export function settingOf(
  { sections }: AnsibleConfiguration,
  section: Section,
  ...names: string[]
): string | null {
  const settings = sections.get(section);
  return names.map((name) => settings?.get(name)).find((value) => value) ?? null;
}

/** All settings of Galaxy as a text, to detect changes. */
export const galaxySettings = ({ sections }: AnsibleConfiguration): string =>
  JSON.stringify(
    [...sections]
      .filter(([name]) => name === 'galaxy' || name.startsWith('galaxy_server.'))
      .map(([name, settings]) => [name, [...settings]]),
  );

/** The folders in the first of these defaults that is set, joined by colons; null: none. */
export function pathsOf(configuration: AnsibleConfiguration, ...names: string[]): string | null {
  const isWhole = (path: string): boolean => /^(?:[/~$]|\{\{)/.test(path);
  const { folder } = configuration;
  const paths = settingOf(configuration, 'defaults', ...names)?.split(':');
  return paths?.map((path) => (isWhole(path) ? path : join(folder, path))).join(':') ?? null;
}

const systemFolder = '/etc/ansible';

/** The machine's configuration, for runs without one. */
export async function readSystemConfiguration(): Promise<AnsibleConfiguration> {
  const text = await readFile(join(systemFolder, 'ansible.cfg'), 'utf8').catch(() => '');
  return readConfiguration(text, systemFolder);
}
