// Reads the files that decide how Ansible is started: its requirements and its configuration.

import { dirname, join } from 'node:path';
import { insideOnly, readFiles } from '../foreign/foreign.ts';
import type { FilePlace, ReadFile } from '../foreign/orders.ts';
import { accessOf, givenVariables, type Preparation } from '../prepare/prepare.ts';
import { places } from '../prepare/requirements.ts';
import {
  pathsOf,
  readSystemConfiguration,
  type AnsibleConfiguration,
} from '../prepare/ansible-settings.ts';

export interface AnsibleFiles {
  /** The requirements in the order of `places`. */
  requirements: (ReadFile | null)[];
  /** The absolute path of the playbook's folder. */
  folder: string;
  /** The folders that environment or configuration name; null: those that Ansible has by itself. */
  roles: string | null;
  collections: string | null;
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
    ...placesOf(root, variables['ANSIBLE_CONFIG']),
    { root, path: 'ansible.cfg' },
  ];
  const files = await readFiles(
    [...asked, ...configurations.map((place) => ({ ...place, as: 'text' as const }))],
    accessOf(preparation),
  );
  const configuration =
    firstOf(configurations, files.slice(asked.length)) ?? (await readSystemConfiguration());
  const foldersOf = (variable: string, ...settings: string[]): string | null =>
    variables[variable] || pathsOf(configuration, ...settings);
  return {
    requirements: files.slice(0, asked.length),
    folder: join(root, folder),
    roles: foldersOf('ANSIBLE_ROLES_PATH', 'roles_path'),
    collections:
      variables['ANSIBLE_COLLECTIONS_PATH'] ||
      foldersOf('ANSIBLE_COLLECTIONS_PATHS', 'collections_path', 'collections_paths'),
    callbacks: foldersOf('ANSIBLE_CALLBACK_PLUGINS', 'callback_plugins'),
  };
}

/** The configuration that Ansible takes: the first that is there. */
function firstOf(asked: FilePlace[], files: (ReadFile | null)[]): AnsibleConfiguration | null {
  for (const [index, { root, path }] of asked.entries()) {
    const file = files[index];
    if (file) return { text: file.text, folder: dirname(join(root, path)) };
  }
  return null;
}

/** Ansible takes the path of the variable from where it runs. */
function placesOf(root: string, path: string | undefined): FilePlace[] {
  if (!path) return [];
  return path.startsWith('/') ? [{ root: '/', path }] : [{ root, path }];
}
