// Parses the text of an inventory with ansible-inventory: returns its hosts and groups, or why it cannot be
// parsed. The text is untrusted, so only the two plugins that execute nothing are enabled, without keys,
// configuration or other files.

import { fileURLToPath } from 'node:url';
import type { InventoryPreview, InventoryText } from '#shared/api/inventories.ts';
import { readInventory } from '../sandbox/sandbox.ts';
import type { InspectionWorkspace } from './inspection-workspace.ts';
import { runTool } from '../programs/process.ts';

const limited = fileURLToPath(new URL('../programs/limited.sh', import.meta.url));
const program = 'ansible-inventory';

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

// The files have the same names as in the run of a task.
const kinds = {
  static: { parser: 'ini', name: 'inventory' },
  'static-yaml': { parser: 'yaml', name: 'inventory.yml' },
} as const;

/** Throws when the signal fires. */
export async function previewInventory(
  { config, workspace, signal }: InspectionWorkspace,
  { type, inventory }: InventoryText,
): Promise<InventoryPreview> {
  const { parser, name } = kinds[type];
  const { dir, home, user } = workspace;
  const path = await workspace.writeSecret(name, inventory);
  const env = {
    PATH: config.path,
    HOME: home,
    LANG: 'C.UTF-8',
    ANSIBLE_INVENTORY_ENABLED: parser,
    ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: '1',
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_CONFIG: await workspace.writeSecret('ansible.cfg', ''),
  };
  const args = [program, '--list', `--inventory=${path}`];
  const tool = { command: limited, args, cwd: dir, env, user, outputLimit: MAX_OUTPUT_BYTES };
  const { exitCode, failure, stdout, stderr } = await runTool(tool, signal);
  signal.throwIfAborted();
  const messages = messagesOf(stderr, path);
  if (exitCode !== 0 || failure !== null) {
    return { ...nothing, messages: messages.length > 0 ? messages : [failure ?? tooLarge] };
  }
  const list = await readInventory(stdout, signal);
  return list ? { ...list, messages } : { ...nothing, messages: [tooLarge] };
}

const nothing = { parsed: false, host_count: 0, hosts: [], groups: [] };
const tooLarge = `${program} was stopped: the inventory needs too much memory or time.`;

/** Joins the lines that Ansible wraps at eighty characters, and hides the path of the temporary file. */
function messagesOf(text: string, path: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(path, 'inventory')
    .split(/(?:^|\s)(?:\[(?:WARNING|ERROR|DEPRECATION WARNING)\]:|ERROR!)/)
    .map((message) => message.replace(/^[\s*]+/, '').trim())
    .filter((message) => message !== '' && !message.startsWith('Completely failed to parse'));
}
