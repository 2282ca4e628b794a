// What we have to know of the files that Ansible reads: requirements and its configuration.

import { dirname, join } from 'node:path';
import { insideOnly, readFiles } from '../foreign/foreign.ts';
import type { ReadFile } from '../foreign/orders.ts';
import { accessOf, givenVariables, type Preparation } from '../prepare/prepare.ts';
import { places } from '../prepare/requirements.ts';
import { readSystemSettings, settingOf } from '../prepare/ansible-settings.ts';

export interface AnsibleFiles {
  /** By the order of `places`. */
  requirements: (ReadFile | null)[];
  /** Folder of the playbook, whole. */
  folder: string;
  /** What `ansible.cfg` of the repository says. */
  settings: string;
  /** Where the user has callbacks; null: nowhere. */
  callbacks: string | null;
}

export async function readAnsibleFiles(preparation: Preparation): Promise<AnsibleFiles> {
  const { task, workspace } = preparation;
  const { checkout: root } = workspace;
  const { playbook } = task.snapshot;
  insideOnly(root, playbook, 'playbook');
  const folder = dirname(playbook);
  const variables = givenVariables(preparation);
  const asked = places.map((path) => ({
    root,
    path: join(folder, path),
    as: 'requirements' as const,
  }));
  const configurations = [
    { root, path: 'ansible.cfg' },
    ...named(root, variables['ANSIBLE_CONFIG']),
  ].map((place) => ({ ...place, as: 'text' as const }));
  const files = await readFiles([...asked, ...configurations], accessOf(preparation));
  const [own = null, ...others] = files.slice(asked.length);
  const taken = others.find((file) => file !== null) ?? own;
  return {
    requirements: files.slice(0, asked.length),
    folder: join(root, folder),
    settings: own?.text ?? '',
    callbacks:
      variables['ANSIBLE_CALLBACK_PLUGINS'] ||
      settingOf(taken ? taken.text : await readSystemSettings(), 'callback_plugins'),
  };
}

/** Ansible takes the path of the variable from where it runs. */
function named(root: string, path: string | undefined): { root: string; path: string }[] {
  if (!path) return [];
  return path.startsWith('/') ? [{ root: '/', path }] : [{ root, path }];
}
