// In a folder of inventories, Ansible reads the text of a script that fails as a list of hosts. Signalbox's
// plugin `signalbox_ini` replaces the one that reads such lists.

import { isFolder } from '../sandbox/inside.ts';
import type { Preparation } from '../prepare/prepare.ts';
import { installPlugin } from './ansible-plugin.ts';

const plugin = new URL('inventory/signalbox_ini.py', import.meta.url);
const name = 'signalbox_ini';

/** Inventory plugins; null: Ansible's default. */
export interface InventoryPlugins {
  /** The names of the plugins, in the order in which they are tried. */
  enabled: string[] | null;
  /** Their folders, joined by colons. */
  folders: string | null;
}

// Since ansible-core 2.4.
const usualNames = ['host_list', 'script', 'auto', 'yaml', 'ini', 'toml'];
const usualFolders = '~/.ansible/plugins/inventory:/usr/share/ansible/plugins/inventory';

const isIni = (one: string): boolean => one === 'ini' || one === 'ansible.builtin.ini';

/** Installs the plugin if the inventory is a folder; returns the environment variables that it needs. */
export async function folderInventoryVariables(
  { task, workspace }: Preparation,
  inventory: string | null,
  { inventoryPlugins: { enabled, folders } }: { inventoryPlugins: InventoryPlugins },
): Promise<Record<string, string>> {
  const names = enabled ?? usualNames;
  if (!inventory || !isFolder('/', inventory) || !names.some(isIni)) return {};
  const ours = await installPlugin(workspace, 'inventory', plugin);
  return {
    ANSIBLE_INVENTORY_ENABLED: names.map((one) => (isIni(one) ? name : one)).join(','),
    ANSIBLE_INVENTORY_PLUGINS: `${ours}:${folders ?? usualFolders}`,
    ...(task.snapshot.failWithoutHosts && { SIGNALBOX_FAIL_WITHOUT_HOSTS: '1' }),
  };
}
