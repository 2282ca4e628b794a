// Reads the files that decide how Ansible is started: its requirements and its configuration.

import { dirname, join } from 'node:path';
import { readFiles } from '../sandbox/sandbox.ts';
import { isFolder } from '../sandbox/inside.ts';
import type { FilePlace, ReadFile } from '../sandbox/commands.ts';
import { accessOf, givenVariables, type Preparation } from '../prepare/prepare.ts';
import { requirementPlaces } from '../prepare/requirements.ts';
import { workingFolder, type WorkingFolder } from '../prepare/working-folder.ts';
import {
  galaxySettings,
  pathsOf,
  readConfiguration,
  readSystemConfiguration,
  settingOf,
  type AnsibleConfiguration,
} from '../prepare/ansible-settings.ts';
import type { FactCaching } from './fact-cache.ts';
import type { InventoryPlugins } from './folder-inventory.ts';

export interface AnsibleFiles {
  /** The requirements that exist, by their paths in the checkout. */
  requirements: Map<string, ReadFile>;
  /** The folders that the environment or configuration names; null: Ansible uses its defaults. */
  roles: string | null;
  collections: string | null;
  callbacks: string | null;
  /** The inventory that they name, for runs without one. */
  inventory: string | null;
  /** Whether they turn off colours. */
  isPlain: boolean;
  /** The variables of temporary folders that the configuration sets. */
  ownPlaces: string[];
  facts: FactCaching;
  inventoryPlugins: InventoryPlugins;
  /** The settings of ansible-galaxy as a text, to detect changes. */
  galaxy: string;
}

/** `playbook` is its path in the checkout. */
export async function readAnsibleFiles(
  preparation: Preparation,
  playbook: string,
): Promise<AnsibleFiles> {
  const { checkout: root } = preparation.workspace;
  const { within } = workingFolder(preparation);
  const variables = givenVariables(preparation);
  const asked = requirementPlaces(playbook).map((path) => ({
    root,
    path,
    as: 'requirements' as const,
  }));
  const configurations = [
    ...placesOf(root, variables['ANSIBLE_CONFIG'], within),
    { root, path: within('ansible.cfg') },
  ];
  const files = await readFiles(
    [...asked, ...configurations.map((place) => ({ ...place, as: 'text' as const }))],
    accessOf(preparation),
  );
  const configuration =
    firstOf(configurations, files.slice(asked.length)) ?? (await readSystemConfiguration());
  const foldersOf = (variable: string, ...settings: string[]): string | null =>
    variables[variable] || pathsOf(configuration, ...settings);
  const defaultOf = (name: string): string | null => settingOf(configuration, 'defaults', name);
  return {
    requirements: new Map(
      asked.flatMap(({ path }, index) => {
        const file = files[index];
        return file ? [[path, file] as const] : [];
      }),
    ),
    roles: foldersOf('ANSIBLE_ROLES_PATH', 'roles_path'),
    collections:
      variables['ANSIBLE_COLLECTIONS_PATH'] ||
      foldersOf('ANSIBLE_COLLECTIONS_PATHS', 'collections_path', 'collections_paths'),
    facts: {
      plugin: variables['ANSIBLE_CACHE_PLUGIN'] || defaultOf('fact_caching'),
      connection:
        variables['ANSIBLE_CACHE_PLUGIN_CONNECTION'] || defaultOf('fact_caching_connection'),
    },
    callbacks: foldersOf('ANSIBLE_CALLBACK_PLUGINS', 'callback_plugins'),
    inventoryPlugins: {
      enabled: listOf(
        variables['ANSIBLE_INVENTORY_ENABLED'] ||
          settingOf(configuration, 'inventory', 'enable_plugins'),
      ),
      folders: foldersOf('ANSIBLE_INVENTORY_PLUGINS', 'inventory_plugins'),
    },
    ownPlaces: temporaryPlaces
      .filter(([section, name]) => settingOf(configuration, section, name) !== null)
      .map(([, , variable]) => variable),
    isPlain: isTrue(variables['NO_COLOR'] ?? variables['ANSIBLE_NOCOLOR'] ?? defaultOf('nocolor')),
    inventory: variables['ANSIBLE_INVENTORY'] || defaultOf('inventory'),
    galaxy: JSON.stringify([
      galaxySettings(configuration),
      Object.entries(variables).filter(([name]) => name.startsWith('ANSIBLE_GALAXY_')),
    ]),
  };
}

/** The settings of temporary files and sockets, and their variables. */
const temporaryPlaces = [
  ['defaults', 'local_tmp', 'ANSIBLE_LOCAL_TEMP'],
  ['ssh_connection', 'control_path_dir', 'ANSIBLE_SSH_CONTROL_PATH_DIR'],
  ['persistent_connection', 'control_path_dir', 'ANSIBLE_PERSISTENT_CONTROL_PATH_DIR'],
] as const;

const listOf = (text: string | null): string[] | null =>
  text?.split(',').map((one) => one.trim()) ?? null;

const isTrue = (text: string | null): boolean => /^(?:true|yes|y|on|t|1|1\.0)$/i.test(text ?? '');

/** Parses the first file that exists, as Ansible does. */
function firstOf(asked: FilePlace[], files: (ReadFile | null)[]): AnsibleConfiguration | null {
  for (const [index, { root, path }] of asked.entries()) {
    const file = files[index];
    if (file) return readConfiguration(file.text, dirname(join(root, path)));
  }
  return null;
}

/** A relative ANSIBLE_CONFIG is relative to the folder in which Ansible runs, and may name a folder. */
function placesOf(
  root: string,
  path: string | undefined,
  within: WorkingFolder['within'],
): FilePlace[] {
  if (!path) return [];
  if (path.startsWith('/')) return [{ root: '/', path }];
  const at = within(path);
  return [{ root, path: isFolder(root, at) ? join(at, 'ansible.cfg') : at }];
}
